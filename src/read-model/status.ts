import type { PositionView } from '../domain/event-view.ts';
import { eventKey, type EventName, type Score } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { Mode } from '../domain/mode.ts';
import { fromMicros, type Micros } from '../domain/money.ts';
import { isBetter, priceOf } from '../domain/odds.ts';
import { type Direction, selectionFrom } from '../domain/selection.ts';
import type { StrategyThrow } from '../engine/strategy-faults.ts';
import type { Moment } from '../lib/time.ts';
import type { ReadModel } from './read-model.ts';
import type { ErrorsOfStrategy } from './strategy-errors.ts';

export { throwInWords } from '../engine/strategy-faults.ts';

/** The operator's view at a glance. Money in USDT, prices decimal. */
export interface Status {
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
  readonly ordersOpen: number;
  readonly ordersPlaced: number;
  readonly ordersRefused: number;
  readonly fills: number;
  readonly stakeMatched: number;
  readonly profitLoss: number;
  readonly twoSidedQuoteRatio: number;
  readonly throttledResponses: number;
  /** Events that are no longer quoted but have a position or open orders come first, then the quoted ones. */
  readonly events: readonly EventStatus[];
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

export interface EventStatus {
  readonly name: string;
  readonly sport: string;
  readonly startsInMs: number | null;
  readonly inRunning: boolean;
  readonly score: string | null;
  /** False for an event that is shown only for its position or open orders. */
  readonly quoted: boolean;
  /** Null while the strategy answers. */
  readonly strategyThrows: StrategyThrow | null;
  readonly selections: readonly SelectionStatus[];
}

export interface SelectionStatus {
  readonly selectionId: SelectionId;
  readonly outcome: string;
  /** Best price available to takers, without our own quotes. */
  readonly market: Readonly<Record<Direction, number | null>>;
  /** Our best open quote. */
  readonly quoted: Readonly<Record<Direction, number | null>>;
  readonly ifWin: number;
  readonly ifLose: number;
  /** Why a wanted quote is not open; null if none is missing. */
  readonly missing: string | null;
}

/** State that other parts own, at one instant. */
export interface Readings extends Moment {
  readonly run: Pick<Status, 'mode' | 'strategy' | 'runningS' | 'stopping'>;
  readonly heartbeatRemainingMs: number;
  readonly blocked: string | null;
  readonly strategiesOff: Status['strategiesOff'];
  /** The profit of each strategy that runs or owns an event. */
  readonly profitByStrategy: ReadonlyMap<string, Micros>;
  readonly budgets: Budgets;
  readonly ordersPlaced: number;
  readonly throttledResponses: number;
  readonly profitLossMicros: Micros;
  /** Selections with matched bets that are not settled. */
  readonly positions: ReadonlyMap<SelectionId, PositionView>;
  /** Why a wanted quote is not open, by selection. */
  readonly missing: ReadonlyMap<SelectionId, string>;
  /** Null for an event that the exchange does not describe. */
  readonly event: (name: EventName) => EventReading | null;
  readonly selection: (id: SelectionId) => SelectionReading;
}

export interface EventReading {
  readonly title: string;
  readonly startTimeMs: number | null;
  readonly inRunning: boolean;
  readonly score: Score | null;
}

export type SelectionReading = Pick<SelectionStatus, 'outcome' | 'market'>;

/** The whole status; cheap enough for two calls a second. */
export function statusOf(model: ReadModel, readings: Readings): Status {
  const { run, heartbeatRemainingMs, blocked, strategiesOff, budgets, ordersPlaced, throttledResponses } =
    readings;
  return {
    ...run,
    ...{ blocked, strategiesOff, budgets, ordersPlaced, throttledResponses },
    strategies: strategyStatuses(model, readings),
    stream: model.stream,
    heartbeatRemainingS: heartbeatRemainingMs > 0 ? heartbeatRemainingMs / 1000 : null,
    ordersOpen: model.openOrders.length,
    ordersRefused: model.ordersRefused,
    fills: model.fills,
    stakeMatched: usdt(model.stakeMatchedMicros),
    profitLoss: usdt(readings.profitLossMicros),
    twoSidedQuoteRatio: model.twoSidedQuoteRatio(readings.monotonicMs),
    events: eventStatuses(model, readings),
  };
}

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

/** An event to be shown. */
interface Shown {
  readonly event: EventName;
  readonly quoted: boolean;
  readonly selections: ReadonlySet<SelectionId>;
}

function eventStatuses(model: ReadModel, readings: Readings): readonly EventStatus[] {
  const orders = Map.groupBy(model.openOrders, ({ selectionId }) => selectionId);
  return shownEvents(model, readings, orders.keys()).flatMap(({ event, quoted, selections }) => {
    const reading = readings.event(event);
    const isHeld = Array.from(selections).some((id) => orders.has(id) || isPosition(readings, id));
    if (reading === null && !isHeld) return [];
    return {
      ...eventStatus(event, reading, model, readings.wallMs),
      quoted,
      selections: Array.from(selections, (id) => selectionStatus(readings, id, orders.get(id) ?? [])),
    };
  });
}

/** The quoted events and selections, and those with a position or open orders: exposure stays visible. */
function shownEvents(model: ReadModel, readings: Readings, ordered: Iterable<SelectionId>): readonly Shown[] {
  const quoted = model.chosen.map(({ event, selections }) => ({
    ...{ event, quoted: true, selections: new Set(selections) },
  }));
  const byKey = new Map(quoted.map((shown) => [eventKey(shown.event), shown]));
  const left = new Map<EventKey, { event: EventName; quoted: boolean; selections: Set<SelectionId> }>();
  const positions = Array.from(readings.positions.keys()).filter((id) => isPosition(readings, id));
  for (const id of new Set([...positions, ...ordered].toSorted())) {
    const event = selectionFrom(id);
    if (event === null) continue;
    const { sport, eventId } = event;
    const key = eventKey(event);
    const shown = byKey.get(key) ??
      left.get(key) ?? { event: { sport, eventId }, quoted: false, selections: new Set() };
    shown.selections.add(id);
    if (!shown.quoted) left.set(key, shown);
  }
  return [...left.values(), ...quoted];
}

/** Bets that cancel each other are no position. */
function isPosition({ positions }: Readings, id: SelectionId): boolean {
  const position = positions.get(id);
  return position !== undefined && (position.ifWinMicros !== 0 || position.ifLoseMicros !== 0);
}

function eventStatus(
  event: EventName,
  reading: EventReading | null,
  model: ReadModel,
  wallMs: number,
): Omit<EventStatus, 'quoted' | 'selections'> {
  const { startTimeMs = null, inRunning = false, score = null } = reading ?? {};
  return {
    name: reading?.title ?? model.titleOf(event) ?? event.eventId,
    sport: event.sport,
    startsInMs: startTimeMs === null ? null : startTimeMs - wallMs,
    inRunning,
    score: score === null ? null : score.join(':'),
    strategyThrows: model.strategyThrows(event),
  };
}

function selectionStatus(readings: Readings, id: SelectionId, orders: readonly LiveOrder[]): SelectionStatus {
  const { ifWinMicros, ifLoseMicros } = readings.positions.get(id) ?? { ifWinMicros: 0, ifLoseMicros: 0 };
  return {
    selectionId: id,
    ...readings.selection(id),
    quoted: { for: bestQuoted(orders, 'for'), against: bestQuoted(orders, 'against') },
    ifWin: usdt(ifWinMicros),
    ifLose: usdt(ifLoseMicros),
    missing: readings.missing.get(id) ?? null,
  };
}

/** The quote that the next taker gets: the lowest price of our `for` orders, the highest of our `against` orders. */
function bestQuoted(orders: readonly LiveOrder[], direction: Direction): number | null {
  const open = orders.filter(
    (order) => order.direction === direction && ['live', 'closing'].includes(order.state),
  );
  const ticks = open.map((order) => order.tick);
  if (ticks.length === 0) return null;
  return priceOf(ticks.reduce((best, tick) => (isBetter(direction, best, tick) ? tick : best)));
}

const DECIMALS = 6;

/** Rounds for display to the digits that money has. */
export const rounded = (value: number, decimals = DECIMALS): number => Number(value.toFixed(decimals));

/** A money amount in USDT for people and JSON. */
export const usdt = (micros: Micros): number => rounded(fromMicros(micros));
