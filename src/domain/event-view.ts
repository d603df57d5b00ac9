import type { Score } from './events.ts';
import type { EventId, SelectionId, Sport } from './ids.ts';
import type { MidHistory } from './mid-history.ts';
import type { Micros } from './money.ts';
import type { PriceKind } from './odds.ts';
import type { PriceLevel, PriceList } from './price-list.ts';
import type { Direction } from './selection.ts';
import type { SettlementGrid } from './payoff.ts';
import type { EventTime } from './stream.ts';

/**
 * An event as a strategy sees it. Frozen for the length of the call. What is not known is null.
 *
 * @example
 * const isSoon = ({ startsInMs }: EventView): boolean => startsInMs !== null && startsInMs < 600_000;
 * isSoon(view); // false
 */
export interface EventView {
  readonly eventId: EventId;
  readonly sport: Sport;
  /** Names as the exchange gives them. An outright has no home and no away side. */
  readonly eventName: string | null;
  readonly competitionName: string | null;
  readonly competitionId: number | null;
  readonly home: string | null;
  readonly away: string | null;
  /** Wall-clock milliseconds. */
  readonly nowMs: number;
  /** Milliseconds until the start; negative afterwards; null when not known. */
  readonly startsInMs: number | null;
  /** Whether the start has passed, where it is known without the time: in backtests. `mayBeInPlay` reads it. */
  readonly hasStarted?: boolean;
  readonly inRunning: boolean;
  /** Null while the exchange, or the recording of a backtest, does not tell it. */
  readonly score: Score | null;
  readonly redCards: Score | null;
  /** The match clock: period and minutes, in the words of the exchange or the recording. Null before the start, and where neither tells it. */
  readonly matchClock: EventTime | null;
  readonly selections: readonly SelectionView[];
  /** Our matched positions on all selections of the event, quoted or not. */
  readonly holdings?: readonly Holding[];
  /** The profit of the strategy on this event. */
  readonly profit: EventProfit;
  /** The requests that the exchange's limits leave us now; null where nothing limits them. */
  readonly budgets: BudgetLevels | null;
}

/**
 * Profit of an event's bets. An event belongs to one strategy, so all of them are its own.
 *
 * @example
 * const isLosing = ({ realisedMicros, openMicros }: EventProfit): boolean =>
 *   realisedMicros + (openMicros ?? 0) < 0;
 * isLosing(view.profit); // false
 */
export interface EventProfit {
  /** Of settled bets, as the exchange reports it. */
  readonly realisedMicros: Micros;
  /** Expected of open bets at the mids of their selections; null while a mid is missing. */
  readonly openMicros: Micros | null;
}

/**
 * The requests that each budget has left (specification, Limits). Negative when urgent requests took more than their share.
 *
 * @example
 * const isScarce = (budgets: BudgetLevels | null): boolean => budgets !== null && budgets.betslipsNow < 2;
 * isScarce(view.budgets); // false
 */
export interface BudgetLevels {
  /** Order requests that may leave at once. */
  readonly ordersNow: number;
  readonly betslipsNow: number;
  /** Betslips left of the rolling day. */
  readonly betslipsToday: number;
  readonly generalNow: number;
}

/**
 * A matched position and how it settles.
 *
 * @example
 * const worst = ({ position }: Holding): Micros => Math.min(position.ifWinMicros, position.ifLoseMicros);
 */
export interface Holding {
  readonly selectionId: SelectionId;
  readonly position: PositionView;
  /** Null until the exchange has sent it, or when no final score decides the selection. */
  readonly grid: SettlementGrid | null;
}

/**
 * A selection of the event that the configuration's rules chose to quote.
 *
 * @example
 * const mayWin = ({ position }: SelectionView): boolean => position.ifWinMicros > 0;
 * mayWin(selection); // true
 */
export interface SelectionView {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  /** The opaque rest of the bet type. It distinguishes selections in logs and parameters. */
  readonly outcome: string;
  /** The name for people, such as `Arsenal -0.25`. For display alone; see `selectionName`. */
  readonly name: string;
  /**
   * The prices that takers get in each direction, less our own stake at each level: a fresh private quote if there is
   * one, else the public offer. Null when there is neither, or it is stale.
   */
  readonly market: Readonly<Record<Direction, MarketSide | null>>;
  /**
   * What the prices of our orders in each direction are on the exchange: which ladder they are on. Default: the price of the
   * selection. All prices of the view are prices of the selection, exact complements where the exchange shows others.
   */
  readonly priceKinds?: Readonly<Record<Direction, PriceKind>>;
  /** Our matched position here. */
  readonly position: PositionView;
  /** Our open quotes here. */
  readonly quotes: readonly OwnQuote[];
  /** How each final score settles the `for` side; null while not known, or when no final score decides it. */
  readonly grid?: SettlementGrid | null;
  /** Our fills here in the last minutes, oldest first. */
  readonly recentFills?: readonly RecentFill[];
  /**
   * The course of the mid since the selection is quoted, at most ten minutes back; `midPoints` unpacks it. The mid is the middle
   * of both best prices without our own stake, as a probability. While a side is missing nothing is added.
   */
  readonly mids: MidHistory;
  /**
   * The middle of both best prices without our own stake, as a probability. It lies between ticks and is not rounded. Null while a side
   * is missing.
   */
  readonly mid: number | null;
  /** The prices of the configured price sources, by the name of the source. A price that is stale or withdrawn is absent. */
  readonly sourcePrices: Readonly<Record<string, SourcePriceView>>;
  /**
   * Decimal price of the selection in the last trade of anybody. Null before the first one, and where trades are not told: the
   * exchange's stream has none, so it is null in a daemon on an exchange, and in backtests of recordings without trades.
   */
  readonly lastTraded: number | null;
  /**
   * What was traded at each price since the recording began: the makers' stake, packed like a list of prices, the highest price first;
   * `levelsOf` unpacks it. Empty before the first trade. Null wherever trades are not told, as for `lastTraded`.
   */
  readonly tradedVolume: PriceList | null;
  /**
   * How long an order waits that arrives now, in milliseconds; 0: not at all. Null where nothing tells it: the exchange's stream does
   * not, so it is null in a daemon on an exchange.
   */
  readonly betDelayMs: number | null;
  /**
   * Who waits, in the words of the recorded market. With `PASSIVE` only orders that match at once wait. Null where the recording does not
   * say, and in a daemon on an exchange: take it that every order waits.
   */
  readonly betDelayModels: readonly string[] | null;
  /** Whether the market matches, and if not, why. Null while that is not known. */
  readonly suspension: Suspension | null;
}

