import type { HaltCode } from '../send-gate.ts';

interface Halt {
  readonly code: HaltCode;
  readonly detail: string | null;
}

const LATCH = 'latch';

/** Why nothing may be placed. Any reason is enough; closing is possible always. */
export class Halts {
  readonly #reasons = new Map<string, Halt>();
  #inForce: ReadonlyMap<HaltCode, string | null> = new Map();

  /** Sets or replaces the reason given by one party. */
  set(party: string, code: HaltCode, detail: string | null = null): void {
    this.#reasons.set(party, { code, detail });
    this.#changed();
  }

  clear(party: string): void {
    if (this.#reasons.delete(party)) this.#changed();
  }

  /** Every reason that is given, with its detail: of several parties that give the same, that of the first. */
  get inForce(): ReadonlyMap<HaltCode, string | null> {
    return this.#inForce;
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

  #changed(): void {
    const reversed = [...this.#reasons.values()].reverse();
    this.#inForce = new Map(reversed.map(({ code, detail }) => [code, detail]));
  }
}
