import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesFrom } from '../../../src/app/names.ts';
import type { HedgePreviewReport, HedgeProgressReport } from '../../../src/app/operate/hedge.ts';
import { HedgeDesk } from '../../../src/app/run/hedge-controls.ts';
import type { EventName, Score } from '../../../src/domain/events.ts';
import { TouchlineError } from '../../../src/domain/errors.ts';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import { betType, type SelectionId, sport } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { directionOfKind, isComplement, PRICE_KINDS } from '../../../src/domain/odds.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { Hedges } from '../../../src/engine/hedging/hedges.ts';
import type { InputOf } from '../../../src/engine/input.ts';
import type { HedgeQuestion } from '../../../src/ops/commands/controls.ts';
import { eventScope, scopeOfSelection } from '../../../src/risk/index.ts';
import {
  eventEntry,
  FIXTURE,
  liveOrder,
  offerEntry,
  prices,
  quoteEntry,
  sportEvent,
} from '../../market/support.ts';
import type { Ask } from '../../risk/support/harness.ts';
import { hedgedEvent, id } from '../../support/hedged-event.ts';

const TENNIS: EventName = { ...FIXTURE, sport: sport('tennis') };

/** A desk over one event with these bets. */
function deskOver(...bets: readonly Ask[]) {
  const event = hedgedEvent(...bets);
  const world = {
    owner: 'a strategy' as string | null,
    commissionRate: 0.05,
    alsoHeld: [] as EventName[],
    prices: LAY_PRICES as object,
    blocked: null as string | null,
    waiting: [] as object[],
    stopped: { for: null, against: null } as Record<Direction, string | null>,
  };
  const made: InputOf<'hedge'>[] = [];
  const hedges = new Hedges();
  const described: EventName[] = [FIXTURE];
  const core = {
    ...event,
    hedges,
    prices: {
      get current() {
        return world.prices;
      },
    },
    risk: {
      states: [],
      heldEvents: () => [...event.risk.heldEvents(), ...world.alsoHeld],
      outcomePositions: event.risk.outcomePositions.bind(event.risk),
      eventRisk: event.risk.eventRisk.bind(event.risk),
      effectiveState: event.risk.effectiveState.bind(event.risk),
      stoppedBy: () => world.stopped,
      get killed() {
        return event.risk.killed;
      },
    },
    adjustments: { isLeft: () => false, of: () => [] },
    strategies: { ownerOf: () => world.owner },
    apply: (input: InputOf<'hedge'>) => {
      made.push(input);
      hedges.take(input.order, event.clock.monotonicMs());
    },
  };
  const markets = { events: () => described.map((each) => ({ event: sportEvent({ ...each }) })) };
  const desk = new HedgeDesk({
    core,
    parts: {
      clock: event.clock,
      orders: { status: () => ({ blocked: world.blocked, waiting: world.waiting }) },
      core: { ...core, market: markets },
    },
    names: namesFrom(
      () => sportEvent(),
      () => null,
    ),
    readModel: {
      get commissionRate() {
        return world.commissionRate;
      },
    },
  } as never);
  const preview = (question: Partial<HedgeQuestion>): HedgePreviewReport =>
    desk.preview({ event: 'A v B', ...question }) as HedgePreviewReport;
  const make = (plan: string) => desk.make(plan, 'red', 'anna') as HedgeProgressReport | null;
  return { ...event, desk, world, made, hedges, described, preview, make };
}

const LAID_HOME: Ask = { betType: 'against,h', price: 3, stake: 60 };
const HOME = id('h');