/** The part of a selection that recordings tell and the exchange's stream does not. */
export type RecordedFacts = Pick<
  SelectionView,
  'lastTraded' | 'tradedVolume' | 'betDelayMs' | 'betDelayModels' | 'suspension'
>;

/**
 * Why a market matches nothing. `none`: it matches. `exchange`: it says that the market is suspended. `closed`: the market is over.
 * `gap`: the recording of a backtest lacks data. `no-prices`: no market of the event shows any price, which is how a suspension looks on
 * an exchange whose stream does not name it; a daemon on an exchange has only this one and `none`. Nobody says what a suspension is for: see whether `score` or `redCards` changed.
 *
 * @example
 * const matches = ({ suspension }: SelectionView): boolean => suspension === 'none';
 * matches(selection); // false
 */
export type Suspension = 'none' | 'exchange' | 'closed' | 'gap' | 'no-prices';

/**
 * The price of a price source for a selection.
 *
 * @example
 * const isFresh = ({ ageMs }: SourcePriceView): boolean => ageMs < 5_000;
 */
export interface SourcePriceView {
  /** Decimal, above 1. */
  readonly price: number;
  /** Since the source last sent it. */
  readonly ageMs: number;
  /**
   * From the source's own time of the price until we received it; negative if the source's clock is ahead of ours. Null if the
   * source gives no time.
   */
  readonly latencyMs: number | null;
}

/**
 * A fill of ours on a selection. `price` is decimal.
 *
 * @example
 * const isFresh = ({ ageMs }: RecentFill): boolean => ageMs < 10_000;
 */
export interface RecentFill {
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
  readonly ageMs: number;
}

/**
 * The prices that takers of one direction get. `quote` is a private quote, `offer` the public one.
 *
 * @example
 * const isStale = (side: MarketSide | null): boolean => side === null || side.ageMs > 5_000;
 * isStale(selection.market.for); // false
 */
export interface MarketSide {
  readonly priceList: PriceList;
  /** The best level of the list, where it is known without the list: in backtests. */
  readonly best?: PriceLevel;
  readonly source: 'quote' | 'offer';
  readonly ageMs: number;
}

/**
 * Profit of matched bets on a selection in both outcomes.
 *
 * @example
 * const netContracts = ({ ifWinMicros, ifLoseMicros }: PositionView): number =>
 *   fromMicros(ifWinMicros - ifLoseMicros);
 * netContracts(selection.position); // 46
 */
export interface PositionView {
  /** Profit if the selection wins, and if it loses, of matched bets. */
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
}

/**
 * A standing order of ours. `tick` is an index into the price ladder, a price of the selection, and `unfilledMicros` the stake at it.
 * Odds of an order between two such ticks are shown as one of them.
 *
 * @example
 * const isUntouched = ({ unfilledMicros }: OwnQuote): boolean => unfilledMicros === toMicros(20);
 */
export interface OwnQuote {
  readonly direction: Direction;
  readonly tick: number;
  readonly unfilledMicros: Micros;
  /**
   * The id of the take that it carries out; absent if it is a quote's order. A take never rests: it is `delayed` until it ends. An offer of a hedge
   * and a person's quote have an id, and rest.
   */
  readonly take?: string;
  /** Where it is on its way. */
  readonly phase: QuotePhase;
  /**
   * The others' stake before ours at our price, as far as it is known: an upper bound in micros. Null while the order does not rest, or its
   * price is not among the shown ones. A backtest of the fast engine counts from the moment at which the order rests, takes off what trades, and
   * never more than the level holds. The daemon sees no trades: it is all that others hold at the price now, who joined behind us included.
   */
  readonly aheadMicros: Micros | null;
}

/**
 * The phases of an order of ours. `sent`: the exchange has not answered. `delayed`: it has the order, which waits for its bet delay and
 * matches nothing yet. `resting`: it stands in the book. `closing`: a close is under way, and until it arrives the order can be matched.
 * The exchange does not tell when a delay ends. The daemon counts half a second from its request, and `betDelayMs` more, or in running a second
 * and a half more where that is null; a backtest of the fast engine knows.
 *
 * @example
 * const isMatchable = ({ phase }: OwnQuote): boolean => phase === 'resting' || phase === 'closing';
 */
export type QuotePhase = 'sent' | 'delayed' | 'resting' | 'closing';
