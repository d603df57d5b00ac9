import { existsSync } from 'node:fs';
import { ConfigError } from '../../domain/errors.ts';
import type { HistoryReader } from '../../history/history.ts';
import { readHistory } from '../../history/sqlite-history.ts';
import type { Config } from '../config/load.ts';
import { historyPath } from '../journal/account-paths.ts';

export type { FillRow, HistoryMarkout, HistorySums, NearMiss } from '../../history/facts.ts';
export type { DayRange, HistoryReader, Terms } from '../../history/history.ts';

/**
 * The history beside the configured journal, which a daemon may be writing. Throws ConfigError if the configuration names no journal
 * on disk or no daemon has kept a history beside it, and HistoryError if it cannot be read.
 */
export function configuredHistory({ journal }: Pick<Config, 'journal'>): HistoryReader {
  if (journal.path === '')
    throw new ConfigError('the history lies beside the journal: name journal.path, with --config or --set');
  const path = historyPath(journal.path);
  if (!existsSync(path))
    throw new ConfigError(`there is no history at ${path}: a daemon that runs with this journal keeps one`);
  return readHistory(path);
}
