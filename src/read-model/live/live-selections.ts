import type { SelectionId } from '../../domain/ids.ts';
import { type ExchangePrices, offerKinds } from '../../domain/exchange-prices.ts';
import { type LiveOrder as OwnOrder, unfilledMicros } from '../../domain/live-order.ts';
import type { Moment } from '../../lib/time.ts';
import { priceOf } from '../../domain/ladder.ts';
import { isBetter, SELECTION_KINDS, selectionPrice, shownTick } from '../../domain/odds.ts';
import { levelsOf, type PriceList } from '../../domain/price-list.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import { pricedOrder, shownStake, shownTerms } from '../bet-terms.ts';
import type { Depth } from '../close-now.ts';
import { type EventReadings, type EventStatus, pricesIn, type SelectionStatus } from '../event-status.ts';
import { rounded, usdt } from '../usdt.ts';
import type { Level, LiveHandQuote, LiveQuote, LiveRestriction, LiveSelection } from './message.ts';

/** A ladder shows the best levels of each side. */
const LEVELS = 6;
const SECOND_MS = 1_000;

export interface SelectionReadings extends Moment, Pick<EventReadings, 'exchangePrices'> {
  readonly depthOf: (id: SelectionId) => Depth;
  readonly fairOf: (id: SelectionId) => number | null;
}

/** What an event's page tells of a selection beside its prices. */
interface Told {
  readonly nameOf: (id: SelectionId) => string;
  readonly restrictionOf: (id: SelectionId) => LiveRestriction | null;
  readonly byHandOn: (id: SelectionId) => readonly LiveHandQuote[];
}

/** The selections of an event. */
export function liveSelections(
  { selections }: EventStatus,
  own: readonly OwnOrder[],
  readings: SelectionReadings,
  told: Told,
): readonly LiveSelection[] {
  return selections.map((selection) => selectionOf(selection, own, readings, told));
}

function selectionOf(
  { selectionId: id, ifWin, ifLose, missing }: SelectionStatus,
  own: readonly OwnOrder[],
  readings: SelectionReadings,
  { nameOf, restrictionOf, byHandOn }: Told,
): LiveSelection {
  const depth = readings.depthOf(id);
  const fair = readings.fairOf(id);
  return {
    id,
    name: nameOf(id),
    ifWin,
    ifLose,
    missing,
    restriction: restrictionOf(id),
    byHand: byHandOn(id),
    fair: fair === null ? null : rounded(fair, 5),
    market: { for: ladderOf('for', depth.for), against: ladderOf('against', depth.against) },
    quotes: own
      .filter((order) => order.selectionId === id)
      .map((order) => quoteOf(order, depth, readings))
      .toSorted((a, b) => a.price - b.price),
  };
}

/** The best levels for takers first: the highest prices of `for`, the lowest of `against`. */
function ladderOf(direction: Direction, list: PriceList | null): readonly Level[] | null {
  if (list === null) return null;
  const levels = levelsOf(list).map(({ price, maxMicros }): Level => [price, usdt(maxMicros)]);
  return (direction === 'for' ? levels : levels.reverse()).slice(0, LEVELS);
}

function quoteOf(order: OwnOrder, depth: Depth, readings: SelectionReadings): LiveQuote {
  const { requestUuid, direction, state, createdMonotonicMs, take } = order;
  const { monotonicMs, wallMs } = readings;
  const [priced, prices] = [pricedOrder(order), pricesIn(readings)];
  return {
    id: requestUuid,
    direction,
    ...shownTerms(priced, prices),
    unfilled: shownStake(priced, unfilledMicros(order)),
    ahead: aheadOf(order, depth, prices),
    sinceMs: Math.round((wallMs - (monotonicMs - createdMonotonicMs)) / SECOND_MS) * SECOND_MS,
    ...(take?.byHand !== undefined && { byHand: take.byHand }),
    isConfirmed: state === 'live' || state === 'closing',
  };
}

/**
 * Takers of the other direction take the best prices first, and at one price those who came first. The exchange shows them our order
 * at a tick of theirs, and the orders of others that are shown there may be better than ours or not.
 */
function aheadOf(order: OwnOrder, depth: Depth, prices: ExchangePrices): number | null {
  const taker = opposite(order.direction);
  const list = depth[taker];
  if (list === null) return null;
  const shown = shownTick(order, offerKinds(prices)[taker]);
  const price =
    shown === null
      ? selectionPrice(order.priceKind, priceOf(order.tick))
      : selectionPrice(offerKinds(prices)[taker], priceOf(shown));
  const isAhead = (other: number): boolean => !isBetter(SELECTION_KINDS[taker], price, other);
  return usdt(levelsOf(list).reduce((sum, level) => (isAhead(level.price) ? sum + level.maxMicros : sum), 0));
}
