import { TouchlineError } from '../../domain/errors.ts';
import type { SportEvent } from '../../domain/events.ts';
import { eventId, type EventId, type Sport } from '../../domain/ids.ts';
import { ambiguity, findNamed } from '../../domain/named.ts';
import { namedEvent } from '../names.ts';
import type { ExchangeClient } from './connect.ts';

/** The form of the exchange's ids of events. */
const EVENT_ID = /^\d{4}-\d{2}-\d{2},[^,]+,[^,]+$/;

/**
 * The ids of the events that texts mean: each is an id, a name, or a part of a name that only one event has. Names are looked up among
 * the events that have prices now, of some sports or of all. Rejects with TouchlineError `usage` for a name that no event has, or
 * several.
 */
export async function eventIdsNamed(
  exchange: Pick<ExchangeClient, 'allEvents'>,
  texts: readonly string[],
  sports: readonly Sport[] = [],
): Promise<readonly EventId[]> {
  if (texts.every((text) => EVENT_ID.test(text))) return texts.map(eventId);
  const events: SportEvent[] = [];
  for await (const event of exchange.allEvents(sports.length === 0 ? {} : { sports })) events.push(event);
  const titles = new Map(events.map((event) => [event.eventId, event.eventName]));
  const named = [...Map.groupBy(events, ({ eventId: id }) => id).values()].map((same) =>
    namedEvent(same, { event: ({ eventId: id }) => titles.get(id) ?? id }),
  );
  return texts.map((text) => {
    if (EVENT_ID.test(text)) return eventId(text);
    const found = findNamed(text, named);
    if (found.kind === 'several') throw new TouchlineError('usage', ambiguity(text, found.names));
    if (found.kind === 'none' || found.value[0] === undefined)
      throw new TouchlineError(
        'usage',
        `no event with prices is named ${text}: touchline exchange events lists them`,
      );
    return found.value[0].eventId;
  });
}

/** What the exchange says of events by their ids; only of those that have prices. */
export async function describedEvents(
  exchange: Pick<ExchangeClient, 'allEvents'>,
  sports: readonly Sport[],
  eventIds: readonly EventId[],
): Promise<ReadonlyMap<EventId, SportEvent>> {
  const found = new Map<EventId, SportEvent>();
  for await (const event of exchange.allEvents({ sports, eventIds })) found.set(event.eventId, event);
  return found;
}
