import type { EventName } from '../../domain/events.ts';
import { type DecodedEntry, type DecodedFrame, readEntry, readFrame } from '../wire/frame.ts';
import { instantWithin } from '../wire/bounds.ts';
import { parseJson } from '../wire/scalars.ts';
import type { Survey } from '../wire/survey.ts';
import { BYTE, type Bytes, bytesOf } from './bytes.ts';
import { endOfEntry, isClosing, readOpening, skipBlanks } from './frame-text.ts';
import { OfferMemo } from './offer-memo.ts';

const { CLOSE, COMMA } = BYTE;

/**
 * Decodes the frames of one connection to exactly the result of `readFrame`, but works only on changes. An offer whose
 * text has not changed since the last frame is returned as the identical object. Unexpected text is left to `readFrame`,
 * if need be the whole frame.
 */
export class FrameDecoder {
  readonly #survey: Survey;
  readonly #memo = new OfferMemo();
  readonly #utf8 = new TextDecoder();

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  decode(array: Uint8Array): DecodedFrame {
    const opening = readOpening(array);
    if (opening === null) return this.#readWhole(array);
    const ts = parseJson(this.#utf8.decode(array.subarray(opening.tsFrom, opening.tsTo)));
    const entries = ts === undefined ? null : this.#readEntries(bytesOf(array), opening.entries);
    if (entries === null) return this.#readWhole(array);
    return { sentMs: instantWithin('frame.ts', ts, this.#survey), entries };
  }

  /** Drops the event's offers, which will not come again soon. */
  forget(event: EventName): void {
    this.#memo.forget(event);
  }

  /** The number of remembered offers. */
  get size(): number {
    return this.#memo.size;
  }

  /** Reads the whole frame without the memo: no offer of it is recognised as unchanged. */
  #readWhole(array: Uint8Array): DecodedFrame {
    const frame = readFrame(array, this.#survey);
    for (const entry of frame.entries) this.#observe(entry);
    return frame;
  }

  /** The entries from `at` on; null when the text is unexpected. */
  #readEntries(data: Bytes, at: number): DecodedEntry[] | null {
    const entries: DecodedEntry[] = [];
    let next = skipBlanks(data.array, at);
    if (data.array[next] === CLOSE) return isClosing(data.array, next + 1) ? entries : null;
    for (;;) {
      const end = this.#readEntry(data, next, entries);
      if (end < 0) return null;
      next = skipBlanks(data.array, end);
      if (data.array[next] === CLOSE) return isClosing(data.array, next + 1) ? entries : null;
      if (data.array[next] !== COMMA) return null;
      next = skipBlanks(data.array, next + 1);
    }
  }

  /** Reads the entry at `at` into `entries`. Returns the position after it, or -1 when the text is unexpected. */
  #readEntry(data: Bytes, at: number, entries: DecodedEntry[]): number {
    const known = this.#memo.find(data, at);
    if (known !== null) {
      entries.push(known);
      return this.#memo.end;
    }
    const end = endOfEntry(data.array, at);
    if (end < 0) return end;
    const text = this.#utf8.decode(data.array.subarray(at, end));
    const raw = parseJson(text);
    if (raw === undefined) return -1;
    const entry = readEntry(raw, this.#survey);
    if (entry === null) return end;
    entries.push(this.#remember(data, at, end, text, entry));
    return end;
  }

  #remember(data: Bytes, at: number, end: number, text: string, entry: DecodedEntry): DecodedEntry {
    if (entry.tag === 'offer') return this.#memo.learn(data, at, end, text, entry);
    this.#observe(entry);
    return entry;
  }

  #observe(entry: DecodedEntry): void {
    if (entry.tag === 'clear_events') this.#memo.forget(null);
    else if (entry.tag === 'remove_event') this.#memo.forget(entry);
  }
}
