import type { Mode } from '../domain/mode.ts';
import type { FillRange } from './fill-range.ts';
import { rounded, type Status, usdt } from './status.ts';
import type { EventMoney } from './profit.ts';
import type { ReadModel } from './read-model.ts';
import type { ErrorsOfStrategy } from './strategy-errors.ts';

/** The summary of a bounded run. The field names are part of the command's interface. */
export interface RunSummary {
  readonly mode: Mode;
  readonly duration_s: number;
  readonly events: number;
  readonly selections_quoted: number;
  readonly orders_placed: number;
  readonly orders_refused: number;
  readonly orders_open_at_exit: number;
  readonly fills: number;
  /** On paper: the same orders under every fill model. */
  readonly paper_fills?: Readonly<Record<string, FillsSummary>>;
  /** On paper: the account's fills by their cause, and orders that `touch` filled further than `queue`. */
  readonly paper_causes?: FillRange['causes'];
  readonly paper_near_misses?: number;
  readonly stake_matched: number;
  readonly two_sided_quote_ratio: number;
  readonly throttled_responses: number;
  readonly profit_loss: number;
  /** Events with bets that are not settled. They stand, whether or not a daemon runs. */
  readonly events_held: number;
  /** The least that these bets pay, over the outcomes of their events. */
  readonly worst_case_of_held: number;
  readonly reconnects: number;
  /** The number of errors of each kind, for each strategy that made any. */
  readonly strategy_errors: Readonly<Record<string, ErrorsOfStrategy['kinds']>>;
  /** By the exchange's own list; null if it did not answer. */
  readonly exchange_orders_open_at_exit: number | null;
}

/** The fills of one fill model since the paper account began. */
interface FillsSummary {
  readonly fills: number;
  readonly stake_matched: number;
  readonly profit_loss: number;
  /** Open bets whose worth is not known, and not in `profit_loss`. */
  readonly unpriced: number;
}

/** How a run ended. */
export interface RunEnd {
  readonly ranMs: number;
  /** Own orders that may still be open. */
  readonly ordersOpen: number;
  /** Open orders of the whole account by the exchange's own list; null when it did not answer. */
  readonly exchangeOrdersOpen: number | null;
  /** Every event with bets that are not settled. */
  readonly held: readonly Pick<EventMoney, 'leastMicros'>[];
}

export function summaryOf(model: ReadModel, status: Status, end: RunEnd): RunSummary {
  return {
    mode: status.mode,
    duration_s: rounded(end.ranMs / 1000, 3),
    events: model.eventsQuoted,
    selections_quoted: model.selectionsQuoted,
    orders_placed: status.ordersPlaced,
    orders_refused: status.ordersRefused,
    orders_open_at_exit: end.ordersOpen,
    fills: status.fills,
    ...(status.paperFills && onPaper(status.paperFills)),
    stake_matched: status.stakeMatched,
    two_sided_quote_ratio: rounded(status.twoSidedQuoteRatio, 4),
    throttled_responses: status.throttledResponses,
    profit_loss: status.profitLoss,
    events_held: end.held.length,
    worst_case_of_held: usdt(end.held.reduce((sum, { leastMicros }) => sum + Math.min(0, leastMicros), 0)),
    reconnects: model.reconnects,
    strategy_errors: Object.fromEntries(model.strategyErrors.map(({ strategy, kinds }) => [strategy, kinds])),
    exchange_orders_open_at_exit: end.exchangeOrdersOpen,
  };
}

const onPaper = (
  range: FillRange,
): Pick<RunSummary, 'paper_fills' | 'paper_causes' | 'paper_near_misses'> => ({
  paper_fills: fillsByModel(range),
  paper_causes: range.causes,
  paper_near_misses: range.nearMisses,
});

const fillsByModel = ({ models }: FillRange): Readonly<Record<string, FillsSummary>> =>
  Object.fromEntries(
    models.map(({ model, fills, stakeMatched, profitLoss, unpriced }) => [
      model,
      { fills, stake_matched: stakeMatched, profit_loss: profitLoss, unpriced },
    ]),
  );
