import type { OrderId } from '../../domain/ids.ts';
import type { Timer } from '../../ports/clock.ts';
import type { OrderContext } from './context.ts';
import type { TrackedOrder } from './own-orders.ts';

/** So long after its end must an order have been told as over; milliseconds. */
export const OVERDUE_MS = 2_000;
/** So often in a row must an order that is overdue not be known before it is given up. */
export const GIVEN_UP_AFTER = 3;

/** An order that the exchange has shown open, and does not know any more, counts as over from now on. */
export function reportGivenUp(
  { metrics, log }: Pick<OrderContext, 'metrics' | 'log'>,
  orderId: OrderId | null,
): void {
  metrics.alarms.inc({ kind: 'forgotten' });
  log.error('the exchange does not know an order any more that it had shown', { orderId });
}

/** Something that sweeps drive. */
export interface SweepTask {
  /** Does what is due. */
  sweep(): void;
  /**
   * Monotonic instant of the next sweep that it needs; -Infinity while something of it is under way. Default: it needs
   * none but for what orders and halts tell.
   */
  readonly dueMs?: number;
}

/**
 * Plans the sweeps: often while anything is under way; seldom while every order stands as it was placed and nothing is
 * asked, waited for, closed or halted, but never later than one is due.
 */
export class Sweeps {
  readonly #context: OrderContext;
  readonly #swept: readonly SweepTask[];
  readonly #beforeRecovery: SweepTask;
  #timer: Timer | null = null;
  #atMs = -Infinity;
  #running = false;

  /** Sweeps `swept` in this order, as work of the queue; until recovery is done, `beforeRecovery` alone. */
  constructor(context: OrderContext, swept: readonly SweepTask[], beforeRecovery: SweepTask) {
    this.#context = context;
    this.#swept = swept;
    this.#beforeRecovery = beforeRecovery;
  }

  start(): void {
    this.#running = true;
    this.#in(this.#context.options.sweepMs);
  }

  stop(): void {
    this.#running = false;
    this.#timer?.cancel();
  }

  /** After each turn of the queue: plans the next sweep, or brings forward the one that is planned. */
  plan(): void {
    if (!this.#running) return;
    const { sweepMs, calmSweepMs } = this.#context.options;
    if (this.#timer !== null && this.#atMs <= this.#now() + sweepMs) return;
    const calmMs = this.#calmUntilMs() - this.#now();
    if (this.#timer === null || calmMs < sweepMs) this.#in(Math.max(sweepMs, Math.min(calmSweepMs, calmMs)));
  }

  #sweep(): void {
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

  /** Monotonic instant until which only time can make a sweep necessary; -Infinity while anything is under way. */
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

/** Whoever closes and asks after one that stays open past its end says when that is due: it may stay so for long. */
const isOverdue = ({ order, lapsesMonotonicMs }: TrackedOrder, nowMs: number): boolean =>
  (order.state === 'live' || order.state === 'closing') &&
  nowMs > (lapsesMonotonicMs ?? Infinity) + OVERDUE_MS;

/** When an order that stands will want its successor; -Infinity when it does not stand. */
function renewalMs({ order, closeWanted, lapsesMonotonicMs }: TrackedOrder, renewLeadMs: number): number {
  const stands = order.state === 'live' && !closeWanted && lapsesMonotonicMs !== null;
  return stands ? lapsesMonotonicMs - renewLeadMs : -Infinity;
}
