/** Generated quotes on generated tapes, for properties of fills. */
import fc from 'fast-check';
import { toMicros } from '../../../src/domain/money.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { FixedQuote } from '../../../src/research/fast/fixed-quotes.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { generatedSteps, type Step, TAPE_START_MS } from '../../support/tapes.ts';

/** An exchange that places at once. */
export const INSTANT = fastSettings({ placementDelayMs: [0, 0], inPlayDelayMs: [0, 0] });

const quoteOf = fc
  .record({
    side: fc.constantFrom(
      ...[2.42, 2.44, 2.46].map((price) => ['for', price] as const),
      ...[2.36, 2.38, 2.4].map((price) => ['against', price] as const),
    ),
    stake: fc.integer({ min: 1, max: 60 }),
    placed: fc.integer({ min: 0, max: 10_000 }),
    life: fc.option(fc.integer({ min: 1, max: 20_000 }), { freq: 3 }),
  })
  .map(({ side: [direction, price], stake, placed, life }): FixedQuote => ({
    selection: 0,
    direction,
    tick: tickOf(price) ?? -1,
    stakeMicros: toMicros(stake),
    placedMs: TAPE_START_MS + placed,
    closedMs: life === null ? null : TAPE_START_MS + placed + life,
  }));

/** Quotes in the order of their times: the older order has priority at one price. */
export const generatedCase: fc.Arbitrary<{ steps: readonly Step[]; quotes: readonly FixedQuote[] }> =
  fc.record({
    steps: generatedSteps,
    quotes: fc
      .array(quoteOf, { minLength: 1, maxLength: 6 })
      .map((quotes) => quotes.toSorted((a, b) => a.placedMs - b.placedMs)),
  });
