import type { EventName } from '../domain/events.ts';
import type { ConventionStatus } from '../engine/convention/convention-status.ts';
import type { BetId, OrderId, RequestUuid, SelectionId } from '../domain/ids.ts';
import type { OrderState } from '../domain/lifecycle.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Mode } from '../domain/mode.ts';
import type { Micros } from '../domain/money.ts';
import type { Direction } from '../domain/selection.ts';
import { type ExchangeTerms, pricedOrder, shownStake, shownTerms } from './bet-terms.ts';
import type { FillRange } from './fill-range.ts';
import { type EventReadings, type EventStatus, eventStatuses, nameOf, pricesIn } from './event-status.ts';
import {
  type EventMoney,
  type MarkoutSum,
  type ProfitReport,
  profitReport,
  type SettledToday,
  type SourcesOfProfit,
} from './profit.ts';
import type { ReadModel } from './read-model.ts';
import { carriedBy, type Readiness } from './readiness.ts';
import type { RecentOrder } from './recent.ts';
import type { ErrorsOfStrategy } from './strategy-errors.ts';
import { rounded, usdt, usdtOrNull } from './usdt.ts';

export { refusedInWords, throwInWords } from '../engine/strategy-faults.ts';
export type { ExchangeTerms } from './bet-terms.ts';
export type { EventReading, EventStatus, SelectionStatus } from './event-status.ts';
export type { ProfitReport, ProfitWords } from './profit.ts';
export type { Readiness } from './readiness.ts';
export { rounded, usdt } from './usdt.ts';

/**
 * The operator's view at a glance. Money in USDT, prices decimal. The prices and stakes of selections, orders and fills are those of the
 * selection: a lay price `against` it. Sums over the account are in the exchange's own stakes.
 */
export interface Status {
  readonly version: string;
  /** Names this run: its number in the journal, and eight hexadecimal digits. */
  readonly runId: string;
  readonly state: RunState;
  readonly mode: Mode;
  readonly strategy: string;
  readonly runningS: number;
  readonly stream: string;
  readonly heartbeatRemainingS: number | null;
  readonly stopping: string | null;
  /** Why no order can be placed, for example a kill; null if orders can be placed. */
  readonly blocked: string | null;
  /** In order of precedence. An owner of events that does not run comes last. */
  readonly strategies: readonly StrategyStatus[];
  /** Strategies that are not called until a person resumes. */
  readonly strategiesOff: readonly StrategyOff[];
  readonly budgets: Budgets;
  readonly betslipCap: BetslipCapStatus;
  readonly ordersOpen: number;
  readonly ordersPlaced: number;
  readonly ordersRefused: number;
  readonly fills: number;
  /** What the same orders come to under every fill model. Only a run on paper tells. */
  readonly paperFills?: FillRange;
  readonly stakeMatched: number;
  readonly profitLoss: number;
  readonly profit: ProfitReport;
  readonly account: AccountStatus;
  /** Stake matched today, as the limit on turnover counts it. */
  readonly turnover: number;
  /** Every limit of the whole account beside its use. */
  readonly limits: readonly LimitUse[];
  readonly quoting: QuotingStatus;
  /** The longest time for which the outcome of an order has been unknown; null if no outcome is. */
  readonly oldestUnknownOrderS: number | null;
  /** At most 20 of this run, the newest first. */
  readonly recentOrders: readonly OrderRow[];
  /** At most 20, the newest first; those of earlier runs included. */
  readonly recentFills: readonly FillRow[];
  /** Null if the journal could not be read. */
  readonly previousRun: PreviousRun | null;
  readonly twoSidedQuoteRatio: number;
  readonly throttledResponses: number;
  /** The last comparison of the balance with results and deposits; null before the first. */
  readonly reconciliation: ReconciliationStatus | null;
  /** What is known of the exchange's `against` prices. A daemon always tells. */
  readonly priceConvention?: ConventionStatus;
  /** Events that are no longer quoted but have a position or open orders come first, then the quoted ones. */
  readonly events: readonly EventStatus[];
}

