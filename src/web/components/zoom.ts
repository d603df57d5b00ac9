/** The part of an axis that a chart shows. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export type Zoom = 'in' | 'out' | 'earlier' | 'later' | 'all';

/** A press shows half or twice as much, or moves by half of what is shown. */
const FACTOR = 2;

/** What a chart shows after a zoom. It stays within `all`. */
export function zoomed({ min, max }: Span, all: Span, how: Zoom): Span {
  const width = max - min;
  const middle = (min + max) / 2;
  switch (how) {
    case 'in':
      return { min: middle - width / FACTOR / 2, max: middle + width / FACTOR / 2 };
    case 'out':
      return within({ min: middle - (width * FACTOR) / 2, max: middle + (width * FACTOR) / 2 }, all);
    case 'earlier':
      return within({ min: min - width / 2, max: max - width / 2 }, all);
    case 'later':
      return within({ min: min + width / 2, max: max + width / 2 }, all);
    case 'all':
      return all;
  }
}

/** The span moved into `all`; `all` if it is wider. */
function within({ min, max }: Span, all: Span): Span {
  const width = max - min;
  if (width >= all.max - all.min) return all;
  if (min < all.min) return { min: all.min, max: all.min + width };
  if (max > all.max) return { min: all.max - width, max: all.max };
  return { min, max };
}
