import { VenueRejection } from '../../src/domain/errors.ts';
import type { BetslipId, BetType, EventId, OrderId, RequestUuid, Sport } from '../../src/domain/ids.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import type { PlaceOrder } from '../../src/domain/orders.ts';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import { sleep } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { createVenue } from '../../src/venue/index.ts';
import { KEY, type SimulatedRig } from './simulated-rig.ts';
import { SELECTION_KINDS } from '../../src/domain/odds.ts';
import { directionOf } from '../../src/domain/selection.ts';

/** A direction of a selection. */
export interface Side {
  readonly sport: Sport;
  readonly eventId: EventId;
  readonly betType: BetType;
}

export interface NaiveOptions {
  /** The life of a betslip. Its order requests the same life. */
  readonly lifeMs: number;
  readonly stakeMicros: number;
}

/** The pause after any refusal of a betslip. */
const RETRY_MS = 60_000;
/** The pause after a refused order, or an answer 429. */
const SOON_MS = 1_000;
/** More than any budget of the exchange: nothing is held back. */
const UNLIMITED = { capacity: 1e6, perSecond: 1e6, reserve: 0, urgentReserve: 0, atStart: 1e6 };

interface Wish {
  readonly side: Side;
  price: number;
  /** Ends every wait. */
  moved: () => void;
}

/**
 * The simplest bot: each side gets a betslip and an order with the same life. The order is replaced when its price
 * moves, and a new betslip is created when the old one expires. Nothing is refreshed, rationed or ranked.
 */
export class NaiveBot {
  /** Counts the exchange's answers. */
  readonly counts = { betslips: 0, orders: 0 };
  /** The time since the start at which the exchange first refused a betslip for the day; null before. */
  exhaustedMs: number | null = null;
  readonly #rig: SimulatedRig;
  readonly #options: NaiveOptions;
  readonly #venue: Venue;
  readonly #random = seededRandom(1, 'naive');
  readonly #wishes = new Map<string, Wish>();
  readonly #startedMs: number;
  #stopped = false;

  constructor(rig: SimulatedRig, options: NaiveOptions) {
    this.#rig = rig;
    this.#options = options;
    this.#startedMs = rig.clock.monotonicMs();
    this.#venue = createVenue({
      http: rig.wires.http,
      sockets: rig.wires.sockets,
      clock: rig.clock,
      kind: 'simulated',
      apiKey: new Secret(KEY),
      random: this.#random,
      logger: silentLogger,
      metrics: noMetrics,
      requestTimeoutMs: 5_000,
      limits: {
        orders: UNLIMITED,
        betslips: UNLIMITED,
        general: UNLIMITED,
        betslipsPerDay: 1e9,
        betslipsPerDayReserve: 0,
      },
    });
  }

  /** Quotes a side at a price from now on. */
  want(side: Side, price: number): void {
    const key = `${side.eventId} ${side.betType}`;
    const known = this.#wishes.get(key);
    if (known === undefined) {
      const wish: Wish = { side, price, moved: () => undefined };
      this.#wishes.set(key, wish);
      void this.#quote(wish);
    } else if (known.price !== price) {
      known.price = price;
      known.moved();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#venue.close();
  }

  async #quote(wish: Wish): Promise<void> {
    while (!this.#stopped) {
      const id = await this.#betslip(wish.side);
      if (id === null) await sleep(this.#rig.clock, RETRY_MS);
      else await this.#useUp(wish, id, this.#rig.clock.monotonicMs() + this.#options.lifeMs);
    }
  }

  async #betslip(side: Side): Promise<BetslipId | null> {
    try {
      const { betslipId } = await this.#venue.createBetslip(side);
      this.counts.betslips++;
      return betslipId;
    } catch (error) {
      const isTheDays = error instanceof VenueRejection && (error.retryAfterS ?? 0) > 60;
      if (isTheDays) this.exhaustedMs ??= this.#rig.clock.monotonicMs() - this.#startedMs;
      return null;
    }
  }

  /** Keeps an order at the wanted price until the betslip expires. */
  async #useUp(wish: Wish, id: BetslipId, untilMs: number): Promise<void> {
    for (let leftMs = this.#options.lifeMs; leftMs >= 5_000 && !this.#stopped;) {
      const orderId = await this.#order(wish, id, Math.floor(leftMs / 1_000));
      leftMs = untilMs - this.#rig.clock.monotonicMs();
      await this.#sleepOrMove(wish, orderId === null ? SOON_MS : leftMs);
      leftMs = untilMs - this.#rig.clock.monotonicMs();
      if (orderId !== null && leftMs > 0) await this.#close(orderId);
    }
    await sleep(this.#rig.clock, Math.max(0, untilMs - this.#rig.clock.monotonicMs()));
  }

  async #order({ side, price }: Wish, betslipId: BetslipId, durationS: number): Promise<OrderId | null> {
    const requestUuid = uuidFrom(this.#random) as RequestUuid;
    const { stakeMicros } = this.#options;
    const order: PlaceOrder = {
      requestUuid,
      betslipId,
      ...side,
      priceKind: SELECTION_KINDS[directionOf(side.betType) ?? 'for'],
      price,
      stakeMicros,
      durationS,
      userData: `touchline/naive/${requestUuid}`,
    };
    try {
      const { orderId } = await this.#venue.placeOrder(mintApproval(order));
      this.counts.orders++;
      return orderId;
    } catch {
      return null;
    }
  }

  async #close(orderId: OrderId): Promise<void> {
    try {
      await this.#venue.closeOrder(orderId);
    } catch {
      // The order is over already.
    }
  }

  #sleepOrMove(wish: Wish, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#rig.clock.after(Math.max(0, ms), resolve);
      wish.moved = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
