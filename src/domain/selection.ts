import { eventKey, type EventName, eventNameOf } from './events.ts';
import type { BetType, EventId, SelectionId, Sport } from './ids.ts';

/**
 * The side of a selection that a bet takes: `for` wins when the selection does, `against` when it does not.
 *
 * @example
 * const side: Direction = 'against';
 */
export type Direction = 'for' | 'against';

/**
 * Both directions, `for` first.
 *
 * @example
 * DIRECTIONS; // ['for', 'against']
 */
export const DIRECTIONS: readonly Direction[] = ['for', 'against'];

/**
 * The other direction.
 *
 * @example
 * opposite('for'); // 'against'
 */
export const opposite = (direction: Direction): Direction => (direction === 'for' ? 'against' : 'for');

/** A selection of an event: the two markets `for` and `against` of the same outcome. */
export interface Selection {
  readonly id: SelectionId;
  readonly sport: Sport;
  readonly eventId: EventId;
  /** The bet type without its direction; opaque. */
  readonly outcome: string;
}

/**
 * Splits a bet type into its direction and the opaque rest. Only `selection-name.ts` looks further inside, for people. Null
 * when the string does not start with a known direction: such a market is not quoted.
 */
export function splitBetType(betType: string): { direction: Direction; outcome: string } | null {
  if (betType.startsWith('for,')) return { direction: 'for', outcome: betType.slice(4) };
  if (betType.startsWith('against,')) return { direction: 'against', outcome: betType.slice(8) };
  return null;
}

/** The bet type of a side of an outcome: the other way of `splitBetType`. */
export const betTypeOf = (direction: Direction, outcome: string): BetType =>
  `${direction},${outcome}` as BetType;

/** The bet types of both sides of its selection; none where the direction is not known. */
export function bothSidesOf(betType: BetType): readonly BetType[] {
  const outcome = splitBetType(betType)?.outcome;
  return outcome === undefined ? [] : DIRECTIONS.map((direction) => betTypeOf(direction, outcome));
}

/**
 * Whether a bet type is decided from a score on (`<direction>,ir,<home>,<away>,…`). It is a market of its own: never the inner one, and
 * never the same from another score.
 */
export const isFromScore = (betType: string): boolean => /^(?:for,|against,)?ir,/.test(betType);

export function directionOf(betType: BetType): Direction | null {
  return splitBetType(betType)?.direction ?? null;
}

export function selectionId(sport: Sport, eventId: EventId, outcome: string): SelectionId {
  // `join` makes one flat string, concatenation a tree of pieces; thousands of names are held.
  return [sport, eventId, outcome].join('|') as SelectionId;
}

/** The selection of a name that `selectionId` made; null for any other name. */
export function selectionFrom(id: SelectionId): Selection | null {
  const first = id.indexOf('|');
  const second = id.indexOf('|', first + 1);
  if (first < 0 || second < 0) return null;
  const sport = id.slice(0, first) as Sport;
  const eventId = id.slice(first + 1, second) as EventId;
  return { id, sport, eventId, outcome: id.slice(second + 1) };
}

/** The selection that a bet type belongs to, or null when its direction is not known. */
export function selectionOf(sport: Sport, eventId: EventId, betType: BetType): Selection | null {
  const parts = splitBetType(betType);
  if (parts === null) return null;
  return { id: selectionId(sport, eventId, parts.outcome), sport, eventId, outcome: parts.outcome };
}

/** The name of a market's selection. A bet type of unknown direction is a selection of its own. */
export function selectionIdOf(market: {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
}): SelectionId {
  const { sport, eventId, betType } = market;
  return selectionOf(sport, eventId, betType)?.id ?? selectionId(sport, eventId, betType);
}

/** The event in the name of a selection; null when `selectionId` did not make the name. */
export function eventOfSelection(id: SelectionId): EventName | null {
  const selection = selectionFrom(id);
  return selection && eventNameOf(selection);
}

/** Whether the name of a selection contains this event. */
export const isSelectionOf = (event: EventName, id: SelectionId): boolean =>
  id.startsWith(`${eventKey(event)}|`);
