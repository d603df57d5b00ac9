import { describe, expect, it } from 'vitest';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { HedgeGoal } from '../../../src/domain/hedge-intent.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import type { Hedging } from '../../../src/engine/hedging/hedging.ts';
import type { HedgeBet, HedgeWish, PlannedHedge } from '../../../src/engine/hedging/terms.ts';
import { worstMicros } from '../../../src/hedge/book.ts';
import { type PlannedLeg, STAKE_STEP_MICROS as CENT_MICROS, withBets } from '../../../src/hedge/legs.ts';
import { FIXTURE } from '../../market/support.ts';
import type { Ask } from '../../risk/support/harness.ts';
import { hedgedEvent, hedgedEventAt, id, ODDS } from '../../support/hedged-event.ts';

const wish = (goal: HedgeGoal, way: HedgeWish['way'] = 'take'): HedgeWish => ({ event: FIXTURE, goal, way });

function planned(hedging: Hedging, goal: HedgeGoal, way?: HedgeWish['way']): PlannedHedge {
  const answer = hedging.plan(wish(goal, way));
  if (answer.kind === 'refused') throw new Error(answer.why);
  return answer;
}

const resultOf = ({ book, legs }: PlannedHedge) => withBets(book, legs, 'all');
const shown = ({ legs }: PlannedHedge) =>
  legs.map(({ leg, stakeMicros }) => [leg.direction, leg.selectionId, stakeMicros / 1e6]);

const LAID_HOME: Ask = { betType: 'against,h', price: 3, stake: 60 };

describe('a hedge that is planned from bets and prices', () => {
  it('bounds the event by one bet on whichever of its markets is cheapest', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'bound', boundMicros: 50e6 });
    expect(shown(plan)).toEqual([['for', id('h'), 70]]);
    expect(worstMicros(resultOf(plan))).toBe(-50e6);
  });

  it('flattens a selection', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'flatten', selectionId: id('h') });
    expect(shown(plan)).toEqual([['for', id('h'), 90]]);
    expect(new Set(resultOf(plan)[0]?.micros)).toEqual(new Set([-30e6]));
  });

  it('equalises the most uneven market, or the one that is named', () => {
    const { hedging } = hedgedEvent(
      { betType: 'for,h', price: 3, stake: 60 },
      { betType: 'for,over,2.5', price: 2.2, stake: 10 },
    );
    const any = planned(hedging, { kind: 'equalise', marketType: null });
    expect(shown(any)).toEqual([['against', id('h'), 88.23]]);
    const goals = planned(hedging, { kind: 'equalise', marketType: 'ou' });
    expect(shown(goals)).toEqual([['against', id('over,2.5'), 11]]);
    expect(hedging.plan(wish({ kind: 'equalise', marketType: 'ah' }))).toMatchObject({ kind: 'refused' });
  });

  it.each<readonly [of: string, bets: readonly Ask[]]>([
    // Home pays 50 or loses 100, over 80 or 40.
    [
      'h',
      [
        { betType: 'for,h', price: 1.5, stake: 100 },
        { betType: 'for,over,2.5', price: 3, stake: 40 },
      ],
    ],
    [
      'over,2.5',
      [
        { betType: 'for,h', price: 1.5, stake: 60 },
        { betType: 'for,over,2.5', price: 3, stake: 40 },
      ],
    ],
    [
      'h',
      [
        { betType: 'against,h', price: 5, stake: 30 },
        { betType: 'for,over,2.5', price: 2, stake: 60 },
      ],
    ],
    [
      'over,2.5',
      [
        { betType: 'against,h', price: 5, stake: 20 },
        { betType: 'for,over,2.5', price: 2, stake: 60 },
      ],
    ],
  ])('measures how uneven a market is by what its results differ in: %s', (outcome, bets) => {
    const { hedging } = hedgedEvent(...bets);
    const plan = planned(hedging, { kind: 'equalise', marketType: null });
    const family = outcome === 'h' ? ['h', 'd', 'a'] : ['over,2.5', 'under,2.5'];
    for (const { leg } of plan.legs) expect(family.map(id)).toContain(leg.selectionId);
  });

  it('counts a held selection that the market lists no more as one of its market', () => {
    const { hedging, market } = hedgedEvent({ betType: 'for,h', price: 3, stake: 60 });
    const listed = market.candidates(FIXTURE).filter(({ selectionId }) => selectionId !== id('h'));
    Object.assign(market, { candidates: () => listed });
    // It cannot be laid, and backing the two others by themselves may lose more.
    expect(hedging.plan(wish({ kind: 'equalise', marketType: 'wdw' }))).toMatchObject({
      why: expect.stringContaining('the worst case falls from -60') as string,
    });
  });

  it('may be offered at the price of the other side', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'flatten', selectionId: id('h') }, 'offer');
    expect(shown(plan)).toEqual([['for', id('h'), 88.23]]);
  });

  it('is none without bets, and none within the bound', () => {
    expect(hedgedEvent().hedging.plan(wish({ kind: 'bound', boundMicros: 1 }))).toEqual({
      kind: 'refused',
      why: 'nothing is held on the event',
      isNeedless: true,
    });
    expect(hedgedEvent(LAID_HOME).hedging.plan(wish({ kind: 'bound', boundMicros: 120e6 }))).toEqual({
      kind: 'refused',
      why: 'the worst case is within the bound',
      isNeedless: true,
    });
  });
});

