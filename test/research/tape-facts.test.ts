import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceOf } from '../../src/domain/ladder.ts';
import { levelsOf } from '../../src/domain/price-list.ts';
import { OP } from '../../src/research/tape.ts';
import { aheadAfter, TapeFacts } from '../../src/research/tape-facts.ts';
import { closed, generatedSteps, inPlay, open, suspended, tapeOf } from '../support/tapes.ts';

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
