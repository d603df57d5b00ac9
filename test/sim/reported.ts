import type { Run } from './world.ts';

export const NONE: ReadonlySet<number> = new Set();

/** Orders that a run shows to people as placed by others or elsewhere, by id. */
export const reportedBy = ({ composed }: Run): ReadonlySet<number> =>
  new Set(composed.parts.orders.status().foreign.map(({ orderId }): number => orderId));
