import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { odds } from '../../../lib/formats.ts';
import { Chart } from '../../components/chart.tsx';
import { EmptyChart } from '../../components/empty-chart.tsx';
import type { PricePoint } from '../stream/traces.ts';
import { fillsOf, selectionOf, type Shown } from '../stream/view.ts';
import { absentInWords } from '../words.ts';
import { linesOf } from './price-lines.ts';

interface PriceChartProps {
  readonly shown: Shown;
  /** Null while no ladder is shown. */
  readonly selectionId: string | null;
}

const NO_POINTS: readonly PricePoint[] = [];

/** The prices of a selection since the page shows it: our quotes as a band, the fair price, and the fills. */
export function PriceChart({ shown, selectionId }: PriceChartProps): JSX.Element | null {
  const { view } = shown;
  const points = selectionId === null ? NO_POINTS : (view.traces.prices.get(selectionId) ?? NO_POINTS);
  const fills = fillsOf(view).filter((fill) => fill.selectionId === selectionId);
  const filled = fills.map(({ betId }) => betId).join();
  const { atS, lines, shades } = useMemo(() => linesOf(points, fills), [points, filled]);
  const name = selectionId === null ? null : (selectionOf(view, selectionId)?.name ?? null);
  const title = name === null ? 'Price' : `Price of ${name}`;
  if (points.length < 2)
    return <EmptyChart title={title}>{absentInWords(shown, null, 'No prices yet.')}</EmptyChart>;
  return <Chart title={title} atS={atS} lines={lines} format={odds} band={OUR_BAND} shades={shades} />;
}

/** Between our quotes `for`, which is the higher price, and `against`. */
const OUR_BAND = [0, 1] as const;
