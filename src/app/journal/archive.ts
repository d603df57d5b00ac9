import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { JournalError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChainedJournal } from '../../storage/chained-journal.ts';
import { exportedLine, opened } from './journal-tools.ts';

export interface ArchiveReport {
  /** Full path of the new file; null if the archive already had every record. */
  readonly file: string | null;
  readonly records: number;
  readonly fromSeq: number | null;
  readonly toSeq: number | null;
  /** Records that retention deleted before they were archived; those that it keeps for good are in the archive. */
  readonly missing: { readonly fromSeq: number; readonly toSeq: number } | null;
}

const NAME = /^records-(\d+)-(\d+)\.jsonl\.gz$/;
const DIGITS = 12;

/**
 * Writes the records that the archive in `folder` lacks into a new compressed file there, one line of JSON each, and reads it
 * back. The journal does not change, and a daemon may be writing it. Throws ConfigError if there is no journal, and JournalError
 * at damage or if the file cannot be written; the archive is then as it was.
 */
export async function archiveJournal(path: string, folder: string, clock: Clock): Promise<ArchiveReport> {
  const lastSeq = lastArchived(folder);
  const journal = opened(path, clock);
  try {
    const rootSeq = journal.rootSeq();
    const missing = rootSeq > lastSeq ? { fromSeq: lastSeq + 1, toSeq: rootSeq } : null;
    const toSeq = journal.lastSeq();
    if (toSeq <= lastSeq) return { file: null, records: 0, fromSeq: null, toSeq: null, missing };
    const fromSeq = lastSeq + 1;
    const name = `records-${padded(fromSeq)}-${padded(toSeq)}.jsonl.gz`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, name);
    const records = await writeWhole(file, journal, { afterSeq: lastSeq, toSeq });
    return { file, records, fromSeq, toSeq, missing };
  } finally {
    journal.close();
  }
}

const padded = (seq: number): string => String(seq).padStart(DIGITS, '0');

/** The last record that a folder's files hold; 0 if it holds none. */
function lastArchived(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((last, name) => Math.max(last, Number(NAME.exec(name)?.[2] ?? 0)), 0);
}

interface Span {
  readonly afterSeq: number;
  readonly toSeq: number;
}

/** Writes under another name first: an interrupted file must not pass for a whole one. Returns the number of records. */
async function writeWhole(file: string, journal: ChainedJournal, span: Span): Promise<number> {
  const partial = `${file}.partial`;
  const count = { records: 0 };
  try {
    const lines = Readable.from(textsIn(journal, span, count));
    await pipeline(lines, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }));
    const read = await linesIn(partial);
    if (read !== count.records)
      throw new JournalError(`${file} holds ${read} of ${count.records} records`, { file });
    renameSync(partial, file);
    return count.records;
  } catch (error) {
    rmSync(partial, { force: true });
    if (error instanceof JournalError) throw error;
    throw new JournalError(`cannot write ${file}`, { file }, error);
  }
}

function* textsIn(
  journal: ChainedJournal,
  { afterSeq, toSeq }: Span,
  count: { records: number },
): Iterable<string> {
  for (const record of journal.read(afterSeq)) {
    if (record.seq > toSeq) return;
    count.records++;
    yield `${exportedLine(record)}\n`;
  }
}

async function linesIn(file: string): Promise<number> {
  const input = createReadStream(file).pipe(createGunzip());
  let lines = 0;
  for await (const line of createInterface({ input })) if (line !== '') lines++;
  return lines;
}
