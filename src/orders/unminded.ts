import type { LiveOrder } from '../domain/live-order.ts';
import { isTerminal } from '../domain/lifecycle.ts';
import type { TrackedOrder } from './book.ts';
import type { Closing } from './closing.ts';
import type { Desk } from './desk.ts';

const HALT = 'engine';

/** Closes orders that stand without anybody minding them: an earlier run's, and all of them while the engine hangs. */
export class Unminded {
  readonly #desk: Desk;
  readonly #closing: Closing;
  readonly #isWanted: (eventId: LiveOrder['eventId']) => boolean;
  #startedMs = Infinity;

  /** `isWanted`: whether quotes were asked for on an event since the start. */
  constructor(desk: Desk, closing: Closing, isWanted: (eventId: LiveOrder['eventId']) => boolean) {
    this.#desk = desk;
    this.#closing = closing;
    this.#isWanted = isWanted;
  }

  start(): void {
    this.#startedMs = this.#desk.deps.clock.monotonicMs();
  }

  sweep(): void {
    this.#whileEngineHangs();
    this.#unadopted();
  }

  /** The heartbeat is left to expire too; but it may be gone already, and then orders live for as long as they were given. */
  #whileEngineHangs(): void {
    const { halts, deps, log } = this.#desk;
    if (deps.progressing?.() ?? true) return halts.clear(HALT);
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
    return recovered && !closeWanted && !isTerminal(order.state) && !this.#isWanted(order.eventId);
  }
}
