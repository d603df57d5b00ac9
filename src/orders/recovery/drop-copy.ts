import type { Desk } from '../state/context.ts';
import type { Evidence } from '../outcomes/execution-reports.ts';
import { readUpdates } from './updates.ts';

/**
 * Reads the account's updates behind the stream and applies them. What it changes, the stream had not told: each such
 * difference is counted by the evidence's source.
 */
export class DropCopy {
  readonly #desk: Desk;
  readonly #evidence: Evidence;
  #cursorMs: number | null = null;
  #nextMs = Infinity;
  #out = false;

  constructor(desk: Desk, evidence: Evidence) {
    this.#desk = desk;
    this.#evidence = evidence;
  }

  /** Begins after recovery. */
  start(cursorMs: number): void {
    this.#cursorMs = cursorMs;
    this.#nextMs = this.#now() + this.#desk.options.dropCopyEveryMs;
  }

  sweep(): void {
    if (this.#cursorMs === null || this.#out || this.#now() < this.#nextMs) return;
    const from = this.#cursorMs;
    this.#out = true;
    this.#nextMs = this.#now() + this.#desk.options.dropCopyEveryMs;
    this.#desk.queue.call(
      () => readUpdates(this.#desk, this.#evidence, from),
      (cursorMs) => {
        this.#out = false;
        this.#cursorMs = cursorMs;
      },
      (error) => {
        this.#out = false;
        this.#desk.log.warn('updates could not be read', { error });
      },
    );
  }

  #now(): number {
    return this.#desk.deps.clock.monotonicMs();
  }
}