describe('the preview of a person', () => {
  interface Bet {
    readonly outcome: string;
    readonly direction: Direction;
    readonly price: number;
    readonly stake: number;
  }

  const WINS: Readonly<Record<string, (score: Score) => boolean>> = {
    h: ([home, away]) => home > away,
    d: ([home, away]) => home === away,
    a: ([home, away]) => home < away,
    'over,2.5': ([home, away]) => home + away > 2.5,
    'under,2.5': ([home, away]) => home + away < 2.5,
  };
  const OUTCOMES = Object.keys(WINS);

  /** The profit of a bet, from its price and stake alone. */
  const pays = ({ outcome, direction, price, stake }: Bet, score: Score): number => {
    const isWinner = WINS[outcome]?.(score) === true;
    const backed = isWinner ? stake * (price - 1) : 0 - stake;
    return direction === 'for' ? backed : 0 - backed;
  };

  const sumOf = (bets: readonly Bet[], score: Score): number =>
    bets.reduce((sum, bet) => sum + pays(bet, score), 0);
  const net = (profit: number, rate: number): number => profit - rate * Math.max(0, profit);

  const bet = fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    direction: fc.constantFrom<Direction>('for', 'against'),
    price: fc.constantFrom(1.5, 2, 3, 5),
    stake: fc.integer({ min: 5, max: 100 }),
  });
  const goal = fc.oneof(
    fc.record({ boundUsdt: fc.integer({ min: 0, max: 60 }) }),
    fc.constantFrom<Partial<HedgeQuestion>>({ equalise: '' }, { equalise: 'wdw' }, { equalise: 'ou' }),
    fc.record({ flatten: fc.constantFrom(...OUTCOMES) }),
  );

  it('is that of its bets, reckoned from their prices and stakes, in each final score that can still be', () => {
    let shown = 0;
    fc.assert(
      fc.property(
        fc.record({
          bets: fc.array(bet, { minLength: 1, maxLength: 4 }),
          asked: goal,
          offer: fc.boolean(),
          score: fc.option(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))),
          rate: fc.constantFrom(0, 0.02, 0.1),
          open: fc.subarray(OUTCOMES.flatMap((each) => [`for,${each}`, `against,${each}`])),
        }),
        ({ bets, asked, offer, score, rate, open }) => {
          const { preview, world, risk, frame } = deskOver(
            ...bets.map(({ outcome, direction, ...terms }) => ({
              ...terms,
              betType: `${direction},${outcome}`,
            })),
          );
          world.commissionRate = rate;
          frame([
            eventEntry(score === null ? {} : { irStatus: 'in_running' }),
            ...open.map((each, at) =>
              quoteEntry(each, prices([each.startsWith('for') ? 1.5 : 8, 1]), {
                betslipId: `s${at}` as never,
              }),
            ),
          ]);
          if (score !== null) risk.onPlay({ ...FIXTURE, inRunning: true, score });
          let report: HedgePreviewReport;
          try {
            report = preview({ ...asked, offer });
          } catch {
            return;
          }
          shown++;
          const legs = report.bets.map(({ direction, price, stakeUsdt, ...named }): Bet => {
            const outcome = OUTCOMES.find(
              (each) => id(each) === (named as { selectionId?: string }).selectionId,
            );
            return { outcome: outcome ?? '', direction: direction as Direction, price, stake: stakeUsdt };
          });
          const half = legs.map((leg) => ({ ...leg, stake: leg.stake / 2 }));
          const [leastHome, leastAway] = score ?? [0, 0];
          const scores = Array.from({ length: 400 }, (_, cell): Score => [
            Math.floor(cell / 20),
            cell % 20,
          ]).filter(([home, away]) => home >= leastHome && away >= leastAway);
          const ofScores = scores.map((each) => ({
            name: each.join('-'),
            beforeUsdt: net(sumOf(bets, each), rate),
            afterUsdt: net(sumOf([...bets, ...legs], each), rate),
            ifHalfUsdt: net(sumOf([...bets, ...half], each), rate),
          }));
          const expected = [...ofScores, { name: 'void', beforeUsdt: 0, afterUsdt: 0, ifHalfUsdt: 0 }];
          expect(report.outcomes.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
          for (const [at, each] of expected.entries())
            for (const key of ['beforeUsdt', 'afterUsdt', 'ifHalfUsdt'] as const)
              expect(report.outcomes[at]?.[key]).toBeCloseTo(each[key], 1);
          const worst = (all: readonly Bet[], of = sumOf): number =>
            Math.min(0, ...scores.map((each) => of(all, each)));
          const losses = (all: readonly Bet[], each: Score): number =>
            sumOf(bets, each) + all.reduce((sum, leg) => sum + Math.min(0, pays(leg, each)), 0);
          expect(report.worstUsdt.before).toBeCloseTo(worst(bets), 1);
          expect(report.worstUsdt.after).toBeCloseTo(worst([...bets, ...legs]), 1);
          expect(report.worstUsdt.ifHalf).toBeCloseTo(worst([...bets, ...half]), 1);
          expect(report.worstUsdt.least).toBeCloseTo(worst(legs, losses), 1);
          const commissionOf = (all: readonly Bet[], each: Score): number =>
            rate * Math.max(0, sumOf(all, each));
          expect(report.commissionUsdt).toBeCloseTo(
            Math.max(
              0,
              ...scores.map((each) => commissionOf([...bets, ...legs], each) - commissionOf(bets, each)),
            ),
            1,
          );
          const needed = legs.filter(
            ({ direction, outcome }) => !open.includes(`${direction},${outcome}`),
          ).length;
          expect(report.betslips).toBe(needed);
          expect(report.seconds).toBe((needed > 0 ? 2 : 0) + 0.5 + (score === null ? 0 : 1.5));
          expect(report.way).toBe(offer ? 'offer' : 'take');
        },
      ),
      { numRuns: 40 },
    );
    expect(shown).toBeGreaterThan(10);
  });

  describe('whatever is held', () => {
    // One market that scores decide, one of three and one of two selections that none decides, a line, and an outright.
    const ANY = [
      'h',
      'a',
      'over,2.5',
      'cs,1,0',
      'x,1',
      'x,2',
      'x,3',
      'ml,1',
      'ml,2',
      'total,9',
      'win,1',
      'win,2',
    ];
    const anyBet = fc.record({
      outcome: fc.constantFrom(...ANY),
      direction: fc.constantFrom<Direction>('for', 'against'),
      price: fc.constantFrom(1.5, 2, 3, 5),
      stake: fc.integer({ min: 5, max: 100 }),
    });

    it('has the worst cases as the least of its outcomes', () => {
      let severalShown = 0;
      fc.assert(
        fc.property(
          fc.array(anyBet, { minLength: 1, maxLength: 8 }),
          fc.subarray(ANY),
          fc.constantFrom<Partial<HedgeQuestion>>({ boundUsdt: 0 }, { boundUsdt: 20 }, { equalise: '' }),
          fc.constantFrom(0, 0.05),
          (bets, listed, asked, rate) => {
            const held = bets.map(({ outcome, direction, ...terms }) => ({
              ...terms,
              betType: `${direction},${outcome}`,
            }));
            const { preview, world, frame } = deskOver(...held);
            world.commissionRate = rate;
            frame([
              eventEntry(),
              ...listed.flatMap((outcome) =>
                ['for', 'against'].map((side) =>
                  offerEntry(`${side},${outcome}`, prices([side === 'for' ? 2 : 2.04, 50]), {
                    marketType: outcome.startsWith('win') ? 'win' : 'wdw',
                  }),
                ),
              ),
            ]);
            let report: HedgePreviewReport;
            try {
              report = preview(asked);
            } catch {
              return;
            }
            const { outcomes, worstUsdt } = report;
            const least = (of: 'beforeUsdt' | 'afterUsdt' | 'ifHalfUsdt'): number =>
              Math.min(...outcomes.map((each) => each[of]));
            expect(least('beforeUsdt')).toBeCloseTo(worstUsdt.before, 5);
            expect(least('afterUsdt')).toBeCloseTo(worstUsdt.after, 5);
            expect(least('ifHalfUsdt')).toBeCloseTo(worstUsdt.ifHalf, 5);
            if (new Set(bets.map(({ outcome }) => outcome)).size > 1) severalShown++;
          },
        ),
        { numRuns: 60 },
      );
      expect(severalShown).toBeGreaterThan(10);
    });

    it('counts the bets on a selection that is quoted no more', () => {
      const { preview, world, frame } = deskOver(
        { betType: 'for,x,1', price: 3, stake: 31 },
        { betType: 'against,x,2', price: 1.5, stake: 56 },
      );
      world.commissionRate = 0;
      frame([eventEntry(), offerEntry('for,x,2', prices([1.5, 500]), { marketType: 'wdw' })]);
      const { outcomes, worstUsdt } = preview({ boundUsdt: 50 });
      expect([worstUsdt.before, worstUsdt.after]).toEqual([-59, -50]);
      const rows = outcomes.map(({ name, beforeUsdt, afterUsdt }) => [name, beforeUsdt, afterUsdt]);
      expect(rows).toEqual([
        [expect.stringContaining('1'), 34, 43],
        [expect.stringMatching(/^not /), -59, -50],
        [expect.stringContaining('2'), -59, -50],
        [expect.stringMatching(/^not /), -31, -31],
      ]);
    });
  });

  describe('beside orders that rest', () => {
    const rests = (risk: ReturnType<typeof deskOver>['risk'], stake: number): void =>
      risk.onOrder(
        liveOrder({
          selectionId: HOME,
          betType: betType('against,h'),
          direction: 'against',
          tick: tickOf(3) ?? 0,
          stakeMicros: stake * 1e6,
        }),
      );

    it('says what they may add, in the preview, in its refusal, and in what became of it', () => {
      const { preview, make, risk, hold } = deskOver(LAID_HOME);
      rests(risk, 10);
      const report = preview({ boundUsdt: 50 });
      expect([report.worstUsdt.before, report.withOpenUsdt]).toEqual([-120, -140]);
      expect(make(report.plan)).toMatchObject({ worstUsdt: -120, withOpenUsdt: -140 });
      expect(() => preview({ boundUsdt: 120 })).toThrow(
        'the matched bets lose at most 120 USDT, within the bound; with the orders that rest the worst case is -140 USDT; quoting goes on',
      );
      hold({ betType: 'for,h', price: 3, stake: 60 });
      expect(() => preview({ boundUsdt: 0 })).toThrow(
        'nothing is held on the event; with the orders that rest the worst case is -20 USDT; quoting goes on',
      );
    });

    it.each(['active', 'reducing'] as const)('says whether quoting goes on: %s', (state) => {
      const { preview, make, risk } = deskOver(LAID_HOME);
      risk.setState(eventScope(FIXTURE), state, 'anna', 'test');
      const report = preview({ boundUsdt: 50 });
      expect([report.withOpenUsdt, report.tradingState]).toEqual([-120, state]);
      expect(make(report.plan)).toMatchObject({ tradingState: state });
      const goesOn = state === 'active' ? '; quoting goes on' : '';
      const within = `the matched bets lose at most 120 USDT, within the bound${goesOn}`;
      expect(() => preview({ boundUsdt: 120 })).toThrow(new TouchlineError('refused', within));
    });

    it('says nothing of them where a hedge cannot be', () => {
      const { preview, risk, thin } = deskOver(LAID_HOME);
      rests(risk, 10);
      thin();
      expect(() => preview({ flatten: id('d') })).toThrow(
        /nothing to flatten, or less than a bet of it can be$/,
      );
    });
  });

  it.each<[Partial<HedgeQuestion>, end: string, way: string]>([
    [{ boundUsdt: 50 }, 'bound', 'take'],
    [{ boundUsdt: 0.5 }, 'bound', 'take'],
    [{ boundUsdt: 0 }, 'bound', 'take'],
    [{ boundUsdt: 0, offer: true }, 'bound', 'offer'],
    [{ equalise: '' }, 'equalise', 'take'],
    [{ equalise: 'wdw' }, 'equalise', 'take'],
    [{ flatten: 'A' }, 'flatten', 'take'],
    [{ flatten: 'A', offer: true }, 'flatten', 'offer'],
  ])('of %o has this goal and way: %s, %s', (question, end, way) => {
    expect(deskOver(LAID_HOME).preview(question)).toMatchObject({ goal: end, way });
  });

  it('names a bet that no score decides by its winner, or none of them', () => {
    const { preview } = deskOver({ betType: 'for,cs,0,0', price: 8, stake: 10 });
    expect(() => preview({ boundUsdt: 1 })).toThrow('no bet that is there now');
    const { preview: ofBoth } = deskOver(LAID_HOME);
    const report = ofBoth({ flatten: 'A' });
    expect(report.bets).toMatchObject([{ name: 'A', direction: 'for', price: 2, stakeUsdt: 90 }]);
    expect(report.expectedLossUsdt).toBeCloseTo(90 * (1 - 2 * ((1 / 2 + 1 / 2.04) / 2)), 2);
  });

  it('names what pays in a winner market by its winner, and last none of those with bets', () => {
    const { preview, frame } = deskOver(
      { betType: 'against,win,1', price: 4, stake: 10 },
      { betType: 'against,win,2', price: 3, stake: 20 },
    );
    frame(
      ['win,1', 'win,2', 'win,3'].map((outcome) =>
        offerEntry(`for,${outcome}`, prices([3, 500]), { marketType: 'win' }),
      ),
    );
    const { bets, outcomes, worstUsdt } = preview({ flatten: 'win,2' });
    expect(bets).toMatchObject([{ selectionId: id('win,2'), direction: 'for', stakeUsdt: 20 }]);
    const before = new Map(outcomes.map(({ name, beforeUsdt }) => [name, beforeUsdt]));
    expect(outcomes).toHaveLength(4);
    expect([before.get(bets[0]?.name ?? ''), before.get('none of them')]).toEqual([-40, 0]);
    expect([worstUsdt.before, outcomes.at(-1)?.name]).toEqual([-40, 'none of them']);
    expect(new Set(before.values())).toEqual(new Set([-30, -40, 0]));
  });

  it('is of the event that has bets where several sports have its id, and of none if several have bets', () => {
    const { preview, described, world } = deskOver(LAID_HOME);
    described.unshift(TENNIS);
    const byId = { event: FIXTURE.eventId, boundUsdt: 50 };
    expect(preview(byId).bets).toHaveLength(1);
    world.alsoHeld.push(TENNIS);
    expect(() => preview(byId)).toThrow('has bets in several sports: write SPORT/ before it');
    expect(preview({ ...byId, event: `fb/${FIXTURE.eventId}` }).bets).toHaveLength(1);
    expect(() => preview({ ...byId, event: `tennis/${FIXTURE.eventId}` })).toThrow('nothing is held');
  });

  it('is of the family that is named, else of the most uneven one, and of any selection that is held', () => {
    const { desk, preview, market } = deskOver(
      { betType: 'for,h', price: 3, stake: 60 },
      { betType: 'for,over,2.5', price: 2.2, stake: 10 },
    );
    const selections = (question: Partial<HedgeQuestion>): unknown =>
      preview(question).bets.map((each) => (each as { selectionId?: string }).selectionId);
    expect([selections({ equalise: '' }), selections({ equalise: 'ou' })]).toEqual([
      [HOME],
      [id('over,2.5')],
    ]);
    expect(desk.preview({ event: 'A v B', flatten: 'nobody' })).toBeNull();
    expect(desk.preview({ event: 'X v Y', boundUsdt: 1 })).toBeNull();
    // The market no longer lists it.
    Object.assign(market, { candidates: () => [] });
    expect(() => preview({ flatten: 'A' })).toThrow('no fresh prices are known');
  });
});

