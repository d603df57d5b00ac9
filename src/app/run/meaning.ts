/** The selections and events that the words of an operator mean. */
import { TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { ambiguity, findNamed, type Named } from '../../domain/named.ts';
import { selectionFrom } from '../../domain/selection.ts';
import type { Composed } from '../compose.ts';
import { namedEvent, namedSelection } from '../names.ts';

/** The selections that the daemon has chosen to quote. */
export const chosenOf = ({ engine }: Composed): SelectionId[] => [...engine.chosen.values()].flat();

/** The selection that a name, or a unique part of one, means; null if none. Throws TouchlineError `ambiguous` for several. */
export function selectionNamed(
  { names }: Composed,
  text: string,
  among: readonly SelectionId[],
): SelectionId | null {
  return meant(
    text,
    among.map((id) => namedSelection(id, names)),
  );
}

/** The value that a name, or a unique part of one, means; null if none. Throws TouchlineError `ambiguous` for several. */
export function meant<T>(text: string, all: readonly Named<T>[]): T | null {
  const found = findNamed(text, all);
  if (found.kind === 'several') throw new TouchlineError('ambiguous', ambiguity(text, found.names));
  return found.kind === 'one' ? found.value : null;
}

/** The selection that a text means, or all of the event that it means. Throws TouchlineError `ambiguous` for several events. */
export function selectionsMeant(
  composed: Composed,
  text: string,
  among: readonly SelectionId[],
): readonly SelectionId[] {
  const { names } = composed;
  const selections = among.map((id) => namedSelection(id, names));
  const found = findNamed(text, selections);
  if (found.kind === 'one') return [found.value];
  // In every sport that has it, as wherever an event is named.
  const ofEvents = Map.groupBy(selections, ({ value }) => selectionFrom(value)?.eventId ?? value);
  const event = findNamed(
    text,
    Array.from(ofEvents, ([eventId, value]) => ({
      value,
      name: names.eventOf((value[0] as Named<SelectionId>).value),
      aliases: [eventId],
    })),
  );
  const others = found.kind === 'several' ? new Set(found.names) : new Set<string>();
  const ofEvent = event.kind === 'one' ? event.value : [];
  for (const { name } of ofEvent) others.delete(name);
  if (ofEvent.length > 0 && others.size === 0) return ofEvent.map(({ value }) => value);
  if (found.kind === 'none') return [];
  throw new TouchlineError('ambiguous', ambiguity(text, found.names));
}

const WITH_SPORT = /^([a-z0-9_]+)\/(.+)$/;

/**
 * The event that a name or an id means, in every sport that has it: an operator who names no sport wants to stop, or free, all of them.
 * With a sport before it (`fb/NAME`), in that sport alone. Throws TouchlineError `ambiguous` if several events have the name.
 */
export function eventsNamed({ parts, core: { risk }, names }: Composed, text: string): readonly EventName[] {
  const described = Array.from(parts.core.market.events(), ({ event }) => event);
  // An event that left the market can still be freed.
  const withState = risk.states.flatMap(({ scope }) => (scope.kind === 'event' ? [scope] : []));
  const all = [...new Map([...described, ...withState].map((event) => [eventKey(event), event])).values()];
  const [, sport, rest] = WITH_SPORT.exec(text) ?? [];
  const isSport = all.some((event) => event.sport === sport);
  const [meantText, among] =
    isSport && rest !== undefined ? [rest, all.filter((event) => event.sport === sport)] : [text, all];
  const grouped = [...Map.groupBy(among, ({ eventId }) => eventId).values()];
  return (
    meant(
      meantText,
      grouped.map((events) => namedEvent(events, names)),
    ) ?? []
  );
}
