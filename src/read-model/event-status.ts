import type { PositionView } from '../domain/event-view.ts';
import { eventKey, type EventName, type Score } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { type ExchangePrices, LAY_PRICES } from '../domain/exchange-prices.ts';
import { isBetter, SELECTION_KINDS } from '../domain/odds.ts';
import { bestLevel, type PriceLevel } from '../domain/price-list.ts';
import { type Direction, DIRECTIONS, selectionFrom } from '../domain/selection.ts';
import { refusalCode, type RefusedQuote, type StrategyThrow } from '../engine/strategy-faults.ts';
import type { Moment } from '../lib/time.ts';
import { type ExchangeTerms, pricedOrder, shownStake, type ShownTerms, shownTerms } from './bet-terms.ts';
import type { Depth } from './close-now.ts';
import type { ReadModel } from './read-model.ts';
import { rounded, usdt, usdtOrNull } from './usdt.ts';

export interface EventStatus {
  readonly key: EventKey;
  readonly name: string;
  readonly sport: string;
  readonly startsInMs: number | null;
  readonly inRunning: boolean;
  readonly score: string | null;
  /** False for an event that is shown only for its position or open orders. */
  readonly quoted: boolean;
  /** Null while the strategy answers. */
  readonly strategyThrows: StrategyThrow | null;
  /** What the host refuses of the strategy's answers. */
  readonly refusedQuotes: readonly RefusedQuote[];
  readonly selections: readonly SelectionStatus[];
}

export interface SelectionStatus {
  readonly selectionId: SelectionId;
  /** What people call it, within its event. */
  readonly outcome: string;
  /** All prices and stakes are those of the selection. Best price available to takers, without our own quotes. */
  readonly market: Readonly<Record<Direction, number | null>>;
  /** Stake at that price. */
  readonly depth: Readonly<Record<Direction, number | null>>;
  /** Our open quote that the next taker gets. */
  readonly quoted: Readonly<Record<Direction, number | null>>;
  /** What that quote is called and priced on the exchange, in the directions where this differs. */
  readonly exchange?: Readonly<Partial<Record<Direction, ExchangeTerms>>>;
  /** Stake of our orders that may still be matched. */
  readonly stake: Readonly<Record<Direction, number>>;
  /** Stake of the same orders that is already matched. */
  readonly filled: Readonly<Record<Direction, number>>;
  readonly ifWin: number;
  readonly ifLose: number;
  /** Why a wanted or refused quote is not open; null if none is missing. */
  readonly missing: string | null;
}

export interface EventReading {
  readonly title: string;
  readonly startTimeMs: number | null;
  readonly inRunning: boolean;
  readonly score: Score | null;
}

/** State that other parts own about events, at one instant. */
export interface EventReadings extends Moment {
  /** Selections with matched bets that are not settled. */
  readonly positions: ReadonlyMap<SelectionId, PositionView>;
  /** Why a wanted quote is not open, by selection. */
  readonly missing: ReadonlyMap<SelectionId, string>;
  /** Why each side of a selection is not quoted, as `touchline why` names it; null where nothing stops it. */
  readonly reasonOf: (id: SelectionId) => Readonly<Record<Direction, string | null>>;
  /** Null for an event that the exchange does not describe. */
  readonly event: (name: EventName) => EventReading | null;
  /** What people call a selection, within its event. */
  readonly outcomeOf: (id: SelectionId) => string;
  readonly depthOf: (id: SelectionId) => Depth;
  /** What the exchange's prices are. Default: prices of the selection. */
  readonly exchangePrices?: ExchangePrices;
}

export const pricesIn = ({ exchangePrices }: Pick<EventReadings, 'exchangePrices'>): ExchangePrices =>
  exchangePrices ?? LAY_PRICES;

/** An event to be shown. */
interface Shown {
  readonly event: EventName;
  readonly quoted: boolean;
  readonly selections: ReadonlySet<SelectionId>;
}

/** Events and selections that are quoted, or on which something is held or open; `all`: events with no chosen selection, too. */
export function eventStatuses(
  model: ReadModel,
  readings: EventReadings,
  all: boolean,
): readonly EventStatus[] {
  const orders = Map.groupBy(model.openOrders, ({ selectionId }) => selectionId);
  const shown = shownEvents(model, readings, orders.keys());
  return shown.flatMap(({ event, quoted, selections }) => {
    if (!all && selections.size === 0) return [];
    const reading = readings.event(event);
    const isHeld = Array.from(selections).some((id) => orders.has(id) || isPosition(readings, id));
    if (reading === null && !isHeld) return [];
    return {
      ...eventStatus(event, reading, model, readings.wallMs),
      quoted,
      selections: Array.from(selections, (id) => {
        const status = selectionStatus(readings, id, orders.get(id) ?? []);
        return { ...status, missing: status.missing ?? refusalOn(model, event, status) };
      }),
    };
  });
}

