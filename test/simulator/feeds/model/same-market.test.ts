/**
 * The modelled market, pinned. `docs/market-facts.md` compares its figures with recordings, and so does every table that was measured on it: who
 * changes the market measures these anew (`touchline data facts … --against`), and then names the new market here.
 */
import { createHash } from 'node:crypto';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { type EventTape, OP } from '../../../../src/research/tape.ts';
import { modelledEvening } from '../../../../src/research/tapes/modelled.ts';

const MINUTE_MS = 60_000;

/** An event from a quarter of an hour before its start. */
const eveningOf = (sport: string, minutes: number): EventTape[] =>
  modelledEvening({
    seed: 11,
    startMs: Date.parse('2026-01-03T17:00:00Z'),
    eveningMs: minutes * MINUTE_MS,
    events: 1,
    leadMinutes: 0,
    marketTypes: [],
    isCutOff: true,
    programme: { opening: [[sport, 15]], sequence: [] },
  });

function nameOf(tapes: readonly EventTape[]): string {
  const hash = createHash('sha256');
  for (const { updates, selections } of tapes) {
    hash.update(JSON.stringify(selections.map(({ outcome, settlement }) => [outcome, settlement])));
    for (const column of [updates.atMs, updates.op, updates.of, updates.tick, updates.micros])
      hash.update(column);
  }
  return hash.digest('hex').slice(0, 12);
}

const countOf = (tapes: readonly EventTape[], isCounted: (op: number) => boolean): number =>
  tapes.reduce((sum, { updates }) => sum + updates.op.filter(isCounted).length, 0);

// Other processors may round the last digit of a number otherwise, and a market draws on.
describe.runIf(process.arch === 'x64')('the modelled market', () => {
  it.each([
    ['fb', 35, 27_908, 7_641, '8bd9ef8ca5ce'],
    ['tennis', 75, 12_957, 3_850, 'a5b28a6778fc'],
    ['basket', 75, 15_640, 4_385, '28c3f3a196a2'],
    ['cricket', 75, 14_126, 4_237, '64c760b4c2f1'],
    ['horse', 40, 52_152, 6_844, '4e9cb8352626'],
  ])('of %s, for %i minutes, has %i updates and %i trades: %s', (sport, minutes, updates, trades, name) => {
    const tapes = eveningOf(sport, minutes);
    const isTrade = (op: number): boolean => op === OP.tradedFor || op === OP.tradedAgainst;
    expect([countOf(tapes, () => true), countOf(tapes, isTrade), nameOf(tapes)]).toEqual([
      updates,
      trades,
      name,
    ]);
  });
});
