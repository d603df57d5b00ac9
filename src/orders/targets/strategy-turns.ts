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
  readonly #creates = new Map<string, Creates>();
  #count = 0;
  #inFlight = 0;
  #revision = 0;

  /** `nowMs` is monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Number of create requests that are in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Changes when a create begins or ends, and when a strategy enters. */
  get revision(): number {
    return this.#revision;
  }

  /** Monotonic instant at which time alone may give a strategy its turn: a create ceases to be recent. Infinity if none is. */
  get changesMs(): number {
    const oldestMs = Array.from(this.#creates, ([strategy, { begunMs }]) => {
      const recent = this.#recently(strategy);
      return recent === 0 ? Infinity : (begunMs.at(-1 * recent) ?? Infinity);
    });
    return Math.min(Infinity, ...oldestMs) + WINDOW_MS;
  }

  /** A strategy has quotes to place. */
  enter(strategy: string): void {
    if (this.#creates.has(strategy)) return;
    this.#creates.set(strategy, { begunMs: [], inFlight: 0 });
    this.#revision++;
  }

  /**
   * Whether a strategy must let others go first. `mostInFlight`: requests of all strategies. `waiting`: the strategies that wait for
   * a create; read only if there are several.
   */
  mustYield(strategy: string, mostInFlight: number, waiting: () => Iterable<string>): boolean {
    if (this.#creates.size < 2) return false;
    const others = [...this.#creates.keys()].filter((other) => other !== strategy);
    const active = 1 + others.filter((other) => this.#recently(other) > 0).length;
    const inFlight = this.#creates.get(strategy)?.inFlight ?? 0;
    if (active > 1 && inFlight >= Math.ceil(mostInFlight / active)) return true;
    const own = this.#recently(strategy);
    for (const other of waiting()) if (other !== strategy && this.#recently(other) < own) return true;
    return false;
  }

  /** A strategy begins a create. Returns a function to call when it is over. */
  begin(strategy: string): () => void {
    this.enter(strategy);
    const own = this.#creates.get(strategy) as Creates;
    own.begunMs.splice(0, own.begunMs.length - this.#recently(strategy));
    own.begunMs.push(this.#nowMs());
    own.inFlight++;
    this.#inFlight++;
    this.#revision++;
    this.#count++;
    return () => {
      this.#revision++;
      own.inFlight--;
      this.#inFlight--;
    };
  }

  /** The worth of a create among waiting requests: values of different strategies say nothing, so the first to begin is sent first. */
  worthOf(value: number): number {
    return this.#creates.size < 2 ? value : 0 - this.#count;
  }

  /** The number of creates that a strategy began of late. */
  #recently(strategy: string): number {
    const { begunMs } = this.#creates.get(strategy) ?? { begunMs: [] };
    const first = begunMs.findIndex((atMs) => this.#nowMs() - atMs < WINDOW_MS);
    return first < 0 ? 0 : begunMs.length - first;
  }
}
