import type { EventId, Sport } from '../domain/ids.ts';

/** Several sports can use one event id: each is an event by itself. */
export interface EventName {
  readonly sport: Sport;
  readonly eventId: EventId;
}

export const keyOf = ({ sport, eventId }: EventName): string => `${sport}|${eventId}`;
