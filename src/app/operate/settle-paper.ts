import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { ADMIN_COMMAND } from '../admin/audit.ts';
import type { Config } from '../config/load.ts';
import { mustExist } from '../journal/account-files.ts';
import { mustBeOfMode } from '../journal/journal-mode.ts';
import { openForCommand } from '../journal/open-journal.ts';
import { paperFillsIn } from '../paper/paper-fills.ts';
import { ordersIn } from '../paper/paper-orders.ts';
import { betTypesOn, checkDecides, type PaperResult, writeResult } from '../paper/paper-results.ts';
import { operator } from './daemon.ts';

/**
 * Writes the result of an event into the journal of a paper account that no daemon holds. Its next run settles by it. Returns the bet
 * types that it settles. Throws TouchlineError `usage` for an event without paper bets and for a result that does not decide them,
 * `locked` while a daemon runs, ConfigError for a journal of another mode, and JournalError for one that is damaged.
 */
export function settlePaper(
  config: Pick<Config, 'mode' | 'journal'>,
  result: PaperResult,
  note: string,
  clock: Clock = systemClock,
): readonly string[] {
  const { path } = config.journal;
  if (config.mode !== 'paper')
    throw new ConfigError(`mode = "${config.mode}": a person tells results of paper bets only`);
  mustExist(path);
  const held = openForCommand(path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    mustBeOfMode(held.journal, config);
    const betTypes = betTypesOn(result, ordersIn(held.journal), paperFillsIn(held.journal));
    const event = `${result.sport}/${result.eventId}`;
    if (betTypes.length === 0) throw new TouchlineError('usage', `${event}: no paper bets on this event`);
    checkDecides(result.told, betTypes);
    writeResult(result, held.journal);
    const command = `paper settle ${event} ${wordsOf(result.told)}`;
    const data = { command, by: operator(), reason: note };
    held.journal.append([{ kind: ADMIN_COMMAND, uuid: null, data }]);
    return betTypes;
  } finally {
    held.release();
  }
}

/** A result in words. */
function wordsOf(told: PaperResult['told']): string {
  if (told.kind === 'score') return `${told.home}-${told.away}`;
  return told.kind === 'void' ? 'void' : `winner ${told.teamId}`;
}
