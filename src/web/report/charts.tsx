import type { JSX } from 'preact';
import { fromMicros } from '../../domain/money.ts';
import { PAGE } from '../../lib/formats.ts';
import { align, fallsOf } from '../../research/report/series.ts';
import type { EquityPoint, ScenarioResult } from '../../research/result.ts';
import { Chart } from '../components/chart.tsx';
import type { Line } from '../components/lines.ts';

/** A figure over time, a line for each scenario. */
interface OverTime {
  readonly title: string;
  readonly atS: readonly number[];
  readonly lines: readonly Line[];
}

type Scenarios = readonly ScenarioResult[];

/** Profit with open bets at the fair value, and how far it fell from its highest point. */
export function equityCharts(scenarios: Scenarios): readonly OverTime[] {
  const marked = overTime(
    'Profit with open bets at the fair value',
    scenarios,
    (point) => point.markedMicros,
  );
  const fallen = marked.lines.map((line) => ({ ...line, values: fallsOf(line.values) }));
  return [marked, { ...marked, title: 'Drawdown', lines: fallen }];
}

/** What was settled, what could be lost, and what was held. */
export const riskCharts = (scenarios: Scenarios): readonly OverTime[] => [
  overTime('Settled profit after commission', scenarios, (point) => point.settledMicros),
  overTime('Worst case', scenarios, (point) => point.worstMicros),
  overTime('Inventory, for minus against', scenarios, (point) => point.inventoryMicros),
];

function overTime(title: string, scenarios: Scenarios, valueOf: (point: EquityPoint) => number): OverTime {
  const { atS, values } = align(
    scenarios.map(({ equity }) => equity),
    (point) => fromMicros(valueOf(point)),
  );
  const lines = scenarios.map(({ scenario }, at) => ({ name: scenario, values: values[at] ?? [] }));
  return { title, atS, lines };
}

export const Charts = ({ charts }: { readonly charts: readonly OverTime[] }): JSX.Element => (
  <div class="charts">
    {charts.map(({ title, atS, lines }) => (
      <Chart title={title} atS={atS} lines={lines} format={PAGE.money} />
    ))}
  </div>
);
