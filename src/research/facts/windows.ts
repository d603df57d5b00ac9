/** The part of their events that recordings saw, so that modelled evenings show as much of theirs. */
import { type Random, uniformBetween } from '../../lib/random.ts';
import { parseBetType } from '../../domain/bet-types/index.ts';
import type { EventTape } from '../tape.ts';

/** The part of an event that was recorded. */
export interface RecordedWindow {
  /** From the first update to the start. */
  readonly leadMinutes: number;
  /** From the first update of any event to the last, for an event whose play was not recorded; null otherwise. */
  readonly lengthMinutes: number | null;
}

/** The recorded part of a sport. */
export interface RecordedSport {
  readonly windows: readonly RecordedWindow[];
  readonly marketTypes: readonly string[];
}

/** The events of a modelled evening, and how long it lasts. */
export interface EveningPlan {
  readonly opening: readonly (readonly [sport: string, startMinutes: number])[];
  readonly eveningMs: number;
  readonly marketTypes: readonly string[];
  readonly hasPlay: boolean;
}

const MINUTE_MS = 60_000;
/** The longest match and its result. */
const PLAY_MINUTES = 8 * 60;
/** No evening has more events than this of the recorded ones, which it draws. */
const MOST_EVENTS = 6;
/** Starts differ from the recorded ones by up to this share of the time before them. */
const STARTS_DIFFER = 0.1;
/** Play that was not recorded: its events are left before the suspension for their start. */
const BEFORE_START_MS = MINUTE_MS;

/** Gathers the windows of recorded events by sport. */
export class RecordedWindows {
  readonly #sports = new Map<string, { tapes: EventTape[]; types: Set<string> }>();

  add(tape: EventTape): void {
    const { sport } = tape.event;
    const known = this.#sports.get(sport) ?? { tapes: [], types: new Set<string>() };
    this.#sports.set(sport, known);
    // The updates are not needed, and many.
    known.tapes.push({ ...tape, updates: edgesOf(tape) });
    for (const { outcome } of tape.selections)
      known.types.add(parseBetType(sport, `for,${outcome}`)?.marketType ?? '');
  }

  sports(): ReadonlyMap<string, RecordedSport> {
    const sports = new Map<string, RecordedSport>();
    for (const [sport, { tapes, types }] of this.#sports) {
      const endMs = Math.max(...tapes.map(({ updates }) => updates.atMs.at(-1) ?? -Infinity));
      const windows = tapes.flatMap((tape) => windowOf(tape, endMs) ?? []);
      if (windows.length > 0) sports.set(sport, { windows, marketTypes: [...types] });
    }
    return sports;
  }
}

function edgesOf({ updates }: EventTape): EventTape['updates'] {
  const { atMs, length } = updates;
  const edges = length === 0 ? [] : [atMs[0] as number, atMs[length - 1] as number];
  return { ...updates, atMs: Float64Array.from(edges) };
}

function windowOf({ updates, startMs, inPlayMs }: EventTape, endMs: number): RecordedWindow | null {
  const firstMs = updates.atMs[0];
  if (firstMs === undefined) return null;
  const leadMinutes = ((inPlayMs ?? startMs) - firstMs) / MINUTE_MS;
  return { leadMinutes, lengthMinutes: inPlayMs === null ? (endMs - firstMs) / MINUTE_MS : null };
}

/** Draws the events of an evening that is recorded as those of a sport were. */
export function planOf(sport: string, { windows, marketTypes }: RecordedSport, random: Random): EveningPlan {
  const drawn = windows
    .map((window) => ({ window, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, MOST_EVENTS)
    .map(({ window }) => window);
  const starts = drawn.map(
    ({ leadMinutes }) => leadMinutes * uniformBetween(random, 1 - STARTS_DIFFER, 1 + STARTS_DIFFER),
  );
  const hasPlay = drawn.some(({ lengthMinutes }) => lengthMinutes === null);
  const lengths = drawn.map(
    ({ lengthMinutes }, at) => lengthMinutes ?? Math.max(0, starts[at] as number) + PLAY_MINUTES,
  );
  return {
    opening: starts.sort((a, b) => a - b).map((start) => [sport, start]),
    eveningMs: Math.max(...lengths) * MINUTE_MS,
    marketTypes,
    hasPlay,
  };
}

/** The part of a tape before its start. */
export function beforeStart(tape: EventTape): EventTape {
  const untilMs = (tape.inPlayMs ?? tape.startMs) - BEFORE_START_MS;
  const { atMs, op, of, tick, micros } = tape.updates;
  let length = 0;
  while (length < tape.updates.length && (atMs[length] as number) < untilMs) length++;
  const [from, to] = [0, length] as const;
  return {
    ...tape,
    inPlayMs: null,
    updates: {
      length,
      atMs: atMs.slice(from, to),
      op: op.slice(from, to),
      of: of.slice(from, to),
      tick: tick.slice(from, to),
      micros: micros.slice(from, to),
    },
  };
}
