/**
 * Writes the samples of the live view in README.md and in docs/reference/monitoring.md, as the program shows the run that
 * `scripts/terminal-sample.json` keeps:
 *
 *     node scripts/terminal-docs.ts [URL]
 *
 * With the address of a running daemon it first keeps how that daemon stands now.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { liveReport, logReport, type Operation, statusReport } from '../src/app/operate/operate.ts';
import { LiveView, type Watched } from '../src/cli/output/live/live-view.ts';
import type { TerminalSize } from '../src/cli/output/live/status-view.ts';
import { ConfigError } from '../src/domain/errors.ts';

const SAMPLE = new URL('terminal-sample.json', import.meta.url);

/** Pages with a sample, and the size of the terminal that it shows. */
export const PAGES: Readonly<Record<string, TerminalSize>> = {
  'README.md': { columns: 100, rows: 24 },
  'docs/reference/monitoring.md': { columns: 200, rows: 50 },
};

const BLOCK = /(?<=^```text\n)TOUCHLINE [^]*?(?=^```$)/m;

/** What the live view shows of the sample, without colours. */
export function terminalSample(size: TerminalSize): string {
  const watched = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Watched;
  const lines = new LiveView(false).render(watched, size);
  return `${lines.map((line) => stripVTControlCharacters(line).trimEnd()).join('\n')}\n`;
}

/** Reads from a daemon all that the view shows, with the details of its most active event. */
async function watchedAt(url: string): Promise<Watched> {
  const operation: Operation = {
    url,
    config: () => {
      throw new ConfigError('the daemon at this address left no note of its tokens');
    },
  };
  const [status, log] = [await statusReport(operation), await logReport(operation)];
  const view = new LiveView(false);
  view.render({ status, log, state: await liveReport(operation, new Set()) }, { columns: 200, rows: 50 });
  const state = await liveReport(operation, view.events);
  const pieces = state.pieces.filter(({ name }) => /^(event|selection|fill) /.test(name));
  return { status: { ...status, recentOrders: [] }, log: log.slice(-20), state: { ...state, pieces } };
}

if (import.meta.main) {
  const [url] = process.argv.slice(2);
  if (url !== undefined) writeFileSync(SAMPLE, `${JSON.stringify(await watchedAt(url), null, 2)}\n`);
  for (const [page, size] of Object.entries(PAGES)) {
    const file = new URL(`../${page}`, import.meta.url);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(BLOCK, () => terminalSample(size)),
    );
  }
}
