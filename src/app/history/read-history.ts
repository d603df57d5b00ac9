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
  if (journal.path === '') throw new ConfigError(IN_MEMORY);
  const path = historyPath(journal.path);
  if (!existsSync(path))
    throw new ConfigError(`there is no history at ${path}: a daemon that runs with this journal keeps one`);
  return readHistory(path);
}

const IN_MEMORY = `this configuration names no journal on disk. The history lies beside the journal, so a daemon without one keeps it in memory for its run:
what that run earned is in touchline status, and on its dashboard under "Over time".
To keep a history, start with a journal, as in touchline start --set journal.path=touchline.journal
Then ask with the same setting: touchline history --set journal.path=touchline.journal`;
