import { TouchlineError } from '../../domain/errors.ts';
import type { OrderId, RequestUuid } from '../../domain/ids.ts';
import { type BetslipRequest, isUnmatched, type VenueOrder } from '../../domain/orders.ts';
import { LADDER } from '../../domain/ladder.ts';
import type { PriceKind } from '../../domain/odds.ts';
import { levelAt, levelCount, type PriceList } from '../../domain/price-list.ts';
import {
  type BetslipDetails,
  ids,
  NotFound,
  OrderAlreadyCreated,
  type OrderDetails,
} from '../exchange/connect.ts';
import type { SeenEntry } from '../exchange/stream-watch.ts';
import type { Bench, Tried } from './bench.ts';
import type { Chosen } from './choose-market.ts';
import { LEAST_PRICE, OFF_TICK, type Shown, shownIn } from './convention.ts';
import type { CloseSeen, LookupsSeen, OrderSeen, RepeatSeen } from './evidence.ts';

/** An order to place, and what its price can be. */
export interface Planned {
  readonly market: BetslipRequest;
  readonly slip: BetslipDetails;
  readonly kinds: readonly PriceKind[];
  /** Looks the order up while it is open. */
  readonly lookUp?: (order: OrderDetails, uuid: RequestUuid) => Promise<void>;
}

/** Another price, passive as `OFF_TICK` is. */
const OTHER_PRICE = LADDER.find((price) => price > OFF_TICK + 0.02) as number;

/** Places an order that rests, watches it on the stream and in the public offers, and closes it. */
export async function measureOrder(bench: Bench, chosen: Chosen, planned: Planned): Promise<OrderSeen> {
  const { market, slip, kinds, lookUp } = planned;
  const before = forOffers(bench, chosen);
  mustBePassive(before);
  const uuid = ids.requestUuid(bench.options.ids.uuid());
  const placedMs = bench.clock.monotonicMs();
  const order = await bench.place(termsOf(bench, market, slip, uuid, OFF_TICK));
  const first = await bench.tried(() => orderEntry(bench, order.orderId, () => true));
  const offersAfter =
    (sinceMs: number) =>
    (seen: SeenEntry): PriceList | null =>
      seen.atMs >= sinceMs ? listOf(seen, chosen.sides.for) : null;
  const found = (seen: SeenEntry): Shown | null => {
    const list = offersAfter(placedMs)(seen);
    return list === null ? null : shownIn(before, list, kinds, bench.options.stakeMicros);
  };
  const shown = await bench.tried(() => watchOffers(bench, found));
  const isCut = isCutAbove(forOffers(bench, chosen));
  // Afterwards, because a repeated request may make a second order, which would show as well.
  await lookUp?.(order, uuid);
  const closingMs = bench.clock.monotonicMs();
  const { closed, over } = await close(bench, order.orderId);
  const request = bench.options.wire.orderRequest(uuid);
  const sentMs = request?.sentMs ?? placedMs;
  const reported = first.ok ? first.value.order : order;
  return {
    orderId: order.orderId,
    answeredMs: request === null ? null : request.answeredMs - sentMs,
    streamedMs: first.ok ? first.value.atMs - sentMs : null,
    lifeMs: lifeOf(reported),
    reportedPrice: reported.wantPrice,
    shown: await confirmed(bench, shown, found, (seen) => offersAfter(closingMs)(seen) !== null),
    isCut,
    closed,
    matchedMicros: matchedOf(over ?? reported),
  };
}

const termsOf = (
  bench: Bench,
  { sport, eventId, betType }: BetslipRequest,
  { betslipId }: BetslipDetails,
  requestUuid: RequestUuid,
  price: number,
) => ({
  sport,
  eventId,
  betType,
  betslipId,
  requestUuid,
  price,
  keepOpenInRunning: false,
  stakeMicros: bench.options.stakeMicros,
});

const lifeOf = ({ placementTimeMs, expiryTimeMs }: VenueOrder): number | null =>
  placementTimeMs === null || expiryTimeMs === null ? null : expiryTimeMs - placementTimeMs;

const matchedOf = ({ bets }: VenueOrder): number =>
  bets.reduce((sum, bet) => sum + (isUnmatched(bet) ? 0 : (bet.gotStakeMicros ?? 0)), 0);

/** The latest `for` offers of the selection. */
export function forOffers(bench: Bench, { sides }: Chosen): PriceList {
  return (
    listOf(
      bench.latest((seen) => listOf(seen, sides.for) !== null),
      sides.for,
    ) ?? []
  );
}

