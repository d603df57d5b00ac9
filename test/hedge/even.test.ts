import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import { priceOf, tickOf } from '../../src/domain/ladder.ts';
import { LOSS, WIN } from '../../src/domain/payoff.ts';
import { worstMicros } from '../../src/hedge/book.ts';
import { equalise, flatten, type HedgedSelection, type HedgeResult } from '../../src/hedge/even.ts';
import { type HedgeLeg, type PlannedLeg, withBets } from '../../src/hedge/legs.ts';
import { CENT, fillsOf, scoreLeg, scores } from './support/books.ts';

const at = (price: number): number => tickOf(price) as number;
const legsIn = (result: HedgeResult): readonly PlannedLeg[] => (result.kind === 'plan' ? result.legs : []);

/** Three scores: home, draw, away. */
const WINS_IN = (outcome: number) => [0, 1, 2].map((cell) => (cell === outcome ? WIN : LOSS));

interface Outcome {
  readonly win: number;
  readonly lose: number;
  readonly back: number;
  readonly lay: number;
  readonly available?: number;
}

/** The three outcomes of a match, the bets on them in cents, and their prices. */
function match(outcomes: readonly Outcome[]) {
  const market: HedgedSelection[] = outcomes.map(({ win, lose, back, lay, available = 1e6 }, outcome) => ({
    selectionId: `${outcome}` as SelectionId,
    ifWinMicros: win * CENT,
    ifLoseMicros: lose * CENT,
    legs: [
      scoreLeg({ id: `${outcome}`, kind: 'odds-for', tick: at(back), available }, WINS_IN(outcome)),
      scoreLeg({ id: `${outcome}`, kind: 'lay-for', tick: at(lay), available }, WINS_IN(outcome)),
    ],
  }));
  const results = outcomes.map(({ win, lose }) =>
    outcomes.reduce((sum, other) => sum + other.lose, win - lose),
  );
  return { market, book: [scores(results)] };
}

const NOTHING = { win: 0, lose: 0, back: 3, lay: 3.05 };

describe('flattening a selection', () => {
  it('makes what its bets pay independent of the outcome', () => {
    const { market, book } = match([{ win: 200, lose: -100, back: 2.9, lay: 2.5 }, NOTHING, NOTHING]);
    const result = flatten(book, market[0] as HedgedSelection);

    expect(legsIn(result).map(({ leg, stakeMicros }) => [leg.direction, stakeMicros])).toEqual([
      ['against', 120 * CENT],
    ]);
    expect(result).toMatchObject({ kind: 'plan', worstMicros: 0 });
  });

  it('makes no bet below the minimum of its price', () => {
    const bet = (min: number) =>
      scoreLeg({ id: '0', kind: 'lay-for', tick: at(2.5), available: 500, min }, WINS_IN(0));
    const book = [scores([200, -100, -100])];
    const flat = (min: number) =>
      flatten(book, {
        selectionId: '0' as SelectionId,
        ifWinMicros: 200 * CENT,
        ifLoseMicros: -100 * CENT,
        legs: [bet(min)],
      });
    expect(legsIn(flat(120)).map(({ stakeMicros }) => stakeMicros)).toEqual([120 * CENT]);
    expect(flat(121)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('less than a bet') as string,
    });
  });

  it('takes the best price that holds the whole stake, else as much as one price holds', () => {
    const lay = (price: number, available: number) =>
      scoreLeg({ id: '0', kind: 'lay-for', tick: at(price), available }, WINS_IN(0));
    const selection = { selectionId: '0' as SelectionId, ifWinMicros: 200 * CENT, ifLoseMicros: -100 * CENT };
    const book = [scores([200, -100, -100])];
    const legs = [lay(2.5, 20), lay(2.6, 116)];

    expect(legsIn(flatten(book, { ...selection, legs }))).toEqual([
      { leg: legs[1], stakeMicros: 115 * CENT },
    ]);
    const short = [lay(2.5, 20), lay(2.6, 60)];
    expect(legsIn(flatten(book, { ...selection, legs: short }))).toEqual([
      { leg: short[1], stakeMicros: 60 * CENT },
    ]);
    // Less stake at a higher price moves more.
    const higher = [lay(2.5, 60), lay(3, 55)];
    expect(legsIn(flatten(book, { ...selection, legs: higher }))).toEqual([
      { leg: higher[1], stakeMicros: 55 * CENT },
    ]);
  });

  it('stakes whole cents of what a price holds', () => {
    const bet = scoreLeg({ id: '0', kind: 'lay-for', tick: at(2.5), available: 60.9 }, WINS_IN(0));
    const selection = { selectionId: '0' as SelectionId, ifWinMicros: 200 * CENT, ifLoseMicros: -100 * CENT };
    const result = flatten([scores([200, -100, -100])], { ...selection, legs: [bet] });
    expect(legsIn(result).map(({ stakeMicros }) => stakeMicros)).toEqual([60 * CENT]);
  });

  it('is refused where the selection hedges another, and where nothing is left to do', () => {
    const { market, book } = match([
      { win: 200, lose: -100, back: 2.9, lay: 3 },
      { win: -300, lose: 150, back: 3, lay: 3.05 },
      NOTHING,
    ]);
    expect(flatten(book, market[0] as HedgedSelection)).toMatchObject({ kind: 'plan' });
    const hedged = [scores([200, -100, -100])];
    const away: HedgedSelection = {
      ...(market[2] as HedgedSelection),
      ifWinMicros: 200 * CENT,
      ifLoseMicros: -100 * CENT,
    };
    const result = flatten(hedged, away);
    expect(result.kind === 'refused' && result.why).toContain('the worst case falls from -1 to');
    expect(flatten(book, market[2] as HedgedSelection)).toMatchObject({ kind: 'refused' });
  });
});

