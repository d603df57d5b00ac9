/** The limits of one strategy, in USDT; null: no limit of its own. Its loss limits then are those of `risk.loss`. */
export interface StrategyLimits {
  /** The worst case of its own bets and orders on one event. */
  readonly eventUsdt: number | null;
  /** The sum of these worst cases over all its events. */
  readonly totalUsdt: number | null;
  /** Its orders that may still be matched. */
  readonly openOrders: number | null;
  /** Loss of the trading day that halts it. */
  readonly lossOfDayUsdt: number | null;
  /** Loss from its highest result that halts it. */
  readonly lossFromPeakUsdt: number | null;
}

/** Limits by strategy. A strategy that is not there has none of its own. */
export type LimitsOfStrategies = ReadonlyMap<string, StrategyLimits>;
