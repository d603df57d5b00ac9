import { once } from 'node:events';
import process from 'node:process';
import { TERMINAL } from '../../lib/formats.ts';
import { EXIT } from '../../app/run/exit-codes.ts';
import { csvLine } from '../../lib/csv.ts';
import { plainJson, plainText } from '../../lib/plain-text.ts';

/** A reader may stop early, as `head` does. That is no failure, but an earlier failure keeps its exit code. */
export function leaveWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`touchline: the output could not be written: ${error.code ?? error.message}\n`);
    process.exit(EXIT.failure);
  });
}

/** A command with open orders must not end when its output closes. Settles with the first error of either stream. */
export function stayWhenNobodyReads(): Promise<unknown> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', resolve);
  });
}

/** Writes lines only as fast as they are read. Otherwise a pipe would buffer all of them in our memory. */
export async function printAll(lines: Iterable<string>): Promise<void> {
  for (const line of lines) if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

/**
 * Tells where the result is, apart from the output, which may be JSON. The result is complete without its page, so a page that is missing
 * is no failure.
 */
export function tellWritten({
  path,
  missing,
}: {
  readonly path: string;
  readonly missing: string | null;
}): void {
  process.stderr.write(`touchline: ${missing ?? `wrote ${path}`}\n`);
}

/** A value as JSON that is safe for a terminal: texts in it are the exchange's, or a stranger's. */
export const jsonText = (value: unknown, space?: number): string =>
  plainJson(JSON.stringify(value, null, space));

/** A row of a report: column names to values, in order. */
export type Row = Readonly<Record<string, unknown>>;

/** Whether a column holds amounts, which people read with two decimals. Default: those whose names end in `_usdt`. */
export type IsAmount = (name: string) => boolean;

const isUsdt: IsAmount = (name) => name.endsWith('_usdt');

/** Rows under their column names, numbers right-aligned. The first row defines the columns. */
export function renderTable(rows: readonly Row[], isAmount = isUsdt): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first);
  const cells = rows.map((row) =>
    names.map((name) => textOf(isAmount(name) ? inCents(row[name]) : row[name])),
  );
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const isNumeric = names.map((name) => rows.some((row) => typeof row[name] === 'number'));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => pad(cell, widths[i] ?? 0, isNumeric[i] === true)).join('  ');
  return [names.map((name) => name.replaceAll('_', ' ')), ...cells].map((row) => line(row).trimEnd());
}

/** Rows as CSV (RFC 4180) under their column names. The first row defines the columns. */
export function renderCsv(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => row[name])))];
}

const pad = (cell: string, width: number, right: boolean): string =>
  right ? cell.padStart(width) : cell.padEnd(width);

const inCents = (value: unknown): unknown => (typeof value === 'number' ? TERMINAL.cents(value) : value);

function textOf(value: unknown): string {
  if (value === null || value === undefined) return TERMINAL.nothing;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value as string | number));
}