/** Why the host leaves a side without a quote; null if it does not. */
function refusalOn(
  model: ReadModel,
  event: EventName,
  { selectionId, quoted }: SelectionStatus,
): string | null {
  const bare = DIRECTIONS.filter((direction) => quoted[direction] === null);
  const refused = bare.map((direction) => model.refusedQuote(event, selectionId, direction));
  const first = refused.find((each) => each !== null) ?? null;
  return first === null ? null : `strategy.${refusalCode(first)}`;
}

/** The quoted events and selections, and those with a position or open orders: exposure stays visible. */
function shownEvents(
  model: ReadModel,
  readings: EventReadings,
  ordered: Iterable<SelectionId>,
): readonly Shown[] {
  const quoted = model.chosen.map(({ event, selections }) => ({
    event,
    quoted: true,
    selections: new Set(selections),
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
function isPosition({ positions }: EventReadings, id: SelectionId): boolean {
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
    key: eventKey(event),
    name: nameOf(event, reading, model),
    sport: event.sport,
    startsInMs: startTimeMs === null ? null : startTimeMs - wallMs,
    inRunning,
    score: score === null ? null : score.join(':'),
    strategyThrows: model.strategyThrows(event),
    refusedQuotes: model.refusedQuotes(event),
  };
}

/** The exchange's name of an event, the last known one, or else its id. */
export const nameOf = (event: EventName, reading: EventReading | null, model: ReadModel): string =>
  reading?.title ?? model.titleOf(event) ?? event.eventId;

function selectionStatus(
  readings: EventReadings,
  id: SelectionId,
  orders: readonly LiveOrder[],
): SelectionStatus {
  const { ifWinMicros, ifLoseMicros } = readings.positions.get(id) ?? { ifWinMicros: 0, ifLoseMicros: 0 };
  const depth = readings.depthOf(id);
  const best = perDirection((direction) => bestQuoted(orders, direction, pricesIn(readings)));
  return {
    selectionId: id,
    outcome: readings.outcomeOf(id),
    market: perDirection((direction) => bestOf(direction, depth)?.price ?? null),
    depth: perDirection((direction) => usdtOrNull(bestOf(direction, depth)?.maxMicros ?? null)),
    quoted: perDirection((direction) => best[direction]?.price ?? null),
    ...onExchange(best),
    stake: perDirection((direction) => sumOf(orders, direction, unfilledMicros)),
    filled: perDirection((direction) => sumOf(orders, direction, ({ filledMicros }) => filledMicros)),
    ifWin: usdt(ifWinMicros),
    ifLose: usdt(ifLoseMicros),
    missing: readings.missing.get(id) ?? null,
  };
}

/** The quote that the next taker gets: the lowest price of our `for` orders, the highest of our `against` orders. */
function bestQuoted(
  orders: readonly LiveOrder[],
  direction: Direction,
  prices: ExchangePrices,
): ShownTerms | null {
  const kind = SELECTION_KINDS[direction];
  return orders
    .filter((order) => order.direction === direction && ['live', 'closing'].includes(order.state))
    .map((order) => shownTerms(pricedOrder(order), prices))
    .reduce<ShownTerms | null>(
      (best, quote) => (best === null || isBetter(kind, best.price, quote.price) ? quote : best),
      null,
    );
}

/** The field is absent if the exchange has the same words and prices. */
function onExchange(best: Readonly<Record<Direction, ShownTerms | null>>): Pick<SelectionStatus, 'exchange'> {
  const exchange: Partial<Record<Direction, ExchangeTerms>> = {};
  for (const direction of DIRECTIONS) {
    const terms = best[direction]?.exchange;
    if (terms !== undefined) exchange[direction] = terms;
  }
  return Object.keys(exchange).length === 0 ? {} : { exchange };
}

const perDirection = <T>(of: (direction: Direction) => T): Record<Direction, T> => ({
  for: of('for'),
  against: of('against'),
});

function bestOf(direction: Direction, depth: Depth): PriceLevel | null {
  const list = depth[direction];
  return (list && bestLevel(direction, list)) ?? null;
}

/** At the price of the selection. */
const sumOf = (
  orders: readonly LiveOrder[],
  direction: Direction,
  microsOf: (order: LiveOrder) => Micros,
): number =>
  rounded(
    orders
      .filter((order) => order.direction === direction)
      .reduce((sum, order) => sum + shownStake(pricedOrder(order), microsOf(order)), 0),
  );
