import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { JournalError, TouchlineError } from '../../domain/errors.ts';
import { BY_PERMIT } from '../../engine/kill/kill-latch.ts';
import { whatHolds } from '../../engine/kill/resume.ts';
import { RiskMemory } from '../../engine/risk-inputs/risk-memory.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KillRecord, Scope } from '../../risk/index.ts';
import { memoryFile } from '../../storage/files/memory-file.ts';
import { readMark } from '../../storage/journal-mark.ts';
import { createMemoryJournal } from '../../storage/memory-journal.ts';
import type { Config } from '../config/load.ts';
import { lostOnDisk, markBeside, permitBeside } from '../journal/account-files.ts';
import { permitPath } from '../journal/account-paths.ts';
import { mustHaveFolder } from '../journal/journal-folder.ts';
import { mustBeOfMode } from '../journal/journal-mode.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { damageOf } from '../journal/open-journal.ts';
import { spaceOf, type SpaceVerdict } from '../journal/space.ts';
import { hungOffline, latchBeside, type LatchedOffline, latchedOffline } from '../operate/offline.ts';

/**
 * Describes the journal as a start would find it. Throws the error that would prevent the start, or TouchlineError `latched`,
 * with the way to release it, if a start would not trade.
 */
export function whatJournal(config: Config, clock: Clock): string {
  const { path } = config.journal;
  const full = resolve(path);
  if (path !== '') mustHaveFolder(path);
  if (path !== '' && isOrWasThere(full)) {
    // Read the mark before the journal, which a daemon may be writing.
    const mark = readMark(markBeside(full));
    return readJournal(full, clock, (journal) => {
      mustBeOfMode(journal, config);
      const damage = damageOf(journal, mark);
      if (damage !== null) throw damage;
      mustNotBeLatched(journal, config, clock);
      return `${journal.lastSeq()} records in ${full}`;
    });
  }
  mustNotBeLatched(createMemoryJournal(clock), config, clock);
  return path === '' ? 'in memory: it ends with the run' : `none yet: a start begins it at ${full}`;
}

/** Describes the free space against what a run will keep. Throws an Error with the same words if it is too little. */
export function whatSpace(config: Config, clock: Clock): string {
  const space = spaceBy(config, clock);
  if (space === null) return 'none needed: the journal is in memory';
  if (!space.isEnough) throw new Error(space.found);
  return space.found;
}

/** A journal that cannot be read is another check's fault. */
function spaceBy(config: Config, clock: Clock): SpaceVerdict | null {
  const { path } = config.journal;
  if (path !== '') mustHaveFolder(path);
  if (path === '' || !existsSync(path)) return spaceOf(config, null);
  try {
    return readJournal(resolve(path), clock, (journal) => spaceOf(config, journal));
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return spaceOf(config, null);
  }
}

/** Whether there is a journal or there was one; a lost journal is not begun again. */
const isOrWasThere = (path: string): boolean => existsSync(path) || lostOnDisk(path) !== null;

/** Scopes that cover all quotes, because a daemon runs one strategy. */
const ALL_QUOTES: ReadonlySet<Scope['kind']> = new Set(['account', 'strategy']);

/** Fails only on trading states that a limit has latched for all quotes. Other states were set on purpose. */
function mustNotBeLatched(journal: Journal, config: Config, clock: Clock): void {
  const full = config.journal.path === '' ? '' : resolve(config.journal.path);
  const memory = new RiskMemory(journal);
  const latch = latchBeside(config, memory, full === '' ? memoryFile() : permitBeside(full), clock);
  const latched = latchedOffline(journal, memory, latch, hungOffline(config));
  const states = latched.states.filter((record) => record.latched && ALL_QUOTES.has(record.scope.kind));
  const holds = whatHolds({ ...latched, kill: killTold(latched, full), states });
  const [first] = holds;
  if (first === undefined) return;
  const message = holds.map(({ what }) => what).join('\n');
  throw new TouchlineError('latched', message, { advice: first.release });
}

/** The kill with its time and place. A missing permit has no time. */
function killTold({ kill, killIn }: LatchedOffline, full: string): KillRecord | null {
  if (kill === null) return null;
  const { by, reason, atMs } = kill;
  const place = killIn === 'permit' ? `permit ${permitPath(full)}` : `journal ${full}`;
  const isMissing = killIn === 'permit' && by === BY_PERMIT;
  const at = isMissing ? '' : ` at ${new Date(atMs).toISOString()}`;
  return { by: `${by}${at}`, reason: `${reason}; latched in ${place}`, atMs };
}
