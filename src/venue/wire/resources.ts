import type { Score, SportEvent, Team } from '../../domain/events.ts';
import type { BetType, EventId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { Balance, Betslip, Open, Position, VenueBet, VenueOrder } from '../../domain/orders.ts';
import type { PriceLevel } from '../../domain/price-list.ts';

/**
 * The exchange's resources with every published field. They extend the engine's types, so that one client serves both. A
 * field that the exchange left out or that could not be read is null.
 */

export interface EventDetails extends SportEvent {
  /** The end of an outright; null for a fixture. */
  readonly endTimeMs: number | null;
}

export interface BetDetails extends VenueBet {
  readonly orderCcyRate: number | null;
  readonly ccyRate: number | null;
  readonly statusReason: string | null;
  /** The price level in the source's answer, if it has one. */
  readonly responseLevel: PriceLevel | null;
}

/** How an order's stake is spread over the states of its bets. */
export interface BetBarValues {
  readonly successMicros: Micros | null;
  readonly inProgressMicros: Micros | null;
  readonly dangerMicros: Micros | null;
  readonly unplacedMicros: Micros | null;
}

export interface Leg {
  readonly id: number | null;
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
  readonly betTypeDescription: string;
  readonly liveScore: Score | null;
  readonly price: number | null;
  /** `w`, `l`, `v`, the half outcomes `v/w`, `l/v`, `l/w`, `unknown`, or a value that is not published. */
  readonly outcome: Open<'w' | 'l' | 'v' | 'v/w' | 'l/v' | 'l/w' | 'unknown'> | null;
}

export interface EventInfo {
  readonly eventType: string;
  readonly eventId: EventId;
  readonly eventName: string;
  readonly homeId: number | null;
  readonly homeTeam: string;
  readonly awayId: number | null;
  readonly awayTeam: string;
  readonly competitionId: number | null;
  readonly competitionName: string;
  readonly competitionCountry: string;
  readonly startTimeMs: number | null;
  readonly endTimeMs: number | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly teams: readonly Team[];
  readonly legEventInfos: readonly EventInfo[];
}

export interface OrderDetails extends VenueOrder {
  readonly betTypeDescription: string;
  readonly ccyRate: number | null;
  readonly betBarValues: BetBarValues | null;
  readonly currentScore: Score | null;
  readonly legs: readonly Leg[];
  readonly eventInfo: EventInfo | null;
  readonly bets: readonly BetDetails[];
}

export interface BetslipDetails extends Betslip {
  readonly betTypeDescription: string;
  readonly betslipType: string;
  readonly equivalentBets: boolean | null;
  readonly customerUsername: string | null;
  readonly customerCcy: string | null;
  readonly userData: string | null;
  readonly totalMicros: Micros | null;
  readonly legs: readonly Leg[];
}

export interface PositionDetails extends Position {
  readonly ccyCode: string | null;
  readonly descriptions: ReadonlyMap<BetType, string>;
  /** The grid as the exchange sent it, not interpreted. */
  readonly unknownGrid: unknown;
  /** The information as the exchange sent it, on every position. */
  readonly cashoutInfo: Readonly<Record<string, unknown>> | null;
}

export type { Balance };