describe('what keeps every order from being sent', () => {
  it.each(['stopped', 'latched: odd', 'journal_failed', 'draining', 'key_refused', 'kill_unfinished'])(
    'refuses a preview and its making while it lasts: %s',
    (blocked) => {
      const { preview, make, made, world } = deskOver(LAID_HOME);
      const { plan } = preview({ boundUsdt: 50 });
      world.blocked = blocked;
      for (const ask of [() => preview({ boundUsdt: 50 }), () => make(plan)])
        expect(ask).toThrow(/^no order can be sent: .*: touchline risk tells what releases it$/);
      expect(made).toEqual([]);
    },
  );

  it.each(['stream_not_synced', 'resync_under_way', 'heartbeat'])(
    'is waited for if it ends by itself: %s',
    (blocked) => {
      const { preview, make, world } = deskOver(LAID_HOME);
      world.blocked = blocked;
      expect(make(preview({ boundUsdt: 50 }).plan)).not.toBeNull();
    },
  );
});

describe('a hedge for which there are no prices', () => {
  const goals: readonly Partial<HedgeQuestion>[] = [{ boundUsdt: 50 }, { flatten: 'A' }, { equalise: '' }];

  it.each(goals)('names the suspension as the cause: %o', (goal) => {
    const { preview, market } = deskOver(LAID_HOME);
    Object.assign(market, { marketOf: () => ({ for: null, against: null }) });
    const event = market.event.bind(market);
    for (const [suspended, words] of [
      [true, 'the exchange has suspended the event'],
      [false, 'no fresh prices are known'],
      [null, 'no fresh prices are known'],
    ] as const) {
      Object.assign(market, { event: (name: EventName) => ({ ...event(name), suspended }) });
      expect(() => preview(goal)).toThrow(words);
    }
  });

  it('is not refused for want of prices where it is needless, or where halted selections are the cause', () => {
    const { preview, market, risk } = deskOver(LAID_HOME);
    for (const { selectionId } of market.candidates(FIXTURE))
      risk.setState(scopeOfSelection(selectionId), 'halted', 'anna', 'test');
    expect(() => preview({ boundUsdt: 50 })).toThrow('no bet that is there now');
    Object.assign(market, { marketOf: () => ({ for: null, against: null }) });
    expect(() => preview({ boundUsdt: 120 })).toThrow('within the bound');
    expect(() => preview({ equalise: 'ou' })).toThrow('--flatten SELECTION');
  });
});

