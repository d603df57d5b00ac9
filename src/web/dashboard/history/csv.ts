import { csvLine } from '../../../lib/csv.ts';
import type { ExchangeTerms } from '../../../read-model/status.ts';

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
