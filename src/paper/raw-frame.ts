/**
 * The frames of the stream as texts, entry by entry, so that a paper run can leave entries out and replace others. What it does not
 * touch passes byte by byte.
 */
import { entrySpans } from '../venue/index.ts';

/** An entry of a frame. */
export interface RawEntry {
  readonly tag: string;
  /** The whole entry, `["tag", payload]`. One character is one byte: only `readPayload` decodes it. */
  readonly text: string;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The payload of an entry; undefined if it is no JSON. */
export function readPayload({ text }: RawEntry): unknown {
  const pair = parsed(text);
  return Array.isArray(pair) ? (pair as unknown[])[1] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An entry from a value. */
export const rawEntryOf = (tag: string, payload: unknown): RawEntry => ({
  tag,
  text: Buffer.from(JSON.stringify([tag, payload]), 'utf8').toString('latin1'),
});

/** A frame cut into its entries. */
export interface RawFrame {
  readonly entries: readonly RawEntry[];
  /** The frame with other entries; the same bytes for the same entries, and null without any. */
  with(entries: readonly RawEntry[]): Uint8Array | null;
}

/** Cuts a frame. A frame whose text is unexpected is read as JSON; null for one that cannot be read. */
export function rawFrame(data: Uint8Array): RawFrame | null {
  const bytes = bufferOf(data);
  const spans = entrySpans(data);
  const entries = spans?.map(({ from, to }) => entryAt(bytes, from, to)) ?? entriesRead(bytes);
  if (entries === null) return null;
  return {
    entries,
    with(others) {
      const isSame = others.length === entries.length && others.every((each, at) => each === entries[at]);
      if (isSame) return data;
      return others.length === 0 ? null : frameText(timeOf(bytes), others);
    },
  };
}

function entryAt(bytes: Buffer, from: number, to: number): RawEntry {
  const text = bytes.toString('latin1', from, to);
  const plain = /^\[\s*"(\w+)"\s*,/.exec(text.slice(0, LONGEST_TAG))?.[1];
  return { tag: plain ?? tagRead(text), text };
}

/** The tag of an entry in which it is written in an unusual way; empty if it has none. */
function tagRead(text: string): string {
  const pair = parsed(text);
  return Array.isArray(pair) && typeof pair[0] === 'string' ? pair[0] : '';
}

const LONGEST_TAG = 100;

/** The text of the frame's time of sending. */
const timeOf = (bytes: Buffer): string =>
  /^\s*\{\s*"ts"\s*:\s*("[^"\\]*"|[-+.\deE]+)/.exec(bytes.toString('latin1', 0, LONGEST_TS))?.[1] ?? 'null';

const LONGEST_TS = 200;

const frameText = (ts: string, entries: readonly RawEntry[]): Uint8Array =>
  Buffer.from(`{"ts":${ts},"data":[${entries.map(({ text }) => text).join(',')}]}`, 'latin1');

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
