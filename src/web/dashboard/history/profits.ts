import type { LiveEvent } from '../../../read-model/live/message.ts';
import type { RecordedDay, RecordedFill, RecordedProfit } from '../../../read-model/live/records.ts';
import type { Line } from '../../components/lines.ts';

/** A chart with more lines is hard to read, and its legend too long. */
const MOST_LINES = 5;

/** The names of those that the readings are of, the one that was furthest from 0 first. */
export function profitNames(
  readings: readonly RecordedProfit[],
  of: RecordedProfit['of'],
): readonly string[] {
  const furthest = new Map<string, number>();
  for (const { of: whose, name, profit } of readings)
    if (whose === of) furthest.set(name, Math.max(furthest.get(name) ?? 0, Math.abs(profit)));
  return [...furthest].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

/**
 * A line of profit for each of the first names, over the instants of all of them. A profit is read only when it changed: it holds until its next reading.
 * `readings`: the oldest first.
 */
export function profitLines(
  readings: readonly RecordedProfit[],
  of: RecordedProfit['of'],
  names: readonly string[],
): { readonly atS: readonly number[]; readonly lines: readonly Line[] } {
  const drawn = names.slice(0, MOST_LINES);
  const instants = [...new Set(readings.map(({ atMs }) => atMs))];
  const lines = drawn.map((name) => {
    const read = new Map(
      readings.flatMap((each) => (each.of === of && each.name === name ? [[each.atMs, each.profit]] : [])),
    );
    let last: number | null = null;
    return { name, values: instants.map((atMs) => (last = read.get(atMs) ?? last)) };
  });
  return { atS: instants.map((atMs) => atMs / 1_000), lines };
}

/** The profit of each day, and the sum since the first, in order of time. `days`: the newest first. */
export function linesByDay(days: readonly Pick<RecordedDay, 'day' | 'profit'>[]): {
  readonly atS: readonly number[];
  readonly lines: readonly Line[];
} {
  const inOrder = days.toReversed();
  let sum = 0;
  return {
    atS: inOrder.map(({ day }) => Date.parse(day) / 1_000),
    lines: [
      { name: 'of the day', values: inOrder.map(({ profit }) => profit) },
      { name: 'since the first day', values: inOrder.map(({ profit }) => (sum += profit)) },
    ],
  };
}

/** The profit of an event, in USDT. */
export interface EventProfit {
  readonly name: string;
  /** With the open bets at their fair worth. Without any: as it was read last. */
  readonly expected: number;
  /** Null without open bets. */
  readonly open:
    | (Pick<NonNullable<LiveEvent['profit']>, 'settled' | 'closeNow'> & Pick<LiveEvent, 'worst'>)
    | null;
}

/**
 * The events with bets, and those that were read in the span and have none any more: the worst loss of a day is often over. The one that lost
 * the most is first. `readings`: the oldest first.
 */
export function profitsByEvent(
  events: readonly LiveEvent[],
  readings: readonly RecordedProfit[],
): readonly EventProfit[] {
  const byName = new Map<string, EventProfit>();
  for (const { of, name, profit } of readings)
    if (of === 'event') byName.set(name, { name, expected: profit, open: null });
  for (const { name, profit, worst } of events) {
    if (profit === null) continue;
    const { settled, expected, closeNow } = profit;
    byName.set(name, { name, expected, open: { settled, closeNow, worst } });
  }
  return [...byName.values()].toSorted((a, b) => a.expected - b.expected);
}

/** The gain of a fill ten seconds later, in USDT; null if that is not known, and for a void bet. */
export const gainOf = ({ markout10, stake, voided }: RecordedFill): number | null =>
  markout10 === null || voided ? null : markout10 * stake;

interface Filled {
  readonly bets: number;
  readonly stake: number;
  readonly gain: number;
  /** The gain as a share of the stake of the bets whose gain is known; null without any. */
  readonly share: number | null;
}

/** The bets of a strategy that stand, and what they had gained ten seconds later. */
export function filledBy(fills: readonly RecordedFill[], strategy: string): Filled {
  const own = fills.filter((fill) => fill.strategy === strategy && !fill.voided);
  const known = own.filter((fill) => gainOf(fill) !== null);
  const gain = known.reduce((sum, fill) => sum + (gainOf(fill) ?? 0), 0);
  const valued = stakeOf(known);
  return { bets: own.length, stake: stakeOf(own), gain, share: valued === 0 ? null : gain / valued };
}

const stakeOf = (fills: readonly RecordedFill[]): number => fills.reduce((sum, { stake }) => sum + stake, 0);
