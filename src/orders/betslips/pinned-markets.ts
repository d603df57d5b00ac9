import type { BetslipCap } from './cap.ts';
import { marketsToPin, passingPlaces } from './plan.ts';

/** A market that nobody spoke of for this long is not wanted any more. */
const FORGET_MS = 2_000;
const REPLAN_MS = 1_000;

/** Which of the wanted markets are hot, planned anew once a second. One that is not planned yet counts as hot. */
export class PinnedMarkets {
  readonly #now: () => number;
  readonly #wanted = new Map<string, { value: number; notedMs: number }>();
  #pinned: ReadonlySet<string> = new Set();
  #rotating: ReadonlySet<string> = new Set();
  #nextMs = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(key: string, value: number): void {
    this.#wanted.set(key, { value, notedMs: this.#now() });
  }

  isPinned(key: string): boolean {
    return !this.#rotating.has(key);
  }

  /** Whether one without a betslip is served as hot. While any is cold, what is not planned yet may be as well, and takes its turn. */
  opensPinned(key: string): boolean {
    return this.#rotating.size === 0 || this.#pinned.has(key);
  }

  get wantedCount(): number {
    return this.#wanted.size;
  }

  get rotatingCount(): number {
    return this.#rotating.size;
  }

  sweep(cap: Pick<BetslipCap, 'value' | 'isRising'>, held: (key: string) => boolean): void {
    const now = this.#now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + REPLAN_MS;
    for (const [key, { notedMs }] of this.#wanted) {
      if (now - notedMs > FORGET_MS) this.#wanted.delete(key);
    }
    const markets = [...this.#wanted].map(([key, { value }]) => ({ key, value, held: held(key) }));
    // Whether one more fits shows only when no place stands free.
    this.#pinned = marketsToPin(markets, cap.value, cap.isRising ? 0 : passingPlaces(cap.value));
    this.#rotating = new Set(markets.filter(({ key }) => !this.#pinned.has(key)).map(({ key }) => key));
  }
}
