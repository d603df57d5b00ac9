/** A line of CSV (RFC 4180), without its end. Null and undefined are empty; objects are JSON. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(csvCell).join(',');

/** A cell that begins like a formula would be computed by a spreadsheet: names come from the exchange. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