it('bounds an event without its halted selections', () => {
  const { preview, risk } = deskOver(LAID_HOME);
  const chosen = (): unknown[] =>
    preview({ boundUsdt: 50 }).bets.map((each) => (each as { selectionId?: string }).selectionId);
  const [first] = chosen() as SelectionId[];
  risk.setState(scopeOfSelection(first ?? HOME), 'halted', 'anna', 'test');
  expect(chosen()).not.toContain(first);
});

describe('what a person confirms', () => {
  it('is made once, within two minutes, by whoever confirms it', async () => {
    const { preview, make, made, clock, frame } = deskOver(LAID_HOME);
    const [first, second] = [preview({ boundUsdt: 50 }), preview({ flatten: 'A', offer: true })];
    expect(first.plan).not.toBe(second.plan);
    expect(first.confirmWithinS).toBe(120);
    expect(make('another')).toBeNull();
    expect(make(second.plan)).toMatchObject({ plan: second.plan, isOver: false, secondsLeft: 600 });
    expect(made).toMatchObject([
      {
        kind: 'hedge',
        by: 'anna',
        why: 'red',
        order: { id: second.plan, event: FIXTURE, bets: [{ way: 'offer' }] },
      },
    ]);
    expect(make(second.plan)).toBeNull();
    await clock.advance(120_001);
    expect(make(first.plan)).toBeNull();
    expect(made).toHaveLength(1);
    // The market is told again.
    frame(deskOver().offers(1_000));
    const third = preview({ boundUsdt: 50 });
    await clock.advance(120_000);
    frame(deskOver().offers(1_000));
    expect(make(third.plan)).not.toBeNull();
  });

  it('is judged when it is confirmed, and may be confirmed again while that fails', () => {
    const { preview, make, made, world, thin, frame } = deskOver(LAID_HOME);
    const { plan } = preview({ boundUsdt: 50 });
    world.owner = null;
    expect(() => make(plan)).toThrow('no strategy has traded the event');
    world.owner = 'a strategy';
    thin();
    expect(() => make(plan)).toThrow('its prices no longer hold its stakes');
    frame(deskOver().offers(1_000));
    expect(make(plan)).not.toBeNull();
    expect(made).toHaveLength(1);
  });

  it('is forgotten once fifty later ones were asked for', () => {
    const { preview, make } = deskOver(LAID_HOME);
    const plans = Array.from({ length: 51 }, () => preview({ boundUsdt: 50 }).plan);
    expect(new Set(plans).size).toBe(51);
    expect([make(plans[0] ?? ''), make(plans[1] ?? '')?.plan]).toEqual([null, plans[1]]);
  });
});

