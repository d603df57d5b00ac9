import { Heap } from '../../../lib/heap.ts';
import type { Market } from '../../core/api.ts';

/** Work at an instant. */
export type Task = (market: Market, nowMs: number) => void;

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: Task;
}

/** A feed's future tasks, by time and then in the order in which they were added. */
export class Agenda {
  readonly #entries = new Heap<Entry>((a, b) => (a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs));
  #order = 0;

  /** Instants are rounded up to whole milliseconds, so that a shell's timer never fires too early. */
  at(atMs: number, task: Task): void {
    this.#entries.push({ atMs: Math.ceil(atMs), order: this.#order++, task });
  }

  nextMs(): number | null {
    return this.#entries.peek()?.atMs ?? null;
  }

  /** Runs every task due by `nowMs`, each at its own instant, including tasks that these add. */
  run(market: Market, nowMs: number): void {
    for (let next = this.#entries.peek(); next !== undefined; next = this.#entries.peek()) {
      if (next.atMs > nowMs) return;
      this.#entries.pop();
      next.task(market, next.atMs);
    }
  }
}
