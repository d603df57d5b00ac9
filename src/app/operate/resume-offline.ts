import { entryOf } from '../../orders/journal/records.ts';
import type { Clock } from '../../ports/clock.ts';
import { seenResults } from '../../risk/index.ts';
import type { KillRecord } from '../../risk/index.ts';
import { mustExist } from '../journal/account-files.ts';
import type { Config } from '../config/load.ts';
import { latchBeside, latchedOffline } from './latched-offline.ts';
import { openForCommand } from '../journal/open-journal.ts';
import type { OpenJournal } from '../journal/open-journal.ts';
import type { Latched, ResumeReport } from '../../engine/risk-inputs/resume.ts';
import { reportOf } from '../../engine/risk-inputs/resume.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../risk/states/risk-memory.ts';

/**
 * A person's word to go on while no daemon runs: the next one finds it. Throws TouchlineError `locked` while a daemon
 * holds the journal, ConfigError when there is none, JournalError when its file is empty, or it is damaged or cannot be
 * written, and what the disk says when the permit cannot be put back.
 */
export function resumeOffline(config: Config, word: KillRecord, clock: Clock): ResumeReport {
  mustExist(config.journal.path);
  const held = openForCommand(config.journal.path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    const memory = new RiskMemory(held.journal);
    const latch = latchBeside(config, memory, held.permit, clock);
    const before = latchedOffline(held.journal, memory, latch);
    if (before.killFileExists) return reportOf(before, before);
    release(held, memory, before, word);
    latch.release();
    return reportOf(before, latchedOffline(held.journal, memory, latch));
  } finally {
    held.release();
  }
}

/** Losses that are known no longer count, as when a running daemon resumes. */
function release(
  { journal }: OpenJournal,
  memory: RiskMemory,
  { states, orders }: Latched,
  word: KillRecord,
): void {
  const snapshot = memory.load().snapshot ?? EMPTY_SNAPSHOT;
  const kept = states.filter(({ latched }) => !latched);
  memory.save({ ...snapshot, kill: null, states: kept, results: seenResults(snapshot.results) });
  const reason = `${word.reason} (${word.by})`;
  if (orders !== null) journal.append([entryOf({ kind: 'latch_released', reason })]);
}
