import type { JSX } from 'preact';
import { usdtOf } from '../../domain/money.ts';
import { PAGE } from '../../lib/formats.ts';
import { type Prediction, predictionsOf } from '../../research/report/predictions.ts';
import type { ResearchFill } from '../../research/result.ts';
import type { BacktestReport } from '../../research/summary.ts';
import { type Column, Table } from '../components/table.tsx';

interface RealFillsProps {
  readonly report: BacktestReport;
  readonly real: readonly ResearchFill[];
}

const COLUMNS: readonly Column<Prediction>[] = [
  { title: 'scenario', cell: ({ scenario }) => scenario },
  {
    title: 'predicted stake',
    number: true,
    cell: ({ predictedMicros }) => PAGE.cents(usdtOf(predictedMicros)),
  },
  { title: 'real stake', number: true, cell: ({ realMicros }) => PAGE.cents(usdtOf(realMicros)) },
  { title: 'orders in both', number: true, cell: ({ both }) => PAGE.whole(both) },
  { title: 'predicted only', number: true, cell: ({ predictedOnly }) => PAGE.whole(predictedOnly) },
  { title: 'real only', number: true, cell: ({ realOnly }) => PAGE.whole(realOnly) },
  {
    title: 'agreement',
    number: true,
    cell: ({ both, predictedOnly, realOnly }) => {
      const all = both + predictedOnly + realOnly;
      return PAGE.percent(all === 0 ? null : both / all);
    },
  },
];

/** What the scenarios predict for the orders of a live session, and what these orders really got. */
export function RealFills({ report, real }: RealFillsProps): JSX.Element {
  return (
    <section aria-labelledby="real">
      <h2 id="real">Predicted and real fills</h2>
      <Table
        caption="Filled orders, predicted and real"
        columns={COLUMNS}
        rows={predictionsOf(report.result.scenarios, real)}
      />
      <p class="quiet">
        Each order of the session was run through the scenarios. The scenario whose stake is closest to the
        real stake describes this market best.
      </p>
    </section>
  );
}
