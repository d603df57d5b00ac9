import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import { fillsOfQuotes, type QuoteFate } from '../../../src/research/fast/fixed-quotes.ts';
import { SCENARIOS } from '../../../src/fills/fill-model.ts';
import { OP, type Updates } from '../../../src/research/tape.ts';
import { tapeOf } from '../../support/tapes.ts';
import { generatedCase, INSTANT } from './fixed-quotes.ts';

const CASES = 400;

/** Stake by instant. */
function byInstant(pairs: Iterable<readonly [number, number]>): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [atMs, micros] of pairs) sums.set(atMs, (sums.get(atMs) ?? 0) + micros);
  return sums;
}

function* tradedIn({ length, op, atMs, micros }: Updates): Iterable<readonly [number, number]> {
  for (let at = 0; at < length; at++) {
    const isTrade = op[at] === OP.tradedFor || op[at] === OP.tradedAgainst;
    if (isTrade) yield [atMs[at] as number, micros[at] as number];
  }
}

function* grownIn({ length, op, tick, micros }: Updates): Iterable<number> {
  const levels = new Map<string, number>();
  for (let at = 0; at < length; at++) {
    if ((op[at] as number) > OP.restingAgainst) continue;
    const key = `${op[at]} ${tick[at]}`;
    yield Math.max(0, (micros[at] as number) - (levels.get(key) ?? 0));
    levels.set(key, micros[at] as number);
  }
}

const filledBy = (fates: readonly QuoteFate[], cause: string): (readonly [number, number])[] =>
  fates.flatMap(({ fills }) =>
    fills.filter((fill) => fill.cause === cause).map(({ atMs, stakeMicros }) => [atMs, stakeMicros] as const),
  );

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

describe('fills of a fixed sequence of quotes', () => {
  it('are ordered by scenario, quote by quote, where no quote takes on arrival', () => {
    let filled = 0;
    fc.assert(
      fc.property(generatedCase, ({ steps, quotes }) => {
        const tape = tapeOf(steps);
        const [touch = [], queue = [], through = []] = SCENARIOS.map((scenario) =>
          fillsOfQuotes(tape, quotes, FILL_MODELS[scenario], { settings: INSTANT }),
        );
        fc.pre([touch, queue, through].every((fates) => filledBy(fates, 'taken').length === 0));
        for (const at of quotes.keys()) {
          expect(touch[at]?.filledMicros).toBeGreaterThanOrEqual(queue[at]?.filledMicros ?? NaN);
          expect(queue[at]?.filledMicros).toBeGreaterThanOrEqual(through[at]?.filledMicros ?? NaN);
        }
        if (sum(queue.map((fate) => fate.filledMicros)) > 0) filled++;
      }),
      { numRuns: CASES },
    );
    expect(filled).toBeGreaterThan(CASES / 2);
  });

  it.each(SCENARIOS)('never exceed what traded and what crossed, and no quote its stake: %s', (scenario) => {
    fc.assert(
      fc.property(generatedCase, ({ steps, quotes }) => {
        const tape = tapeOf(steps);
        const fates = fillsOfQuotes(tape, quotes, FILL_MODELS[scenario], { settings: INSTANT });
        const traded = byInstant(tradedIn(tape.updates));
        for (const [atMs, micros] of byInstant(filledBy(fates, 'trade')))
          expect(micros).toBeLessThanOrEqual(traded.get(atMs) ?? 0);
        const fromBook = sum(
          [...filledBy(fates, 'book-crossed'), ...filledBy(fates, 'taken')].map(([, m]) => m),
        );
        expect(fromBook).toBeLessThanOrEqual(sum(grownIn(tape.updates)));
        for (const [at, { filledMicros, fills }] of fates.entries()) {
          expect(filledMicros).toBeLessThanOrEqual(quotes[at]?.stakeMicros ?? 0);
          expect(sum(fills.map(({ stakeMicros }) => stakeMicros))).toBe(filledMicros);
        }
      }),
      { numRuns: CASES },
    );
  });
});
