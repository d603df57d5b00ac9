import { type TradingDaySettings, tradingDays } from '../../lib/trading-day.ts';
import type { Clock } from '../../ports/clock.ts';
import { mustExist } from '../journal/account-files.ts';
import { historyPath } from '../journal/account-paths.ts';
import { openForCommand } from '../journal/open-journal.ts';
import { openBeside, rebuild } from './open-history.ts';

/**
 * Adds to the history beside a journal what the journal still knows; makes the history if there is none. Throws ConfigError if
 * there is no journal, TouchlineError `locked` while a daemon holds the account, JournalError on damage, and HistoryError if the
 * history cannot be written.
 */
export function rebuildHistory(
  path: string,
  tradingDay: TradingDaySettings,
  clock: Clock,
): { readonly history: string; readonly facts: number } {
  mustExist(path);
  const held = openForCommand(path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    const history = openBeside(path, tradingDays(tradingDay));
    try {
      return { history: historyPath(path), facts: rebuild(history, held.journal) };
    } finally {
      history.close();
    }
  } finally {
    held.release();
  }
}
