import type { EventId, EventKey, Sport } from './ids.ts';

/**
 * Names an event. Several sports can use the same event id, so an id alone is not unique.
 *
 * @example
 * const other: EventName = { sport: view.sport, eventId: view.eventId };
 */
export interface EventName {
  readonly sport: Sport;
  readonly eventId: EventId;
}

/** The key of an event in every map of events. */
export const eventKey = ({ sport, eventId }: EventName): EventKey => `${sport}|${eventId}` as EventKey;

export const isSameEvent = (a: EventName, b: EventName): boolean =>
  a.eventId === b.eventId && a.sport === b.sport;

/** The event name alone, from any object that carries it. */
export const eventNameOf = ({ sport, eventId }: EventName): EventName => ({ sport, eventId });

/** An event as people write it: `fb/2026-01-31,1234,5678`. */
export const writtenEvent = ({ sport, eventId }: EventName): string => `${sport}/${eventId}`;

/** A fixture or an outright, as the stream's `event` entry and `GET /v2/events/` give it. */
export interface SportEvent {
  readonly sport: Sport;
  readonly eventId: EventId;
  /** `normal`, `multirunner`, or a value not yet known. */
  readonly eventType: string;
  readonly eventName: string;
  readonly competitionId: number | null;
  readonly competitionName: string;
  readonly competitionCountry: string;
  readonly home: string;
  readonly away: string;
  readonly teams: readonly Team[];
  /** `pre_event`, `in_running`, or a value not yet known. It can lag the start: trust neither it nor the start time alone. */
  readonly irStatus: string;
  /** Wall-clock milliseconds; null when the exchange gave no readable time. */
  readonly startTimeMs: number | null;
}

export interface Team {
  readonly teamId: number;
  readonly name: string;
}

/** Whether scores of the sport are goals, which an order in play asserts. Periods of a match are sports of their own. */
export const isFootball = (sport: string): boolean => sport === 'fb' || sport.startsWith('fb_');

export const isSameScore = (a: Score | null, b: Score | null): boolean =>
  a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);

/** What orders on an event in play are judged by. */
export interface PlayState {
  readonly inRunning: boolean;
  readonly score: Score | null;
}

/**
 * `[home, away]`.
 *
 * @example
 * const goals = ([home, away]: Score): number => home + away;
 * goals([2, 1]); // 3
 */
export type Score = readonly [home: number, away: number];
