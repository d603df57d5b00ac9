import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import type { RecordedDay } from '../../../read-model/live/records.ts';
import { Chart } from '../../components/chart.tsx';
import { toneOf } from '../../components/figure.tsx';
import { linesByDay } from './profits.ts';

interface ProfitByDayProps {
  /** The newest first. */
  readonly days: readonly RecordedDay[];
}

/** What each trading day brought, over all runs, as its bets were settled: a line, and a row for each. */
export function ProfitByDay({ days }: ProfitByDayProps): JSX.Element | null {
  const { atS, lines } = useMemo(() => linesByDay(days), [days]);
  if (days.length === 0) return null;
  return (
    <section class="profit-by-day" aria-label="Profit by day">
      {days.length < 2 ? (
        <h2>Profit by day</h2>
      ) : (
        <Chart title="Profit by day" atS={atS} lines={lines} format={PAGE.money} />
      )}
      <div class="scroll" role="region" aria-label="Table of profit by day" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">trading day</th>
              {['bets', 'exchange stake', 'settled', 'commission', 'profit'].map((title) => (
                <th scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, bets, stake, settled, commission, profit }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td class="number">{PAGE.whole(bets)}</td>
                <td class="number">{PAGE.money(stake)}</td>
                <td class={`number ${toneOf(settled)}`}>{PAGE.gain(settled)}</td>
                <td class="number">{PAGE.money(commission)}</td>
                <td class={`number ${toneOf(profit)}`}>{PAGE.gain(profit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
