import { because, type HaltCode, type Obstacle, type WaitCode } from './wait-code.ts';

/** Why nothing may be placed. Any reason is enough; closing is possible always. */
export class Halts {
  readonly #reasons = new Map<string, Obstacle>();
  #latched: string | null = null;

  /** Sets or replaces the reason given by one party. */
  set(party: string, code: HaltCode, detail: string | null = null): void {
    this.#reasons.set(party, because(code, detail));
  }

  clear(party: string): void {
    this.#reasons.delete(party);
  }

  has(party: string): boolean {
    return this.#reasons.has(party);
  }

  /** The reason given by one party, null when it gives none. */
  codeOf(party: string): WaitCode | null {
    return this.#reasons.get(party)?.code ?? null;
  }

  /** Somebody wants everything of ours closed: it is killed, or it ends. */
  get closesAll(): boolean {
    return this.has('stopped') || this.has('drain');
  }

  /** Holds until a person releases it, over restarts. */
  latch(reason: string): void {
    this.#latched ??= reason;
  }

  release(): void {
    this.#latched = null;
  }

  get latched(): string | null {
    return this.#latched;
  }

  /** The reason that matters most, null when placing is possible: a kill is told whatever else holds. */
  blocked(): Obstacle | null {
    const stopped = this.#reasons.get('stopped');
    if (stopped !== undefined) return stopped;
    if (this.#latched !== null) return because('latched', this.#latched);
    return this.#reasons.values().next().value ?? null;
  }
}
