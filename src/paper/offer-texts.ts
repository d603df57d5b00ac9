import type { Offer } from '../domain/stream.ts';
import { type DecodedEntry, readEntry, silentSurvey } from '../venue/index.ts';
import { type RawEntry, readPayload } from './raw-frame.ts';

/** Offers that are remembered by their text. Twice as many are held for a moment. */
const MOST_REMEMBERED = 20_000;

/**
 * Reads entries. Most offers of a broadcast are those of the last one: an offer with the same text is the identical object, and is not
 * read again.
 */
export class OfferTexts {
  #young = new Map<string, Offer>();
  #old = new Map<string, Offer>();

  /** Null for an entry that cannot be read. */
  read(entry: RawEntry): DecodedEntry | null {
    const known = entry.tag === 'offer' ? this.#known(entry.text) : undefined;
    if (known !== undefined) return { tag: 'offer', offer: known };
    const read = readEntry([entry.tag, readPayload(entry)], silentSurvey);
    if (read?.tag === 'offer') this.#remember(entry.text, read.offer);
    return read;
  }

  #known(text: string): Offer | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.#remember(text, old);
    return old;
  }

  #remember(text: string, offer: Offer): void {
    if (this.#young.size >= MOST_REMEMBERED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, offer);
  }
}
