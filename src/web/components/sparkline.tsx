import type { JSX } from 'preact';
import { pointsOf, SPARKLINE } from './sparkline-points.ts';

/** How a number moved, without an axis. Its words are beside it. */
export const Sparkline = ({ values }: { readonly values: readonly number[] }): JSX.Element => (
  <svg class="sparkline" viewBox={`0 0 ${SPARKLINE.width} ${SPARKLINE.height}`} aria-hidden="true">
    <polyline points={pointsOf(values)} />
  </svg>
);
