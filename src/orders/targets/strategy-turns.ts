/** Creates of this time are compared: about as long as the exchange's limit takes to serve some dozens of quotes. */
const WINDOW_MS = 10_000;

/** The creates of one strategy. */
interface Creates {
  /** Monotonic instants at which they began, oldest first. */
  readonly begunMs: number[];
  inFlight: number;
}

/**
 * Divides create requests among strategies. Their limit is shared, and a strategy may want any number of orders of any value. While
 * several strategies place orders, each has its share of the requests in flight. Of those that wait, the one with the fewest
 * creates of late goes first, whatever its quotes are worth.
 */
export class StrategyTurns {
  readonly #nowMs: () => number;
  /** A strategy that only asked for its turn is here, too. */
  readonly #creates = new Map<string, Creates>();
  #count = 0;

  /** `nowMs` is monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Whether a strategy must let others go first. `mostInFlight`: requests of all strategies. `waiting`: the strategies that wait for
   * a create; read only if there are several.
   */
  mustYield(strategy: string, mostInFlight: number, waiting: () => Iterable<string>): boolean {
    const own = this.#recent(strategy);
    if (this.#creates.size < 2) return false;
    const others = [...this.#creates.keys()].filter((other) => other !== strategy);
    const active = 1 + others.filter((other) => this.#recent(other).begunMs.length > 0).length;
    if (active > 1 && own.inFlight >= Math.ceil(mostInFlight / active)) return true;
    for (const other of waiting())
      if (other !== strategy && this.#recent(other).begunMs.length < own.begunMs.length) return true;
    return false;
  }

  /** A strategy begins a create. Returns a function to call when it is over. */
  begin(strategy: string): () => void {
    const own = this.#recent(strategy);
    own.begunMs.push(this.#nowMs());
    own.inFlight++;
    this.#count++;
    return () => void own.inFlight--;
  }

  /** The worth of a create among waiting requests: values of different strategies say nothing, so the first to begin is sent first. */
  worthOf(value: number): number {
    return this.#creates.size < 2 ? value : 0 - this.#count;
  }

  #recent(strategy: string): Creates {
    const creates = this.#creates.get(strategy) ?? { begunMs: [], inFlight: 0 };
    this.#creates.set(strategy, creates);
    const kept = creates.begunMs.findIndex((atMs) => this.#nowMs() - atMs < WINDOW_MS);
    creates.begunMs.splice(0, kept < 0 ? creates.begunMs.length : kept);
    return creates;
  }
}