it('tells what became of each bet, and the worst case of what is matched', async () => {
  const { desk, hedges, hold, clock } = deskOver(LAID_HOME);
  const terms = {
    selectionId: HOME,
    priceKind: 'odds-for',
    direction: 'for',
    way: 'take',
    tick: tickOf(2) ?? 0,
  } as const;
  const bets = [terms, { ...terms, selectionId: id('d') }].map((each) => ({ ...each, stakeMicros: 5e6 }));
  hedges.take({ id: 'p', event: FIXTURE, bets, lifeMs: 30_000 }, clock.monotonicMs());
  const told = (): HedgeProgressReport => desk.progress('p') as HedgeProgressReport;
  const change = (at: number, state: 'live' | 'closed', filledMicros: number): void => {
    const take = { id: `p/${at}`, hedge: 'p', fairProbability: null, reduces: true };
    hedges.onOrder(liveOrder({ state, filledMicros, take }));
  };
  const states = (): unknown => told().bets.map(({ state, filledUsdt }) => [state, filledUsdt]);
  expect(desk.progress('another')).toBeNull();
  change(0, 'live', 2e6);
  expect(states()).toEqual([
    ['sent', 2],
    ['wanted', 0],
  ]);
  expect(told()).toMatchObject({ event: 'A v B', worstUsdt: -120, isOver: false, secondsLeft: 30 });
  hold({ betType: 'for,h', price: 2, stake: 10 });
  expect(told().worstUsdt).toBe(-110);
  change(0, 'closed', 2e6);
  expect([states(), told().isOver]).toEqual([
    [
      ['ended', 2],
      ['wanted', 0],
    ],
    false,
  ]);
  change(1, 'closed', 0);
  expect(told()).toMatchObject({ isOver: true, secondsLeft: 30 });
  await clock.advance(29_001);
  expect(told().secondsLeft).toBe(1);
});

