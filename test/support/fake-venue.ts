import { EMPTY, type Observable } from 'rxjs';
import type { Approved } from '../../src/domain/approval.ts';
import { ProtocolError, VenueRejection } from '../../src/domain/errors.ts';
import type { BudgetLevels } from '../../src/domain/event-view.ts';
import type {
  BetId,
  BetslipId,
  EventId,
  HeartbeatId,
  OrderId,
  RequestUuid,
  Sport,
} from '../../src/domain/ids.ts';
import type { OrderPage } from '../../src/domain/order-listing.ts';
import type {
  Betslip,
  BetslipRequest,
  Heartbeat,
  PlaceOrder,
  VenueBet,
  VenueOrder,
} from '../../src/domain/orders.ts';
import { packLevels, type PriceList } from '../../src/domain/price-list.ts';
import type { StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type {
  CallOptions,
  ClosedMany,
  LearnedLimits,
  OrderQuery,
  Priority,
  Venue,
} from '../../src/ports/venue.ts';
import { type CallMade, FatedCalls, type Fault, type VenueMethod } from './faulty-calls.ts';

export interface FakeVenueOptions {
  readonly latencyMs?: number;
  readonly timeoutMs?: number;
  readonly betslipCap?: number;
  readonly betslipLifeMs?: number;
  readonly quoteDelayMs?: number;
  /** Decides the result of each call; null for no fault. */
  readonly fault?: (method: VenueMethod) => Fault | null;
  /** The prices that a betslip quotes. */
  readonly quote?: (request: BetslipRequest) => PriceList;
}

/** An order as the exchange holds it. */
export interface HeldByVenue {
  view: VenueOrder;
  readonly uuid: RequestUuid | null;
  readonly createdMs: number;
  updatedMs: number;
}

interface FakeBetslip extends BetslipRequest {
  readonly id: BetslipId;
  expiryMs: number;
}

const notFound = (): VenueRejection => new VenueRejection('not_found', 404, 'not found');
const unsupported = (): never => {
  throw new Error('not part of this fake');
};

export const DEFAULT_QUOTE: PriceList = packLevels([{ price: 2, minMicros: null, maxMicros: 500_000_000 }]);

/**
 * The part of the exchange that the order manager sees, on a given clock. The test decides the result of each call.
 * Orders rest until filled, closed, lapsed or closed out by a heartbeat.
 */
export class FakeVenue implements Venue {
  readonly kind = 'simulated';
  readonly throttledCount = 0;
  keyRefusal: VenueRejection | null = null;
  readonly stream$: Observable<StreamSignal> = EMPTY;
  readonly held = new Map<OrderId, HeldByVenue>();
  readonly heartbeatsHeld = new Map<HeartbeatId, number>();
  readonly betslips = new Map<BetslipId, FakeBetslip>();
  readonly calls: CallMade[] = [];
  /** Receives signals. The test sets it once the manager exists. */
  signal: (signal: StreamSignal) => void = () => undefined;
  /** Reads the exchange's state after each change. */
  watch: () => void = () => undefined;
  fault: (method: VenueMethod) => Fault | null;
  betslipsToday = 2_000;
  /** This many of them are reserved for orders that reduce risk. */
  betslipsKept = 50;
  /** Whether stream entries get through. */
  connected = false;
  /** Orders whose entries and answers cannot be read, and how much of them. */
  readonly unreadable = new Map<OrderId, 'all but its id' | 'its id' | 'all'>();
  /** The most orders on a page of the list, however many are requested. */
  mostPerPage = 1_000;
  /** Orders stay open, whatever request is to end them. */
  endsNothing = false;
  readonly #clock: Clock;
  readonly #calls: FatedCalls;
  readonly #options: Required<Omit<FakeVenueOptions, 'fault'>>;
  #epoch = 0;
  #ids = 1_000;

  constructor(clock: Clock, options: FakeVenueOptions = {}) {
    this.#clock = clock;
    this.fault = options.fault ?? (() => null);
    this.#options = {
      latencyMs: options.latencyMs ?? 5,
      timeoutMs: options.timeoutMs ?? 5_000,
      betslipCap: options.betslipCap ?? 1_000,
      betslipLifeMs: options.betslipLifeMs ?? 15_000,
      quoteDelayMs: options.quoteDelayMs ?? 100,
      quote: options.quote ?? (() => DEFAULT_QUOTE),
    };
    this.#calls = new FatedCalls(clock, this.#options, {
      fateOf: (method) => this.fault(method),
      onCall: (call) => void this.calls.push(call),
    });
  }

  // The stream

  connect(): void {
    this.connected = true;
    const epoch = ++this.#epoch;
    this.signal({ kind: 'open', epoch });
    this.signal({ kind: 'synced', epoch });
  }

  disconnect(): void {
    if (!this.connected) return;
    this.connected = false;
    this.signal({ kind: 'closed', epoch: this.#epoch, reason: 'test', retryInMs: null });
  }

  emit(...entries: readonly StreamEntry[]): void {
    if (!this.connected) return;
    const receivedMonotonicMs = this.#clock.monotonicMs();
    this.signal({ kind: 'frame', epoch: this.#epoch, sentMs: null, receivedMonotonicMs, entries });
  }

  // Events on the exchange

  open(): HeldByVenue[] {
    return [...this.held.values()].filter(({ view }) => !view.closed);
  }

  /** Matches stake of an open order; the order closes when nothing is left. */
  fill(orderId: OrderId, stakeMicros: number, role: 'maker' | 'taker' = 'maker'): VenueBet {
    const order = this.held.get(orderId) as HeldByVenue;
    const bet = this.#betOf(order.view, Math.min(stakeMicros, unfilled(order.view)), role);
    this.#update(order, { bets: [...order.view.bets, bet] });
    this.emit({ tag: 'bet', bet });
    if (unfilled(order.view) === 0) this.#close(order, 'order_filled');
    else this.emit({ tag: 'order', order: order.view });
    return bet;
  }

  /** A manual order, or one of another program. */
  placeByHand(place: PlaceOrder, orderType?: string): VenueOrder {
    return this.#create(place, null, orderType).view;
  }

  closeByHand(orderId: OrderId): void {
    this.#close(this.held.get(orderId) as HeldByVenue, 'cancelled');
  }

  expireHeartbeat(id: HeartbeatId): void {
    this.heartbeatsHeld.delete(id);
    for (const order of this.open()) this.#close(order, 'cancelled');
  }

  // The port

  createBetslip(request: BetslipRequest, options?: CallOptions): Promise<Betslip> {
    return this.#run('createBetslip', options, () => this.#createBetslip(request));
  }

  refreshBetslip(id: BetslipId, options?: CallOptions): Promise<void> {
    return this.#run('refreshBetslip', options, () => {
      this.#betslip(id).expiryMs = this.#clock.wallMs() + 45_000;
    });
  }

  deleteBetslip(id: BetslipId, options?: CallOptions): Promise<void> {
    return this.#run('deleteBetslip', options, () => {
      this.#betslip(id);
      this.betslips.delete(id);
    });
  }

  placeOrder(order: Approved<PlaceOrder>, options?: CallOptions): Promise<VenueOrder> {
    return this.#run('placeOrder', options, () => this.#place(order));
  }

  order(id: OrderId, options?: CallOptions): Promise<VenueOrder> {
    return this.#run('order', options, () => this.#read(this.held.get(id)));
  }

  trackedOrder(uuid: RequestUuid, options?: CallOptions): Promise<VenueOrder> {
    return this.#run('trackedOrder', options, () => this.#read(this.#byUuid(uuid)));
  }

  orders(query: OrderQuery, options?: CallOptions): Promise<OrderPage> {
    const { statuses, fromMs = 0, page = 1 } = query;
    const pageSize = Math.min(query.pageSize ?? 25, this.mostPerPage);
    const wanted = ({ status, placementTimeMs }: VenueOrder): boolean =>
      (statuses?.includes(status) ?? true) && (placementTimeMs ?? 0) >= fromMs;
    return this.#run('orders', options, () => {
      const newestFirst = [...this.held.values()].map(({ view }) => view).reverse();
      return this.#page(newestFirst.filter(wanted).slice((page - 1) * pageSize, page * pageSize));
    });
  }

  orderUpdates(fromMs: number, toMs: number, options?: CallOptions): Promise<OrderPage> {
    const within = ({ updatedMs }: HeldByVenue): boolean => updatedMs >= fromMs && updatedMs <= toMs;
    return this.#run('orderUpdates', options, () => {
      if (toMs > this.#clock.wallMs() - 60_000 || toMs - fromMs > 70 * 60_000) {
        throw new VenueRejection('validation_error', 400, 'window');
      }
      return this.#page([...this.held.values()].filter(within).map(({ view }) => view));
    });
  }

  closeOrder(id: OrderId, options?: CallOptions): Promise<void> {
    return this.#run('closeOrder', options, () => {
      const order = this.#held(this.held.get(id));
      if (order.view.closed) throw new VenueRejection('order_closed', 400, 'closed');
      this.#close(order, 'cancelled');
    });
  }

  closeMany(ids: readonly OrderId[], options?: CallOptions): Promise<ClosedMany> {
    return this.#run('closeMany', options, () => {
      const open = ids.map((id) => this.held.get(id)).filter((order) => order?.view.closed === false);
      for (const order of open) this.#close(order as HeldByVenue, 'cancelled');
      const closed = open.map((order) => (order as HeldByVenue).view.orderId);
      return { closed, notFound: ids.filter((id) => !closed.includes(id)) };
    });
  }

  heartbeats(options?: CallOptions): Promise<readonly Heartbeat[]> {
    return this.#run('heartbeats', options, () =>
      [...this.heartbeatsHeld].map(([heartbeatId, expiryMs]) => ({ heartbeatId, expiryMs })),
    );
  }

  createHeartbeat(timeoutS: number, options?: CallOptions): Promise<Heartbeat> {
    return this.#run('createHeartbeat', options, () => {
      const id = `hb-${this.#ids++}` as HeartbeatId;
      return this.#setHeartbeat(id, timeoutS);
    });
  }

  refreshHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<Heartbeat> {
    return this.#run('refreshHeartbeat', options, () => {
      if (!this.heartbeatsHeld.has(id)) throw notFound();
      return this.#setHeartbeat(id, this.heartbeatTimeoutS);
    });
  }

  deleteHeartbeat(id: HeartbeatId, options?: CallOptions): Promise<void> {
    return this.#run('deleteHeartbeat', options, () => {
      if (!this.heartbeatsHeld.delete(id)) throw notFound();
    });
  }

  bounded(_name: 'betslip.life', value: number): number {
    return value;
  }

  retryKey(): void {
    this.keyRefusal = null;
  }

  budgets(): BudgetLevels {
    return { ordersNow: 5, betslipsNow: 10, betslipsToday: this.betslipsToday, generalNow: 100 };
  }

  waitMs(_lane: 'betslips', priority: Priority): number {
    return this.betslipsToday > (priority === 'normal' ? this.betslipsKept : 0) ? 0 : DAY_MS;
  }

  recallBetslips(): void {
    // The test sets what is left.
  }

  learnedLimits(): LearnedLimits {
    return { budgets: {}, registeredEvents: null };
  }

  close = async (): Promise<void> => undefined;
  balance = unsupported;
  xrates = unsupported;
  position = unsupported;
  openBetslips = unsupported;
  betslip = unsupported;
  closeAll = unsupported;
  events = unsupported;
  offers = unsupported;
  betTypeInfo = unsupported;
  registerEvent = (_sport: Sport, _eventId: EventId): void => undefined;
  unregisterEvent = (_sport: Sport, _eventId: EventId): void => undefined;

  heartbeatTimeoutS = 30;

  /** After an answer 401, only `closeMany` still sends a request. */
  async #run<T>(method: VenueMethod, options: CallOptions | undefined, act: () => T): Promise<T> {
    if (this.keyRefusal !== null && method !== 'closeMany') throw this.keyRefusal;
    try {
      return await this.#calls.run(method, options, act);
    } catch (error) {
      if (error instanceof VenueRejection && error.status === 401) this.keyRefusal = error;
      throw error;
    }
  }

  #createBetslip(request: BetslipRequest): Betslip {
    this.betslipsToday--;
    const open = [...this.betslips.values()].filter(({ expiryMs }) => expiryMs > this.#clock.wallMs());
    if (open.length >= this.#options.betslipCap) {
      throw new VenueRejection('too_many_open_betslips', 403, 'too many open betslips');
    }
    const id = `slip-${this.#ids++}` as BetslipId;
    const expiryMs = this.#clock.wallMs() + this.#options.betslipLifeMs;
    const betslip = { ...request, id, expiryMs };
    this.betslips.set(id, betslip);
    this.#quoteSoon(betslip);
    return { ...request, betslipId: id, expiryMs, isOpen: true, closeReason: null, priceList: null };
  }

  /** Quotes come every two seconds while the betslip is open. */
  #quoteSoon(betslip: FakeBetslip, delayMs = this.#options.quoteDelayMs): void {
    this.#clock.after(delayMs, () => {
      if (this.betslips.get(betslip.id) !== betslip || betslip.expiryMs <= this.#clock.wallMs()) return;
      const { sport, eventId, betType, id } = betslip;
      const priceList = this.#options.quote(betslip);
      const quote = {
        betslipId: id,
        sport,
        eventId,
        betType,
        statusCode: 'success',
        priceList,
        totalMicros: null,
      };
      this.emit({ tag: 'pmm', quote });
      this.#quoteSoon(betslip, 2_000);
    });
  }

  #betslip(id: BetslipId): FakeBetslip {
    const betslip = this.betslips.get(id);
    if (betslip === undefined || betslip.expiryMs <= this.#clock.wallMs()) throw notFound();
    return betslip;
  }

  #place(place: PlaceOrder): VenueOrder {
    const existing = this.#byUuid(place.requestUuid);
    if (existing !== undefined) {
      throw new VenueRejection('order_already_created', 409, 'exists', { orderId: existing.view.orderId });
    }
    const { betslipType } = this.#betslip(place.betslipId);
    return this.#create(place, place.requestUuid, betslipType).view;
  }

  #create(place: PlaceOrder, uuid: RequestUuid | null, orderType = 'normal'): HeldByVenue {
    const now = this.#clock.wallMs();
    const { sport, eventId, betType, durationS } = place;
    const view: VenueOrder = {
      orderId: this.#ids++ as OrderId,
      orderType,
      sport,
      eventId,
      betType,
      status: 'open',
      closed: false,
      closeReason: null,
      wantPrice: place.price,
      wantStakeMicros: place.stakeMicros,
      price: null,
      stakeMicros: null,
      profitLossMicros: null,
      placementTimeMs: now,
      bets: [],
      result: null,
      expiryTimeMs: now + durationS * 1000,
      exchangeMode: null,
      keepOpenInRunning: false,
      userData: place.userData ?? null,
    };
    const held = { view, uuid, createdMs: now, updatedMs: now };
    this.held.set(view.orderId, held);
    this.emit({ tag: 'order', order: view });
    this.#clock.after(durationS * 1000, () => this.#close(held, 'timed_out'));
    this.watch();
    return held;
  }

  #close(held: HeldByVenue, closeReason: string): void {
    if (held.view.closed || this.endsNothing) return;
    const stakeMicros = held.view.bets.reduce((sum, bet) => sum + (bet.gotStakeMicros ?? 0), 0);
    this.#update(held, {
      closed: true,
      closeReason,
      stakeMicros,
      status: stakeMicros > 0 ? 'done' : 'failed',
    });
    this.emit({ tag: 'order', order: held.view });
  }

  #update(held: HeldByVenue, change: Partial<VenueOrder>): void {
    held.view = { ...held.view, ...change };
    held.updatedMs = this.#clock.wallMs();
    this.watch();
  }

  #betOf(order: VenueOrder, stakeMicros: number, role: 'maker' | 'taker'): VenueBet {
    const { orderId, sport, eventId, betType, wantPrice } = order;
    return {
      betId: this.#ids++ as BetId,
      orderId,
      sport,
      eventId,
      betType,
      statusCode: 'success',
      wantPrice,
      gotPrice: wantPrice,
      wantStakeMicros: stakeMicros,
      gotStakeMicros: stakeMicros,
      profitLossMicros: null,
      reconciled: false,
      exchangeRole: role,
    };
  }

  #byUuid(uuid: RequestUuid): HeldByVenue | undefined {
    return [...this.held.values()].find((held) => held.uuid === uuid);
  }

  #held(held: HeldByVenue | undefined): HeldByVenue {
    if (held === undefined) throw notFound();
    return held;
  }

  #read(held: HeldByVenue | undefined): VenueOrder {
    const { view } = this.#held(held);
    if (this.unreadable.has(view.orderId)) throw new ProtocolError('unreadable order');
    return view;
  }

  #page(listed: readonly VenueOrder[]): OrderPage {
    const unread = listed.flatMap(({ orderId, userData }, at) => {
      const what = this.unreadable.get(orderId);
      if (what === undefined) return [];
      const part = {
        orderId: what === 'all but its id' ? orderId : null,
        userData: what === 'all' ? null : userData,
      };
      return [{ at, label: `entry of ${orderId}`, ...part }];
    });
    return { orders: listed.filter(({ orderId }) => !this.unreadable.has(orderId)), unread };
  }

  #setHeartbeat(heartbeatId: HeartbeatId, timeoutS: number): Heartbeat {
    const expiryMs = this.#clock.wallMs() + timeoutS * 1000;
    this.heartbeatTimeoutS = timeoutS;
    this.heartbeatsHeld.set(heartbeatId, expiryMs);
    this.#clock.after(timeoutS * 1000, () => {
      if (this.heartbeatsHeld.get(heartbeatId) === expiryMs) this.expireHeartbeat(heartbeatId);
    });
    return { heartbeatId, expiryMs };
  }
}

const unfilled = (order: VenueOrder): number =>
  order.wantStakeMicros - order.bets.reduce((sum, bet) => sum + (bet.gotStakeMicros ?? 0), 0);
