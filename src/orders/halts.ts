import { HALT_CODES, type HaltCode, type Obstacle } from './wait-code.ts';

interface Halt extends Obstacle {
  readonly code: HaltCode;
}

const LATCH = 'latch';
const RANKS = Object.fromEntries(HALT_CODES.map((code, rank) => [code, rank])) as Record<HaltCode, number>;

/** Why nothing may be placed. Any reason is enough; closing is possible always. */
export class Halts {
  readonly #reasons = new Map<string, Halt>();

  /** Sets or replaces the reason given by one party. */
  set(party: string, code: HaltCode, detail: string | null = null): void {
    this.#reasons.set(party, { code, detail });
  }

  clear(party: string): void {
    this.#reasons.delete(party);
  }

  has(party: string): boolean {
    return this.#reasons.has(party);
  }

  /** The reason given by one party, null when it gives none. */
  codeOf(party: string): HaltCode | null {
    return this.#reasons.get(party)?.code ?? null;
  }

  /** What earlier runs left is known. */
  get recovered(): boolean {
    return !this.has('start');
  }

  /** Somebody wants everything of ours closed: it is killed, or it ends. */
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

  /** The reason that matters most, null when placing is possible. */
  blocked(): Obstacle | null {
    let first: Halt | null = null;
    for (const halt of this.#reasons.values()) {
      if (first === null || RANKS[halt.code] < RANKS[first.code]) first = halt;
    }
    return first;
  }
}
