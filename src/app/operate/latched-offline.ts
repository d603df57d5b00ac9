import { foldJournal } from '../../orders/journal/checkpoint.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { killFileOf } from '../journal/account-files.ts';
import type { Config } from '../config/load.ts';
import { KillLatch } from '../../risk/states/kill-latch.ts';
import { Permit } from '../../risk/states/permit.ts';
import type { Latched } from '../../engine/risk-inputs/resume.ts';
import { EMPTY_SNAPSHOT, type RiskMemory } from '../../risk/states/risk-memory.ts';

/** What keeps the next daemon from trading. */
export interface LatchedOffline extends Latched {
  /** Where the kill is kept; null when there is none. */
  readonly killIn: 'journal' | 'permit' | null;
}

/** A kill's latch, for those who run no daemon. */
export function latchBeside(config: Config, memory: RiskMemory, permit: SmallFile, clock: Clock): KillLatch {
  return new KillLatch({
    ...{ memory, permit: new Permit(permit), killFile: killFileOf(config), logger: silentLogger },
    wallMs: () => clock.wallMs(),
  });
}

/** Reads journal, permit and kill file as the next daemon would, and changes nothing. Throws JournalError on damage. */
export function latchedOffline(journal: Journal, memory: RiskMemory, latch: KillLatch): LatchedOffline {
  const { kill: journalled, states } = memory.load().snapshot ?? EMPTY_SNAPSHOT;
  const kill = journalled ?? latch.withheld();
  return {
    ...{ kill, states, orders: foldJournal(journal).latched },
    ...{ journalFailed: false, killFileExists: latch.killFileExists },
    killIn: kill === null ? null : journalled === null ? 'permit' : 'journal',
  };
}
