import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  isPermitNoted,
  JOURNAL,
  KILL_FILE,
  KillLatch,
  type LatchPlace,
  makeKillFile,
  PERMIT,
  withdraw,
} from '../../engine/kill/kill-latch.ts';
import { Permit } from '../../engine/kill/permit.ts';
import { type Latched, reportOf, type ResumeReport } from '../../engine/kill/resume.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../engine/risk-inputs/risk-memory.ts';
import { WATCHDOG } from '../../engine/strategy-latch.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import { entryOf } from '../../orders/journal/records.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { type KillRecord, seenResults, type StateRecord } from '../../risk/index.ts';
import type { Config } from '../config/load.ts';
import { strategyTables } from '../config/validate.ts';
import { hangBeside, killFileOf, mustExist, permitBeside } from '../journal/account-files.ts';
import { permitPath } from '../journal/account-paths.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { openForCommand, type OpenJournal } from '../journal/open-journal.ts';
import { foundHang } from '../watchdog/hang-file.ts';
import { latchesOf } from '../watchdog/latch-hang.ts';

/** The latches that keep the next daemon from trading. */
export interface LatchedOffline extends Latched {
  /** Where the kill is kept; null if there is none. */
  readonly killIn: 'journal' | 'permit' | null;
}

/** The latch of a kill, for commands that run without a daemon. */
export function latchBeside(config: Config, memory: RiskMemory, permit: SmallFile, clock: Clock): KillLatch {
  return new KillLatch({
    memory,
    permit: new Permit(permit),
    killFile: killFileOf(config),
    logger: silentLogger,
    wallMs: () => clock.wallMs(),
  });
}

/** The latches that the next daemon will set because a strategy hung. */
export function hungOffline(config: Config): readonly StateRecord[] {
  const { path } = config.journal;
  const found = path === '' ? null : foundHang(hangBeside(path));
  if (found === null) return [];
  const names = strategyTables(config).map(([, settings]) => settings.name);
  return latchesOf(found, names).map((latch) => ({
    scope: { kind: 'strategy', strategy: latch.strategy },
    state: 'halted',
    latched: true,
    by: WATCHDOG,
    why: latch.why,
    atMs: found === 'unreadable' ? 0 : found.atMs,
  }));
}

/**
 * Reads journal, permit and kill file as the next daemon would, and changes nothing. `hung` are the latches of a strategy that
 * hung. Throws JournalError on damage.
 */
export function latchedOffline(
  journal: Journal,
  memory: RiskMemory,
  latch: KillLatch,
  hung: readonly StateRecord[],
): LatchedOffline {
  const { kill: journalled, states } = memory.load().snapshot ?? EMPTY_SNAPSHOT;
  const kill = journalled ?? latch.withheld();
  return {
    kill,
    states: [...states, ...hung],
    orders: foldJournal(journal).latched,
    journalFailed: false,
    killFileExists: latch.killFileExists,
    killIn: kill === null ? null : journalled === null ? 'permit' : 'journal',
  };
}

/** Where a command latched a kill without a daemon. */
export interface OfflineLatch {
  /** The place, with its full path; null if no place took the kill. */
  readonly latchedIn: string | null;
  /** The full path at which no journal was found; else null. */
  readonly noJournalAt: string | null;
}

/**
 * Keeps the next daemon from trading. Withdraws the permit, and writes the kill to the journal unless another process holds it or
 * it cannot be written. If neither works, makes the kill file. Never creates a journal: a missing one means that the daemon's
 * journal lies elsewhere, for example under a relative path in another folder. Never throws, because orders have to be closed in
 * any case.
 */
export function latchOffline(config: Config, record: KillRecord, clock: Clock): OfflineLatch {
  const path = config.journal.path === '' ? '' : resolve(config.journal.path);
  const isThere = path !== '' && existsSync(path);
  // Without a journal on disk the next daemon would find nothing, except a permit that was left there.
  const hasPermit = isThere || (path !== '' && existsSync(permitPath(path)));
  const places = {
    permit: hasPermit ? new Permit(permitBeside(path)) : null,
    permitIsNoted: () => isPermitNotedIn(path, clock),
    killFile: killFileOf(config),
    logger: silentLogger,
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

/** Reads a journal that another process may hold. */
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

/**
 * Resumes on a person's command while no daemon runs; the next daemon finds it. Throws TouchlineError `locked` while a daemon
 * holds the journal, and ConfigError if there is no journal. Throws JournalError if its file is empty, damaged or cannot be
 * written, and the disk's error if the permit cannot be granted again.
 */
export function resumeOffline(config: Config, record: KillRecord, clock: Clock): ResumeReport {
  mustExist(config.journal.path);
  const held = openForCommand(config.journal.path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    const memory = new RiskMemory(held.journal);
    const latch = latchBeside(config, memory, held.permit, clock);
    const before = latchedOffline(held.journal, memory, latch, hungOffline(config));
    if (before.killFileExists) return reportOf(before, before);
    release(held, memory, before, record);
    hangBeside(config.journal.path).remove();
    latch.release();
    return reportOf(before, latchedOffline(held.journal, memory, latch, hungOffline(config)));
  } finally {
    held.release();
  }
}

/** Known losses no longer count, as when a running daemon resumes. */
function release(
  { journal }: OpenJournal,
  memory: RiskMemory,
  { states, orders }: Latched,
  record: KillRecord,
): void {
  const snapshot = memory.load().snapshot ?? EMPTY_SNAPSHOT;
  const kept = states.filter(({ latched }) => !latched);
  memory.save({ ...snapshot, kill: null, states: kept, results: seenResults(snapshot.results) });
  const reason = `${record.reason} (${record.by})`;
  if (orders !== null) journal.append([entryOf({ kind: 'latch_released', reason })]);
}
