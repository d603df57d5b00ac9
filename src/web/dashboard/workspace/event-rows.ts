import { EVENT_COLUMNS, leaveOf } from '../../../read-model/live/event-columns.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import { orderedBy } from '../../components/rows.ts';
import type { Desk } from '../desk.ts';
import { adjustmentInWords, restrictionInWords } from '../words.ts';

/** Why an event is not quoted whole, in full. */
export function reasonInFull(event: LiveEvent, atMs: number): string {
  const { restriction, adjustments, throws, refused, waits, met, wanted } = event;
  if (restriction !== null) return restrictionInWords(restriction, atMs);
  const left = leaveOf(adjustments);
  if (left !== undefined) return adjustmentInWords(left, atMs, left.why);
  return (
    throws ?? refused ?? (waits === null ? '' : `${met} of ${wanted} quoted; most of the others: ${waits}`)
  );
}

/** The events of the table in their order: pinned ones first. Those that the search and the choice leave out are not there. */
export function shownEvents(events: readonly LiveEvent[], desk: Desk): readonly LiveEvent[] {
  const name = desk.sort.replace(/^-/, '');
  const column = EVENT_COLUMNS.find((each) => each.name === name);
  const sortBy = column?.sortBy ?? ((event: LiveEvent) => event.name);
  const kept = events.filter((event) => isChosen(event, desk.only) && isFound(event, desk.find));
  const sorted = orderedBy(
    orderedBy(kept, ({ name: text }) => text, false),
    sortBy,
    desk.sort.startsWith('-'),
  );
  return orderedBy(sorted, ({ key }) => (desk.pins.includes(key) ? 0 : 1), false);
}

function isChosen({ inRunning, profit, ordersOpen, met, wanted }: LiveEvent, only: Desk['only']): boolean {
  switch (only) {
    case 'all':
      return true;
    case 'in play':
      return inRunning;
    case 'held':
      return profit !== null || ordersOpen > 0;
    case 'not quoted':
      return met < wanted;
  }
}

/** Whether each of the words is somewhere in the names. */
function isFound({ name, competition, sport }: LiveEvent, find: string): boolean {
  const where = `${name} ${competition ?? ''} ${sport}`.toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
