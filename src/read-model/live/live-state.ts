import type { EventKey, SelectionId } from '../../domain/ids.ts';
import { eventKey, type EventName, type Score } from '../../domain/events.ts';
import { type LiveOrder as OwnOrder, unfilledMicros } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { type Participants, selectionName } from '../../domain/selection-name.ts';
import { selectionFrom } from '../../domain/selection.ts';
import type { EventTime } from '../../domain/stream.ts';
import { refusedInWords, throwInWords } from '../../engine/strategy-faults.ts';
import { pricedOrder, shownStake } from '../bet-terms.ts';
import type { ReadModel } from '../read-model.ts';
import type { Readiness } from '../readiness.ts';
import { type EventStatus, type Readings, type Status, statusOf } from '../status.ts';
import { rounded, usdt, usdtOrNull } from '../usdt.ts';
import { liveSelections } from './live-selections.ts';
import {
  type LiveAdjustment,
  type LiveHandQuote,
  type LiveAlert,
  type LiveEvent,
  type LiveFill,
  type LiveMoney,
  type LiveRefused,
  type LiveRestriction,
  type LivePayoffs,
  type LiveQuoting,
  type LiveRun,
  type LiveState,
  type LiveStrategies,
  type LiveTrading,
  type Piece,
  PIECES,
} from './message.ts';

/** What the exchange says of an event, beyond what the status shows. */
export interface EventPlay extends Participants {
  readonly competition: string;
  readonly startTimeMs: number | null;
  readonly inRunning: boolean;
  readonly score: Score | null;
  readonly redCards: Score | null;
  readonly time: EventTime | null;
  readonly suspended: boolean | null;
}

/** What the bets of an event can pay. */
export interface EventRisk {
  /** The least, every open order counted as matched where that is worse. */
  readonly worstMicros: Micros;
  /** What matched bets pay in each final score, row by row: null for one that can no longer be. Null altogether if no bet is in the grid. */
  readonly cells: readonly (Micros | null)[] | null;
  /** The least that the bets pay that no score decides. */
  readonly besidesMicros: Micros;
}

export interface LiveReadings extends Readings {
  /** Null for an event that the exchange does not describe. */
  readonly play: (event: EventName) => EventPlay | null;
  /** Null for an event without bets and orders. */
  readonly risk: (event: EventName) => EventRisk | null;
  readonly trading: LiveTrading;
  /** What narrows the trading of an event, or of one of its selections. */
  readonly restriction: (event: EventName, selection: SelectionId | null) => LiveRestriction | null;
  /** What persons want of an event beside its trading state. */
  readonly adjustments: (event: EventName) => readonly LiveAdjustment[];
  /** The quotes that persons want on a selection. */
  readonly byHand: (selection: SelectionId) => readonly LiveHandQuote[];
  /** The time after which the exchange cancels everything, counted from each heartbeat. */
  readonly heartbeatS: number;
  /** The troubles in force at a status. */
  readonly alertsAt: (status: Status) => readonly LiveAlert[];
}

/** Instants that are computed from two clocks are rounded, so that they do not change with every reading. */
const SECOND_MS = 1_000;

/** The state for pages, with the selections and payoffs of some events. */
export function liveState(
  model: ReadModel,
  readings: LiveReadings,
  detailed: ReadonlySet<string>,
): LiveState {
  const asked = { ...withFewDepths(readings, detailed), reasonOf: once(readings.reasonOf) };
  const status = statusOf(model, asked, false);
  const events = new LiveEvents(status, model, { ...readings, reasonOf: asked.reasonOf });
  const frameMs = model.lastFrameMs;
  const ageMs = frameMs === null ? null : readings.monotonicMs - frameMs;
  return {
    atMs: readings.wallMs,
    frameAtMs: ageMs === null ? null : Math.round(readings.wallMs - ageMs),
    pieces: [
      piece(PIECES.run, runOf(status, readings)),
      piece(PIECES.money, moneyOf(status, model.commissionRate, readings)),
      piece(PIECES.quoting, quotingOf(status, model, readings)),
      piece(PIECES.strategies, strategiesOf(status)),
      piece(PIECES.alerts, readings.alertsAt(status)),
      ...fillsOf(status, model, readings).map((fill) => piece(PIECES.fill(fill.betId), fill)),
      ...refusedOf(status, readings).map((order) => piece(PIECES.refused(order.requestUuid), order)),
      ...status.events.flatMap((event) => events.pieces(event, detailed.has(event.key))),
    ],
  };
}

/**
 * Prices are read only where a page shows them or a position is valued: each reading takes our own stakes out of a whole list.
 */
function withFewDepths(readings: LiveReadings, detailed: ReadonlySet<string>): LiveReadings {
  const prefixes = Array.from(detailed, (key) => `${key}|`);
  const isNeeded = (id: SelectionId): boolean =>
    readings.positions.has(id) || prefixes.some((prefix) => id.startsWith(prefix));
  return { ...readings, depthOf: (id) => (isNeeded(id) ? readings.depthOf(id) : NO_DEPTH) };
}

