import { from, lastValueFrom, mergeMap } from 'rxjs';
import type { OrderId } from '../../domain/ids.ts';
import { type InstallationId, markOf } from '../../domain/installation.ts';
import { OPEN_STATUSES, type VenueOrder } from '../../domain/orders.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { MOST_CLOSED_AT_ONCE } from '../../ports/venue.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type ExchangeClient, NotFound, OrderClosed } from '../exchange/connect.ts';

/** What became of the wish to close one order. */
export interface CloseResult {
  /** Null for whatever may be open when that can be listed no more. */
  readonly orderId: OrderId | null;
  readonly result: 'closed' | 'was closed already' | 'not found' | 'still open' | 'not told';
  /** What the exchange or the network said, where it could not be closed. */
  readonly why?: string;
}

/** Passes over the list of open orders: one that was created during the first shows up in the next. */
const PASSES = 3;
/** So many single closes are under way at a time: one that hangs, or a slow exchange, must not keep the others open for long. */
const AT_ONCE = 20;
/** Orders of a batch that is not answered by then are closed each by itself beside it. */
const BATCH_WITHIN_MS = 2_500;
/** Before all else that this process may have to ask. */
const URGENT = { priority: 'urgent' } as const;

/**
 * Closes orders, and tells what became of each. One that cannot be closed keeps none of the others open. Rejects with what the
 * exchange or the network said when nothing can be told of any of them.
 */
export async function closeOrders(
  exchange: ExchangeClient,
  ids: readonly OrderId[],
  clock: Clock = systemClock,
): Promise<readonly CloseResult[]> {
  const { results, failures } = await closeEach(exchange, ids, clock);
  if (failures.size > 0 && failures.size === ids.length) throw failures.values().next().value;
  return [...results, ...Array.from(failures, ([id, error]) => failed(id, 'not told', error))];
}

/**
 * Closes the open orders that carry Touchline's mark, whichever run placed them, or only those of one installation; leaves
 * those placed by others. What the exchange lists as open after the last pass is told so, new orders of a daemon that runs included. One that cannot be
 * closed keeps none of the others open, and a list that cannot be read after a pass is told beside what was closed. Rejects
 * with what the exchange or the network said when nothing can be told of any of them.
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
  let open: Listed = { ids: await openOrders(exchange, isOurs), whyNot: null };
  for (let pass = 0; pass < PASSES && open.ids.length > 0; pass++) {
    count(tally, await closeEach(exchange, open.ids, clock));
    open = await listedAgain(exchange, isOurs);
  }
  return toldOf(tally, open);
}

export interface CloseOurs {
  /** The only installation whose orders are closed; null, the default: any. */
  readonly installation?: InstallationId | null;
  readonly clock?: Clock;
}

type IsOurs = (order: Pick<VenueOrder, 'userData'>) => boolean;

/** By order, over all passes. */
interface Tally {
  readonly results: Map<OrderId, CloseResult>;
  readonly failures: Map<OrderId, unknown>;
}

/** What is open; `whyNot` where that cannot be told. */
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
    return { ids: await openOrders(exchange, isOurs), whyNot: null };
  } catch (error) {
    return { ids: [], whyNot: reasonOf(error) };
  }
}

function toldOf({ results, failures }: Tally, { ids, whyNot }: Listed): readonly CloseResult[] {
  const isOver = ids.length === 0 && whyNot === null;
  if (!isOver && results.size === 0 && failures.size > 0) throw failures.values().next().value;
  for (const id of ids) results.set(id, failed(id, 'still open', failures.get(id)));
  if (whyNot === null) return [...results.values()];
  const untold = [...failures].filter(([id]) => !results.has(id));
  const rest = untold.map(([id, error]) => failed(id, 'not told', error));
  return [...results.values(), ...rest, { orderId: null, result: 'not told', why: whyNot }];
}

/** Closes every open order of the account, placed by hand or by others included. */
export async function closeWholeAccount(exchange: ExchangeClient): Promise<readonly CloseResult[]> {
  const closed = await exchange.orders.closeAll();
  return closed.map((orderId) => ({ orderId, result: 'closed' }));
}

/** What could be told, and what kept it from being told of the other orders. */
interface Tried {
  readonly results: readonly (CloseResult & { readonly orderId: OrderId })[];
  readonly failures: ReadonlyMap<OrderId, unknown>;
}

/** By few requests; what these do not close is closed each by itself, and the exchange says of each why not. */
async function closeEach(exchange: ExchangeClient, ids: readonly OrderId[], clock: Clock): Promise<Tried> {
  const told = new Map<OrderId, CloseResult['result']>();
  const failures = new Map<OrderId, unknown>();
  for (let at = 0; at < ids.length; at += MOST_CLOSED_AT_ONCE)
    for (const orderId of await closeTogether(exchange, ids.slice(at, at + MOST_CLOSED_AT_ONCE), clock))
      told.set(orderId, 'closed');
  const tryOne = (orderId: OrderId): Promise<unknown> =>
    closeOne(exchange, orderId).then(
      (result) => told.set(orderId, result),
      (error: unknown) => failures.set(orderId, error),
    );
  const left = ids.filter((orderId) => !told.has(orderId));
  await lastValueFrom(from(left).pipe(mergeMap(tryOne, AT_ONCE)), { defaultValue: null });
  return { results: ids.flatMap((orderId) => toldOne(orderId, told.get(orderId))), failures };
}

/** Answers those that one request has closed; none when it has failed, or takes too long. */
async function closeTogether(
  exchange: ExchangeClient,
  ids: readonly OrderId[],
  clock: Clock,
): Promise<readonly OrderId[]> {
  if (ids.length === 1) return [];
  const late = new AbortController();
  const closed = exchange.orders.closeMany(ids, { ...URGENT, once: true }).then(
    (told) => told.closed,
    () => [],
  );
  const waited = sleep(clock, BATCH_WITHIN_MS, late.signal).then(
    () => [],
    () => [],
  );
  const told = await Promise.race([closed, waited]);
  late.abort();
  return told;
}

const toldOne = (orderId: OrderId, result: CloseResult['result'] | undefined): Tried['results'] =>
  result === undefined ? [] : [{ orderId, result }];

function failed(orderId: OrderId, result: 'still open' | 'not told', error: unknown): CloseResult {
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

async function openOrders(exchange: ExchangeClient, isOurs: IsOurs): Promise<readonly OrderId[]> {
  const ids: OrderId[] = [];
  for await (const order of exchange.allOrders({ statuses: OPEN_STATUSES }, URGENT)) {
    if (!order.closed && isOurs(order)) ids.push(order.orderId);
  }
  return ids;
}