/** `starting` until the first recovery ends; `blocked` while no order can be placed. */
export type RunState = 'starting' | 'quoting' | 'blocked' | 'stopping';

/** As the exchange last reported it; null before that. */
export interface AccountStatus {
  readonly balance: number | null;
  readonly openStake: number | null;
  readonly ageS: number | null;
}

/** A limit of the whole account, by its name in the table `risk`, beside its use. */
export interface LimitUse {
  readonly name: string;
  readonly use: number;
  readonly limit: number;
  readonly unit: 'usdt' | 'count';
}

/** Numbers of selections. */
export interface QuotingStatus {
  /** For which the strategy wants a quote. */
  readonly wanted: number;
  /** Of these, with a confirmed order. */
  readonly quoted: number;
  /** Of these, with confirmed orders on both sides. */
  readonly twoSided: number;
  /** How long something has been wanted while nothing was quoted; null while that is not so. */
  readonly notQuotingS: number | null;
  /** The chosen selections: how many are quoted, and what the others wait for. */
  readonly readiness: Readiness;
}

/** The account's cap of open betslips. Each side of a quoted selection needs one. */
export interface BetslipCapStatus {
  readonly open: number;
  /** False: only assumed so far. */
  readonly isLearned: boolean;
  /** How many selections it carries: quoted on both sides all the time. */
  readonly carries: number;
}

export interface OrderRow {
  readonly requestUuid: RequestUuid;
  readonly orderId: OrderId | null;
  readonly selectionId: SelectionId;
  readonly event: string;
  /** What people call the selection, within its event. */
  readonly outcome: string;
  /** The owner of the event; null if it has none. */
  readonly strategy: string | null;
  readonly direction: Direction;
  /** Of the selection, like both stakes. */
  readonly price: number;
  readonly stake: number;
  /** What the order is called and priced on the exchange, where that differs. */
  readonly exchange?: ExchangeTerms;
  readonly filled: number;
  readonly state: OrderState;
  /** Wall-clock milliseconds at which this run first saw the order. */
  readonly atMs: number;
}

export interface FillRow {
  readonly betId: BetId;
  readonly orderId: OrderId;
  /** The owner of the event; null if it has none, or if the bet is not ours. */
  readonly strategy: string | null;
  readonly selectionId: SelectionId;
  readonly event: string;
  /** What people call the selection, within its event. */
  readonly outcome: string;
  readonly direction: Direction;
  /** Of the selection, like the stake. */
  readonly price: number;
  readonly stake: number;
  /** What the bet is called and priced on the exchange, where that differs. */
  readonly exchange?: ExchangeTerms;
  readonly role: Fill['role'];
  /** Wall-clock milliseconds. */
  readonly atMs: number;
}

/** The run before this one, as the journal shows it. */
export interface PreviousRun {
  /** Number of the run, counted by the journal; 0 if there was none. */
  readonly epoch: number;
  /** Wall-clock milliseconds of its last record; null if there was none. */
  readonly endedAtMs: number | null;
  /** `clean`: it closed its orders or tried to, and wrote its last record. `none`: this is the first run. */
  readonly how: 'clean' | 'not clean' | 'none';
  /** Orders that may still have been open, by the journal. */
  readonly ordersLeft: number;
}

/** The change of the balance since `sinceMs`, and what explains it. Amounts in USDT, instants in wall-clock milliseconds. */
export interface ReconciliationStatus {
  readonly atMs: number;
  /** Null for the first comparison. */
  readonly sinceMs: number | null;
  readonly balance: number;
  readonly change: number;
  readonly settled: number;
  readonly commission: number;
  readonly deposits: number;
  /** The part of the change that nothing explains. */
  readonly residual: number;
}

/** A strategy at work, with its part of the account's profit. */
export interface StrategyStatus {
  readonly name: string;
  readonly profitLoss: number;
  /** The number of errors of each kind in this run. */
  readonly errors: ErrorsOfStrategy['kinds'];
  /** Null if there is none. */
  readonly lastError: { readonly kind: string; readonly message: string; readonly ageS: number } | null;
}

