import type { EventName } from '../../domain/events.ts';
import type { Offer } from '../../domain/stream.ts';
import { type DecodedEntry, type DecodedFrame, readEntry, readFrame } from '../wire/frame.ts';
import { instantWithin } from '../wire/bounds.ts';
import { parseJson } from '../wire/scalars.ts';
import type { Survey } from '../wire/survey.ts';
import { type Bytes, bytesOf } from './bytes.ts';
import { endOfEntry, readOpening, walkEntries } from './frame-text.ts';
import { OfferMemo } from './offer-memo.ts';

/**
 * Decodes the frames of one connection to exactly the result of `readFrame`, but works only on changes. An offer whose
 * text has not changed since the last frame is returned as the identical object. Unexpected text is left to `readFrame`,
 * if need be the whole frame.
 */
export class FrameDecoder {
  readonly #survey: Survey;
  readonly #memo = new OfferMemo();
  readonly #utf8 = new TextDecoder();
  /** The position after the entry that was read last. */
  #end = 0;

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

  /** Makes something of each entry (null for one that has no meaning) and of where its text is. Null when the text of the frame is unexpected. */
  each<T>(
    array: Uint8Array,
    make: (entry: DecodedEntry | null, from: number, to: number) => T,
  ): readonly T[] | null {
    const opening = readOpening(array);
    if (opening === null) return null;
    const data = bytesOf(array);
    const made: T[] = [];
    const isExpected = walkEntries(array, opening.entries, (from) => {
      const entry = this.#readEntry(data, from);
      if (this.#end >= 0) made.push(make(entry, from, this.#end));
      return this.#end;
    });
    return isExpected ? made : null;
  }

  /** Drops the event's offers, which will not come again soon. */
  forget(event: EventName): void {
    this.#memo.forget(event);
  }

  /** The text of each offer of an event, as it was last sent, by the offer that `decode` or `each` returned. Unusual texts are not kept. */
  textsOf(event: EventName): ReadonlyMap<Offer, Uint8Array> {
    return this.#memo.textsOf(event);
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
    const isExpected = walkEntries(data.array, at, (from) => {
      const entry = this.#readEntry(data, from);
      if (entry !== null) entries.push(entry);
      return this.#end;
    });
    return isExpected ? entries : null;
  }

  /** Reads the entry at `at`; null for one that has no meaning. `#end` is the position after it, or -1 when the text is unexpected. */
  #readEntry(data: Bytes, at: number): DecodedEntry | null {
    const known = this.#memo.find(data, at);
    this.#end = known === null ? endOfEntry(data.array, at) : this.#memo.end;
    if (known !== null || this.#end < 0) return known;
    const end = this.#end;
    const text = this.#utf8.decode(data.array.subarray(at, end));
    const raw = parseJson(text);
    if (raw === undefined) {
      this.#end = -1;
      return null;
    }
    const entry = readEntry(raw, this.#survey);
    return entry === null ? null : this.#remember(data, at, end, text, entry);
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