/** Each reason is looked up once for the account and for its event. */
function once(reasonOf: LiveReadings['reasonOf']): LiveReadings['reasonOf'] {
  const known = new Map<SelectionId, ReturnType<LiveReadings['reasonOf']>>();
  return (id) => {
    const reason = known.get(id) ?? reasonOf(id);
    known.set(id, reason);
    return reason;
  };
}

const NO_DEPTH: ReturnType<LiveReadings['depthOf']> = { for: null, against: null };

const piece = (name: string, value: unknown, event: EventKey | null = null): Piece => ({
  name,
  event,
  value,
});

function nameFrom(key: EventKey): EventName {
  const [sport, eventId] = key.split('|');
  return { sport, eventId } as EventName;
}

const sinceSecond = (wallMs: number, forS: number): number =>
  Math.round(wallMs / SECOND_MS - forS) * SECOND_MS;

function runOf(status: Status, { wallMs, heartbeatS, trading }: LiveReadings): LiveRun {
  const { mode, state, version, runId, strategy, stream, stopping, blocked, strategiesOff } = status;
  const remainingS = status.heartbeatRemainingS;
  return {
    mode,
    state,
    version,
    runId,
    strategy,
    stream,
    stopping,
    blocked,
    strategiesOff,
    heartbeatS,
    trading,
    startedMs: sinceSecond(wallMs, status.runningS),
    heartbeatUntilMs: remainingS === null ? null : sinceSecond(wallMs, -remainingS),
  };
}

function moneyOf(
  { profit, account, turnover, limits, reconciliation, paperFills }: Status,
  commissionRate: number,
  { money, fairOf }: LiveReadings,
): LiveMoney {
  const { run, today, markouts, sources } = profit;
  const { balance, openStake } = account;
  const withoutFair = withoutFairIn(money, fairOf);
  const shown = {
    run,
    today,
    withoutFair,
    markouts,
    sources,
    turnover,
    commissionRate,
    limits,
    reconciliation,
  };
  return { ...shown, account: { balance, openStake }, ...(paperFills && { paperFills }) };
}

/** How many selections with open bets have no fair price. */
const withoutFairIn = (money: LiveReadings['money'], fairOf: LiveReadings['fairOf']): number =>
  money.reduce((sum, { selections }) => sum + selections.filter((id) => fairOf(id) === null).length, 0);

function quotingOf(status: Status, model: ReadModel, { wallMs }: LiveReadings): LiveQuoting {
  const { quoting, ordersOpen, ordersPlaced, ordersRefused, fills, oldestUnknownOrderS } = status;
  const { budgets, betslipCap } = status;
  const { wanted, quoted, twoSided, readiness, notQuotingS } = quoting;
  return {
    wanted,
    quoted,
    twoSided,
    readiness,
    ordersOpen,
    ordersPlaced,
    ordersRefused,
    fills,
    budgets,
    betslipCap,
    openStake: stakeOf(model.openOrders),
    notQuotingSinceMs: notQuotingS === null ? null : sinceSecond(wallMs, notQuotingS),
    unknownSinceMs: oldestUnknownOrderS === null ? null : sinceSecond(wallMs, oldestUnknownOrderS),
  };
}

/** The stake of orders that may still be matched, at the prices of their selections: as the ladders show each. */
const stakeOf = (orders: readonly OwnOrder[]): number =>
  rounded(orders.reduce((sum, order) => sum + shownStake(pricedOrder(order), unfilledMicros(order)), 0));

const strategiesOf = ({ strategies }: Status): LiveStrategies => ({
  strategies: strategies.map(({ name, profitLoss, errors }) => ({ name, profitLoss, errors })),
});

/** Names the outcomes of an event for people. */
function nameIn(event: EventName, { play, outcomeOf }: LiveReadings): (id: SelectionId) => string {
  const who = play(event);
  return (id) => {
    const outcome = selectionFrom(id)?.outcome;
    return outcome === undefined || who === null ? outcomeOf(id) : selectionName(outcome, who);
  };
}

function nameOfSelection(id: SelectionId, readings: LiveReadings): { eventKey: EventKey; name: string } {
  const selection = selectionFrom(id);
  if (selection === null) return { eventKey: '' as EventKey, name: id };
  return { eventKey: eventKey(selection), name: nameIn(selection, readings)(id) };
}

const fillsOf = ({ recentFills }: Status, model: ReadModel, readings: LiveReadings): readonly LiveFill[] =>
  recentFills.map(({ betId, event, selectionId, direction, price, stake, exchange, ...fill }) => ({
    betId,
    event,
    selectionId,
    direction,
    price,
    stake,
    ...(exchange && { exchange }),
    role: fill.role,
    atMs: fill.atMs,
    strategy: fill.strategy,
    ...nameOfSelection(selectionId, readings),
    markout10: model.markout10(betId),
  }));