/** A strategy that hung. */
export interface StrategyOff {
  readonly strategy: string;
  /** When and where it hung. */
  readonly why: string;
  /** Wall-clock milliseconds of the latch. */
  readonly sinceMs: number;
}

export interface Budgets {
  readonly ordersNow: number;
  readonly betslipsNow: number;
  readonly betslipsToday: number;
}

/** State that other parts own, at one instant. */
export interface Readings extends EventReadings {
  readonly run: RunReading;
  readonly heartbeatRemainingMs: number;
  readonly blocked: string | null;
  readonly strategiesOff: Status['strategiesOff'];
  /** The profit of each strategy that runs or owns an event. */
  readonly profitByStrategy: ReadonlyMap<string, Micros>;
  /** Default: none was made. */
  readonly reconciliation?: Status['reconciliation'];
  readonly priceConvention?: ConventionStatus;
  readonly paperFills?: FillRange;
  readonly budgets: Budgets;
  readonly betslipCap: Pick<BetslipCapStatus, 'open' | 'isLearned'>;
  readonly ordersPlaced: number;
  readonly throttledResponses: number;
  readonly profitLossMicros: Micros;
  /** Every event with settled or open bets, in order of their first results. */
  readonly money: readonly EventMoney[];
  /** The fair probability of a selection; null when not known. */
  readonly fairOf: (id: SelectionId) => number | null;
  readonly sources: SourcesOfProfit;
  readonly markouts: readonly MarkoutSum[];
  readonly balance: BalanceReading | null;
  readonly turnoverMicros: Micros;
  readonly limits: readonly LimitUse[];
  /** The strategy that owns an event; null if it has no owner. */
  readonly ownerOf: (event: EventName) => string | null;
}

/** The facts that name a run, and its progress. */
export interface RunReading extends Pick<
  Status,
  'mode' | 'strategy' | 'runningS' | 'stopping' | 'version' | 'runId' | 'previousRun'
> {
  readonly hasStarted: boolean;
  /** The profit of the trading day; null while it is not counted. */
  readonly today: SettledToday | null;
}

export interface BalanceReading {
  readonly balanceMicros: Micros;
  readonly openStakeMicros: Micros;
  /** Monotonic instant of the report. */
  readonly reportedMs: number;
}

/** The whole status; cheap enough for two calls a second. Much cheaper without the events that have no chosen selection. */
export function statusOf(model: ReadModel, readings: Readings, allEvents = true): Status {
  const { hasStarted, today, ...run } = readings.run;
  const { heartbeatRemainingMs, blocked, strategiesOff, budgets, ordersPlaced, throttledResponses } =
    readings;
  return {
    ...run,
    state: stateOf(hasStarted, run.stopping, blocked),
    blocked,
    strategiesOff,
    budgets,
    ordersPlaced,
    throttledResponses,
    reconciliation: readings.reconciliation ?? null,
    ...(readings.priceConvention && { priceConvention: readings.priceConvention }),
    ...(readings.paperFills && { paperFills: readings.paperFills }),
    strategies: strategyStatuses(model, readings),
    betslipCap: { ...readings.betslipCap, carries: carriedBy(readings.betslipCap.open) },
    stream: model.stream,
    heartbeatRemainingS: heartbeatRemainingMs > 0 ? heartbeatRemainingMs / 1000 : null,
    ordersOpen: model.openOrders.length,
    ordersRefused: model.ordersRefused,
    fills: model.fills,
    stakeMatched: usdt(model.stakeMatchedMicros),
    profitLoss: usdt(readings.profitLossMicros),
    profit: profitOf(model, readings, today),
    account: accountStatus(readings),
    turnover: usdt(readings.turnoverMicros),
    limits: readings.limits,
    quoting: quotingStatus(model, readings),
    oldestUnknownOrderS: secondsOf(model.oldestUnknownMs(readings.monotonicMs)),
    recentOrders: model.recentOrders.map((recent) => orderRow(recent, model, readings)),
    recentFills: model.recentFills.map((fill) => fillRow(fill, model, readings)),
    twoSidedQuoteRatio: model.twoSidedQuoteRatio(readings.monotonicMs),
    events: eventStatuses(model, readings, allEvents),
  };
}

