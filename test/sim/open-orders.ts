import { isOwn, type OwnOrder } from './exchange-orders.ts';
import { NONE, reportedBy } from './reported.ts';
import type { ThrottledTwins } from './twins.ts';
import type { World } from './world.ts';

/**
 * The numbers of our open orders, by the exchange and by the run. A duplicate that counts as foreign is not included.
 */
export function openThereAndHere(
  { run, orders }: World,
  twins: ThrottledTwins,
): readonly [theirs: string, ours: string] {
  const shown = twins.any && run !== null ? reportedBy(run) : NONE;
  const isTwin = ({ orderId, requestUuid }: OwnOrder): boolean =>
    shown.has(orderId) && twins.has(requestUuid);
  const theirs = orders.open().filter((order) => isOwn(order) && !isTwin(order));
  const ours = [...(run?.composed.parts.orders.orders() ?? [])].filter(
    ({ state }) => state === 'live' || state === 'closing',
  );
  return [namesOf(theirs), namesOf(ours)];
}

/** The run's reports meanwhile, in order: whether its heartbeat exists, its open orders, and the pause. */
const LOOKING: readonly (string | null)[] = [
  'order_closed_by_others',
  'resync_under_way',
  'recovering_from_close_out',
];

/**
 * The start of an event closes the orders on it. If those were all, it is a close-out for some seconds, also at rest.
 */
export function looksAgain({ run }: World): boolean {
  return LOOKING.includes(run?.composed.parts.orders.status().blocked ?? null);
}

const namesOf = (orders: readonly { readonly orderId: number | null }[]): string =>
  orders
    .map(({ orderId }) => orderId)
    .sort()
    .join(' ');