const refusedOf = ({ recentOrders }: Status, readings: LiveReadings): readonly LiveRefused[] =>
  recentOrders
    .filter(({ state }) => state === 'refused')
    .map(({ requestUuid, event, selectionId, direction, price, stake, exchange, atMs, strategy }) => ({
      requestUuid,
      event,
      selectionId,
      direction,
      price,
      stake,
      ...(exchange && { exchange }),
      atMs,
      strategy,
      ...nameOfSelection(selectionId, readings),
    }));

/** The play of an event that the exchange does not describe. */
const UNDESCRIBED: Pick<EventPlay, 'startTimeMs' | 'time' | 'score' | 'redCards' | 'suspended'> & {
  readonly competition: null;
} = {
  competition: null,
  startTimeMs: null,
  time: null,
  score: null,
  redCards: null,
  suspended: null,
};

/** An event that is shown for its bets alone. */
const NOT_CHOSEN: Pick<Readiness, 'wanted' | 'quoted' | 'waiting'> = { wanted: 0, quoted: 0, waiting: [] };

/** The events of a status as pages show them. */
class LiveEvents {
  readonly #status: Status;
  readonly #model: ReadModel;
  readonly #readings: LiveReadings;
  readonly #orders: ReadonlyMap<EventKey, readonly OwnOrder[]>;
  readonly #readiness: ReadonlyMap<EventKey, Readiness>;

  constructor(status: Status, model: ReadModel, readings: LiveReadings) {
    [this.#status, this.#model, this.#readings] = [status, model, readings];
    this.#orders = Map.groupBy(model.openOrders, eventKey);
    this.#readiness = model.readinessByEvent(readings.reasonOf, readings.blocked);
  }

  /** The pieces of an event; `isDetailed`: with its selections and payoffs. */
  pieces(event: EventStatus, isDetailed: boolean): readonly Piece[] {
    const { key } = event;
    const name = nameFrom(key);
    const own = this.#orders.get(key) ?? [];
    const risk = this.#readings.risk(name);
    const shown = piece(PIECES.event(key), this.#eventOf(event, name, own, risk));
    if (!isDetailed) return [shown];
    const selections = liveSelections(event, own, this.#readings, {
      nameOf: nameIn(name, this.#readings),
      restrictionOf: (id) => this.#readings.restriction(name, id),
      byHandOn: this.#readings.byHand,
    });
    const payoffs = payoffsOf(risk);
    return [
      shown,
      ...selections.map((selection) => piece(PIECES.selection(selection.id), selection, key)),
      ...(payoffs === null ? [] : [piece(PIECES.payoffs(key), payoffs, key)]),
    ];
  }

  #eventOf(event: EventStatus, name: EventName, own: readonly OwnOrder[], risk: EventRisk | null): LiveEvent {
    const { key, sport, quoted, selections, strategyThrows, refusedQuotes } = event;
    const play = this.#readings.play(name) ?? UNDESCRIBED;
    const readiness = this.#readiness.get(key) ?? NOT_CHOSEN;
    const profit = this.#status.profit.byEvent.find((each) => each.eventKey === key);
    const money = this.#readings.money.filter((each) => eventKey(each) === key);
    return {
      key,
      name: event.name,
      sport,
      competition: play.competition,
      quoted,
      startMs: play.startTimeMs,
      inRunning: event.inRunning,
      clock: play.time,
      score: play.score,
      scoreSinceMs: play.score === null ? null : this.#model.scoreSinceMs(name),
      redCards: play.redCards,
      suspended: play.suspended,
      restriction: this.#readings.restriction(name, null),
      adjustments: this.#readings.adjustments(name),
      owner: this.#readings.ownerOf(name),
      throws: strategyThrows === null ? null : throwInWords(strategyThrows),
      refused: refusedQuotes[0] === undefined ? null : refusedInWords(refusedQuotes[0]),
      selections: selections.length,
      wanted: readiness.wanted,
      met: readiness.quoted,
      waits: readiness.waiting[0]?.why ?? null,
      ordersOpen: own.length,
      openStake: stakeOf(own),
      worst: usdt(risk?.worstMicros ?? 0),
      worstMatched: usdt(Math.min(0, ...money.map(({ leastMicros }) => leastMicros))),
      profit: profit === undefined ? null : wordsOf(profit),
      withoutFair: withoutFairIn(money, this.#readings.fairOf),
    };
  }
}

const wordsOf = ({ settled, locked, expected, closeNow, commission }: LiveEvent['profit'] & object) => ({
  settled,
  locked,
  expected,
  closeNow,
  commission,
});

function payoffsOf(risk: EventRisk | null): LivePayoffs | null {
  const { cells = null, besidesMicros = 0 } = risk ?? {};
  if (cells === null) return null;
  const rows = Array.from({ length: GRID_SIZE }, (_, home) =>
    cells.slice(home * GRID_SIZE, (home + 1) * GRID_SIZE).map(usdtOrNull),
  );
  return { cells: rows, besides: usdt(besidesMicros) };
}
