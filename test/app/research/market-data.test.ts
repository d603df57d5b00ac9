import { describe, expect, it } from 'vitest';
import { CoverageOfTapes } from '../../../src/app/research/market-data.ts';
import { type EventTape, OP } from '../../../src/research/tape.ts';
import { generatedEvent } from '../../fair/generated-event.ts';

/** In no order of time. */
const TAPES = [0, 1, 2].map((number) => {
  const tape = generatedEvent(number);
  const laterMs = [3_600_000, 7_200_000, 0][number] ?? 0;
  return { ...tape, updates: { ...tape.updates, atMs: tape.updates.atMs.map((ms) => ms + laterMs) } };
});

function coverageOf(tapes: readonly EventTape[]) {
  const coverage = new CoverageOfTapes();
  for (const tape of tapes) coverage.add(tape);
  return coverage.of(['file'], []);
}

const sumOf = (value: (tape: EventTape) => number): number =>
  TAPES.reduce((sum, tape) => sum + value(tape), 0);

describe('the extent of the data', () => {
  it('is the sum over all tapes, from their first update to their last', () => {
    const { dataHash, remarks, ...extent } = coverageOf(TAPES);
    const instants = TAPES.flatMap(({ updates }) => [...updates.atMs]);
    expect(extent).toEqual({
      sources: ['file'],
      events: 3,
      selections: sumOf(({ selections }) => selections.length),
      fromMs: Math.min(...instants),
      toMs: Math.max(...instants),
      updates: instants.length,
      trades: sumOf(
        ({ updates }) => updates.op.filter((op) => op === OP.tradedFor || op === OP.tradedAgainst).length,
      ),
      gapMs: sumOf(({ gaps }) => gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)),
    });
    expect([dataHash.length, Array.isArray(remarks)]).toEqual([64, true]);
  });

  it.each<[string, (tape: EventTape) => EventTape]>([
    ['an instant', (tape) => changed(tape, 'atMs')],
    ['an operation', (tape) => changed(tape, 'op')],
    ['a selection', (tape) => changed(tape, 'of')],
    ['a price', (tape) => changed(tape, 'tick')],
    ['a stake', (tape) => changed(tape, 'micros')],
    ['the start', (tape) => ({ ...tape, startMs: tape.startMs + 1 })],
  ])('names other data where %s is another', (_, change) => {
    const [first, ...others] = TAPES as [EventTape, ...EventTape[]];
    expect(coverageOf([change(first), ...others]).dataHash).not.toBe(coverageOf(TAPES).dataHash);
  });

  it('names the same data where every tape is the same, and another where one is missing', () => {
    const copies = TAPES.map((tape) => structuredClone(tape));
    expect(coverageOf(copies).dataHash).toBe(coverageOf(TAPES).dataHash);
    expect(coverageOf(TAPES.slice(1)).dataHash).not.toBe(coverageOf(TAPES).dataHash);
  });
});

/** The last value of a column is another. */
function changed(tape: EventTape, column: 'atMs' | 'op' | 'of' | 'tick' | 'micros'): EventTape {
  const values = tape.updates[column].slice();
  values[values.length - 1] = (values.at(-1) ?? 0) + 1;
  return { ...tape, updates: { ...tape.updates, [column]: values } };
}
