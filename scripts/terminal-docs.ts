/**
 * Writes the sample of the live view in README.md, as the program shows the status that `scripts/terminal-sample.json` keeps of a run:
 *
 *     node scripts/terminal-docs.ts
 *
 * `touchline status --json` prints such a status.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { renderStatus } from '../src/cli/output/status-view.ts';
import type { Status } from '../src/read-model/status.ts';

const PAGE = new URL('../README.md', import.meta.url);
const SAMPLE = new URL('terminal-sample.json', import.meta.url);

/** Wide enough for each line, and too low for nothing. */
const SIZE = { columns: 120, rows: 40 };

const BLOCK = /(?<=^```text\n)TOUCHLINE [^]*?(?=^```$)/m;

/** What the live view shows of the sample, without colours. */
export function terminalSample(): string {
  const status = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Status;
  const lines = renderStatus(status, [], SIZE).map((line) => stripVTControlCharacters(line).trimEnd());
  return `${lines.join('\n').trimEnd()}\n`;
}

if (import.meta.main)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(BLOCK, () => terminalSample()),
  );