/** As many orders of this run as are kept, newest first. */
export const ordersOf = (model: ReadModel, readings: Readings): readonly OrderRow[] =>
  model.keptOrders.map((recent) => orderRow(recent, model, readings));

function stateOf(hasStarted: boolean, stopping: string | null, blocked: string | null): RunState {
  if (stopping !== null) return 'stopping';
  if (!hasStarted) return 'starting';
  return blocked === null ? 'quoting' : 'blocked';
}

function profitOf(model: ReadModel, readings: Readings, today: SettledToday | null): ProfitReport {
  const { money, profitByStrategy, positions, fairOf, depthOf, sources, markouts } = readings;
  return profitReport({
    money,
    fairOf,
    depthOf,
    sources,
    markouts,
    today,
    commissionRate: model.commissionRate,
    strategies: [...profitByStrategy.keys()],
    position: (id) => positions.get(id) ?? { ifWinMicros: 0, ifLoseMicros: 0 },
    nameOf: (event) => nameOf(event, readings.event(event), model),
  });
}

function accountStatus({ balance, monotonicMs }: Readings): AccountStatus {
  return {
    balance: usdtOrNull(balance?.balanceMicros ?? null),
    openStake: usdtOrNull(balance?.openStakeMicros ?? null),
    ageS: balance === null ? null : secondsOf(Math.max(0, monotonicMs - balance.reportedMs)),
  };
}

function quotingStatus(model: ReadModel, { monotonicMs, reasonOf, blocked }: Readings): QuotingStatus {
  const { wanted, quoted, twoSided, notQuotingMs } = model.quoting(monotonicMs);
  const readiness = model.readiness(reasonOf, blocked);
  return { wanted, quoted, twoSided, notQuotingS: secondsOf(notQuotingMs), readiness };
}

function orderRow({ order, atMs }: RecentOrder, model: ReadModel, readings: Readings): OrderRow {
  const { requestUuid, orderId, direction, state } = order;
  const priced = pricedOrder(order);
  return {
    requestUuid,
    orderId,
    ...placeOf(order, model, readings),
    strategy: readings.ownerOf(order),
    direction,
    ...shownTerms(priced, pricesIn(readings)),
    filled: shownStake(priced, order.filledMicros),
    state,
    atMs,
  };
}

function fillRow(fill: Fill, model: ReadModel, readings: Readings): FillRow {
  const { betId, orderId, direction, role, atMs } = fill;
  return {
    betId,
    orderId,
    strategy: fill.requestUuid === null ? null : readings.ownerOf(fill),
    ...placeOf(fill, model, readings),
    direction,
    ...shownTerms(fill, pricesIn(readings)),
    role,
    atMs,
  };
}

function placeOf(
  of: EventName & { readonly selectionId: SelectionId },
  model: ReadModel,
  readings: Readings,
): Pick<OrderRow, 'selectionId' | 'event' | 'outcome'> {
  const { selectionId } = of;
  return {
    selectionId,
    event: nameOf(of, readings.event(of), model),
    outcome: readings.outcomeOf(selectionId),
  };
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : rounded(ms / 1000, 3));

const strategyStatuses = (
  model: ReadModel,
  { profitByStrategy, monotonicMs }: Readings,
): readonly StrategyStatus[] =>
  Array.from(profitByStrategy, ([name, micros]) => {
    const found = model.strategyErrors.find(({ strategy }) => strategy === name);
    return {
      name,
      profitLoss: usdt(micros),
      errors: found?.kinds ?? {},
      lastError: lastOf(found, monotonicMs),
    };
  });

function lastOf(errors: ErrorsOfStrategy | undefined, nowMs: number): StrategyStatus['lastError'] {
  if (errors === undefined) return null;
  const { kind, message, atMs } = errors.last;
  return { kind, message, ageS: rounded(Math.max(0, nowMs - atMs) / 1000, 3) };
}
