import type {
  EventProfit,
  EventView,
  Holding,
  MarketSide,
  OwnQuote,
  SelectionView,
} from '../domain/event-view.ts';
import type { EventName } from '../domain/events.ts';
import { betId, type BetType, betslipId, eventId, orderId, requestUuid, sport } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { toMicros } from '../domain/money.ts';
import { floorTick } from '../domain/ladder.ts';
import { midProbability, SELECTION_KINDS } from '../domain/odds.ts';
import { bestPrice, packLevels } from '../domain/price-list.ts';
import { selectionFrom, selectionId } from '../domain/selection.ts';
import { frozen } from './frozen.ts';

/**
 * Price levels of a market, in any order: `[price, stake in USDT]`.
 *
 * @example
 * const forTakers: Levels = [[1.98, 100], [1.96, 50]];
 */
export type Levels = readonly (readonly [price: number, stake: number])[];

/**
 * The part of a view that names the event.
 *
 * @example
 * const { home, away }: EventNames = anEvent();
 */
export type EventNames = Pick<
  EventView,
  'sport' | 'eventId' | 'eventName' | 'competitionName' | 'competitionId' | 'home' | 'away'
>;

/**
 * An event to spread into a view. Ids are plain texts: a sport code, and `<YYYY-MM-DD>,<id>,<id>`.
 *
 * @example
 * anEvent({ home: 'Northgate', away: 'Harbour' }).eventName; // 'Northgate v Harbour'
 */
export function anEvent(
  changes: Partial<Record<'sport' | 'eventId' | 'competitionName' | 'home' | 'away', string>> = {},
): EventNames {
  const { home = 'Home United', away = 'Away City', competitionName = 'Premier League' } = changes;
  return {
    sport: sport(changes.sport ?? 'fb'),
    eventId: eventId(changes.eventId ?? '2026-11-21,10,20'),
    eventName: `${home} v ${away}`,
    competitionName,
    competitionId: 7,
    home,
    away,
  };
}

/**
 * What takers can get in one direction. `null` levels: nothing fresh is known. An empty list: nothing rests.
 *
 * @example
 * const side = prices([[1.98, 100]]);
 * side && bestLevel('for', side.priceList)?.price; // 1.98
 * prices(null); // null
 */
export function prices(
  levels: Levels | null,
  { source = 'offer', ageMs = 0 }: Partial<Pick<MarketSide, 'source' | 'ageMs'>> = {},
): MarketSide | null {
  if (levels === null) return null;
  const unpacked = levels.map(([price, stake]) => ({ price, minMicros: null, maxMicros: toMicros(stake) }));
  return { priceList: packLevels(unpacked), source, ageMs };
}

/**
 * The parts of a selection that differ from the default one.
 *
 * @example
 * const oneSided: SelectionParts = { forTakers: [] };
 */
export interface SelectionParts extends Omit<Partial<SelectionView>, 'quotes'> {
  /** Our open quotes. Default: none. One rests, and nothing is known of the stake before it, unless it says so. */
  readonly quotes?: readonly (Pick<OwnQuote, 'direction' | 'tick' | 'unfilledMicros'> & Partial<OwnQuote>)[];
  /** The levels that `for` takers get: resting `against` orders, below fair. Default: 100 USDT at 1.98. */
  readonly forTakers?: Levels | null;
  /** The levels that `against` takers get: resting `for` orders, above fair. Default: 100 USDT at 2.02. */
  readonly againstTakers?: Levels | null;
  /** The event that the selection belongs to. Default: that of `anEvent()`. */
  readonly event?: EventName;
}

/**
 * A selection without position and quotes; at even money unless told otherwise. Its `mid` is that of the best levels. Trades, bet delay
 * and suspension are null, as on an exchange that does not tell them.
 *
 * @example
 * const draw = aSelection({ outcome: 'd', forTakers: [[3.3, 50]], againstTakers: [[3.45, 50]] });
 * topOfBook(draw.market)?.forTakers.price; // 3.3
 */
