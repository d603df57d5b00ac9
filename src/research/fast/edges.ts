import { type Turn, turnsOf } from '../removals.ts';
import type { EventTape } from '../tape.ts';

/** An event between the updates: a turn of the market, or a score or a price of a source arrives. */
export type Edge = Turn | { readonly atMs: number; readonly told: true };

/** All of them, in the order of their instants. */
export function edgesOf(tape: EventTape): readonly Edge[] {
  const { scores = [], sourcePrices = [] } = tape;
  const arrivals = [...scores.map(({ atMs }) => atMs), ...sourcePrices.map(({ arrivedMs }) => arrivedMs)];
  const told = Array.from(new Set(arrivals), (atMs): Edge => ({ atMs, told: true }));
  return [...turnsOf(tape), ...told].sort((a, b) => a.atMs - b.atMs);
}
