import { from, lastValueFrom, mergeMap } from 'rxjs';
import type { OrderId } from '../../domain/ids.ts';
import { type InstallationId, markOf } from '../../domain/installation.ts';
import type { UnreadOrder } from '../../domain/order-listing.ts';
import { OPEN_STATUSES, type VenueOrder } from '../../domain/orders.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type ExchangeClient, NotFound, OrderClosed } from '../exchange/connect.ts';

/** The result of closing one order. */
export interface CloseResult {
  /** Null stands for orders that may be open but can no longer be listed. */
  readonly orderId: OrderId | null;
  readonly result: 'closed' | 'was closed already' | 'not found' | 'still open' | 'not known';
  /** The exchange's or network's error, if the order could not be closed. */
  readonly why?: string;
}

/** Passes over the list of open orders: an order created during the first pass shows up in the next. */
const PASSES = 3;
/** Maximum number of single closes in flight: one that hangs, or a slow exchange, must not keep the others open for long. */
const AT_ONCE = 20;
/** If a batch is not answered within this time, its orders are closed singly in parallel. */
const BATCH_WITHIN_MS = 2_500;
/** Goes ahead of every other request of this process. */
const URGENT = { priority: 'urgent' } as const;

/**
 * Closes orders and reports the result of each. An order that cannot be closed does not hold up the others. Rejects with the
 * exchange's or network's error if no order has a result.
 */
export async function closeOrders(
  exchange: ExchangeClient,
  ids: readonly OrderId[],
  clock: Clock = systemClock,
): Promise<readonly CloseResult[]> {
  const { results, failures } = await closeEach(exchange, ids, clock);
  if (failures.size > 0 && failures.size === ids.length) throw failures.values().next().value;
  return [...results, ...Array.from(failures, ([id, error]) => failed(id, 'not known', error))];
}

/**
 * Closes the open orders that carry Touchline's mark, from any run or from one installation only; leaves foreign orders alone.
 * Orders that the exchange still lists after the last pass are reported as open, including new orders of a running daemon.
 *
 * An order that cannot be closed does not hold up the others. A list that cannot be read after a pass is reported beside the
 * closed orders. Rejects with the exchange's or network's error if no order has a result.
 */
export async function closeOurOrders(
  exchange: ExchangeClient,
  { installation = null, clock = systemClock }: CloseOurs = {},
): Promise<readonly CloseResult[]> {
  const isOurs = ({ userData }: Pick<VenueOrder, 'userData'>): boolean => {
    const mark = markOf(userData);
    return mark !== null && (installation === null || mark.installation === installation);
  };
  const tally: Tally = { results: new Map(), failures: new Map() };
  let open = await openOrders(exchange, isOurs);
  for (let pass = 0; pass < PASSES && open.ids.length > 0; pass++) {
    count(tally, await closeEach(exchange, open.ids, clock));
    open = await listedAgain(exchange, isOurs);
  }
  return toldOf(tally, open);
}

export interface CloseOurs {
  /** Closes only this installation's orders; null, the default: any installation's. */
  readonly installation?: InstallationId | null;
  readonly clock?: Clock;
}

type IsOurs = (order: Pick<VenueOrder, 'userData'>) => boolean;

/** Results by order, over all passes. */
interface Tally {
  readonly results: Map<OrderId, CloseResult>;
  readonly failures: Map<OrderId, unknown>;
}

/** The open orders; `whyNot` if they, or some of them, cannot be listed. */
interface Listed {
  readonly ids: readonly OrderId[];
  readonly whyNot: string | null;
}

function count({ results, failures }: Tally, tried: Tried): void {
  for (const [id, error] of tried.failures) failures.set(id, error);
  for (const each of tried.results) {
    if (results.get(each.orderId)?.result !== 'closed') results.set(each.orderId, each);
  }
}

async function listedAgain(exchange: ExchangeClient, isOurs: IsOurs): Promise<Listed> {
  try {
    return await openOrders(exchange, isOurs);
  } catch (error) {
    return { ids: [], whyNot: reasonOf(error) };
  }
}