describe('a bet that the exchange prices otherwise', () => {
  const ODDS = { convention: 'odds', secondSide: 'against' };

  it('is told at the price of its selection, and in the terms of the exchange beside that', () => {
    const { preview, make } = deskOver({ betType: 'for,h', price: 3, stake: 60 });
    const { plan, bets } = preview({ flatten: 'A' });
    // Takers lay home at 2.04.
    const laid = { direction: 'against', price: 2.04, stakeUsdt: 88.23 };
    expect(bets).toMatchObject([laid]);
    expect(bets[0]).not.toHaveProperty('exchange');
    expect(make(plan)?.bets[0]).toMatchObject(laid);
  });

  it.each([
    ['odds-against', ODDS, { label: 'against', price: 1.5, stake: 10 }, 3, 5],
    ['odds-against', LAY_PRICES, { label: 'against', price: 1.5, stake: 10 }, 3, 5],
    ['lay-for', ODDS, { label: 'lay', price: 1.5, stake: 10 }, 1.5, 10],
    ['lay-for', LAY_PRICES, undefined, 1.5, 10],
    ['odds-for', ODDS, undefined, 1.5, 10],
    ['lay-against', ODDS, { label: 'lay against', price: 1.5, stake: 10 }, 3, 5],
  ] as const)(
    '%s under %o is %o there, here at %d with %d',
    (priceKind, current, exchange, price, stakeUsdt) => {
      const { desk, hedges, clock, world } = deskOver(LAID_HOME);
      world.prices = current;
      const direction = directionOfKind(priceKind);
      const bet = { selectionId: HOME, priceKind, direction, way: 'take', tick: tickOf(1.5) ?? 0 } as const;
      hedges.take(
        { id: 'p', event: FIXTURE, bets: [{ ...bet, stakeMicros: 10e6 }], lifeMs: 30_000 },
        clock.monotonicMs(),
      );
      const [told] = (desk.progress('p') as HedgeProgressReport).bets;
      expect(told).toMatchObject({ name: 'A', direction, stakeUsdt });
      expect(told?.price).toBeCloseTo(price, 9);
      expect(told?.exchange).toEqual(exchange);
    },
  );
});

