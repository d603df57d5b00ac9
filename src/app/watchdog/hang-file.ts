import type { EventName } from '../../domain/events.ts';
import type { EventId, Sport } from '../../domain/ids.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { writtenEvent } from '../../domain/events.ts';

/** A call of a strategy that did not return. */
export interface Hang {
  readonly strategy: string;
  readonly event: EventName;
  /** How long the watchdog waited. */
  readonly hangMs: number;
  /** Wall-clock milliseconds of the watchdog's decision. */
  readonly atMs: number;
}

/** A hang that an earlier run left; `unreadable` if its file holds no such record. */
export type FoundHang = Hang | 'unreadable';

/** The text fits the block that a reader of the file reads. */
const LONGEST_NAME = 500;

export function hangText({ strategy, event: { sport, eventId }, hangMs, atMs }: Hang): string {
  const [name, ofSport, ofEvent] = [strategy, sport, eventId].map((text) => text.slice(0, LONGEST_NAME));
  return JSON.stringify({ strategy: name, sport: ofSport, eventId: ofEvent, hangMs, atMs });
}

/** The hang that the file holds; null if there is no file. Never throws: an unreadable file proves that something hung. */
export function foundHang(file: SmallFile): FoundHang | null {
  try {
    const text = file.read();
    return text === null ? null : hangIn(text);
  } catch {
    return 'unreadable';
  }
}

function hangIn(text: string): FoundHang {
  const { strategy, sport, eventId, hangMs, atMs } = JSON.parse(text) as Partial<Record<string, unknown>>;
  const areTexts = [strategy, sport, eventId].every((name) => typeof name === 'string');
  if (!areTexts || typeof hangMs !== 'number' || typeof atMs !== 'number') return 'unreadable';
  const event = { sport: sport as Sport, eventId: eventId as EventId };
  return { strategy: strategy as string, event, hangMs, atMs };
}

/** Why a strategy is off, for people. */
export const hangInWords = ({ event, hangMs, atMs }: Hang): string =>
  `it did not return for ${hangMs / 1000} s on ${writtenEvent(event)} at ${new Date(atMs).toISOString()}`;
