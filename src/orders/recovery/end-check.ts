import { FRESH_MS, type TrackedOrder } from '../../account/orders.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { OrderContext } from '../state/context.ts';
import { readOpen } from './resync.ts';

/** A listing that begins this long after a report may contradict it. */
const CHECK_AFTER_MS = FRESH_MS + 500;
/** Pause between two listings, however many orders end. */
const CHECK_EVERY_MS = 10_000;
/** An order that ends so shortly before its lapse has lapsed. */
const LAPSE_MARGIN_MS = 2_000;

/**
 * Lists the open orders a few seconds after an order was reported closed before its time, without our request and with stake left. If the
 * report was wrong, the order rests and may be matched, and nothing else would ask for it before the next resync.
 */
export class EndCheck {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  /** Monotonic instant of the next listing. */
  #atMs = Infinity;
  #listedMs = -Infinity;
  #isOut = false;

  constructor(context: OrderContext, reports: ExecutionReports) {
    this.#context = context;
    this.#reports = reports;
  }

  /** Handles an order that closed without our request: plans a listing if nothing else explains that. */
  closed({ order, lapsesMonotonicMs }: TrackedOrder): void {
    const nowMs = this.#now();
    const hasLapsed = nowMs >= (lapsesMonotonicMs ?? -Infinity) - LAPSE_MARGIN_MS;
    if (hasLapsed || order.filledMicros >= order.stakeMicros) return;
    this.#atMs = Math.max(nowMs + CHECK_AFTER_MS, this.#listedMs + CHECK_EVERY_MS);
  }

  get dueMs(): number {
    return this.#isOut ? Infinity : this.#atMs;
  }

  sweep(): void {
    if (this.#now() < this.dueMs) return;
    this.#atMs = Infinity;
    this.#listedMs = this.#now();
    this.#isOut = true;
    this.#context.queue.call(
      () => readOpen(this.#context, this.#reports),
      () => void (this.#isOut = false),
      (error) => this.#failed(error),
    );
  }

  #failed(error: unknown): void {
    this.#isOut = false;
    this.#atMs = Math.min(this.#atMs, this.#listedMs + CHECK_EVERY_MS);
    this.#context.log.debug('open orders could not be listed', { error });
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
