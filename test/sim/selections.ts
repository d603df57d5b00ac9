import type { SelectionId } from '../../src/domain/ids.ts';
import type { SimEventName } from '../../src/simulator/core/api.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';

/** The event that a selection is of, by its name `<sport>|<event_id>|<outcome>`. */
export function eventOf(selectionId: SelectionId): SimEventName {
  const [sport = '', eventId = ''] = selectionId.split('|');
  return { sport, eventId };
}

/** The events of these selections, each once. One event id may belong to several sports. */
export function eventsOf(
  selections: readonly { readonly selectionId: SelectionId }[],
): readonly SimEventName[] {
  const events = selections.map(({ selectionId }) => eventOf(selectionId));
  return [...new Map(events.map((event) => [eventKey(event), event])).values()];
}
