/** Characters that move the cursor, start an escape sequence, or change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Makes foreign text safe for a terminal: on one line, with control characters replaced. */
export const plainText = (text: string): string => text.replace(CONTROLS, '\ufffd');

/** One row of a report: column names to values, in order. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows under their column names, numbers right-aligned. The first row defines the columns. */
export function renderTable(rows: readonly Row[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => textOf(row[name])));
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const isNumeric = names.map((name) => rows.some((row) => typeof row[name] === 'number'));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => pad(cell, widths[i] ?? 0, isNumeric[i] === true)).join('  ');
  return [names.map((name) => name.replaceAll('_', ' ')), ...cells].map((row) => line(row).trimEnd());
}

const pad = (cell: string, width: number, right: boolean): string =>
  right ? cell.padStart(width) : cell.padEnd(width);

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number));
}
