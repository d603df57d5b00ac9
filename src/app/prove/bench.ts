import { outcomeOf, TransportError, VenueRejection } from '../../domain/errors.ts';
import type { BetslipId, HeartbeatId, OrderId, Sport } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { UnreadOrder } from '../../domain/order-listing.ts';
import { type BetslipRequest, OPEN_STATUSES } from '../../domain/orders.ts';
import type { StreamEntry } from '../../domain/stream.ts';
import { reasonOf } from '../../lib/reason.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import {
  AuthError,
  type ExchangeClient,
  NotFound,
  OrderClosed,
  type OrderDetails,
} from '../exchange/connect.ts';
import { type SeenEntry, StreamWatch } from '../exchange/stream-watch.ts';
import type { WireWatch } from './wire-watch.ts';

export interface ProveOptions {
  /** Measures only what needs neither order nor betslip nor heartbeat: all that a paper configuration may send. */
  readonly observesOnly: boolean;
  /** The stake of each order: the smallest that the exchange takes. */
  readonly stakeMicros: Micros;
  /** Empty: all. */
  readonly sports: readonly Sport[];
  readonly clock: Clock;
  readonly ids: Ids;
  /** The wire of the client. */
  readonly wire: WireWatch;
  /** Ends the measurements. */
  readonly signal: AbortSignal;
}

type OrderCreation = Parameters<ExchangeClient['orders']['place']>[0];

/** A result, or why there is none. */
export type Tried<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** Should everything fail, the exchange ends orders after this time. */
export const DURATION_S = 20;
/** Should everything fail, the exchange ends the heartbeat after this time, and with it every open order of the account. */
export const HEARTBEAT_S = 60;
const WITHIN_MS = 8_000;
/** No entry is waited for after this time. */
const LONGEST_MS = 90_000;
const SYNC_WITHIN_MS = 20_000;
const WATCHED: ReadonlySet<StreamEntry['tag']> = new Set(['sync', 'pmm', 'order']);

/** The account as a run uses it. Everything that the run opens goes through here, so that `clear` can end it. */
export class Bench {
  readonly exchange: ExchangeClient;
  readonly options: ProveOptions;
  /** In `user_data` of every order of this run. */
  readonly mark: string;
  readonly #watch: StreamWatch;
  readonly #endMs: number;
  readonly #betslips = new Set<BetslipId>();
  readonly #heartbeats = new Set<HeartbeatId>();
  readonly #doubts: string[] = [];
  #offers: string | null = null;
  #hasPlaced = false;

