/** Creates of this time are compared: about as long as the exchange's limit takes to serve some dozens of quotes. */
const WINDOW_MS = 10_000;

/**
 * Divides create requests among strategies. Their limit is shared, and a strategy may want any number of orders of any value. While
 * several strategies wait, the one with the fewest creates of late goes first, whatever its quotes are worth.
 */
export class StrategyTurns {
  readonly #nowMs: () => number;
  /** Instants of the creates that each strategy has begun, oldest first. A strategy that asked for its turn is here, too. */
  readonly #begun = new Map<string, number[]>();
  #creates = 0;

  /** `nowMs` is monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a strategy must let others go first. `waiting`: the strategies that wait for a create; read only if several ask. */
  mustYield(strategy: string, waiting: () => Iterable<string>): boolean {
    const own = this.#recent(strategy).length;
    if (this.#begun.size < 2) return false;
    for (const other of waiting()) if (other !== strategy && this.#recent(other).length < own) return true;
    return false;
  }

  /** A strategy begins a create. */
  begin(strategy: string): void {
    this.#recent(strategy).push(this.#nowMs());
    this.#creates++;
  }

  /** The worth of a create among waiting requests: values of different strategies say nothing, so the first to begin is sent first. */
  worthOf(value: number): number {
    return this.#begun.size < 2 ? value : 0 - this.#creates;
  }

  #recent(strategy: string): number[] {
    const instants = this.#begun.get(strategy) ?? [];
    this.#begun.set(strategy, instants);
    const kept = instants.findIndex((atMs) => this.#nowMs() - atMs < WINDOW_MS);
    instants.splice(0, kept < 0 ? instants.length : kept);
    return instants;
  }
}
