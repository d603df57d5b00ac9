import type { TrackedOrder } from '../../account/orders.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Closing } from '../outcomes/closing.ts';
import type { OrderContext } from '../state/context.ts';
import type { HeartbeatKeeper } from './keeper.ts';

const HALT = 'orphan_guard';
/**
 * After this long without a proven heartbeat, every order is closed. A new heartbeat usually follows within a
 * second. If none can be created, the expired one has already closed every order.
 */
const MISSING_MS = 10_000;
const UNGUARDED = 'no heartbeat guards it';

type Guard = Pick<HeartbeatKeeper, 'hasRunOut' | 'isKnown' | 'isMissing' | 'foundNone'>;

/** Why every order is closed, and the heartbeat is left to expire. */
type Trouble = 'engine_hangs' | 'key_refused' | 'kill_unfinished';

const MESSAGES = {
  engine_hangs: 'the engine makes no progress: its orders are closed',
  key_refused: 'the exchange refuses the key: orders are closed, and the heartbeat is left to expire',
  kill_unfinished: 'a kill has not closed everything: the heartbeat is left to expire',
} as const satisfies Readonly<Record<Trouble, string>>;

/** The events on which quotes were asked for since the start. */
interface QuotedEvents {
  knows(order: LiveOrder): boolean;
}

/**
 * Closes orphaned orders: orders of an earlier run that no strategy wants, and orders that land after our
 * heartbeat has expired. Closes every order while the engine hangs, the key is refused, a kill is unfinished or
 * there is no heartbeat.
 */
export class OrphanGuard {
  readonly #context: OrderContext;
  readonly #closing: Closing;
  readonly #quoting: QuotedEvents;
  readonly #heartbeat: Guard;
  readonly #lookAnew: (reason: string) => void;
  /** Orders shown open before this run had a heartbeat. A heartbeat of an earlier run may guard them. */
  readonly #landed = new Set<TrackedOrder>();
  #startedMs = Infinity;
  /** Monotonic instant since which no heartbeat is proven to hold; null while one is. */
  #missingSinceMs: number | null = null;

  /** `quoting` knows the events that had targets since the start. `lookAnew` reads the account again. */
  constructor(
    context: OrderContext,
    closing: Closing,
    quoting: QuotedEvents,
    heartbeat: Guard,
    lookAnew: (reason: string) => void,
  ) {
    [this.#context, this.#closing] = [context, closing];
    [this.#quoting, this.#heartbeat] = [quoting, heartbeat];
    this.#lookAnew = lookAnew;
  }

  /** Why the heartbeat must not be refreshed; null when it may be. */
  get trouble(): Trouble | null {
    const { health, venue } = this.#context.deps;
    if (venue.keyRefusal !== null) return 'key_refused';
    if (!health.progressing()) return 'engine_hangs';
    return health.closingFailed() ? 'kill_unfinished' : null;
  }

  /** Whether orders are open that only the heartbeat's expiry may still close, and a heartbeat can be asked for. */
  get isOpenInTrouble(): boolean {
    if (this.trouble === null || this.trouble === 'key_refused') return false;
    return [...this.#context.book.active()].some(
      ({ order: { state } }) => state === 'live' || state === 'closing',
    );
  }

  start(): void {
    this.#startedMs = this.#context.deps.clock.monotonicMs();
  }

  /** Closes an order that the exchange has placed after our heartbeat expired, since the expiry did not close it. */
  onOrderChange(tracked: TrackedOrder, source: string): void {
    if (tracked.order.state !== 'live' || source === 'journal') return;
    if (this.#heartbeat.hasRunOut) this.#closing.want(tracked, UNGUARDED);
    else if (!this.#heartbeat.isKnown) this.#landed.add(tracked);
  }

  /**
   * The account has no heartbeat, and this run had none: orders that have landed are closed, as they may have
   * come after an earlier heartbeat's end.
   */
  unguarded(): void {
    this.#heartbeat.foundNone();
    for (const tracked of this.#landed) this.#closing.want(tracked, UNGUARDED);
    this.#landed.clear();
  }

  sweep(): void {
    if (this.#heartbeat.isKnown) this.#landed.clear();
    this.#inTrouble();
    this.#missing();
    this.#unadopted();
  }

  /**
   * Closes every order while the daemon is in trouble. The heartbeat is left to expire, too, but it may be gone
   * already, and then orders would live out their whole duration.
   */
  #inTrouble(): void {
    const { halts } = this.#context;
    const { trouble } = this;
    const before = halts.codeOf(HALT);
    // Without a key nothing could be looked up.
    if (before === 'key_refused' && trouble !== before) this.#lookAnew('the key is tried again');
    if (trouble === null) return halts.clear(HALT);
    if (before !== trouble) this.#begins(trouble);
    halts.set(HALT, trouble);
    this.#closing.wantAll(MESSAGES[trouble]);
  }

  #begins(trouble: Trouble): void {
    const { log, metrics, deps } = this.#context;
    if (trouble !== 'key_refused') return log.error(MESSAGES[trouble]);
    metrics.alarms.inc({ kind: 'key_refused' });
    log.error(MESSAGES.key_refused, { error: deps.venue.keyRefusal });
  }

  /** Closes every order when no heartbeat is proven for too long: deleting a heartbeat closes no order. */
  #missing(): void {
    const nowMs = this.#context.deps.clock.monotonicMs();
    this.#missingSinceMs = this.#heartbeat.isMissing ? (this.#missingSinceMs ?? nowMs) : null;
    if (this.#missingSinceMs !== null && nowMs - this.#missingSinceMs >= MISSING_MS)
      this.#closing.wantAll(UNGUARDED);
  }

  /** Closes orders of an earlier run that no strategy has asked for within the grace time. */
  #unadopted(): void {
    const ageMs = this.#context.deps.clock.monotonicMs() - this.#startedMs;
    if (ageMs < this.#context.options.adoptionGraceMs) return;
    for (const tracked of Array.from(this.#context.book.active())) {
      if (this.#isUnadopted(tracked)) this.#closing.want(tracked, 'of an earlier run, wanted by nobody');
    }
  }

  #isUnadopted({ recovered, order, closeWanted }: TrackedOrder): boolean {
    return recovered && !closeWanted && !isTerminal(order.state) && !this.#quoting.knows(order);
  }
}
