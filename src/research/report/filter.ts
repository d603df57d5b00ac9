/** Which fills a table shows. */
import type { FillNames } from './fill-names.ts';
import type { ResearchFill } from '../result.ts';

export interface FillFilter {
  readonly direction: 'all' | ResearchFill['direction'];
  readonly cause: 'all' | ResearchFill['cause'];
  readonly phase: 'all' | 'before play' | 'in play';
  /** Part of the name or id of event, selection, market or hedge; capitals do not matter. */
  readonly text: string;
}

export const ALL_FILLS: FillFilter = { direction: 'all', cause: 'all', phase: 'all', text: '' };

/** The fills that pass the filter, in their order. */
export function filterFills(
  fills: readonly ResearchFill[],
  filter: FillFilter,
  names: FillNames,
): readonly ResearchFill[] {
  const text = filter.text.trim().toLowerCase();
  return fills.filter(
    (fill) =>
      (filter.direction === 'all' || fill.direction === filter.direction) &&
      (filter.cause === 'all' || fill.cause === filter.cause) &&
      (filter.phase === 'all' || fill.inPlay === (filter.phase === 'in play')) &&
      (text === '' || textOf(fill, names).toLowerCase().includes(text)),
  );
}

const textOf = (fill: ResearchFill, { eventOf, selectionOf }: FillNames): string =>
  [eventOf(fill), selectionOf(fill), fill.selectionId, fill.marketId, hedgeOf(fill)].join(' ');

const hedgeOf = ({ hedge }: ResearchFill): string => (hedge === null ? '' : `hedge ${hedge}`);
