/**
 * The frames of the stream as bytes, entry by entry, so that a paper run can leave entries out and replace others. What it does not
 * touch passes byte by byte.
 */
import { type DecodedEntry, entrySpans, type FrameDecoder, readEntry, silentSurvey } from '../venue/index.ts';

/** An entry of a frame. */
export interface RawEntry {
  readonly tag: string;
  /** The text of the whole entry, `["tag", payload]`. */
  readonly bytes: Uint8Array;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The payload of an entry; undefined if it is no JSON. */
export function readPayload({ bytes }: RawEntry): unknown {
  const pair = parsed(bytes);
  return Array.isArray(pair) ? (pair as unknown[])[1] : undefined;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(bufferOf(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An entry from a value. */
export const rawEntryOf = (tag: string, payload: unknown): RawEntry => ({
  tag,
  bytes: Buffer.from(JSON.stringify([tag, payload]), 'utf8'),
});

/** A raw entry, and what it says; null for one that cannot be read. */
export interface ReadEntry extends RawEntry {
  readonly entry: DecodedEntry | null;
}

/** An entry that is somewhere in a frame. Most entries pass as they are, with those beside them. */
class EntryInFrame implements ReadEntry {
  readonly tag: string;
  readonly entry: DecodedEntry | null;
  readonly #frame: Buffer;
  readonly #from: number;
  readonly #to: number;

  constructor(frame: Buffer, from: number, to: number, entry: DecodedEntry | null) {
    [this.#frame, this.#from, this.#to] = [frame, from, to];
    this.entry = entry;
    this.tag = entry?.tag === 'offer' ? 'offer' : tagIn(this.bytes);
  }

  get bytes(): Uint8Array {
    return this.through(this);
  }

  /** The bytes from the beginning of this entry to the end of a later one of the frame. */
  through(last: EntryInFrame): Uint8Array {
    return this.#frame.subarray(this.#from, last.#to);
  }

  /** Whether it is the next entry of the same frame. */
  follows(other: EntryInFrame): boolean {
    return this.#frame === other.#frame && this.#frame.indexOf('[', other.#to) === this.#from;
  }
}

/** A frame cut into its entries. */
export interface RawFrame<E extends RawEntry = RawEntry> {
  readonly entries: readonly E[];
  /** The frame with other entries; the same bytes for the same entries, and null without any. */
  with(entries: readonly RawEntry[]): Uint8Array | null;
}

/** Cuts a frame. A frame whose text is unexpected is read as JSON; null for one that cannot be read. */
export function rawFrame(data: Uint8Array): RawFrame | null {
  const bytes = bufferOf(data);
  const spans = entrySpans(data);
  const entries = spans?.map(({ from, to }) => new EntryInFrame(bytes, from, to, null)) ?? entriesRead(bytes);
  return entries === null ? null : frameOf(bytes, data, entries);
}

/** Cuts a frame and reads its entries. An offer with the text of the last frame is the identical object. */
export function readRawFrame(data: Uint8Array, decoder: FrameDecoder): RawFrame<ReadEntry> | null {
  const bytes = bufferOf(data);
  const entries =
    decoder.each(data, (entry, from, to): ReadEntry => new EntryInFrame(bytes, from, to, entry)) ??
    entriesRead(bytes)?.map((raw) => ({ ...raw, entry: entryIn(raw) }));
  return entries === undefined ? null : frameOf(bytes, data, entries);
}

/** What an entry says; null for one that cannot be read. */
export const entryIn = (raw: RawEntry): DecodedEntry | null =>
  readEntry([raw.tag, readPayload(raw)], silentSurvey);

const frameOf = <E extends RawEntry>(
  bytes: Buffer,
  data: Uint8Array,
  entries: readonly E[],
): RawFrame<E> => ({
  entries,
  with(others) {
    const isSame = others.length === entries.length && others.every((each, at) => each === entries[at]);
    if (isSame) return data;
    return others.length === 0 ? null : frameBytes(timeOf(bytes), others);
  },
});

/** The tag in the text of an entry. */
const tagIn = (bytes: Uint8Array): string =>
  /^\[\s*"(\w+)"\s*,/.exec(bufferOf(bytes).toString('latin1', 0, LONGEST_TAG))?.[1] ?? tagRead(bytes);

/** The tag of an entry in which it is written in an unusual way; empty if it has none. */
function tagRead(bytes: Uint8Array): string {
  const pair = parsed(bytes);
  return Array.isArray(pair) && typeof pair[0] === 'string' ? pair[0] : '';
}

const LONGEST_TAG = 100;

/** The text of the frame's time of sending. */
const timeOf = (bytes: Buffer): string =>
  /^\s*\{\s*"ts"\s*:\s*("[^"\\]*"|[-+.\deE]+)/.exec(bytes.toString('latin1', 0, LONGEST_TS))?.[1] ?? 'null';

const LONGEST_TS = 200;

const BETWEEN = Buffer.from(',');
const END = Buffer.from(']}');

function frameBytes(ts: string, entries: readonly RawEntry[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`{"ts":${ts},"data":[`, 'latin1')];
  for (const run of runsOf(entries)) {
    if (parts.length > 1) parts.push(BETWEEN);
    parts.push(run);
  }
  return Buffer.concat([...parts, END]);
}

/** The bytes of entries. Those that follow each other in a frame are one run, with what is between them there. */
function* runsOf(entries: readonly RawEntry[]): Iterable<Uint8Array> {
  let run: { readonly first: EntryInFrame; readonly last: EntryInFrame } | null = null;
  for (const entry of entries) {
    const placed = entry instanceof EntryInFrame ? entry : null;
    if (run !== null && placed?.follows(run.last) === true) {
      run = { first: run.first, last: placed };
      continue;
    }
    if (run !== null) yield run.first.through(run.last);
    run = placed === null ? null : { first: placed, last: placed };
    if (placed === null) yield entry.bytes;
  }
  if (run !== null) yield run.first.through(run.last);
}

function entriesRead(bytes: Buffer): readonly RawEntry[] | null {
  try {
    const frame = JSON.parse(bytes.toString('utf8')) as { readonly data?: unknown } | null;
    if (!Array.isArray(frame?.data)) return null;
    return (frame.data as readonly unknown[]).flatMap((pair) => {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
      return [rawEntryOf(pair[0], pair[1])];
    });
  } catch {
    return null;
  }
}
