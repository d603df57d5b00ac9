/** The pieces of a state by their types. */
import {
  type LiveAlert,
  type LiveEvent,
  type LiveFill,
  type LivePayoffs,
  type LiveRefused,
  type LiveSelection,
  type LiveState,
  type LiveStrategies,
  PIECES,
} from './message.ts';

/** Pieces by their names. */
export interface Held {
  readonly pieces: ReadonlyMap<string, unknown>;
}

/** The pieces of a whole state. */
export const heldIn = ({ pieces }: Pick<LiveState, 'pieces'>): Held => ({
  pieces: new Map(pieces.map(({ name, value }) => [name, value])),
});

/** The piece of a name; null if it is not there. */
export const pieceOf = <T>({ pieces }: Held, name: string): T | null =>
  (pieces.get(name) as T | undefined) ?? null;

export const strategiesOf = (held: Held): LiveStrategies['strategies'] =>
  pieceOf<LiveStrategies>(held, PIECES.strategies)?.strategies ?? [];
export const payoffsOf = (held: Held, key: string): LivePayoffs | null => pieceOf(held, PIECES.payoffs(key));

/** All pieces whose names begin so. */
const all = <T>({ pieces }: Held, prefix: string): readonly T[] =>
  [...pieces].flatMap(([name, value]) => (name.startsWith(prefix) ? [value as T] : []));

/** The selections of an event whose details are sent, those at most risk first. */
export const selectionsOf = (held: Held, key: string): readonly LiveSelection[] =>
  all<LiveSelection>(held, PIECES.selection(`${key}|`)).toSorted((a, b) => atRisk(a) - atRisk(b));
const atRisk = ({ ifWin, ifLose }: LiveSelection): number => Math.min(ifWin, ifLose);
export const selectionOf = (held: Held, id: string): LiveSelection | null =>
  pieceOf(held, PIECES.selection(id));

const newestFirst = (a: { readonly atMs: number }, b: { readonly atMs: number }): number => b.atMs - a.atMs;

export const eventsOf = (held: Held): readonly LiveEvent[] => all(held, PIECES.event(''));
export const alertsOf = (held: Held): readonly LiveAlert[] => pieceOf(held, PIECES.alerts) ?? [];
/** The newest first. */
export const fillsOf = (held: Held): readonly LiveFill[] =>
  all<LiveFill>(held, PIECES.fill('')).toSorted(newestFirst);
export const refusedOf = (held: Held): readonly LiveRefused[] => all(held, PIECES.refused(''));
