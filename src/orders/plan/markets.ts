/** What a target needs a betslip for. */
export type BetslipNeed =
  /** Its order waits to be placed. */
  | 'order'
  /** Its order is on its way to the exchange, and names the betslip. */
  | 'placing'
  /** Its order rests. The next order of the quote can use the same betslip. */
  | 'next';

/** A target, as far as betslips are concerned. */
export interface BetslipTarget {
  /** Names the market. */
  readonly key: string;
  /** Names the selection, of which the market is one side. */
  readonly selection: string;
  /** The value of the quote, in micros per second. */
  readonly value: number;
  readonly need: BetslipNeed;
  /** The order certainly reduces risk. It goes first, and may use the reserve. Asked only of an order that waits: the answer may cost. */
  readonly reduces: boolean;
  /** Nothing but the betslip is known to keep the order from being sent now. */
  readonly isSendable: boolean;
}

/** What all targets of a market want together. */
export class Market {
  /** Names the market. */
  readonly key: string;
  readonly selection: string;
  readonly needs: Record<BetslipNeed, boolean> = { order: false, placing: false, next: false };
  value = -Infinity;
  /** The targets whose order waits for a betslip and could be sent on it. */
  #waiting: BetslipTarget[] | null = null;
  /** Null until it is asked for. */
  #reduces: boolean | null = null;

  constructor({ key, selection }: BetslipTarget) {
    [this.key, this.selection] = [key, selection];
  }

  add(target: BetslipTarget): void {
    this.value = Math.max(this.value, target.value);
    this.needs[target.need] = true;
    if (target.need === 'order' && target.isSendable) (this.#waiting ??= []).push(target);
  }

  get waits(): boolean {
    return this.#waiting !== null;
  }

  /** Whether an order that waits certainly reduces risk. */
  get reduces(): boolean {
    return (this.#reduces ??= this.#waiting?.some(({ reduces }) => reduces) ?? false);
  }
}

/** The plan is made many times a second from hundreds of targets, so each market is one object that its targets add to. */
export function marketsOf(targets: readonly BetslipTarget[]): ReadonlyMap<string, Market> {
  const markets = new Map<string, Market>();
  for (const target of targets) {
    let market = markets.get(target.key);
    if (market === undefined) {
      market = new Market(target);
      markets.set(target.key, market);
    }
    market.add(target);
  }
  return markets;
}