function toldOf({ results, failures }: Tally, { ids, whyNot }: Listed): readonly CloseResult[] {
  const isOver = ids.length === 0 && whyNot === null;
  if (!isOver && results.size === 0 && failures.size > 0) throw failures.values().next().value;
  for (const id of ids) results.set(id, failed(id, 'still open', failures.get(id)));
  if (whyNot === null) return [...results.values()];
  const unanswered = [...failures].filter(([id]) => !results.has(id));
  const rest = unanswered.map(([id, error]) => failed(id, 'not known', error));
  return [...results.values(), ...rest, { orderId: null, result: 'not known', why: whyNot }];
}

/** Closes every open order of the account, including those placed by hand or by other programs. */
export async function closeWholeAccount(exchange: ExchangeClient): Promise<readonly CloseResult[]> {
  const closed = await exchange.orders.closeAll();
  return closed.map((orderId) => ({ orderId, result: 'closed' }));
}

/** The results so far, and the error that prevented the others. */
interface Tried {
  readonly results: readonly (CloseResult & { readonly orderId: OrderId })[];
  readonly failures: ReadonlyMap<OrderId, unknown>;
}

/** Closes in few requests, then singly whatever they left: the exchange then gives a reason for each order. */
async function closeEach(exchange: ExchangeClient, ids: readonly OrderId[], clock: Clock): Promise<Tried> {
  const answered = new Map<OrderId, CloseResult['result']>();
  const failures = new Map<OrderId, unknown>();
  for (let at = 0; at < ids.length; at += MOST_CLOSED_AT_ONCE)
    for (const orderId of await closeTogether(exchange, ids.slice(at, at + MOST_CLOSED_AT_ONCE), clock))
      answered.set(orderId, 'closed');
  const tryOne = (orderId: OrderId): Promise<unknown> =>
    closeOne(exchange, orderId).then(
      (result) => answered.set(orderId, result),
      (error: unknown) => failures.set(orderId, error),
    );
  const left = ids.filter((orderId) => !answered.has(orderId));
  await lastValueFrom(from(left).pipe(mergeMap(tryOne, AT_ONCE)), { defaultValue: null });
  return { results: ids.flatMap((orderId) => resultOf(orderId, answered.get(orderId))), failures };
}

/** Returns the orders that one request has closed; none if it failed or took too long. */
async function closeTogether(
  exchange: ExchangeClient,
  ids: readonly OrderId[],
  clock: Clock,
): Promise<readonly OrderId[]> {
  if (ids.length === 1) return [];
  const late = new AbortController();
  const closed = exchange.orders.closeMany(ids, { ...URGENT, once: true }).then(
    (answered) => answered.closed,
    () => [],
  );
  const waited = sleep(clock, BATCH_WITHIN_MS, late.signal).then(
    () => [],
    () => [],
  );
  const answered = await Promise.race([closed, waited]);
  late.abort();
  return answered;
}

const resultOf = (orderId: OrderId, result: CloseResult['result'] | undefined): Tried['results'] =>
  result === undefined ? [] : [{ orderId, result }];

function failed(orderId: OrderId, result: 'still open' | 'not known', error: unknown): CloseResult {
  if (error === undefined) return { orderId, result };
  return { orderId, result, why: reasonOf(error) };
}

async function closeOne(exchange: ExchangeClient, id: OrderId): Promise<CloseResult['result']> {
  try {
    await exchange.orders.close(id, URGENT);
    return 'closed';
  } catch (error) {
    if (error instanceof OrderClosed) return 'was closed already';
    if (error instanceof NotFound) return 'not found';
    throw error;
  }
}

/** An entry that cannot be read is closed if its id can be read, and makes the list doubtful if not. */
async function openOrders(exchange: ExchangeClient, isOurs: IsOurs): Promise<Listed> {
  const ids = new Set<OrderId>();
  let whyNot: string | null = null;
  const onUnread = (entry: UnreadOrder): void => {
    if (!isOurs(entry)) return;
    if (entry.orderId !== null) ids.add(entry.orderId);
    else whyNot = `the id of an order of ours cannot be read: ${entry.label}`;
  };
  for await (const order of exchange.allOrders({ statuses: OPEN_STATUSES }, URGENT, onUnread)) {
    if (!order.closed && isOurs(order)) ids.add(order.orderId);
  }
  return { ids: [...ids], whyNot };
}
