import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import type { RecordedProfit } from '../../../read-model/live/records.ts';
import { Chart } from '../../components/chart.tsx';
import { EmptyChart } from '../../components/empty-chart.tsx';
import { profitLines, profitNames } from './profits.ts';

interface ProfitChartsProps {
  /** The oldest first. */
  readonly profits: readonly RecordedProfit[];
  /** The event that is drawn alone; null: those that moved most. */
  readonly event: string | null;
}

/** The profit of each strategy and of each event over time, with the open bets at their fair worth; of a chosen event that of the event alone. */
export const ProfitCharts = ({ profits, event }: ProfitChartsProps): JSX.Element => (
  <>
    {event === null ? (
      <ProfitChart title="Profit by strategy" of="strategy" profits={profits} only={null} />
    ) : null}
    <ProfitChart title="Profit by event" of="event" profits={profits} only={event} />
  </>
);

interface ProfitChartProps {
  readonly title: string;
  readonly of: RecordedProfit['of'];
  readonly profits: readonly RecordedProfit[];
  readonly only: string | null;
}

function ProfitChart({ title, of, profits, only }: ProfitChartProps): JSX.Element {
  const { atS, lines } = useMemo(
    () => profitLines(profits, of, only === null ? profitNames(profits, of) : [only]),
    [profits, of, only],
  );
  if (lines.length === 0 || atS.length < 2)
    return <EmptyChart title={title}>A reading is taken every minute, of what has bets.</EmptyChart>;
  return <Chart title={title} atS={atS} lines={lines} format={PAGE.money} />;
}
