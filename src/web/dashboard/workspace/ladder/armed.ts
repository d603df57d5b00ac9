import type { Tick } from '../../../../domain/ladder.ts';
import type { Direction } from '../../../../domain/selection.ts';

/** A press that the next one confirms: a quote at a tick, or the end of a quote. */
export type Armed =
  | { readonly kind: 'quote'; readonly direction: Direction; readonly tick: Tick; readonly sinceMs: number }
  | { readonly kind: 'withdraw'; readonly id: string; readonly sinceMs: number };

/** The second press of a double click confirms nothing. */
const LEAST_MS = 400;

export const isSameTick = (armed: Armed | null, direction: Direction, tick: Tick): boolean =>
  armed?.kind === 'quote' && armed.direction === direction && armed.tick === tick;

export const isSameQuote = (armed: Armed | null, id: string): boolean =>
  armed?.kind === 'withdraw' && armed.id === id;

/** Whether a press confirms what an earlier one armed. */
export const confirms = (armed: Armed | null, isSame: boolean, atMs: number): boolean =>
  armed !== null && isSame && atMs - armed.sinceMs >= LEAST_MS;