describe('the least stake of an order', () => {
  const GOALS: readonly HedgeGoal[] = [
    { kind: 'bound', boundMicros: 118e6 },
    { kind: 'flatten', selectionId: id('over,2.5') },
    { kind: 'equalise', marketType: 'ou' },
  ];
  const cases = GOALS.flatMap((goal) => (['take', 'offer'] as const).map((way) => [goal, way] as const));

  it.each(cases)('is that of each bet of a hedge: %o, %s', (goal, way) => {
    const { hedging } = hedgedEvent(LAID_HOME, { betType: 'for,over,2.5', price: 2, stake: 2 });
    const least = Math.min(...planned(hedging, goal, way).legs.map(({ stakeMicros }) => stakeMicros));
    hedging.setLeastStake(least);
    expect(planned(hedging, goal, way).legs.map(({ stakeMicros }) => stakeMicros)).toContain(least);
    hedging.setLeastStake(least + CENT_MICROS);
    const answer = hedging.plan(wish(goal, way));
    const bets = answer.kind === 'planned' ? answer.legs : [];
    expect(bets.filter(({ stakeMicros }) => stakeMicros <= least)).toEqual([]);
    hedging.setLeastStake(1e12);
    expect(hedging.plan(wish(goal, way))).toMatchObject({ kind: 'refused' });
  });

  it('is named where it leaves no bet', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    hedging.setLeastStake(2_000e6);
    expect(hedging.plan(wish({ kind: 'bound', boundMicros: 50e6 }))).toMatchObject({
      why: expect.stringContaining('of 2000 USDT or more') as string,
    });
  });

  it('is that of a single bet, and of one that was planned before it rose', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'bound', boundMicros: 50e6 });
    const single = { ...(plan.legs[0] as PlannedLeg).leg, stakeMicros: 70e6 };
    for (const [least, isAllowed] of [
      [70e6, true],
      [70e6 + 1, false],
    ] as const) {
      hedging.setLeastStake(least);
      expect(hedging.planBet(FIXTURE, single).kind).toBe(isAllowed ? 'planned' : 'refused');
      expect(hedging.faultOf(plan)).toEqual(
        isAllowed ? null : expect.stringContaining('below the least stake of an order, 70.000001 USDT'),
      );
    }
  });
});

