/** The effect of a tape's removals on the bets of its selections. */
import { reducedMarketOf, reducedPrice } from '../domain/reduction.ts';
import { type EventTape, type GapEdge, gapEdges, type Removal } from './tape.ts';

/** The price at `toMs` of a bet that was agreed at `fromMs`, after the removals in between. */
export function priceAfterRemovals(
  { markets, selections, removals }: Pick<EventTape, 'markets' | 'selections' | 'removals'>,
  selection: number,
  price: number,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
): number {
  if (removals.length === 0) return price;
  const market = selections[selection]?.market ?? -1;
  const reduced = reducedMarketOf(markets[market]?.marketType ?? '');
  if (reduced === null) return price;
  const factors = removals.flatMap((removal) => {
    const isBetween = removal.atMs > fromMs && removal.atMs <= toMs;
    const isOfOther = removal.market === market && removal.selection !== selection;
    return isBetween && isOfOther ? (removal.factor ?? []) : [];
  });
  return reducedPrice(reduced, price, factors);
}

/** A change of a market besides its updates. */
export type Turn =
  | { readonly atMs: number; readonly gap: GapEdge }
  | { readonly atMs: number; readonly removal: Removal };

/** Gaps and removals of a tape, in the order of their instants. */
export function turnsOf({ gaps, removals }: Pick<EventTape, 'gaps' | 'removals'>): readonly Turn[] {
  return [
    ...gapEdges(gaps).map((gap) => ({ atMs: gap.atMs, gap })),
    ...removals.map((removal) => ({ atMs: removal.atMs, removal })),
  ].sort((a, b) => a.atMs - b.atMs);
}
