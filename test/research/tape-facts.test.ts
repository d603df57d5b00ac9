import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import { levelsOf } from '../../src/domain/price-list.ts';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import { OP } from '../../src/research/tape.ts';
import { aheadAfter, TapeFacts } from '../../src/research/tape-facts.ts';
import { generatedEvent } from '../fair/generated-event.ts';
import { closed, generatedSteps, inPlay, open, suspended, tapeOf } from '../support/tapes.ts';

/** Several selections in several markets. */
const EVENTS = Array.from({ length: 6 }, (_, number) => generatedEvent(number));

it('tells at each row what the rows before it sum up to, however it is asked', () => {
  fc.assert(
    fc.property(generatedSteps, fc.array(fc.nat(120), { maxLength: 20, size: 'max' }), (steps, asked) => {
      const tape = tapeOf(steps);
      const { op, tick, micros, length } = tape.updates;
      const facts = new TapeFacts(tape);
      for (const row of asked.map((each) => Math.min(each, length)).toSorted((a, b) => a - b)) {
        const trades = [...op.keys()].filter(
          (at) => at < row && (op[at] === OP.tradedFor || op[at] === OP.tradedAgainst),
        );
        const last = trades.at(-1);
        const volume = new Map<number, number>();
        for (const at of trades) {
          const price = priceOf(tick[at] as number);
          volume.set(price, (volume.get(price) ?? 0) + (micros[at] as number));
        }
        const { lastTraded, tradedVolume } = facts.of(0, row, []);
        expect(lastTraded).toBe(last === undefined ? null : priceOf(tick[last] as number));
        if (!tape.hasTrades) expect(tradedVolume).toBeNull();
        else
          expect(levelsOf(tradedVolume ?? []).map(({ price, maxMicros }) => [price, maxMicros])).toEqual(
            [...volume].filter(([, stake]) => stake > 0).toSorted(([a], [b]) => b - a),
          );
      }
    }),
  );
});

it('the stake ahead never grows, is never below 0, and is the same in one step and in many', () => {
  fc.assert(
    fc.property(generatedSteps, fc.integer({ min: 0, max: 100e6 }), (steps, micros) => {
      const tape = tapeOf(steps);
      const place = { selection: 0, direction: 'for', tick: tape.updates.tick[0] as number } as const;
      let before = { micros, row: 0 };
      for (let row = 1; row <= tape.updates.length; row++) {
        const after = aheadAfter(tape, place, before, row);
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(before.micros);
        before = { micros: after, row };
      }
      expect(aheadAfter(tape, place, { micros, row: 0 }, tape.updates.length)).toBe(before.micros);
    }),
  );
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

it('the stake ahead is what was there less what traded since, and no more than any level since held less what traded after it', () => {
  for (const tape of EVENTS) {
    const { op, of, tick, micros, length } = tape.updates;
    const random = seededRandom(1, 'places');
    for (let drawn = 0; drawn < 60; drawn++) {
      const row = integerBetween(random, 0, length - 1);
      const kind = op[row] as number;
      if (kind > OP.tradedAgainst) continue;
      const isFor = kind === OP.restingFor || kind === OP.tradedFor;
      const place = {
        selection: of[row] as number,
        direction: isFor ? ('for' as const) : ('against' as const),
        tick: tick[row] as number,
      };
      const from = integerBetween(random, 0, row);
      const to = integerBetween(random, from, length);
      const rows = Array.from({ length: to - from }, (_, at) => from + at).filter(
        (at) => of[at] === place.selection && tick[at] === place.tick,
      );
      const [level, trade] = isFor ? [OP.restingFor, OP.tradedFor] : [OP.restingAgainst, OP.tradedAgainst];
      const tradedAfter = (after: number): number =>
        sumOf(rows.filter((at) => at >= after && op[at] === trade).map((at) => micros[at] as number));
      const bounds = rows
        .filter((at) => op[at] === level)
        .map((at) => (micros[at] as number) - tradedAfter(at));
      const expected = Math.max(0, Math.min(80e6 - tradedAfter(from), ...bounds));
      expect(aheadAfter(tape, place, { micros: 80e6, row: from }, to)).toBe(expected);
    }
  }
});

describe('the facts of an event', () => {
  it.each(EVENTS.map((tape) => [tape.eventName, tape] as const))(
    'are for each selection its own trades and the state of its own market, row by row',
    (_, tape) => {
      const { op, of, tick, micros, length } = tape.updates;
      const facts = new TapeFacts(tape);
      const marketOf = (selection: number): number => tape.selections[selection]?.market ?? -1;
      const isTrade = (row: number): boolean => op[row] === OP.tradedFor || op[row] === OP.tradedAgainst;
      const all = Array.from({ length }, (__, row) => row);
      const traded = new Set(all.filter(isTrade).map((row) => marketOf(of[row] as number)));
      const expectFacts = (selection: number, market: number, row: number): void => {
        const before = all.slice(0, row);
        const own = before.filter((at) => isTrade(at) && of[at] === selection);
        const state = before.findLast((at) => op[at] === OP.state && of[at] === market);
        const bits = (state === undefined ? 0 : (tick[state] as number)) & 3;
        const last = own.at(-1);
        const { tradedVolume, ...found } = facts.of(selection, row, []);
        expect(found).toMatchObject({
          lastTraded: last === undefined ? null : priceOf(tick[last] as number),
          betDelayMs: state === undefined ? null : micros[state],
          suspension: bits === open ? 'none' : bits === closed ? 'closed' : 'exchange',
        });
        const volume = sumOf(levelsOf(tradedVolume ?? []).map(({ maxMicros }) => maxMicros));
        expect(tradedVolume === null).toBe(!tape.hasTrades || !traded.has(market));
        if (tradedVolume !== null) expect(volume).toBe(sumOf(own.map((at) => micros[at] as number)));
      };
      for (let row = 0; row <= length; row += 7)
        for (const [selection, { market }] of tape.selections.entries()) expectFacts(selection, market, row);
    },
  );
});

it.each([
  [open, false, 'none'],
  [open + inPlay, false, 'none'],
  [open, true, 'gap'],
  [suspended, false, 'exchange'],
  [suspended + inPlay, false, 'exchange'],
  [suspended, true, 'gap'],
  [closed, false, 'closed'],
  [closed + inPlay, true, 'closed'],
  [closed, true, 'closed'],
] as const)('in state %i, in a gap: %s, a market has the suspension %s', (state, inGap, expected) => {
  const facts = new TapeFacts(tapeOf([[0, 'state', state]]));
  expect(facts.suspension(0, 1, inGap)).toBe(expected);
});
