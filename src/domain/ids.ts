/**
 * A primitive with a type of its own. No cost at run time.
 *
 * @example
 * type Team = Brand<string, 'Team'>;
 * const idOf = (team: Team): string => team;
 */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };

/**
 * `<YYYY-MM-DD>,<id>,<id>` (specification, Conventions).
 *
 * @example
 * const eventIds = new Set<EventId>([view.eventId]);
 */
export type EventId = Brand<string, 'EventId'>;
/** Opaque string that names one market of an event in one direction; passed back to the exchange unchanged. */
export type BetType = Brand<string, 'BetType'>;
/**
 * Sport code; an open set.
 *
 * @example
 * const isFootball = (sport: Sport): boolean => sport === 'fb';
 * isFootball(view.sport); // true
 */
export type Sport = Brand<string, 'Sport'>;
/** The key of an event across all sports (`eventKey`). */
export type EventKey = Brand<string, 'EventKey'>;
export type BetslipId = Brand<string, 'BetslipId'>;
export type HeartbeatId = Brand<string, 'HeartbeatId'>;
export type OrderId = Brand<number, 'OrderId'>;
export type BetId = Brand<number, 'BetId'>;
/** Our idempotency key of one create request. */
export type RequestUuid = Brand<string, 'RequestUuid'>;
/**
 * Touchline's own name of a selection, see `selection.ts`.
 *
 * @example
 * const fills = new Map<SelectionId, number>();
 * fills.set(selection.selectionId, 1);
 */
export type SelectionId = Brand<string, 'SelectionId'>;

export const eventId = (value: string): EventId => value as EventId;
export const betType = (value: string): BetType => value as BetType;
export const sport = (value: string): Sport => value as Sport;
export const betslipId = (value: string): BetslipId => value as BetslipId;
export const heartbeatId = (value: string): HeartbeatId => value as HeartbeatId;
export const orderId = (value: number): OrderId => value as OrderId;
export const betId = (value: number): BetId => value as BetId;
export const requestUuid = (value: string): RequestUuid => value as RequestUuid;
