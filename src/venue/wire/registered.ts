import { ProtocolError } from '../../domain/errors.ts';
import { eventId, type EventId, sport, type Sport } from '../../domain/ids.ts';
import { isRecord } from './scalars.ts';

/** The name of an event in registrations. */
export interface EventRef {
  readonly sport: Sport;
  readonly eventId: EventId;
}

/** The answer to `list_registered_events`: `{registered_events: [[sport, event_id], …]}`. */
export function readRegistered(data: unknown): readonly EventRef[] {
  const list = isRecord(data) ? data['registered_events'] : null;
  if (!Array.isArray(list)) throw new ProtocolError('unreadable registered events: expected a list');
  return list.map(refOf);
}

function refOf(item: unknown): EventRef {
  const [code, id] = Array.isArray(item) ? (item as unknown[]) : [];
  if (typeof code !== 'string' || typeof id !== 'string') {
    throw new ProtocolError('unreadable registered events: expected [sport, event_id]');
  }
  return { sport: sport(code), eventId: eventId(id) };
}
