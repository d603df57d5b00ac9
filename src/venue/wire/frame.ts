import { type DecodedEntry, readEntry } from './entries.ts';
import { parseJson } from './json.ts';
import { isRecord, readTimestamp } from './scalars.ts';
import type { Survey } from './survey.ts';

export interface DecodedFrame {
  readonly sentMs: number | null;
  readonly entries: readonly DecodedEntry[];
}

const NOTHING: DecodedFrame = { sentMs: null, entries: [] };

const utf8 = new TextDecoder();

/** Reads a server frame `{"ts": …, "data": [entry, …]}`. Unreadable parts are counted and left out, without an error. */
export function readFrame(data: Uint8Array, survey: Survey): DecodedFrame {
  const frame = parseJson(utf8.decode(data));
  if (!isRecord(frame) || !Array.isArray(frame['data'])) {
    survey.note('bad-frame', 'not {"ts", "data"}');
    return NOTHING;
  }
  const entries: DecodedEntry[] = [];
  for (const raw of frame['data'] as readonly unknown[]) {
    const entry = readEntry(raw, survey);
    if (entry !== null) entries.push(entry);
  }
  return { sentMs: readTimestamp(frame['ts']), entries };
}