it.each(PRICE_KINDS)('what is matched of a bet is told in the terms of its stake: %s', (priceKind) => {
  const { desk, hedges, clock } = deskOver(LAID_HOME);
  const direction = directionOfKind(priceKind);
  const bet = { selectionId: HOME, priceKind, direction, way: 'take', tick: tickOf(1.5) ?? 0 } as const;
  hedges.take(
    { id: 'p', event: FIXTURE, bets: [{ ...bet, stakeMicros: 10e6 }], lifeMs: 30_000 },
    clock.monotonicMs(),
  );
  for (const share of [0, 0.5, 1]) {
    const take = { id: 'p/0', hedge: 'p', fairProbability: null, reduces: true };
    hedges.onOrder(liveOrder({ state: 'live', filledMicros: share * 10e6, take }));
    const [told] = (desk.progress('p') as HedgeProgressReport).bets;
    expect(told?.filledUsdt).toBeCloseTo(share * (told?.stakeUsdt ?? NaN), 6);
    // Bets against it at odds of 1.5 have the other side's stake at its price of 3.
    expect(told?.stakeUsdt).toBeCloseTo(isComplement(priceKind) ? 5 : 10, 6);
  }
});

describe('the end of a bet of which nothing was matched', () => {
  const made = () => {
    const desk = deskOver(LAID_HOME);
    const { plan } = desk.preview({ boundUsdt: 50 });
    desk.make(plan);
    const told = () => desk.desk.progress(plan) as HedgeProgressReport;
    const order = (over: object): void => {
      const take = { id: `${plan}/0`, hedge: plan, fairProbability: null, reduces: true };
      desk.hedges.onOrder(liveOrder({ state: 'closed', filledMicros: 0, take, ...over }));
    };
    return { ...desk, plan, told, order };
  };

  it.each<[name: string, end: (of: ReturnType<typeof made>) => unknown, isOver: boolean, why: string]>([
    [
      'its order was refused',
      ({ order }) => order({ state: 'refused', closeReason: 'no funds' }),
      true,
      'no funds',
    ],
    ['its order ended', ({ order }) => order({ closeReason: null }), true, 'found no stake at its price'],
    [
      'its order never left',
      ({ order }) => order({ state: 'absent' }),
      true,
      'it never reached the exchange',
    ],
    [
      'a kill came',
      ({ hedges, clock }) => hedges.endCommanded(clock.monotonicMs()),
      true,
      'never sent: a kill ended the hedge',
    ],
    [
      'another hedge came',
      ({ preview, make }) => make(preview({ boundUsdt: 60 }).plan),
      true,
      'never sent: a newer hedge of the event took its place',
    ],
    [
      'it waited for a check to its end',
      async ({ world, plan, told, clock }) => {
        world.waiting = [{ code: 'quote_pending', detail: null, intent: { take: `${plan}/0` } }];
        expect(told().bets[0]?.why).toContain('no private quote yet');
        world.waiting = [];
        await clock.advance(30_000);
      },
      true,
      'never sent: the betslip has no private quote yet',
    ],
    [
      'risk stopped it to its end',
      async ({ world, told, clock }) => {
        world.stopped = { for: 'guard.suspension', against: 'guard.suspension' };
        told();
        await clock.advance(30_000);
      },
      true,
      'never sent: the exchange has suspended the event',
    ],
    ['its time was over', ({ clock }) => clock.advance(30_000), true, 'never sent: its time was over'],
    [
      'nobody knows yet what became of its order',
      async ({ order, clock }) => {
        order({ state: 'unknown' });
        await clock.advance(30_000);
      },
      false,
      'what became of its order is not known yet',
    ],
  ])('is told with its reason: %s', async (_, end, isOver, why) => {
    const hedge = made();
    await end(hedge);
    const { bets, ...told } = hedge.told();
    expect(told).toMatchObject({ isOver, boundUsdt: 50 });
    expect(bets[0]).toMatchObject({ filledUsdt: 0, why: expect.stringContaining(why) as string });
  });

  it('has no reason while it may be matched, nor if some of it was', () => {
    const { told, order } = made();
    expect(told().bets[0]).not.toHaveProperty('why');
    order({ state: 'live' });
    expect(told().bets[0]).not.toHaveProperty('why');
    order({ filledMicros: 1e6, closeReason: 'cancelled' });
    expect(told().bets[0]).not.toHaveProperty('why');
  });
});
