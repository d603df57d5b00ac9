import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../components/chart.tsx';
import { price } from '../numbers.ts';
import type { PricePoint } from '../stream/traces.ts';
import { fillsOf, selectionOf, type View } from '../stream/view.ts';
import { linesOf } from './price-lines.ts';

interface PriceChartProps {
  readonly view: View;
  /** Null while no ladder is shown. */
  readonly selectionId: string | null;
}

const NO_POINTS: readonly PricePoint[] = [];

/** The prices of a selection since the page shows it: our quotes as a band, the fair price, and the fills. */
export function PriceChart({ view, selectionId }: PriceChartProps): JSX.Element | null {
  const points = selectionId === null ? NO_POINTS : (view.traces.prices.get(selectionId) ?? NO_POINTS);
  const fills = fillsOf(view).filter((fill) => fill.selectionId === selectionId);
  const filled = fills.map(({ betId }) => betId).join();
  const { atS, lines } = useMemo(() => linesOf(points, fills), [points, filled]);
  const name = selectionId === null ? null : (selectionOf(view, selectionId)?.name ?? null);
  const title = name === null ? 'Price' : `Price of ${name}`;
  if (points.length < 2) return <Empty title={title} />;
  return <Chart title={title} atS={atS} lines={lines} format={price} band={OUR_BAND} />;
}

const Empty = ({ title }: { readonly title: string }): JSX.Element => (
  <section class="chart panel" aria-label={title}>
    <div class="chart-head">
      <h3>{title}</h3>
    </div>
    <div class="plot quiet">No prices yet.</div>
  </section>
);

/** Between our quotes `for`, which is the higher price, and `against`. */
const OUR_BAND = [0, 1] as const;
