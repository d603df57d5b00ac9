import { OVERDUE_MS, type TrackedOrder } from '../../account/orders.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Timer } from '../../ports/clock.ts';
import type { OrderContext } from './context.ts';

/** Reports an order that the exchange had shown open and no longer knows. It counts as over from now on. */
export function reportGivenUp(
  { metrics, log }: Pick<OrderContext, 'metrics' | 'log'>,
  orderId: OrderId | null,
): void {
  metrics.alarms.inc({ kind: 'forgotten' });
  log.error('the exchange no longer knows an order that it had shown', { orderId });
}

/** A task that runs in each sweep. */
export interface SweepTask {
  sweep(): void;
  /**
   * Monotonic instant of the next sweep that the task needs; -Infinity while its work is under way. Default: it
   * needs no sweep except after changes of orders and halts.
   */
  readonly dueMs?: number;
}

/**
 * Plans the sweeps. They are frequent while any work is under way. They are rare while every order rests and no
 * look-up, wait, close or halt is in progress. No sweep comes later than a task is due.
 */
export class Sweeps {
  readonly #context: OrderContext;
  readonly #swept: readonly SweepTask[];
  readonly #beforeRecovery: SweepTask;
  readonly #withoutKey: readonly SweepTask[];
  #timer: Timer | null = null;
  #atMs = -Infinity;
  #running = false;

  /**
   * Sweeps `swept` in this order, as work of the queue. Until recovery is done, sweeps only `beforeRecovery`; while the exchange
   * refuses the key, only `withoutKey`.
   */
  constructor(
    context: OrderContext,
    swept: readonly SweepTask[],
    beforeRecovery: SweepTask,
    withoutKey: readonly SweepTask[],
  ) {
    this.#context = context;
    this.#swept = swept;
    this.#beforeRecovery = beforeRecovery;
    this.#withoutKey = withoutKey;
  }

  start(): void {
    this.#running = true;
    this.#in(this.#context.options.sweepMs);
  }

  stop(): void {
    this.#running = false;
    this.#timer?.cancel();
  }

  /** Called after each turn of the queue: plans the next sweep, or moves a planned one forward. */
  plan(): void {
    if (!this.#running) return;
    const { sweepMs, calmSweepMs } = this.#context.options;
    if (this.#timer !== null && this.#atMs <= this.#now() + sweepMs) return;
    const calmMs = this.#calmUntilMs() - this.#now();
    if (this.#timer === null || calmMs < sweepMs) this.#in(Math.max(sweepMs, Math.min(calmSweepMs, calmMs)));
  }

  #sweep(): void {
    const { keyRefusal } = this.#context.deps.venue;
    if (keyRefusal !== null) return this.#withoutKey.forEach((each) => each.sweep());
    if (!this.#context.halts.recovered) return this.#beforeRecovery.sweep();
    for (const each of this.#swept) each.sweep();
  }

  #in(delayMs: number): void {
    const { clock } = this.#context.deps;
    this.#timer?.cancel();
    this.#atMs = this.#now() + delayMs;
    this.#timer = clock.after(delayMs, () => {
      this.#timer = null;
      this.#context.queue.post(() => this.#sweep());
    });
  }

  /** Monotonic instant until which only time can make a sweep necessary; -Infinity while any work is under way. */
  #calmUntilMs(): number {
    const { book, halts, options } = this.#context;
    if (halts.inForce.size > 0) return -Infinity;
    let untilMs = Infinity;
    for (const { dueMs = Infinity } of this.#swept) untilMs = Math.min(untilMs, dueMs);
    if (untilMs === -Infinity) return untilMs;
    const nowMs = this.#now();
    for (const tracked of book.active())
      if (!isOverdue(tracked, nowMs)) untilMs = Math.min(untilMs, renewalMs(tracked, options.renewLeadMs));
    return untilMs;
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}

/**
 * Returns whether an order is overdue. Such orders are left out, since the tasks that close them and look them
 * up set their own `dueMs`.
 */
const isOverdue = ({ order, lapsesMonotonicMs }: TrackedOrder, nowMs: number): boolean =>
  (order.state === 'live' || order.state === 'closing') &&
  nowMs > (lapsesMonotonicMs ?? Infinity) + OVERDUE_MS;

/** Monotonic instant at which a resting order needs its successor; -Infinity when it does not rest. */
function renewalMs({ order, closeWanted, lapsesMonotonicMs }: TrackedOrder, renewLeadMs: number): number {
  const stands = order.state === 'live' && !closeWanted && lapsesMonotonicMs !== null;
  return stands ? lapsesMonotonicMs - renewLeadMs : -Infinity;
}
