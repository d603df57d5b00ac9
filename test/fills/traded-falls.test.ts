import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Tick } from '../../src/domain/ladder.ts';
import { TradedFalls } from '../../src/fills/traded-falls.ts';

const [FIVE, SEVEN] = [5 as Tick, 7 as Tick];

it('a copy of a side waits with the same trades, and takes nothing from it', () => {
  const [first, second] = [new TradedFalls(), new TradedFalls()];
  second.trade(SEVEN, 90, 1);
  first.trade(FIVE, 40, 2);
  second.takeOver(first);
  expect([second.fall(FIVE, 30, 2), second.fall(FIVE, 30, 2), second.fall(SEVEN, 90, 2)]).toEqual([
    30, 10, 0,
  ]);
  expect(first.fall(FIVE, 50, 2)).toBe(40);
});

it('a fall was made by the trades of its own instant and price alone, and each of them makes one', () => {
  const step = fc.record({
    isTrade: fc.boolean(),
    tick: fc.constantFrom(FIVE, SEVEN),
    micros: fc.integer({ min: 1, max: 50 }),
    laterMs: fc.constantFrom(0, 0, 1),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const falls = new TradedFalls();
      let nowMs = 0;
      const left = new Map<string, number>();
      for (const { isTrade, tick, micros, laterMs } of steps) {
        nowMs += laterMs;
        const key = `${nowMs} ${tick}`;
        const waiting = left.get(key) ?? 0;
        if (isTrade) {
          falls.trade(tick, micros, nowMs);
          left.set(key, waiting + micros);
          continue;
        }
        expect(falls.fall(tick, micros, nowMs)).toBe(Math.min(waiting, micros));
        left.set(key, Math.max(0, waiting - micros));
      }
    }),
  );
});
