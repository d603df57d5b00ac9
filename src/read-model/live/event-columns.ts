import { age, type Formats } from '../../lib/formats.ts';
import { shortGroup } from '../reason-words.ts';
import type { LiveEvent } from './message.ts';

/** A column of the table of events. Pages keep its width in their style sheet, by its name. */
export interface EventColumn {
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly text: (event: LiveEvent, atMs: number, formats: Formats) => string;
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
    text: ({ met, wanted }, _atMs, { nothing }) => (wanted === 0 ? nothing : `${met}/${wanted}`),
    sortBy: ({ met, wanted }) => (wanted === 0 ? -1 : met / wanted),
  },
  { name: 'reason', title: 'reason', isNumber: false, text: reasonOf, sortBy: reasonOf },
  {
    name: 'worst',
    title: 'worst',
    isNumber: true,
    text: ({ worst }, _atMs, formats) => formats.money(worst),
    sortBy: ({ worst }) => worst,
  },
  {
    name: 'stake',
    title: 'stake',
    isNumber: true,
    text: ({ openStake }, _atMs, formats) => formats.money(openStake),
    sortBy: ({ openStake }) => openStake,
  },
  {
    name: 'profit',
    title: 'profit',
    isNumber: true,
    text: ({ profit, withoutFair }, _atMs, formats) =>
      `${formats.gain(profit?.expected ?? null)}${noValuation(profit === null ? 0 : withoutFair)}`,
    sortBy: ({ profit }) => profit?.expected ?? 0,
  },
];

/** Stands behind a profit that is no valuation, since some of its bets have no fair price. */
export const noValuation = (withoutFair: number): string => (withoutFair === 0 ? '' : ' ?');

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

/** A person's wish that an event is neither quoted nor closed. */
export const leaveOf = (
  adjustments: LiveEvent['adjustments'],
): LiveEvent['adjustments'][number] | undefined => adjustments.find(({ what }) => what === 'leave');

/** The words of people for periods of the exchange that read as something else: `2h` is no two hours. */
const PERIODS: Readonly<Record<string, string>> = { '1h': '1st', ht: 'half time', '2h': '2nd' };

/** The clock of an event: its period and minute, or how long until its start. */
export function clockOf({ inRunning, startMs, clock }: LiveEvent, atMs: number): string {
  if (clock !== null)
    return `${PERIODS[clock.period] ?? clock.period}${clock.minutes === null ? '' : ` ${clock.minutes}′`}`;
  if (inRunning) return 'in play';
  return startMs !== null && startMs > atMs ? `in ${age(startMs - atMs)}` : '';
}
