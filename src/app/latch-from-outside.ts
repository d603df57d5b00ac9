import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import type { KillRecord } from '../risk/index.ts';
import type { Config } from './config/load.ts';
import { readJournal } from './journal-tools.ts';
import { killFileOf, openForCommand, permitBeside, permitPath } from './open-journal.ts';
import { isPermitNoted, latchBesideJournal } from './risk-desk/kill-latch.ts';
import { Permit } from './risk-desk/permit.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from './risk-desk/risk-memory.ts';

/** Where a kill was latched without a daemon. */
export interface OutsideLatch {
  /** The place, with its full path; null when there is none. */
  readonly latchedIn: string | null;
  /** The full path of the journal when there is none; else null. */
  readonly noJournalAt: string | null;
}

/**
 * Leaves word that the next daemon must not trade: in the journal, or, when another process holds it or it cannot be
 * written, in the permit beside it or the kill file. A journal that is not there is not made: the daemon's lies elsewhere,
 * as with a relative path in another folder. Never throws: orders have to be closed all the same.
 */
export function latchFromOutside(config: Config, record: KillRecord, clock: Clock): OutsideLatch {
  const path = config.journal.path === '' ? '' : resolve(config.journal.path);
  const isThere = path !== '' && existsSync(path);
  const noJournalAt = path === '' || isThere ? null : path;
  if (isThere && latchInJournal(path, record, clock)) return { latchedIn: `journal ${path}`, noJournalAt };
  // Beside a journal in memory, or none, there is nothing that the next daemon could find.
  const place = latchBesideJournal(record, {
    permit: isThere ? new Permit(permitBeside(path)) : null,
    permitIsNoted: () => isPermitNotedIn(path, clock),
    ...{ killFile: killFileOf(config), logger: silentLogger },
  });
  const file = place === 'permit' ? permitPath(path) : resolve(config.ops.killFile);
  return { latchedIn: place === null ? null : `${place} ${file}`, noJournalAt };
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
