import type { RecordedDay } from '../../../read-model/live/records.ts';
import type { Line } from '../../components/lines.ts';

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
