import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { KillRecord } from '../../risk/index.ts';
import { killFileOf, permitBeside, permitPath } from '../journal/account-files.ts';
import type { Config } from '../config/load.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { openForCommand } from '../journal/open-journal.ts';
import { isPermitNoted, JOURNAL, KILL_FILE, makeKillFile, PERMIT, withdraw } from '../../risk/states/kill-latch.ts';
import type { LatchPlace } from '../../risk/states/kill-latch.ts';
import { Permit } from '../../risk/states/permit.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../risk/states/risk-memory.ts';

/** Where a kill was latched without a daemon. */
export interface OfflineLatch {
  /** The place, with its full path; null when there is none. */
  readonly latchedIn: string | null;
  /** The full path of the journal when there is none; else null. */
  readonly noJournalAt: string | null;
}

/**
 * Leaves word that the next daemon must not trade: withdraws the permit, and writes the kill into the journal unless another process
 * holds it or it cannot be written. Where neither works it makes the kill file. A journal that is not there is not made: the daemon's
 * lies elsewhere, as with a relative path in another folder. Never throws: orders have to be closed all the same.
 */
export function latchOffline(config: Config, record: KillRecord, clock: Clock): OfflineLatch {
  const path = config.journal.path === '' ? '' : resolve(config.journal.path);
  const isThere = path !== '' && existsSync(path);
  // Beside a journal in memory, or none, there is nothing that the next daemon could find, but for a permit that is left.
  const hasPermit = isThere || (path !== '' && existsSync(permitPath(path)));
  const places = {
    permit: hasPermit ? new Permit(permitBeside(path)) : null,
    permitIsNoted: () => isPermitNotedIn(path, clock),
    ...{ killFile: killFileOf(config), logger: silentLogger },
  };
  const isWithdrawn = withdraw(record, places);
  const isJournalled = isThere && latchInJournal(path, record, clock);
  const besides = (): LatchPlace | null => (makeKillFile(record, places) ? KILL_FILE : null);
  const place: LatchPlace | null = isJournalled ? JOURNAL : isWithdrawn ? PERMIT : besides();
  const pathOf = { [JOURNAL]: path, [PERMIT]: permitPath(path), [KILL_FILE]: resolve(config.ops.killFile) };
  return {
    latchedIn: place === null ? null : `${place} ${pathOf[place]}`,
    noJournalAt: path === '' || isThere ? null : path,
  };
}

/** Reads what another process may hold. */
function isPermitNotedIn(path: string, clock: Clock): boolean {
  try {
    return readJournal(path, clock, (journal) => isPermitNoted(new RiskMemory(journal)));
  } catch {
    return false;
  }
}

function latchInJournal(path: string, record: KillRecord, clock: Clock): boolean {
  try {
    const opened = openForCommand(path, clock);
    try {
      const memory = new RiskMemory(opened.journal);
      const snapshot = memory.load().snapshot ?? EMPTY_SNAPSHOT;
      memory.save({ ...snapshot, kill: snapshot.kill ?? record });
    } finally {
      opened.release();
    }
    return true;
  } catch {
    return false;
  }
}