const listOf = (seen: SeenEntry | null, { betType }: BetslipRequest): PriceList | null =>
  seen?.entry.tag === 'offer' && seen.entry.offer.betType === betType ? seen.entry.offer.priceList : null;

/** The market may have moved since it was chosen. */
function mustBePassive(list: PriceList): void {
  const best = levelAt(list, 0)?.price ?? 0;
  if (best < LEAST_PRICE)
    throw new TouchlineError('prove', `the market moved to ${best}: an order at ${OFF_TICK} might be taken`);
}

/** Offers of fewer levels are whole. */
const LEAST_CUT = 5;

/** Whether the offers may end before the place of an order at `OFF_TICK`. */
const isCutAbove = (list: PriceList): boolean =>
  levelCount(list) >= LEAST_CUT && (levelAt(list, levelCount(list) - 1)?.price ?? 0) > OFF_TICK;

interface OrderEntry {
  readonly order: VenueOrder;
  readonly atMs: number;
}

async function orderEntry(
  bench: Bench,
  orderId: OrderId,
  accepts: (order: VenueOrder) => boolean,
): Promise<OrderEntry> {
  const { entry, atMs } = await bench.until(
    'the order',
    ({ entry: each }) => each.tag === 'order' && each.order.orderId === orderId && accepts(each.order),
  );
  if (entry.tag !== 'order') throw new TouchlineError('prove', 'another entry came');
  return { order: entry.order, atMs };
}

/** How the order shows in the public offers; null if it does not. */
async function watchOffers(bench: Bench, found: (seen: SeenEntry) => Shown | null): Promise<Shown | null> {
  const { ok } = await bench.tried(() =>
    bench.until('the order in the offers', (seen) => found(seen) !== null),
  );
  const seen = ok ? bench.latest((each) => found(each) !== null) : null;
  return seen === null ? null : found(seen);
}

/** Makes sure that what showed was our order: it is gone after the close. */
async function confirmed(
  bench: Bench,
  shown: Tried<Shown | null>,
  found: (seen: SeenEntry) => Shown | null,
  isOfferAfter: (seen: SeenEntry) => boolean,
): Promise<Tried<Shown | null>> {
  if (!shown.ok || shown.value === null) return shown;
  const isGone = (seen: SeenEntry): boolean => isOfferAfter(seen) && found(seen) === null;
  const gone = await bench.tried(() => bench.until('the end of the order in the offers', isGone));
  const why = `${shown.value.price} in the offers stays after the close, so it may be of others`;
  return gone.ok ? shown : { ok: false, why };
}

async function close(
  bench: Bench,
  orderId: OrderId,
): Promise<{ readonly closed: Tried<CloseSeen>; readonly over: VenueOrder | null }> {
  let over: VenueOrder | null = null;
  const closed = await bench.tried(async () => {
    const sentMs = bench.clock.monotonicMs();
    await bench.exchange.orders.close(orderId);
    const seen = await orderEntry(bench, orderId, (order) => order.closed);
    over = seen.order;
    return { reason: seen.order.closeReason, afterMs: seen.atMs - sentMs };
  });
  return { closed, over };
}

/** Looks an open order up by its uuid, and uses the uuid again. */
export function measureLookups(
  bench: Bench,
  { market, slip }: Planned,
  order: OrderDetails,
  uuid: RequestUuid,
): Promise<Tried<LookupsSeen>> {
  return bench.tried(async () => {
    const tracked = await trackedId(bench, uuid);
    const unused = await trackedId(bench, ids.requestUuid(bench.options.ids.uuid()));
    const repeated = await repeat(bench, termsOf(bench, market, slip, uuid, OFF_TICK));
    const changed = await repeat(bench, termsOf(bench, market, slip, uuid, OTHER_PRICE));
    return { orderId: order.orderId, tracked, unused, repeated, changed };
  });
}

async function trackedId(bench: Bench, uuid: RequestUuid): Promise<OrderId | null> {
  try {
    return (await bench.exchange.orders.tracked(uuid)).orderId;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

async function repeat(bench: Bench, terms: Parameters<Bench['place']>[0]): Promise<RepeatSeen> {
  try {
    const { orderId } = await bench.place(terms);
    await bench.tried(() => bench.exchange.orders.close(orderId));
    return { isRefused: false, orderId };
  } catch (error) {
    if (!(error instanceof OrderAlreadyCreated)) throw error;
    return { isRefused: true, orderId: error.orderId === null ? null : ids.orderId(error.orderId) };
  }
}
