import type { HaltCode } from '../send-gate.ts';

interface Halt {
  readonly code: HaltCode;
  readonly detail: string | null;
}

const LATCH = 'latch';

/** The reasons not to place orders. Any one is enough. Closing is always possible. */
export class Halts {
  readonly #reasons = new Map<string, Halt>();
  #inForce: ReadonlyMap<HaltCode, string | null> = new Map();

  /** Sets or replaces the halt of one party. */
  set(party: string, code: HaltCode, detail: string | null = null): void {
    this.#reasons.set(party, { code, detail });
    this.#changed();
  }

  clear(party: string): void {
    if (this.#reasons.delete(party)) this.#changed();
  }

  /**
   * Every halt code in force, with its detail. If several parties set the same code, the detail of the first
   * counts.
   */
  get inForce(): ReadonlyMap<HaltCode, string | null> {
    return this.#inForce;
  }

  has(party: string): boolean {
    return this.#reasons.has(party);
  }

  /** The halt code of one party; null when it has none. */
  codeOf(party: string): HaltCode | null {
    return this.#reasons.get(party)?.code ?? null;
  }

  /** Recovery is done. */
  get recovered(): boolean {
    return !this.has('start');
  }

  /** Every order of ours is to be closed: the daemon was killed, or drains. */
  get closesAll(): boolean {
    return this.has('stopped') || this.has('drain');
  }

  /** Holds until a person releases it, over restarts. The first reason stays. */
  latch(reason: string): void {
    if (!this.has(LATCH)) this.set(LATCH, 'latched', reason);
  }

  release(): void {
    this.clear(LATCH);
  }

  get latched(): string | null {
    return this.#reasons.get(LATCH)?.detail ?? null;
  }

  #changed(): void {
    const reversed = [...this.#reasons.values()].reverse();
    this.#inForce = new Map(reversed.map(({ code, detail }) => [code, detail]));
  }
}
