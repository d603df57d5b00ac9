/** Whether the disk has room for what a run will keep: the journal until it forgets, and the recording up to its cap. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DAY_MS } from '../../lib/time.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Config } from '../config/load.ts';
import { realName } from './account-paths.ts';
import { sizeOnDisk } from './journal-metrics.ts';

const MB = 1024 * 1024;

/** Below this a run has no room for a busy day. */
const LEAST_BYTES = 256 * MB;

/** A journal that never forgets has to fit for so long. */
const FOREVER_DAYS = 30;

/** A journal of less says nothing of a day. */
const SHORTEST_SPAN_MS = 3_600_000;

/** What one disk has and what will come. Sizes in bytes. */
export interface SpaceReadings {
  readonly freeBytes: number;
  readonly journalBytes: number;
  /** Time between the first kept record and the last, in milliseconds. */
  readonly journalSpanMs: number;
  /** 0: nothing is forgotten. */
  readonly retentionDays: number;
  /** What the recording may still grow by on this disk. */
  readonly recordingBytes: number;
}

export interface SpaceVerdict {
  readonly isEnough: boolean;
  /** In words, with the figures. */
  readonly found: string;
}

/** Compares the free space with what the journal and the recording will still take. */
export function judgeSpace(readings: SpaceReadings): SpaceVerdict {
  const { freeBytes, recordingBytes } = readings;
  const growth = journalGrowth(readings);
  const neededBytes = LEAST_BYTES + growth.bytes + recordingBytes;
  const recording = recordingBytes === 0 ? '' : `, the recording ${inMb(recordingBytes)} more`;
  const found = `${inMb(freeBytes)} free; a run needs ${inMb(neededBytes)}: ${inMb(LEAST_BYTES)} at least, ${growth.words}${recording}`;
  return { isEnough: freeBytes >= neededBytes, found };
}

function journalGrowth(readings: SpaceReadings): { readonly bytes: number; readonly words: string } {
  const { journalBytes, journalSpanMs, retentionDays } = readings;
  if (journalSpanMs < SHORTEST_SPAN_MS)
    return { bytes: 0, words: 'and what the journal grows by, not known yet' };
  const aDay = (journalBytes / journalSpanMs) * DAY_MS;
  if (retentionDays === 0) {
    const bytes = aDay * FOREVER_DAYS;
    return {
      bytes,
      words: `the journal ${inMb(bytes)} in ${FOREVER_DAYS} days, and on, since it forgets nothing`,
    };
  }
  const bytes = Math.max(0, aDay * retentionDays - journalBytes);
  return {
    bytes,
    words: `the journal ${inMb(bytes)} more, at ${inMb(aDay)} a day for ${retentionDays} days`,
  };
}

const inMb = (bytes: number): string => `${Math.round(bytes / MB)} MB`;

/** The verdict on the disk of the journal; null if the journal is in memory. `journal` is null if there is none yet. */
export function spaceOf(
  config: Pick<Config, 'journal' | 'record'>,
  journal: Pick<Journal, 'read' | 'rootSeq' | 'lastSeq'> | null,
): SpaceVerdict | null {
  const { path, retentionDays } = config.journal;
  if (path === '') return null;
  const folder = dirname(realName(resolve(path)));
  const { bavail, bsize } = statfsSync(folder);
  return judgeSpace({
    freeBytes: bavail * bsize,
    retentionDays,
    recordingBytes: recordingGrowth(config.record, folder),
    journalBytes: sizeOnDisk(path),
    journalSpanMs: journal === null ? 0 : spanOf(journal),
  });
}

/**
 * Warns a start in the words of the verdict. A full disk ends trading later, so it does not prevent a start, which may have orders to
 * close; nor does a disk or a journal that cannot be read.
 */
export function warnOfSpace(of: Parameters<typeof spaceOf>, logger: Pick<Logger, 'warn'>): void {
  try {
    const space = spaceOf(...of);
    if (space?.isEnough === false) logger.warn('the disk may become full', { found: space.found });
  } catch {
    // Whoever writes there tells.
  }
}

/** Reads two records. */
function spanOf(journal: Pick<Journal, 'read' | 'rootSeq' | 'lastSeq'>): number {
  const last = atOf(journal, journal.lastSeq() - 1);
  const first = atOf(journal, journal.rootSeq());
  return first === null || last === null ? 0 : last - first;
}

function atOf(journal: Pick<Journal, 'read'>, afterSeq: number): number | null {
  const [first] = journal.read(Math.max(0, afterSeq));
  return first?.atMs ?? null;
}

/** Only if the recording is on the disk of the journal, and has a cap. */
function recordingGrowth({ path, maxMb }: Config['record'], journalFolder: string): number {
  if (path === '' || maxMb === 0) return 0;
  const folder = existingFolder(resolve(path));
  if (statSync(folder).dev !== statSync(journalFolder).dev) return 0;
  return Math.max(0, maxMb * MB - (folder === resolve(path) ? sizeOfFiles(folder) : 0));
}

const existingFolder = (path: string): string =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : existingFolder(dirname(path));

const sizeOfFiles = (folder: string): number =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
