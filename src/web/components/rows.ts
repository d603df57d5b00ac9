/** How a table is sorted. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** Rows beyond the edges of the view that exist, so that scrolling shows no hole. */
const MARGIN_ROWS = 12;

/** The rows that must exist for a view that begins at `topPx`: from the first to before the last. */
export function visibleRows(
  rows: number,
  topPx: number,
  heightPx: number,
  rowPx: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(Math.floor(topPx / rowPx), rows - 1) - MARGIN_ROWS);
  return { from, to: Math.min(rows, from + Math.ceil(heightPx / rowPx) + 2 * MARGIN_ROWS) };
}

/** A sorted copy. Equal rows keep their order in both directions. */
export function orderedBy<T>(
  rows: readonly T[],
  by: (row: T) => number | string,
  descending: boolean,
): readonly T[] {
  const sign = descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  return keyed.sort((one, other) => sign * compare(one.key, other.key)).map(({ row }) => row);
}

function compare(one: number | string, other: number | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
