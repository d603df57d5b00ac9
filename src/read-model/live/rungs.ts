import { floorTick, LADDER, LAST_TICK, type Tick } from '../../domain/ladder.ts';
import type { Level, LiveHandQuote, LiveQuote, LiveSelection } from './message.ts';

type Priced = Pick<LiveSelection, 'market' | 'quotes' | 'fair'>;

/** The ticks that a ladder shows, both included. */
export interface Span {
  readonly low: Tick;
  readonly high: Tick;
}

/** Ticks around the best prices. */
const AROUND = 6;

/** A tick with everything that stands nearest to it. */
export interface Rung {
  readonly tick: Tick;
  readonly price: number;
  /** What takers can back at, and lay at. Several levels where the exchange's complements are denser than ticks. */
  readonly toBack: readonly Level[];
  readonly toLay: readonly Level[];
  readonly against: readonly LiveQuote[];
  readonly for: readonly LiveQuote[];
  /** Quotes of persons that have no order now. */
  readonly waiting: readonly LiveHandQuote[];
}

/**
 * The tick nearest to a price of a selection. The exact complement of a price of the exchange may lie between two ticks, or beyond the last.
 */
export function nearestTick(price: number): Tick {
  const below = floorTick(Math.min(price, LADDER[LAST_TICK] as number)) ?? 0;
  const above = Math.min(below + 1, LAST_TICK);
  return (LADDER[above] as number) - price < price - (LADDER[below] as number) ? above : below;
}

/** The ticks of the best prices of the market, or else of our quotes, or else of the fair price. */
function bestTicks({ market, quotes, fair }: Priced): readonly Tick[] {
  const best = [market.for?.[0]?.[0], market.against?.[0]?.[0]].filter((price) => price !== undefined);
  const known = best.length > 0 ? best : quotes.map(({ price }) => price);
  const prices = known.length > 0 ? known : fair === null || fair <= 0 || fair >= 1 ? [] : [1 / fair];
  return prices.map(nearestTick);
}

/** Every tick between the best prices and six around, and at least so many rows, so that ladders are alike; null without any price. */
function spanOf(selection: Priced, leastRows: number): Span | null {
  const ticks = bestTicks(selection);
  if (ticks.length === 0) return null;
  const [least, most] = [Math.min(...ticks), Math.max(...ticks)];
  const around = Math.max(AROUND, Math.ceil((leastRows - (most - least + 1)) / 2));
  const rows = Math.min(Math.max(most - least + 1 + 2 * AROUND, leastRows), LAST_TICK + 1);
  const low = Math.min(Math.max(0, least - around), LAST_TICK - rows + 1);
  return { low, high: low + rows - 1 };
}

/**
 * The ticks to show next. They stay while `isHeld`, because a person may be about to press there, and until a best price is out of view.
 * Null until there is a price.
 */
export function spanAfter(
  before: Span | null,
  selection: Priced,
  isHeld: boolean,
  leastRows: number,
): Span | null {
  if (before === null) return spanOf(selection, leastRows);
  if (isHeld) return before;
  const isInView = bestTicks(selection).every((tick) => tick >= before.low && tick <= before.high);
  return isInView ? before : (spanOf(selection, leastRows) ?? before);
}

/** Every tick of the span, the highest first. */
export function rungsOf(
  { market, quotes, byHand }: Priced & Pick<LiveSelection, 'byHand'>,
  { low, high }: Span,
): readonly Rung[] {
  const near = <T>(all: readonly T[], price: (each: T) => number): Map<Tick, T[]> =>
    Map.groupBy(all, (each) => nearestTick(price(each)));
  const levelPrice = ([price]: Level): number => price;
  const [back, lay] = [near(market.for ?? [], levelPrice), near(market.against ?? [], levelPrice)];
  const ours = near(quotes, ({ price }) => price);
  const waiting = near(
    byHand.filter(({ id }) => quotes.every((quote) => quote.byHand !== id)),
    ({ price }) => price,
  );
  return Array.from({ length: high - low + 1 }, (_, at) => {
    const tick = high - at;
    const here = ours.get(tick) ?? [];
    return {
      tick,
      price: LADDER[tick] as number,
      toBack: back.get(tick) ?? [],
      toLay: lay.get(tick) ?? [],
      against: here.filter(({ direction }) => direction === 'against'),
      for: here.filter(({ direction }) => direction === 'for'),
      waiting: waiting.get(tick) ?? [],
    };
  });
}

/** How many rows below the top of the span a price lies; it may lie between rows. Null outside. */
export function rowsDown(price: number, { low, high }: Span): number | null {
  const below = floorTick(price);
  if (below === null || below < low - 1 || below > high) return null;
  const [from, to] = [LADDER[below] as number, LADDER[Math.min(below + 1, LAST_TICK)] as number];
  const part = to === from ? 0 : (price - from) / (to - from);
  const down = high - (below + part) + 0.5;
  return down < 0 || down > high - low + 1 ? null : down;
}

/** The middle of our best quotes; null unless both sides are quoted. */
export function middleOf(quotes: readonly LiveQuote[]): number | null {
  const against = quotes.filter(({ direction }) => direction === 'against').map(({ price }) => price);
  const forUs = quotes.filter(({ direction }) => direction === 'for').map(({ price }) => price);
  if (against.length === 0 || forUs.length === 0) return null;
  return (Math.max(...against) + Math.min(...forUs)) / 2;
}
