import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import { directionOfKind } from '../../../src/domain/odds.ts';
import { selectionIdOf } from '../../../src/domain/selection.ts';
import { EventBets, type MarketKnowledge } from '../../../src/risk/exposure/event-bets.ts';
import { type Bet, CELL_COUNT, OUTCOME } from '../../../src/risk/exposure/payoffs.ts';
import { KINDS_OF_BETS } from '../support/books.ts';
import { runs } from '../support/share.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') };

/** `grid` is on the score grid, `late` may still be, `win,…` is a winner market, and `alone` is by itself. */
const OUTCOMES = ['grid', 'late', 'win,1', 'win,2', 'alone'];

const ON_GRID = {
  for: new Uint8Array(CELL_COUNT).map((_, cell) => (cell % 2 === 0 ? OUTCOME.win : OUTCOME.loss)),
  against: new Uint8Array(CELL_COUNT).map((_, cell) => (cell % 2 === 0 ? OUTCOME.loss : OUTCOME.win)),
};

const KNOWN: MarketKnowledge = {
  outcomes: ({ betType: type, direction }) => (type.endsWith('grid') ? ON_GRID[direction] : null),
  isAwaited: (_, type) => type.endsWith('late'),
  winnerMarket: ({ betType: type }) => (type.includes('win') ? 'win' : null),
};

const betOf = (outcome: string, kindAt: number, stakeMicros: number, price = 2.5): Bet => {
  const [of, priceKind] = KINDS_OF_BETS[kindAt % KINDS_OF_BETS.length] ?? ['for', 'odds-for'];
  const market = { ...EVENT, betType: betType(`${of},${outcome}`) };
  const direction = directionOfKind(priceKind);
  return { ...market, direction, priceKind, price, stakeMicros, selectionId: selectionIdOf(market) };
};

const create = (knowledge = KNOWN, recalled = new Map<SelectionId, string>()): EventBets =>
  new EventBets(EVENT, knowledge, recalled);

const bet = fc
  .tuple(fc.constantFrom(...OUTCOMES), fc.nat(3), fc.integer({ min: 1, max: 9 }), fc.constantFrom(1.5, 2, 4))
  .map(([outcome, kind, stake, price]) => betOf(outcome, kind, stake * 60, price));

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  bet: fc.option(bet),
  standing: fc.constantFrom('matched', 'in doubt', 'open'),
});

/** All that can be asked of the bets of an event. */
const shown = (bets: EventBets, further: readonly Bet[]) => ({
  size: bets.size,
  exposure: bets.exposure(),
  least: bets.least() + 0,
  isHeld: bets.isHeld(),
  hasMatched: bets.hasMatched(),
  worst: bets.worst(),
  previews: further.map((each) => bets.preview(each)),
  selections: further.map((each) => [bets.selectionWorst(each.selectionId) + 0, bets.previewSelection(each)]),
});

describe('the bets of an event', () => {
  it('count as if each had been there alone from the start, whatever came and went before', () => {
    const further = fc.array(bet, { minLength: 1, maxLength: 4, size: 'max' });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14, size: 'max' }), further, (steps, asked) => {
        const bets = create();
        const left = new Map<string, (typeof steps)[number]>();
        for (const each of steps) {
          left.delete(each.key);
          if (each.bet === null) bets.remove(each.key);
          else {
            bets.put(each.key, each.bet, each.standing === 'matched', each.standing !== 'open');
            left.set(each.key, each);
          }
        }
        const fresh = create();
        for (const { key, bet: put, standing } of left.values())
          if (put !== null) fresh.put(key, put, standing === 'matched', standing !== 'open');
        expect(shown(bets, asked)).toEqual(shown(fresh, asked));
      }),
      runs(300),
    );
  });

  it('reduce nothing beside a bet whose grid may still be found, until that bet is gone', () => {
    const bets = create();
    bets.put('held', betOf('alone', 0, 600), true);
    // Bets against the same selection at the same price take the risk away.
    const closing = { ...betOf('alone', 0, 600), direction: 'against', priceKind: 'lay-for' } as const;
    expect(bets.preview(closing).reduces).toBe(true);
    bets.put('one', betOf('late', 0, 60), true);
    bets.put('two', betOf('late', 0, 60), false);
    expect(bets.preview(closing).reduces).toBe(false);
    bets.remove('one');
    expect(bets.preview(closing).reduces).toBe(false);
    bets.remove('two');
    expect(bets.preview(closing).reduces).toBe(true);
  });

  it('reduce on a single selection though its grid may still be found', () => {
    const bets = create();
    bets.put('held', betOf('late', 0, 600), true);
    const closing = { ...betOf('late', 0, 600), direction: 'against', priceKind: 'lay-for' } as const;
    expect(bets.preview(closing).reduces).toBe(true);
    bets.put('other', betOf('alone', 0, 60), true);
    expect(bets.preview(closing).reduces).toBe(false);
  });
});

describe('a winner market that becomes known', () => {
  /** Two bets on different runners against whom we bet, so that only one of them can cost. */
  function laid(knowledge: MarketKnowledge, recalled = new Map<SelectionId, string>()): EventBets {
    const bets = create(knowledge, recalled);
    for (const [key, outcome] of [
      ['a', 'win,1'],
      ['b', 'win,2'],
    ] as const)
      bets.put(key, { ...betOf(outcome, 0, 600, 3), direction: 'against', priceKind: 'lay-for' }, true);
    return bets;
  }

  it('groups the bets that it holds, once', () => {
    let isKnown = false;
    const bets = laid({ ...KNOWN, winnerMarket: (each) => (isKnown ? KNOWN.winnerMarket(each) : null) });
    expect([bets.worst(), bets.winnerMarkets()]).toEqual([-2_400, []]);
    expect(bets.regroup()).toBe(false);
    isKnown = true;
    expect(bets.regroup()).toBe(true);
    expect([bets.worst(), bets.size, bets.isHeld(), bets.hasMatched()]).toEqual([-1_200, 2, true, true]);
    expect(bets.regroup()).toBe(false);
    const markets = [1, 2].map((n) => ({ selectionId: `fb|${EVENT.eventId}|win,${n}`, market: 'win' }));
    expect(bets.winnerMarkets()).toEqual(markets);
    // The catalogue forgets it, and the bets do not.
    isKnown = false;
    bets.rebuild();
    expect(bets.worst()).toBe(-1_200);
  });

  it('is taken from what an earlier run knew', () => {
    const unknown = { ...KNOWN, winnerMarket: () => null };
    const recalled = new Map([1, 2].map((n) => [`fb|${EVENT.eventId}|win,${n}` as SelectionId, 'win']));
    expect([laid(unknown).worst(), laid(unknown, recalled).worst()]).toEqual([-2_400, -1_200]);
  });
});
