import type { OrderContext } from '../state/context.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import { readUpdates } from './updates.ts';

/**
 * Reads the account's updates behind the stream and applies them. What it changes, the stream had not told: each such
 * difference is counted by the evidence's source.
 */
export class DropCopy {
  readonly #context: OrderContext;
  readonly #reports: ExecutionReports;
  #cursorMs: number | null = null;
  #nextMs = Infinity;
  #out = false;

  constructor(context: OrderContext, reports: ExecutionReports) {
    this.#context = context;
    this.#reports = reports;
  }

  /** Begins after recovery. */
  start(cursorMs: number): void {
    this.#cursorMs = cursorMs;
    this.#nextMs = this.#now() + this.#context.options.dropCopyEveryMs;
  }

  sweep(): void {
    if (this.#cursorMs === null || this.#out || this.#now() < this.#nextMs) return;
    const from = this.#cursorMs;
    this.#out = true;
    this.#nextMs = this.#now() + this.#context.options.dropCopyEveryMs;
    this.#context.queue.call(
      () => readUpdates(this.#context, this.#reports, from),
      (cursorMs) => {
        this.#out = false;
        this.#cursorMs = cursorMs;
      },
      (error) => {
        this.#out = false;
        this.#context.log.warn('updates could not be read', { error });
      },
    );
  }

  #now(): number {
    return this.#context.deps.clock.monotonicMs();
  }
}
