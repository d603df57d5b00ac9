import { isTerminal } from '../../domain/lifecycle.ts';
import type { LiveOrder } from '../../domain/live-order.ts';
import type { Closing } from '../outcomes/closing.ts';
import type { OrderContext } from '../state/context.ts';
import type { TrackedOrder } from '../state/own-orders.ts';
import type { HeartbeatKeeper } from './keeper.ts';

const HALT = 'unminded';
/** Another heartbeat is had in a moment, or, as while nothing makes one, not for long. What ran out has closed all by then. */
const MISSING_MS = 10_000;
const UNGUARDED = 'no heartbeat guards it';

type Guard = Pick<HeartbeatKeeper, 'hasRunOut' | 'isKnown' | 'isMissing' | 'foundNone'>;

/** Why everything is closed, and the heartbeat left to run out. */
type Trouble = 'engine_hangs' | 'kill_unfinished';

const WORDS: Readonly<Record<Trouble, string>> = {
  engine_hangs: 'the engine makes no progress: its orders are closed',
  kill_unfinished: 'a kill has not closed everything: the heartbeat is left to run out',
};

/** The events on which quotes were asked for since the start. */
interface QuotedEvents {
  knows(order: LiveOrder): boolean;
}

/**
 * Closes orders that stand without anybody minding them: an earlier run's, all of them while the engine hangs or a kill
 * has not closed them or there is no heartbeat, and those that land when it has run out.
 */
export class OrphanGuard {
  readonly #context: OrderContext;
  readonly #closing: Closing;
  readonly #quoting: QuotedEvents;
  readonly #heartbeat: Guard;
  /** Shown open before this run had a heartbeat: one of an earlier run may guard them. */
  readonly #landed = new Set<TrackedOrder>();
  #startedMs = Infinity;
  /** Since when no heartbeat is proven to hold. */
  #missingSinceMs: number | null = null;

  /** `quoting` knows the events on which quotes were asked for since the start. */
  constructor(context: OrderContext, closing: Closing, quoting: QuotedEvents, heartbeat: Guard) {
    [this.#context, this.#closing] = [context, closing];
    [this.#quoting, this.#heartbeat] = [quoting, heartbeat];
  }

  /** Why the heartbeat must not be pushed out, null when it may be. */
  get trouble(): Trouble | null {
    const { health } = this.#context.deps;
    if (!health.progressing()) return 'engine_hangs';
    return health.closingFailed() ? 'kill_unfinished' : null;
  }

  /** Whether orders are shown open that the heartbeat's end has to close. */
  get isOpenInTrouble(): boolean {
    if (this.trouble === null) return false;
    return [...this.#context.book.active()].some(({ order }) => isOpen(order));
  }

  start(): void {
    this.#startedMs = this.#context.deps.clock.monotonicMs();
  }

  /** An order's state is new. What the exchange has placed since our heartbeat ran out was not closed with it. */
  onOrderChange(tracked: TrackedOrder, source: string): void {
    if (tracked.order.state !== 'live' || source === 'journal') return;
    if (this.#heartbeat.hasRunOut) this.#closing.want(tracked, UNGUARDED);
    else if (!this.#heartbeat.isKnown) this.#landed.add(tracked);
  }

  /** The account has no heartbeat, or none any more, and this run had none: what has landed may have come after its end. */
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

  /** The heartbeat is left to expire too; but it may be gone already, and then orders live for as long as they were given. */
  #inTrouble(): void {
    const { halts, log } = this.#context;
    const { trouble } = this;
    if (trouble === null) return halts.clear(HALT);
    if (halts.codeOf(HALT) !== trouble) log.error(WORDS[trouble]);
    halts.set(HALT, trouble);
    this.#closing.wantAll(WORDS[trouble]);
  }

  /** Who deletes a heartbeat closes nothing. */
  #missing(): void {
    const nowMs = this.#context.deps.clock.monotonicMs();
    this.#missingSinceMs = this.#heartbeat.isMissing ? (this.#missingSinceMs ?? nowMs) : null;
    if (this.#missingSinceMs !== null && nowMs - this.#missingSinceMs >= MISSING_MS)
      this.#closing.wantAll(UNGUARDED);
  }

  /** Quotes of an earlier run that nobody has asked for again when there was time to. */
  #unadopted(): void {
    const ageMs = this.#context.deps.clock.monotonicMs() - this.#startedMs;
    if (ageMs < this.#context.options.adoptionGraceMs) return;
    for (const tracked of [...this.#context.book.active()]) {
      if (this.#isUnadopted(tracked)) this.#closing.want(tracked, 'of an earlier run, wanted by nobody');
    }
  }

  #isUnadopted({ recovered, order, closeWanted }: TrackedOrder): boolean {
    return recovered && !closeWanted && !isTerminal(order.state) && !this.#quoting.knows(order);
  }
}

const isOpen = ({ state }: LiveOrder): boolean => state === 'live' || state === 'closing';
