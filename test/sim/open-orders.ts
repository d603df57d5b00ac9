import { isOwn, type OwnOrder } from './exchange-orders.ts';
import { NONE, reportedBy } from './reported.ts';
import type { ThrottledTwins } from './twins.ts';
import type { World } from './world.ts';

/** The numbers of our open orders, by the exchange and by the run. A twin that counts as somebody else's is none of them. */
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

/** What it says meanwhile, one after the other: whether its heartbeat is there, what is open, and the pause. */
const LOOKING: readonly (string | null)[] = [
  'order_closed_by_others',
  'resync_under_way',
  'recovering_from_close_out',
];

/** An event that begins closes what rests on it: where that was all, it is a close-out for some seconds, also at rest. */
export function looksAgain({ run }: World): boolean {
  return LOOKING.includes(run?.composed.parts.orders.status().blocked ?? null);
}

const namesOf = (orders: readonly { readonly orderId: number | null }[]): string =>
  orders
    .map(({ orderId }) => orderId)
    .sort()
    .join(' ');
