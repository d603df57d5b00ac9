import type { SelectionId } from '../../domain/ids.ts';
import { type LiveOrder as OwnOrder, unfilledMicros } from '../../domain/live-order.ts';
import type { Moment } from '../../lib/time.ts';
import { priceOf } from '../../domain/odds.ts';
import { levelsOf, type PriceList } from '../../domain/price-list.ts';
import type { Direction } from '../../domain/selection.ts';
import type { Depth } from '../close-now.ts';
import type { EventStatus, SelectionStatus } from '../event-status.ts';
import { rounded, usdt } from '../usdt.ts';
import type { Level, LiveQuote, LiveSelection, LiveSelections } from './message.ts';

/** A ladder shows the best levels of each side. */
const LEVELS = 6;
const SECOND_MS = 1_000;

export interface SelectionReadings extends Moment {
  readonly depthOf: (id: SelectionId) => Depth;
  readonly fairOf: (id: SelectionId) => number | null;
}

/** The selections of an event, those at most risk first. */
export function liveSelections(
  { selections }: EventStatus,
  own: readonly OwnOrder[],
  readings: SelectionReadings,
  nameOf: (id: SelectionId) => string,
): LiveSelections {
  const atRisk = ({ ifWin, ifLose }: SelectionStatus): number => Math.min(ifWin, ifLose);
  return selections
    .toSorted((a, b) => atRisk(a) - atRisk(b))
    .map((selection) => selectionOf(selection, own, readings, nameOf(selection.selectionId)));
}

function selectionOf(
  { selectionId: id, ifWin, ifLose, missing }: SelectionStatus,
  own: readonly OwnOrder[],
  readings: SelectionReadings,
  name: string,
): LiveSelection {
  const depth = readings.depthOf(id);
  const fair = readings.fairOf(id);
  return {
    ...{ id, name, ifWin, ifLose, missing },
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

function quoteOf(order: OwnOrder, depth: Depth, { monotonicMs, wallMs }: Moment): LiveQuote {
  const { requestUuid, direction, stakeMicros, state, createdMonotonicMs } = order;
  const price = priceOf(order.tick);
  return {
    ...{ id: requestUuid, direction, price, stake: usdt(stakeMicros), unfilled: usdt(unfilledMicros(order)) },
    ahead: aheadOf(direction, price, depth),
    sinceMs: Math.round((wallMs - (monotonicMs - createdMonotonicMs)) / SECOND_MS) * SECOND_MS,
    isConfirmed: state === 'live' || state === 'closing',
  };
}

/** Takers of the other direction take the best prices first, and at one price those who came first. */
function aheadOf(direction: Direction, price: number, depth: Depth): number | null {
  const list = direction === 'for' ? depth.against : depth.for;
  if (list === null) return null;
  const isAhead = direction === 'for' ? (other: number) => other <= price : (other: number) => other >= price;
  return usdt(levelsOf(list).reduce((sum, level) => (isAhead(level.price) ? sum + level.maxMicros : sum), 0));
}
