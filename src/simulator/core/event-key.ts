import type { SimEventName } from './api.ts';

/** The key of an event in every map of events, and its cursor on the wire: `<sport>,<event_id>`. */
export const eventKey = ({ sport, eventId }: SimEventName): string => `${sport},${eventId}`;

export const isSameEvent = (one: SimEventName, other: SimEventName): boolean =>
  one.sport === other.sport && one.eventId === other.eventId;
