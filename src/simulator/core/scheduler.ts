import { Heap } from '../../lib/heap.ts';

interface Task {
  readonly dueMs: number;
  readonly order: number;
  run: (() => void) | null;
}

/** A planned task that can be cancelled. */
export interface Planned {
  cancel(): void;
}

/** The exchange's own clock. Tasks run in the order of (instant, planning), each with the clock at its instant. */
export class Scheduler {
  #nowMs: number;
  #planned = 0;
  readonly #tasks = new Heap<Task>((a, b) => (a.dueMs === b.dueMs ? a.order < b.order : a.dueMs < b.dueMs));

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** The current wall-clock time in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Moves the clock forward. An earlier instant is ignored. */
  moveTo(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  /** Plans `run` for an instant. A past instant means as soon as possible. */
  at(dueMs: number, run: () => void): Planned {
    const task: Task = { dueMs: Math.max(dueMs, this.#nowMs), order: this.#planned++, run };
    this.#tasks.push(task);
    return { cancel: () => void (task.run = null) };
  }

  after(delayMs: number, run: () => void): Planned {
    return this.at(this.#nowMs + delayMs, run);
  }

  nextDueMs(): number | null {
    while (this.#tasks.peek()?.run === null) this.#tasks.pop();
    return this.#tasks.peek()?.dueMs ?? null;
  }

  /** Runs the earliest task if it is due by `untilMs`; returns whether a task ran. */
  runNext(untilMs: number): boolean {
    const dueMs = this.nextDueMs();
    if (dueMs === null || dueMs > untilMs) return false;
    const task = this.#tasks.pop();
    this.moveTo(dueMs);
    task?.run?.();
    return true;
  }
}