export function aSelection(parts: SelectionParts = {}): SelectionView {
  const {
    forTakers = [[1.98, 100]],
    againstTakers = [[2.02, 100]],
    event = anEvent(),
    quotes = [],
    ...changes
  } = parts;
  const { outcome = 'h' } = changes;
  const { market = { for: prices(forTakers), against: prices(againstTakers) } } = changes;
  return {
    selectionId: selectionId(event.sport, event.eventId, outcome),
    marketType: 'wdw',
    outcome,
    name: outcome,
    market,
    position: { ifWinMicros: 0, ifLoseMicros: 0 },
    quotes: quotes.map((quote) => ({ phase: 'resting', aheadMicros: null, ...quote })),
    mids: [],
    mid: midOf(market),
    lastTraded: null,
    tradedVolume: null,
    betDelayMs: null,
    betDelayModels: null,
    suspension: null,
    sourcePrices: {},
    ...changes,
  };
}

/** The middle of both best prices; null while a side is missing. */
const midOf = ({ for: forTakers, against }: SelectionView['market']): number | null =>
  midProbability(
    forTakers === null ? null : bestPrice('for', forTakers.priceList),
    against === null ? null : bestPrice('against', against.priceList),
  );

const NO_PROFIT: EventProfit = { realisedMicros: 0, openMicros: 0 };

/**
 * A view, frozen with all that is in it: an hour before the start, with one selection, unless told otherwise. Its holdings follow from the
 * positions of its selections.
 *
 * @example
 * const late = aView({ inRunning: true, score: [1, 0] });
 * mayBeInPlay(late); // true
 */
export function aView(changes: Partial<EventView> = {}): EventView {
  const { selections = [aSelection()] } = changes;
  const view: EventView = {
    ...anEvent(),
    nowMs: 1_700_000_000_000,
    startsInMs: 3_600_000,
    inRunning: false,
    score: null,
    redCards: null,
    matchClock: null,
    selections,
    profit: NO_PROFIT,
    budgets: null,
    holdings: selections.flatMap(holdingOf),
    ...changes,
  };
  return frozen(view);
}

function holdingOf({ selectionId: id, position, grid = null }: SelectionView): Holding[] {
  if (position.ifWinMicros === 0 && position.ifLoseMicros === 0) return [];
  return [{ selectionId: id, position, grid }];
}

/** The parts of a fill or an order that a test names. */
interface Parts {
  /** Tells orders apart, and names the bet of a fill. Default: order 1, and a bet of its own for each fill. */
  readonly number?: number;
}

/** Bets that a test names have lower ids. */
let lastBet = 1_000_000;

/**
 * A fill of an order of ours on a selection: 5 USDT `for` at 2.00, as maker, unless told otherwise. Each is a bet of its own, of the same
 * order unless it has a `number`.
 *
 * @example
 * const fill = aFill(selection, { direction: 'against', price: 2.36 });
 * fromMicros(fill.stakeMicros); // 5
 */
export function aFill(
  { selectionId: id }: Pick<SelectionView, 'selectionId'>,
  { number, ...changes }: Partial<Fill> & Parts = {},
): Fill {
  const order = number ?? 1;
  const direction = changes.direction ?? 'for';
  return {
    betId: betId(number ?? ++lastBet),
    orderId: orderId(order),
    requestUuid: requestUuid(`order-${order}`),
    ...placeOf(id, direction),
    direction,
    priceKind: SELECTION_KINDS[direction],
    price: 2,
    stakeMicros: toMicros(5),
    role: 'maker',
    atMs: 1_700_000_000_000,
    ...changes,
  };
}

/**
 * An order of ours that rests on a selection: 5 USDT `for` at 2.00, unless told otherwise.
 *
 * @example
 * anOrder(selection).state; // 'live'
 */
export function anOrder(
  { selectionId: id }: Pick<SelectionView, 'selectionId'>,
  { number = 1, ...changes }: Partial<LiveOrder> & Parts = {},
): LiveOrder {
  const direction = changes.direction ?? 'for';
  return {
    requestUuid: requestUuid(`order-${number}`),
    orderId: orderId(number),
    betslipId: betslipId('slip'),
    ...placeOf(id, direction),
    direction,
    priceKind: SELECTION_KINDS[direction],
    tick: floorTick(2) as number,
    stakeMicros: toMicros(5),
    filledMicros: 0,
    mode: 'make_and_take',
    state: 'live',
    createdMonotonicMs: 0,
    expiryMs: null,
    closeReason: null,
    ...changes,
  };
}

/** The names of the market that a bet on a selection is on. */
function placeOf(id: SelectionView['selectionId'], direction: string) {
  const event = selectionFrom(id) ?? { ...anEvent(), outcome: id };
  return {
    selectionId: id,
    sport: event.sport,
    eventId: event.eventId,
    betType: `${direction},${event.outcome}` as BetType,
  };
}
