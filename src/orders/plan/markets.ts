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
  /** The order certainly reduces risk. It goes first, and may use the reserve. */
  readonly reduces: boolean;
  /** Nothing but the betslip is known to keep the order from being sent now. */
  readonly isSendable: boolean;
}

/** What all targets of a market want together. */
export interface Market {
  readonly key: string;
  readonly selection: string;
  readonly value: number;
  readonly reduces: boolean;
  /** An order waits for a betslip and could be sent on it. */
  readonly waits: boolean;
  readonly needs: Readonly<Record<BetslipNeed, boolean>>;
}

/** A market while its targets are added to it. */
interface Gathered extends Market {
  value: number;
  reduces: boolean;
  waits: boolean;
  readonly needs: Record<BetslipNeed, boolean>;
}

/** The plan is made many times a second from hundreds of targets, so each market is one object that its targets add to. */
export function marketsOf(targets: readonly BetslipTarget[]): ReadonlyMap<string, Market> {
  const markets = new Map<string, Gathered>();
  for (const { key, selection, value, need, reduces, isSendable } of targets) {
    let market = markets.get(key);
    if (market === undefined) {
      const needs = { order: false, placing: false, next: false };
      market = { key, selection, value, reduces: false, waits: false, needs };
      markets.set(key, market);
    }
    market.value = Math.max(market.value, value);
    market.needs[need] = true;
    if (need !== 'order' || !isSendable) continue;
    market.waits = true;
    market.reduces ||= reduces;
  }
  return markets;
}
