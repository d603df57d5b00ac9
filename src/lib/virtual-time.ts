import { Heap } from './heap.ts';

interface Pending {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | null;
}

/**
 * Time that moves only on command, as a `Clock`. Timers run at their instants and in the order in which they were set, never
 * inside `after`.
 */
export class VirtualTime {
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

  after(delayMs: number, run: () => void): { cancel(): void } {
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

  /** Moves time to the next timer due by `untilMs` (monotonic) and runs it. Returns false, without moving time, if there is none. */
  runTimer(untilMs: number): boolean {
    const nextMs = this.nextTimerMs();
    if (nextMs === null || nextMs > untilMs) return false;
    const pending = this.#pending.pop() as Pending;
    this.moveTo(pending.atMs);
    pending.run?.();
    return true;
  }

  /** The monotonic instant `ms` from now. */
  instantIn(ms: number): number {
    return this.#monotonicMs + ms;
  }

  /** Moves time forward to `untilMs` (monotonic). Timers due before then must have run. */
  moveTo(untilMs: number): void {
    this.#monotonicMs = Math.max(this.#monotonicMs, untilMs);
  }

  #dropCancelled(): void {
    while (this.#pending.peek()?.run === null) this.#pending.pop();
  }
}