describe('a bet at a price of its own', () => {
  const bet = (given: Partial<HedgeBet> & { readonly price?: number } = {}): HedgeBet => {
    const { price = 2.5, ...over } = given;
    return {
      selectionId: id('h'),
      direction: 'for',
      priceKind: 'odds-for',
      tick: tickOf(price) as number,
      way: 'offer',
      stakeMicros: 40e6,
      ...over,
    };
  };
  const laid = { direction: 'against', priceKind: 'lay-for' } as const;
  const BACKED_HOME: Ask = { betType: 'for,h', price: 3, stake: 60 };

  it('names its event alone, of whatever it is asked for', () => {
    const { hedging } = hedgedEvent(LAID_HOME);
    const answer = hedging.planBet({ ...FIXTURE, betId: 7 } as EventName, bet());
    expect(answer.kind === 'planned' && answer.event).toEqual(FIXTURE);
  });

  it('is planned as it is, whatever the market shows', () => {
    const answer = hedgedEvent(LAID_HOME).hedging.planBet(FIXTURE, bet());
    expect(answer).toMatchObject({ kind: 'planned', event: FIXTURE, way: 'offer' });
    expect(answer.kind === 'planned' && shown(answer)).toEqual([['for', id('h'), 40]]);
    expect(answer.kind === 'planned' && worstMicros(resultOf(answer))).toBe(-60e6);
  });

  it.each([
    ['worsens the event', [LAID_HOME], bet(laid), 'the worst case falls from -120 to -180'],
    ['is larger than what it hedges', [BACKED_HOME], bet({ ...laid, stakeMicros: 121e6 }), 'falls from -60'],
    ['hedges another selection at the cost of this one', [LAID_HOME], bet({ stakeMicros: 181e6 }), 'to -121'],
    ['is on an event without bets', [], bet(), 'it hedges nothing'],
    ['is on no selection of the event', [LAID_HOME], bet({ selectionId: id('cs,1,0') }), 'no such bet'],
    ['has less than a cent', [LAID_HOME], bet({ stakeMicros: 9_999 }), 'no such bet'],
  ])('is refused if it %s', (_, held, asked, why) => {
    expect(hedgedEvent(...held).hedging.planBet(FIXTURE, asked)).toEqual({
      kind: 'refused',
      why: expect.stringContaining(why) as string,
    });
  });

  it.each([
    ['lay prices', LAY_PRICES, 2.5, ['lay-for', 2.5, 40]],
    ['odds', ODDS, 2, ['odds-against', 2, 40]],
    // Odds of 1.666… are not on the ladder: the next ones further from fair, and no more contracts.
    ['odds between two ticks', ODDS, 2.5, ['odds-against', 1.67, 59.88]],
  ] as const)('is in the terms of the exchange: %s', (_, current, price, terms) => {
    const held = current === ODDS ? { ...BACKED_HOME, stake: 60 } : BACKED_HOME;
    const answer = hedgedEventAt(current, held).hedging.planBet(FIXTURE, bet({ ...laid, price }));
    if (answer.kind === 'refused') throw new Error(answer.why);
    expect(
      answer.legs.map(({ leg, stakeMicros }) => [leg.priceKind, priceOf(leg.tick), stakeMicros / 1e6]),
    ).toEqual([terms]);
    expect(answer.legs[0]?.leg.betType).toBe('against,h');
  });
});

describe('a hedge that was planned before', () => {
  it('can be made while its prices hold', () => {
    const { hedging, thin } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'bound', boundMicros: 50e6 });
    expect(hedging.faultOf(plan)).toBeNull();
    thin();
    expect(hedging.faultOf(plan)).toBe('its prices no longer hold its stakes');
  });

  it.each([
    ['are gone', { betType: 'for,h', price: 3, stake: 60 }, 'the bets that it hedges are no longer held'],
    [
      'lean the other way by now',
      { betType: 'for,h', price: 3, stake: 80 },
      'the worst case falls from -20 to -90',
    ],
    [
      'lose more where it loses',
      { betType: 'against,d', price: 3, stake: 70 },
      'the worst case falls from -80 to -150',
    ],
    ['lose more where it wins', { betType: 'against,h', price: 3, stake: 60 }, null],
    ['lose less, and no less than it adds', { betType: 'for,h', price: 3, stake: 10 }, null],
  ] as const)('is judged by the bets that are held when it is made, which %s', (_, bet, fault) => {
    const { hedging, hold } = hedgedEvent(LAID_HOME);
    const plan = planned(hedging, { kind: 'bound', boundMicros: 50e6 });
    hold(bet);
    expect(hedging.faultOf(plan)).toEqual(fault === null ? null : expect.stringContaining(fault));
  });
});
