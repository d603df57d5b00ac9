import { nextTick } from 'node:process';
import { Heap } from '../../lib/heap.ts';
import type { Clock, Timer } from '../../ports/clock.ts';

interface Pending {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | null;
}

/** Time that moves only on command: the same engine runs repeatably, as fast as the machine can. */
export class VirtualClock implements Clock {
  #monotonicMs = 0;
  #wallOffsetMs: number;
  #order = 0;
  readonly #pending = new Heap<Pending>((a, b) => (a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs));

  constructor(startWallMs = 1_700_000_000_000) {
    this.#wallOffsetMs = startWallMs;
  }

  wallMs(): number {
    return this.#wallOffsetMs + this.#monotonicMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const pending: Pending = { atMs: this.#monotonicMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#pending.push(pending);
    return { cancel: () => void (pending.run = null) };
  }

  /** Moves the wall clock alone, as an operator or NTP would. */
  jumpWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** Monotonic instant of the next timer, or null when none is pending. */
  nextTimerMs(): number | null {
    this.#dropCancelled();
    return this.#pending.peek()?.atMs ?? null;
  }

  /** Moves time by `ms`, running each timer at its instant and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#monotonicMs + ms;
    await settle();
    while (this.#runNext(untilMs)) await settle();
    this.#monotonicMs = untilMs;
  }

  /**
   * Moves time to the next timer due by `untilMs` (monotonic), runs it and lets promises settle. Returns false, without moving
   * time, if there is none. Work since the last call must have settled.
   */
  async runNext(untilMs: number): Promise<boolean> {
    const ran = this.#runNext(untilMs);
    if (ran) await settle();
    return ran;
  }

  /** Runs the next timer due by `untilMs` (monotonic); false when there is none. */
  #runNext(untilMs: number): boolean {
    const nextMs = this.nextTimerMs();
    if (nextMs === null || nextMs > untilMs) return false;
    const pending = this.#pending.pop() as Pending;
    this.#monotonicMs = Math.max(this.#monotonicMs, pending.atMs);
    pending.run?.();
    return true;
  }

  #dropCancelled(): void {
    while (this.#pending.peek()?.run === null) this.#pending.pop();
  }
}

/**
 * Lets promise chains of any length run until they wait for time again: Node runs the next tick only when no microtask is left.
 */
export const settle = (): Promise<void> => new Promise(nextTick);
