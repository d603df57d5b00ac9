import { Heap } from '../../../lib/heap.ts';
import type { Market } from '../../core/api.ts';

/** Something to do at an instant. */
export type Task = (market: Market, nowMs: number) => void;

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: Task;
}

/** What a feed has yet to do, by time and then in the order it was decided. */
export class Agenda {
  readonly #entries = new Heap<Entry>((a, b) => (a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs));
  #order = 0;

  /** Instants are rounded up to whole milliseconds, so that a shell's timer never comes too early. */
  at(atMs: number, task: Task): void {
    this.#entries.push({ atMs: Math.ceil(atMs), order: this.#order++, task });
  }

  nextMs(): number | null {
    return this.#entries.peek()?.atMs ?? null;
  }

  /** Runs everything due by `nowMs`, each task at its own instant, tasks that these add included. */
  run(market: Market, nowMs: number): void {
    for (let next = this.#entries.peek(); next !== undefined; next = this.#entries.peek()) {
      if (next.atMs > nowMs) return;
      this.#entries.pop();
      next.task(market, next.atMs);
    }
  }
}
