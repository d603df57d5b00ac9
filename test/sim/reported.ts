import type { OwnOrder } from './exchange-orders.ts';
import type { Run } from './world.ts';

export const NONE: ReadonlySet<number> = new Set();

/** Orders that a run shows to people as placed by others or elsewhere, by id. */
export const reportedBy = ({ composed }: Run): ReadonlySet<number> =>
  new Set(composed.parts.orders.status().foreign.map(({ orderId }): number => orderId));

/** Of ours, those that are not reported so: people are told of the others, and close them. */
export function unreported(run: Run, open: readonly OwnOrder[]): readonly OwnOrder[] {
  const reported = reportedBy(run);
  return open.filter(({ orderId }) => !reported.has(orderId));
}
