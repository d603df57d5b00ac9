import type { LiveEvent } from '../../../read-model/live/message.ts';
import { shortGroup } from '../../../read-model/reason-words.ts';
import { orderedBy } from '../../components/rows.ts';
import { gain, usdt } from '../numbers.ts';
import type { Desk } from '../desk.ts';
import { adjustmentInWords, lengthInWords, restrictionInWords } from '../words.ts';

/** A column of the table of events, with its width in the style sheet. */
export interface EventColumn {
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly text: (event: LiveEvent, atMs: number) => string;
  readonly sortBy: (event: LiveEvent) => number | string;
}

const LAST = Number.MAX_VALUE;

export const EVENT_COLUMNS: readonly EventColumn[] = [
  {
    name: 'competition',
    title: 'competition',
    isNumber: false,
    text: ({ competition, sport }) => competition ?? sport,
    sortBy: ({ competition }) => competition ?? '',
  },
  { name: 'clock', title: 'clock', isNumber: false, text: clockOf, sortBy: ({ startMs }) => startMs ?? LAST },
  {
    name: 'score',
    title: 'score',
    isNumber: true,
    text: ({ score }) => score?.join(':') ?? '',
    sortBy: ({ score }) => score?.join(':') ?? '',
  },
  {
    name: 'quoted',
    title: 'quoted',
    isNumber: true,
    text: ({ met, wanted }) => (wanted === 0 ? '–' : `${met}/${wanted}`),
    sortBy: ({ met, wanted }) => (wanted === 0 ? -1 : met / wanted),
  },
  { name: 'reason', title: 'reason', isNumber: false, text: reasonOf, sortBy: reasonOf },
  {
    name: 'worst',
    title: 'worst',
    isNumber: true,
    text: ({ worst }) => usdt(worst),
    sortBy: ({ worst }) => worst,
  },
  {
    name: 'stake',
    title: 'stake',
    isNumber: true,
    text: ({ openStake }) => usdt(openStake),
    sortBy: ({ openStake }) => openStake,
  },
  {
    name: 'profit',
    title: 'profit',
    isNumber: true,
    text: ({ profit }) => (profit === null ? '–' : gain(profit.expected)),
    sortBy: ({ profit }) => profit?.expected ?? 0,
  },
];

/** Why the event is not quoted whole, in a word or two; nothing while it is. */
function reasonOf(event: LiveEvent): string {
  const { suspended, restriction, adjustments, throws, refused, waits, quoted } = event;
  if (restriction !== null) return restriction.state;
  if (leaveOf(adjustments) !== undefined) return 'left alone';
  if (suspended === true) return 'suspended';
  if (throws !== null) return 'throws';
  if (refused !== null) return 'refused';
  if (waits !== null) return shortGroup(waits);
  return quoted ? '' : 'not chosen';
}

const leaveOf = (adjustments: LiveEvent['adjustments']): LiveEvent['adjustments'][number] | undefined =>
  adjustments.find(({ what }) => what === 'leave');

/** The same in full, for a title. */
export function reasonInFull(event: LiveEvent, atMs: number): string {
  const { restriction, adjustments, throws, refused, waits, met, wanted } = event;
  if (restriction !== null) return restrictionInWords(restriction, atMs);
  const left = leaveOf(adjustments);
  if (left !== undefined) return `${adjustmentInWords(left, atMs)}: ${left.why}`;
  return (
    throws ?? refused ?? (waits === null ? '' : `${met} of ${wanted} quoted; most of the others: ${waits}`)
  );
}

/** The words of people for periods of the exchange that read as something else: `2h` is no two hours. */
const PERIODS: Readonly<Record<string, string>> = { '1h': '1st', ht: 'half time', '2h': '2nd' };

/** The clock of an event: its period and minute, or how long until its start. */
export function clockOf({ inRunning, startMs, clock }: LiveEvent, atMs: number): string {
  if (clock !== null)
    return `${PERIODS[clock.period] ?? clock.period}${clock.minutes === null ? '' : ` ${clock.minutes}′`}`;
  if (inRunning) return 'in play';
  return startMs !== null && startMs > atMs ? `in ${lengthInWords(startMs - atMs)}` : '';
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