  constructor(exchange: ExchangeClient, options: ProveOptions) {
    const { clock, ids } = options;
    this.exchange = exchange;
    this.options = options;
    this.mark = `prove ${ids.uuid()}`;
    this.#endMs = clock.monotonicMs() + LONGEST_MS;
    const keeps = (entry: StreamEntry): boolean =>
      WATCHED.has(entry.tag) || (entry.tag === 'offer' && marketOf(entry.offer) === this.#offers);
    this.#watch = new StreamWatch(exchange.entries(), { clock, code: 'prove', keeps, withinMs: WITHIN_MS });
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** The exchange's wall clock, as far as the stream told it. */
  exchangeMs(): number {
    return this.clock.wallMs() + (this.exchange.clockOffset()?.offsetMs ?? 0);
  }

  /** Waits until the stream has sent its events. */
  async synced(): Promise<void> {
    await this.until('sync', ({ entry }) => entry.tag === 'sync', SYNC_WITHIN_MS);
  }

  /** The first such entry, seen or to come. */
  until(
    what: string,
    accepts: (seen: SeenEntry) => boolean,
    longestMs: number = WITHIN_MS,
  ): Promise<SeenEntry> {
    const withinMs = Math.min(longestMs, Math.max(0, this.#endMs - this.clock.monotonicMs()));
    return this.#watch.until(what, accepts, { withinMs, signal: this.options.signal });
  }

  /** The latest such entry so far; null without one. */
  latest(accepts: (seen: SeenEntry) => boolean): SeenEntry | null {
    return this.#watch.latest(accepts);
  }

  /** Registers the event of a market, and remembers the market's offers from now on. */
  follow(market: BetslipRequest): void {
    this.#offers = marketOf(market);
    this.exchange.registerEvent(market.sport, market.eventId);
  }

  /**
   * The result of a request or a wait, or why it failed. Rejects when the run is to end: after a signal, with a refused key, and with
   * an exchange that cannot be reached.
   */
  async tried<T>(work: () => Promise<T>): Promise<Tried<T>> {
    this.options.signal.throwIfAborted();
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      this.options.signal.throwIfAborted();
      const isHopeless =
        error instanceof AuthError || (error instanceof TransportError && error.outcome === 'not-sent');
      if (isHopeless) throw error;
      return { ok: false, why: reasonOf(error) };
    }
  }

  async createBetslip(request: BetslipRequest) {
    try {
      const slip = await this.exchange.betslips.create(request);
      this.#betslips.add(slip.betslipId);
      return slip;
    } catch (error) {
      if (outcomeOf(error) === 'unknown')
        this.#doubts.push('a betslip without an answer, which soon expires');
      throw error;
    }
  }

  async createHeartbeat() {
    try {
      const heartbeat = await this.exchange.heartbeats.create(HEARTBEAT_S);
      this.#heartbeats.add(heartbeat.heartbeatId);
      return heartbeat;
    } catch (error) {
      const end = `in ${HEARTBEAT_S} s its expiry closes every open order of the account`;
      if (outcomeOf(error) === 'unknown')
        this.#doubts.push(`a heartbeat without an answer (touchline exchange heartbeats shows it): ${end}`);
      throw error;
    }
  }

  /** Places an order with the mark of this run. */
  place(order: Omit<OrderCreation, 'durationS' | 'userData'>): Promise<OrderDetails> {
    this.#hasPlaced = true;
    return this.exchange.orders.place({ ...order, durationS: DURATION_S, userData: this.mark });
  }

  /**
   * Ends everything that this run has opened and not ended: orders, betslips, the heartbeat. Returns in words what may be left. Never
   * rejects, and does not heed the signal.
   */
  async clear(): Promise<readonly string[]> {
    const left = [...this.#doubts];
    if (this.#hasPlaced) left.push(...(await this.#closeOrders()));
    for (const id of this.#heartbeats) {
      const why = await whyNot(() => this.exchange.heartbeats.delete(id));
      if (why !== null)
        left.push(`heartbeat ${id}, which expires in ${HEARTBEAT_S} s and closes every open order: ${why}`);
    }
    for (const id of this.#betslips) {
      const why = await whyNot(() => this.exchange.betslips.delete(id));
      if (why !== null) left.push(`betslip ${id}, which soon expires: ${why}`);
    }
    await this.#watch.end();
    return left;
  }

  async #closeOrders(): Promise<readonly string[]> {
    const left: string[] = [];
    const end = `closes by itself ${DURATION_S} s after its placement`;
    const why = await whyNot(async () => {
      for (const id of await this.#openOrders()) {
        const whyOpen = await whyNot(() => this.exchange.orders.close(id));
        if (whyOpen !== null) left.push(`order ${id}, which ${end}: ${whyOpen}`);
      }
    });
    if (why !== null) left.push(`an order, which ${end}: ${why}`);
    return left;
  }

  /** By the mark, because an order may exist whose answer was lost. One that cannot be read may be open, so its id counts. */
  async #openOrders(): Promise<readonly OrderId[]> {
    const ids: OrderId[] = [];
    const onUnread = ({ orderId, userData }: UnreadOrder): void => {
      if (userData === this.mark && orderId !== null) ids.push(orderId);
    };
    for await (const order of this.exchange.allOrders({ statuses: OPEN_STATUSES }, {}, onUnread))
      if (!order.closed && order.userData === this.mark) ids.push(order.orderId);
    return ids;
  }
}

const marketOf = ({ sport, eventId, betType }: BetslipRequest): string => `${sport} ${eventId} ${betType}`;

/** Why something could not be ended; null if it is ended, also by itself. */
async function whyNot(end: () => Promise<void>): Promise<string | null> {
  try {
    await end();
    return null;
  } catch (error) {
    if (error instanceof NotFound || error instanceof OrderClosed) return null;
    return error instanceof VenueRejection ? error.code : reasonOf(error);
  }
}

/** All three results, once none of the promises goes on. Rejects with the first error. */
export async function together<A, B, C>(
  promises: readonly [Promise<A>, Promise<B>, Promise<C>],
): Promise<readonly [A, B, C]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
