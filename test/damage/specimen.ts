import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForCommand } from '../../src/app/journal/open-journal.ts';
import { CHECKPOINT } from '../../src/orders/journal/checkpoint.ts';
import { FACT_KINDS } from '../../src/orders/journal/records.ts';
import { DamagePlace, startDaemon } from './daemon.ts';
import { type Contents, contentsOf, type JournalFiles, markedSeq } from './reader.ts';

/** The files of a journal that can be damaged, each by the end of its name. */
export const TARGETS = { journal: '', log: '-wal', shm: '-shm', mark: '.mark', permit: '.permit' } as const;
export type Target = keyof typeof TARGETS;

const NAME = 'journal.sqlite';

/** The files that a daemon left on the disk when it died. */
export interface Specimen {
  readonly folder: string;
  readonly isKilled: boolean;
  readonly contents: Contents;
  readonly markedSeq: number;
  /** The instant of the death. */
  readonly wallMs: number;
}

export const pathIn = (folder: string): string => join(folder, NAME);

export function filesIn(folder: string): JournalFiles {
  const read = (target: Target): Buffer | null => {
    const file = `${pathIn(folder)}${TARGETS[target]}`;
    return existsSync(file) ? readFileSync(file) : null;
  };
  return { journal: read('journal'), log: read('log'), mark: read('mark') };
}

/** Copies all files of a journal but its lock. */
export function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const suffix of Object.values(TARGETS)) {
    const file = `${pathIn(from)}${suffix}`;
    if (existsSync(file)) copyFileSync(file, `${pathIn(to)}${suffix}`);
  }
}

export function specimenIn(folder: string, isKilled: boolean, wallMs: number): Specimen {
  const files = filesIn(folder);
  return { folder, isKilled, contents: contentsOf(files), markedSeq: markedSeq(files), wallMs };
}

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const TRADING_MS = 25_000;
const CLOSING_MS = 5_000;
const STEP_MS = 10;
const OLD_FRAMES = 30;
const FRAME_BYTES = 24 + 4096;
const LOG_HEADER_BYTES = 32;

/**
 * Lets a daemon trade twice on one journal and die. The first run's records lie in the file, some of them kept only by
 * retention. The second run's records lie in the log. Returns the files that it left while it traded, and after a kill.
 */
export async function makeSpecimens(
  folder: string,
  seed: number,
): Promise<{ readonly traded: Specimen; readonly killed: Specimen }> {
  const place = new DamagePlace(seed, START_MS);
  const [home, traded, killed] = ['home', 'traded', 'killed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  await tradeAndStop(place, home);
  letGo(place, home);
  const run = await startDaemon(place, pathIn(home));
  await place.clock.advance(TRADING_MS);
  if (place.open === 0) throw new Error('the daemon of the specimen does not trade');
  await untilUncovered(place, () => run.composed.journal.lastSeq(), home);
  copyFiles(home, traded);
  const tradedMs = place.clock.wallMs();
  run.daemon.controls().kill('drill', 'a person');
  await place.clock.advance(CLOSING_MS);
  if (place.open > 0) throw new Error('the kill has closed nothing');
  copyFiles(home, killed);
  await run.end();
  place.close();
  for (const each of [traded, killed]) leaveOldFrames(each);
  return {
    traded: specimenIn(traded, false, tradedMs),
    killed: specimenIn(killed, true, place.clock.wallMs()),
  };
}

/**
 * SQLite writes its log from the beginning again once all of it is in the file. Earlier frames then lie behind the last
 * commit, and damage to them loses nothing.
 */
function leaveOldFrames(folder: string): void {
  const log = `${pathIn(folder)}${TARGETS.log}`;
  const frames = readFileSync(log).subarray(LOG_HEADER_BYTES);
  appendFileSync(log, frames.subarray(0, OLD_FRAMES * FRAME_BYTES));
}

async function tradeAndStop(place: DamagePlace, home: string): Promise<void> {
  const run = await startDaemon(place, pathIn(home));
  await place.clock.advance(TRADING_MS);
  const stopped = run.daemon.stop('the first run is over', CLOSING_MS);
  await place.clock.advance(2 * CLOSING_MS);
  await stopped;
  await run.end();
}

/** Waits until there are records that the mark does not yet cover. */
async function untilUncovered(place: DamagePlace, lastSeq: () => number, home: string): Promise<void> {
  while (lastSeq() === markedSeq(filesIn(home))) await place.clock.advance(STEP_MS);
}

/** Acts as retention does after a month. */
function letGo(place: DamagePlace, home: string): void {
  const { journal, release } = openForCommand(pathIn(home), place.clock);
  const belowSeq = journal.last(CHECKPOINT)?.seq ?? 0;
  const keeps = ({ kind }: { readonly kind: string }): boolean =>
    kind !== CHECKPOINT && !FACT_KINDS.has(kind);
  if (journal.forget({ belowSeq, writtenBeforeMs: Infinity, most: Math.floor(belowSeq / 2), keeps }) === 0)
    throw new Error('nothing was let go of');
  release();
}