describe('equalising a market', () => {
  it('lays the one selection that pays more than the others', () => {
    const { market, book } = match([{ win: 200, lose: -100, back: 2.9, lay: 2.5 }, NOTHING, NOTHING]);
    const legs = legsIn(equalise(book, market));
    expect(legs).toMatchObject([
      { leg: { direction: 'against', selectionId: '0' }, stakeMicros: 120 * CENT },
    ]);
    expect([...(withBets(book, legs, 'all')[0]?.micros ?? [])]).toEqual([20 * CENT, 20 * CENT, 20 * CENT]);
  });

  it('levels every outcome, and no subset of its fills worsens the event', () => {
    const outcome = fc.record({
      win: fc.integer({ min: -300, max: 300 }),
      lose: fc.integer({ min: -300, max: 300 }),
      back: fc.constantFrom(1.5, 2, 2.5, 3, 5),
      lay: fc.constantFrom(1.5, 2.1, 3.2, 6, 10),
      available: fc.constantFrom(30, 1e6),
    });
    let levelled = 0;
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 3, maxLength: 3 }), (outcomes) => {
        const { market, book } = match(outcomes);
        const result = equalise(book, market);
        const legs = legsIn(result);
        for (const fills of fillsOf(legs))
          expect(worstMicros(withBets(book, fills, 'all'))).toBeGreaterThanOrEqual(worstMicros(book));
        if (result.kind === 'plan') expect(result.worstMicros).toBe(worstMicros(withBets(book, legs, 'all')));
        if (legs.length === 0 || outcomes.some(({ available }) => available < 1e6)) return;
        levelled++;
        const results = withBets(book, legs, 'all')[0]?.micros ?? new Float64Array();
        const mostOff = legs.reduce((sum, { leg }) => sum + priceOf(leg.tick) * CENT, 0);
        const untouched = 10 * CENT;
        expect(Math.max(...results) - Math.min(...results)).toBeLessThanOrEqual(mostOff + untouched);
      }),
      { numRuns: 500 },
    );
    expect(levelled).toBeGreaterThan(10);
  });

  it('takes the level with the best result of those that no subset of its fills makes worse', () => {
    const prices = fc.record({
      win: fc.integer({ min: -300, max: 300 }),
      lose: fc.integer({ min: -300, max: 300 }),
      back: fc.constantFrom(2, 2.5, 3, 5),
      lay: fc.constantFrom(2.1, 3.2, 4, 6),
    });
    let choices = 0;
    fc.assert(
      fc.property(fc.array(prices, { minLength: 3, maxLength: 3 }), (outcomes) => {
        const { market, book } = match(outcomes);
        const held = [...(book[0]?.micros ?? [])];
        const leastWith = (legs: readonly PlannedLeg[]): number =>
          Math.min(...(withBets(book, legs, 'all')[0]?.micros ?? []));
        /** Each outcome backed or laid at its only price until it pays as much as one of them does now. */
        const levelled = (level: number): readonly PlannedLeg[] =>
          market.flatMap(({ legs: [back, lay] }, outcome) => {
            const missing = level - (held[outcome] as number);
            const leg = (missing > 0 ? back : lay) as HedgeLeg;
            const stakeMicros = Math.floor(Math.abs(missing) / priceOf(leg.tick) / CENT) * CENT;
            return stakeMicros > 0 ? [{ leg, stakeMicros }] : [];
          });
        const allowed = [...new Set(held)]
          .map(levelled)
          .filter((legs) => legs.length > 0)
          .filter((legs) =>
            fillsOf(legs).every((fills) => worstMicros(withBets(book, fills, 'all')) >= worstMicros(book)),
          );
        const leasts = new Set(allowed.map(leastWith));
        if (leasts.size > 1) choices++;
        const result = equalise(book, market);
        expect(result.kind).toBe(allowed.length > 0 ? 'plan' : 'refused');
        if (allowed.length > 0) expect(leastWith(legsIn(result))).toBe(Math.max(...leasts));
      }),
      { numRuns: 1_000 },
    );
    expect(choices).toBeGreaterThan(10);
  });

  it('is refused with the reason when every level could worsen the event', () => {
    const { market, book } = match([
      { win: -100, lose: 0, back: 3, lay: 3.05, available: 0 },
      { win: -100, lose: 0, back: 3, lay: 3.05 },
      { win: 300, lose: 0, back: 3, lay: 3.05, available: 0 },
    ]);
    const result = equalise(book, market);
    expect(result.kind === 'refused' && result.why).toContain('the worst case falls from -1 to');
  });
});
