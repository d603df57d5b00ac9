import { existsSync } from 'node:fs';
import { HistoryError, JournalError } from '../../domain/errors.ts';
import type { RunStart } from '../../history/facts.ts';
import type { History } from '../../history/history.ts';
import { HistoryRecorder } from '../../history/recorder.ts';
import { IN_MEMORY, openHistory } from '../../history/sqlite-history.ts';
import { type TradingDays, tradingDays } from '../../lib/trading-day.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { keepPrivate, makePrivate } from '../../storage/files/private-file.ts';
import type { Config } from '../config/load.ts';
import { historyPath } from '../journal/account-paths.ts';
import { giveToOwner } from '../adapters/small-file.ts';
import { factsIn } from './facts-in-journal.ts';

/** The history of an account, open for the daemon that has the account. */
export interface OpenHistory {
  readonly recorder: HistoryRecorder;
  readonly run: RunStart;
  readonly days: TradingDays;
}

export interface OpenHistoryParts {
  readonly config: Pick<Config, 'journal' | 'tradingDay' | 'history'>;
  readonly run: RunStart;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Opens the history beside the journal; in memory if the journal is. A history that is missing is rebuilt from the journal. One
 * that cannot be opened does not stop the daemon: the history of this run is then kept in memory alone.
 */
export function openAccountHistory(parts: OpenHistoryParts): OpenHistory {
  const { config, run } = parts;
  const days = tradingDays(config.tradingDay);
  const { retentionDays } = config.history;
  const history = opened(parts, days);
  const recorder = new HistoryRecorder({ ...parts, history, days, retentionDays });
  return { recorder, run, days };
}

function opened({ config, journal, logger }: OpenHistoryParts, days: TradingDays): History {
  const { path } = config.journal;
  if (path === '') return openHistory(IN_MEMORY, days);
  try {
    const isNew = !existsSync(historyPath(path));
    const history = openBeside(path, days);
    if (isNew) rebuild(history, journal);
    return history;
  } catch (error) {
    if (!(error instanceof HistoryError) && !(error instanceof JournalError)) throw error;
    logger.error('the history cannot be used: this run keeps its own in memory', { error });
    return openHistory(IN_MEMORY, days);
  }
}

/** Opens the history beside the journal at `path`, which only the journal's owner can use. Throws HistoryError. */
export function openBeside(path: string, days: TradingDays): History {
  const file = historyPath(path);
  try {
    for (const each of [file, `${file}-wal`, `${file}-shm`]) keepPrivate(each);
    makePrivate(file);
    giveToOwner(file, path);
  } catch (error) {
    throw new HistoryError(`cannot make the history ${file}: ${String(error)}`, { file }, error);
  }
  return openHistory(file, days);
}

/** Adds to a history what the journal still knows. Throws HistoryError, and JournalError if the journal is damaged. */
export function rebuild(history: Pick<History, 'write'>, journal: Journal): number {
  const facts = factsIn(journal);
  history.write(facts);
  return facts.length;
}
