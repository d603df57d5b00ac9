import { isTerminal } from '../domain/lifecycle.ts';
import type { TrackedOrder } from './book.ts';
import type { Closing } from './closing.ts';
import type { Desk } from './desk.ts';
import type { HeartbeatKeeper } from './heartbeat.ts';
import type { Quoting } from './quoting.ts';

const HALT = 'engine';

/**
 * Closes orders that stand without anybody minding them: an earlier run's, all of them while the engine hangs, and those
 * that land when the heartbeat has run out.
 */
export class Unminded {
  readonly #desk: Desk;
  readonly #closing: Closing;
  readonly #quoting: Pick<Quoting, 'knows'>;
  readonly #heartbeat: Pick<HeartbeatKeeper, 'hasRunOut'>;
  #startedMs = Infinity;

  /** `quoting` knows the events on which quotes were asked for since the start. */
  constructor(
    desk: Desk,
    closing: Closing,
    quoting: Pick<Quoting, 'knows'>,
    heartbeat: Pick<HeartbeatKeeper, 'hasRunOut'>,
  ) {
    [this.#desk, this.#closing] = [desk, closing];
    [this.#quoting, this.#heartbeat] = [quoting, heartbeat];
  }

  start(): void {
    this.#startedMs = this.#desk.deps.clock.monotonicMs();
  }

  /** An order's state is new. What the exchange has placed since our heartbeat ran out was not closed with it. */
  became(tracked: TrackedOrder): void {
    if (tracked.order.state !== 'live' || !this.#heartbeat.hasRunOut) return;
    this.#closing.want(tracked, 'no heartbeat guards it');
  }

  sweep(): void {
    this.#whileEngineHangs();
    this.#unadopted();
  }

  /** The heartbeat is left to expire too; but it may be gone already, and then orders live for as long as they were given. */
  #whileEngineHangs(): void {
    const { halts, deps, log } = this.#desk;
    if (deps.progressing()) return halts.clear(HALT);
    if (!halts.has(HALT)) log.error('the engine makes no progress: its orders are closed');
    halts.set(HALT, 'engine_hangs');
    this.#closing.wantAll('the engine hangs');
  }

  /** Quotes of an earlier run that nobody has asked for again when there was time to. */
  #unadopted(): void {
    const ageMs = this.#desk.deps.clock.monotonicMs() - this.#startedMs;
    if (ageMs < this.#desk.options.adoptionGraceMs) return;
    for (const tracked of [...this.#desk.book.active()]) {
      if (this.#isUnadopted(tracked)) this.#closing.want(tracked, 'of an earlier run, wanted by nobody');
    }
  }

  #isUnadopted({ recovered, order, closeWanted }: TrackedOrder): boolean {
    return recovered && !closeWanted && !isTerminal(order.state) && !this.#quoting.knows(order.eventId);
  }
}
