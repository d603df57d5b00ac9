import type { LogLines } from '../../ops/logger.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import { VERSION } from '../adapters/own-files.ts';
import type { Config } from '../config/load.ts';
import { showJournalSize } from '../journal/journal-metrics.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Registers the metrics of the process itself: version and mode, log lines, size of the journal. */
export function showRun(
  metrics: Metrics,
  { mode, journal }: Pick<Config, 'mode' | 'journal'>,
  lines: LogLines,
): void {
  const info = metrics.gauge('touchline_build_info', 'Version and mode of this run: always 1', [
    'version',
    'mode',
  ]);
  info.set(1, { version: VERSION, mode });
  showJournalSize(metrics, journal.path);
  showLogLines(metrics, lines);
}

function showLogLines(metrics: Metrics, lines: LogLines): void {
  const written = metrics.counter(
    'touchline_log_lines_total',
    'Log lines written by level',
    ['level'],
    knownValues('level', LEVELS),
  );
  const dropped = metrics.counter(
    'touchline_log_lines_dropped_total',
    'Log lines dropped because the reader is too slow',
  );
  let shown: LogLines = { debug: 0, info: 0, warn: 0, error: 0, fatal: 0, dropped: 0 };
  metrics.beforeExposing(() => {
    for (const level of LEVELS) written.inc({ level }, lines[level] - shown[level]);
    dropped.inc(undefined, lines.dropped - shown.dropped);
    shown = { ...lines };
  });
}
