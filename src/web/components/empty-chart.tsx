import type { JSX } from 'preact';

interface EmptyChartProps {
  readonly title: string;
  /** Why there is nothing yet. */
  readonly children: string;
}

/** The place of a chart that has too few points for a line: as high as one. */
export const EmptyChart = ({ title, children }: EmptyChartProps): JSX.Element => (
  <section class="chart panel" aria-label={title}>
    <div class="chart-head">
      <h3>{title}</h3>
    </div>
    <div class="plot quiet">{children}</div>
  </section>
);
