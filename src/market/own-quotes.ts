/** Our orders as a view of the daemon shows them, in prices of the selection. */
import type { MarketSide, OwnQuote, QuotePhase } from '../domain/event-view.ts';
import { priceOf } from '../domain/ladder.ts';
import { type LiveOrder, unfilledMicros } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { selectionPrice, selectionStakeMicros, selectionTick } from '../domain/odds.ts';
import { levelAt, levelCount, type PriceList } from '../domain/price-list.ts';
import { type Direction, opposite } from '../domain/selection.ts';

/** What the phase of an order, and the stake before it, are judged by. */
export interface QuoteSurroundings {
  readonly market: Readonly<Record<Direction, MarketSide | null>>;
  readonly inRunning: boolean;
  readonly betDelayMs: number | null;
  /** Monotonic. */
  readonly nowMs: number;
}

/** From the request to the book, without any delay in running. */
const USUAL_DELAY_MS = 500;
/** How much longer it takes in running, where nobody tells the bet delay. */
const UNTOLD_DELAY_MS = 1_500;

export function ownQuoteOf(order: LiveOrder, around: QuoteSurroundings): OwnQuote {
  const { direction, priceKind, tick } = order;
  const phase = phaseOf(order, around);
  const isInBook = phase === 'resting' || phase === 'closing';
  return {
    direction,
    tick: selectionTick(priceKind, tick),
    unfilledMicros: selectionStakeMicros(priceKind, priceOf(tick), unfilledMicros(order)),
    phase,
    ...(order.take !== undefined && { take: order.take.id }),
    aheadMicros: isInBook
      ? othersAt(direction, selectionPrice(priceKind, priceOf(tick)), around.market[opposite(direction)])
      : null,
  };
}

function phaseOf(
  { state, mode, createdMonotonicMs }: LiveOrder,
  { inRunning, betDelayMs, nowMs }: QuoteSurroundings,
): QuotePhase {
  if (state === 'closing') return 'closing';
  if (state !== 'live') return 'sent';
  if (mode === 'take_only') return 'delayed';
  const delayMs = USUAL_DELAY_MS + (betDelayMs ?? (inRunning ? UNTOLD_DELAY_MS : 0));
  return nowMs - createdMonotonicMs < delayMs ? 'delayed' : 'resting';
}

/** Complements of prices differ by rounding. */
const SAME_PRICE = 1e-9;

/** The others' stake at a price where our orders of a direction rest; null if the shown levels do not reach so far. */
function othersAt(direction: Direction, price: number, side: MarketSide | null): Micros | null {
  if (side === null) return null;
  const { priceList } = side;
  for (let index = 0; index < levelCount(priceList); index++) {
    const level = levelAt(priceList, index);
    if (level !== undefined && Math.abs(level.price / price - 1) < SAME_PRICE) return level.maxMicros;
  }
  return reaches(direction, price, priceList) ? 0 : null;
}

/** Whether a level is shown that is worse for takers: then a price without a level has no stake. */
function reaches(direction: Direction, price: number, priceList: PriceList): boolean {
  const worst = levelAt(priceList, direction === 'for' ? 0 : levelCount(priceList) - 1);
  if (worst === undefined) return false;
  return direction === 'for' ? price < worst.price : price > worst.price;
}
