import { type LiveEvent, type LiveSelection, PIECES } from '../../../read-model/live/message.ts';

import { eventOf } from './keys.ts';

/** The prices of a selection at one instant; null for what was not there. */
export interface PricePoint {
  readonly atMs: number;
  /** The best prices for takers, and the fair price. */
  readonly toBack: number | null;
  readonly toLay: number | null;
  readonly fair: number | null;
  /** Our best quotes. */
  readonly against: number | null;
  readonly for: number | null;
  /** Whether the exchange says that the event is suspended. */
  readonly isSuspended: boolean;
}

/**
 * What moved while the page looked. The page keeps it by itself: so it costs the stream no byte, and begins again with the page.
 */
export interface Traces {
  /** The expected profit of each event with bets, oldest first. */
  readonly profits: ReadonlyMap<string, readonly number[]>;
  readonly profitsAtMs: number;
  /** The prices of each selection that the page shows, oldest first. */
  readonly prices: ReadonlyMap<string, readonly PricePoint[]>;
  readonly pricesAtMs: number;
}

export const NO_TRACES: Traces = {
  profits: new Map(),
  profitsAtMs: -Infinity,
  prices: new Map(),
  pricesAtMs: -Infinity,
};

/** A sparkline has this many points, one every few seconds. */
const [PROFITS_KEPT, PROFIT_EVERY_MS] = [40, 5_000];
/** Fifteen minutes of prices. */
const [PRICES_KEPT, PRICE_EVERY_MS] = [900, 1_000];

/** The traces with the values of these pieces, where the last ones are old enough. */
export function tracesAfter(before: Traces, pieces: ReadonlyMap<string, unknown>, atMs: number): Traces {
  const isProfitDue = atMs - before.profitsAtMs >= PROFIT_EVERY_MS;
  const isPriceDue = atMs - before.pricesAtMs >= PRICE_EVERY_MS;
  if (!isProfitDue && !isPriceDue) return before;
  return {
    profits: isProfitDue ? profitsAfter(before.profits, pieces) : before.profits,
    profitsAtMs: isProfitDue ? atMs : before.profitsAtMs,
    prices: isPriceDue ? pricesAfter(before.prices, pieces, atMs) : before.prices,
    pricesAtMs: isPriceDue ? atMs : before.pricesAtMs,
  };
}

/** Values of all pieces whose names begin so. */
const named = <T>(pieces: ReadonlyMap<string, unknown>, prefix: string): readonly T[] =>
  [...pieces].flatMap(([name, value]) => (name.startsWith(prefix) ? [value as T] : []));

function profitsAfter(before: Traces['profits'], pieces: ReadonlyMap<string, unknown>): Traces['profits'] {
  const held = named<LiveEvent>(pieces, PIECES.event('')).filter(({ profit }) => profit !== null);
  return new Map(
    held.map(({ key, profit }) => [
      key,
      [...(before.get(key) ?? []), profit?.expected ?? 0].slice(-PROFITS_KEPT),
    ]),
  );
}

function pricesAfter(
  before: Traces['prices'],
  pieces: ReadonlyMap<string, unknown>,
  atMs: number,
): Traces['prices'] {
  const shown = named<LiveSelection>(pieces, PIECES.selection(''));
  const next = new Map(before);
  for (const selection of shown)
    next.set(
      selection.id,
      [
        ...(before.get(selection.id) ?? []),
        pointOf(selection, isSuspended(pieces, selection.id), atMs),
      ].slice(-PRICES_KEPT),
    );
  for (const [id, points] of next) if (isOver(points, atMs)) next.delete(id);
  return next;
}

/** Nobody has looked at the selection for as long as its prices would be kept. */
const isOver = (points: readonly PricePoint[], atMs: number): boolean =>
  atMs - (points.at(-1)?.atMs ?? 0) > PRICES_KEPT * PRICE_EVERY_MS;

const isSuspended = (pieces: ReadonlyMap<string, unknown>, id: string): boolean =>
  (pieces.get(PIECES.event(eventOf(id))) as LiveEvent | undefined)?.suspended === true;

function pointOf({ market, fair, quotes }: LiveSelection, suspended: boolean, atMs: number): PricePoint {
  const of = (direction: 'for' | 'against'): readonly number[] =>
    quotes.filter((quote) => quote.direction === direction).map(({ price }) => price);
  const [against, forUs] = [of('against'), of('for')];
  return {
    atMs,
    toBack: market.for?.[0]?.[0] ?? null,
    toLay: market.against?.[0]?.[0] ?? null,
    fair: fair === null ? null : 1 / fair,
    against: against.length === 0 ? null : Math.max(...against),
    for: forUs.length === 0 ? null : Math.min(...forUs),
    isSuspended: suspended,
  };
}
