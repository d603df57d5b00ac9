import { csvLine } from '../../../lib/csv.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';

/** A row of a list of fills or orders. */
export interface BlotterRow {
  readonly event: string;
  readonly outcome: string;
  readonly direction: string;
  readonly strategy: string | null;
}

/** Whether a row has each of the words somewhere, and is on the side. */
export function isKept(
  { event, outcome, direction, strategy }: BlotterRow,
  text: string,
  side: string,
): boolean {
  if (side !== '' && direction !== side) return false;
  const where = `${event} ${outcome} ${strategy ?? ''}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** How many rows are shown of those that are listed, which may be the last ones of more. */
export function countInWords(shown: number, listed: number, all: number): string {
  const of = all > listed ? `last ${listed} of ${all}` : String(listed);
  if (shown === listed && all > listed) return of;
  return `${shown} of ${all > listed ? 'the ' : ''}${of}`;
}

/** Every field of every row, also those that the table does not show. The terms of the exchange are columns if any row has them. */
export function csvOf(rows: readonly { readonly exchange?: ExchangeTerms }[]): string {
  const hasTerms = rows.some(({ exchange }) => exchange !== undefined);
  const flat = rows.map(({ exchange, ...row }): Record<string, unknown> => {
    if (!hasTerms) return row;
    return {
      ...row,
      exchangeLabel: exchange?.label,
      exchangePrice: exchange?.price,
      exchangeStake: exchange?.stake,
    };
  });
  const columns = Object.keys(flat[0] ?? {});
  const lines = flat.map((row) => columns.map((column) => row[column]));
  return [columns, ...lines].map((cells) => `${csvLine(cells)}\r\n`).join('');
}
