/**
 * Why an order was matched when it was. The list is closed, so that all fills of a run can be counted by it.
 *
 * - `queue ahead traded`: the stake before it at its price was traded, and then it was.
 * - `price crossed`: others came to its price, or it went to theirs.
 * - `book jumped`: others passed its price by more than a tick at once, or prices came back beyond it.
 * - `size shown but gone`: it took less than was shown when it was sent.
 * - `latency`, `bet delay`: it was to rest, and took: prices moved while it was on its way, or was held back in play.
 * - `price rule`: a rule and not the book chose its price.
 * - `voided`: it was matched, and counts no more.
 * - `other`: nobody told why.
 *
 * @example
 * const cause: FillCause = 'queue ahead traded';
 */
export const FILL_CAUSES = [
  'queue ahead traded',
  'price crossed',
  'book jumped',
  'size shown but gone',
  'latency',
  'bet delay',
  'price rule',
  'voided',
  'other',
] as const;

export type FillCause = (typeof FILL_CAUSES)[number];
