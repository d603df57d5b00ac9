import { readFileSync } from 'node:fs';

/** A page of docs/strategies. */
export const page = (name: string): string =>
  readFileSync(new URL(`../../docs/strategies/${name}.md`, import.meta.url), 'utf8');

/** Cells of the rows, the head left out, of the first table between a heading and the next. */
export function rowsUnder(text: string, heading: string): string[][] {
  const [, after = ''] = text.split(`\n${heading}\n`);
  const section = after.split(/^#+ /m)[0] as string;
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| --'));
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
