import type { EventName, SportEvent } from '../domain/events.ts';
import { writtenEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Named } from '../domain/named.ts';
import {
  fullSelectionName,
  type Participants,
  participantsIn,
  selectionName,
} from '../domain/selection-name.ts';
import { selectionFrom } from '../domain/selection.ts';
import type { FillRow } from '../history/facts.ts';

/** The names by which people know events and selections. They are the same everywhere. */
export interface Names {
  /** The exchange's name of an event, the last known one, or else its id. */
  readonly event: (name: EventName) => string;
  /** A selection within its event: `Over 2.5`. */
  readonly selection: (id: SelectionId) => string;
  /** The event of a selection; empty for an id that names none. */
  readonly eventOf: (id: SelectionId) => string;
  /** A selection with its event: `Northgate v Harbour: Over 2.5`. */
  readonly whole: (id: SelectionId) => string;
}

/** Names from what the exchange describes, or what was last known of an event that it no longer describes. */
export function namesFrom(
  described: (name: EventName) => SportEvent | undefined,
  lastTitle: (name: EventName) => string | null,
  lastWho: (name: EventName) => Participants | null = () => null,
): Names {
  const event = (name: EventName): string => described(name)?.eventName || lastTitle(name) || name.eventId;
  const selection = (id: SelectionId): string => {
    const of = selectionFrom(id);
    if (of === null) return id;
    return selectionName(of.outcome, described(of) ?? lastWho(of) ?? participantsIn(event(of)));
  };
  const eventOf = (id: SelectionId): string => {
    const of = selectionFrom(id);
    return of === null ? '' : event(of);
  };
  const whole = (id: SelectionId): string =>
    selectionFrom(id) === null ? id : fullSelectionName(eventOf(id), selection(id));
  return { event, selection, eventOf, whole };
}

/** The name of a fill's selection, as the history knows its event. */
export function fillSelectionName({
  selectionId,
  title,
  who,
}: Pick<FillRow, 'selectionId' | 'title' | 'who'>): string {
  const outcome = selectionFrom(selectionId)?.outcome;
  return outcome === undefined ? selectionId : selectionName(outcome, who ?? participantsIn(title ?? ''));
}

/** A selection as commands may name it. */
export const namedSelection = (id: SelectionId, { selection, whole }: Names): Named<SelectionId> => ({
  value: id,
  name: whole(id),
  aliases: [id, selection(id), selectionFrom(id)?.outcome ?? id],
});

/** An event as commands may name it. Its id may be in several sports; its name is that of the first. */
export const namedEvent = (
  events: readonly EventName[],
  { event }: Pick<Names, 'event'>,
): Named<readonly EventName[]> => ({
  value: events,
  name: events.slice(0, 1).map(event).join(''),
  aliases: events.flatMap((each) => [each.eventId, writtenEvent(each)]),
});
