import { crc32 } from 'node:zlib';
import { JournalDamage } from '../domain/errors.ts';
import type { InstallationId } from '../domain/installation.ts';
import { reasonOf } from '../lib/reason.ts';
import type { SmallFile } from '../ports/small-file.ts';
import type { ChainedJournal } from './chained-journal.ts';

/**
 * A separate file that records how far the journal has durably reached. A journal behind its mark has lost records; SQLite
 * alone would take the loss for a torn end of its log.
 */
export interface JournalMark {
  readonly installation: InstallationId;
  /** The journal reached at least this record. */
  readonly seq: number;
  /** The checksum of the chain up to that record. */
  readonly checksum: number;
  /** Wall-clock milliseconds of writing. */
  readonly atMs: number;
}

/** `unreadable` means no more than `absent`: a torn write of the mark is no evidence about the journal. */
export type MarkReading =
  | { readonly kind: 'read'; readonly mark: JournalMark }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A change of meaning needs another form. */
const FORM = 1;

/** One line of JSON, whose last field is the checksum of the others. */
export function markText({ installation, seq, checksum, atMs }: JournalMark): string {
  const fields = { form: FORM, installation, seq, checksum, at: new Date(atMs).toISOString() };
  return JSON.stringify({ ...fields, sum: crc32(JSON.stringify(fields)) });
}

/** Never throws: an error of the disk makes the mark `unreadable`. */
export function readMark(file: SmallFile): MarkReading {
  try {
    const text = file.read();
    return text === null ? { kind: 'absent' } : { kind: 'read', mark: parsed(text) };
  } catch (error) {
    return { kind: 'unreadable', why: reasonOf(error) };
  }
}

interface MarkFields {
  readonly installation: InstallationId;
  readonly seq: number;
  readonly checksum: number;
  readonly at: string;
}

/** Text after the object is padding. Throws for a text that this program did not write. */
function parsed(text: string): JournalMark {
  const whole = text.slice(0, text.indexOf('}') + 1);
  const { at, ...fields } = JSON.parse(whole) as MarkFields;
  const mark = { ...fields, atMs: Date.parse(at) };
  if (markText(mark) !== whole) throw new Error('its checksum does not match');
  const { installation, seq, checksum, atMs } = mark;
  return { installation, seq, checksum, atMs };
}

/**
 * The damage that a mark proves; null when mark and journal agree. A mark behind the journal agrees. Throws JournalError
 * when the journal cannot be read.
 */
export function damageByMark(
  mark: JournalMark,
  journal: Pick<ChainedJournal, 'lastSeq' | 'rootSeq' | 'checksumAt'>,
  installation: InstallationId | null,
): JournalDamage | null {
  const { seq } = mark;
  const lastSeq = journal.lastSeq();
  if (installation !== null && installation !== mark.installation)
    return notOf(mark, 'is of another installation');
  if (lastSeq < seq) {
    const message = `journal records are missing at the end: it reached record ${seq}, and ends with ${lastSeq}`;
    return new JournalDamage(message, { seq: lastSeq + 1 });
  }
  if (installation === null) return notOf(mark, 'names no installation');
  // Retention writes a new mark. A process that died before that leaves a mark on a removed record.
  if (seq < journal.rootSeq() || journal.checksumAt(seq) === mark.checksum) return null;
  return new JournalDamage('journal records differ from the mark beside the journal', { seq });
}

const notOf = ({ installation }: JournalMark, what: string): JournalDamage =>
  new JournalDamage(`the journal ${what}, and its mark is of ${installation}`, { seq: null });
