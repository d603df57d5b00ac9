import { type EventName, isSameEvent } from '../../domain/events.ts';
import type { Offer } from '../../domain/stream.ts';
import { BYTE, type Bytes, hashBytes } from './bytes.ts';
import { type EntrySpan, type OfferEntry, OfferTexts } from './offer-texts.ts';
import { PriceText } from './price-text.ts';

const { BLANK, COLON, OPEN } = BYTE;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const BET_TYPE = encode('"bet_type"');
const PRICE_LIST = encode('"price_list"');
/** The most offers to remember: in all, and with the same beginning. Beyond that, they are forgotten. */
const MOST_OFFERS = 200_000;
const MOST_ALIKE = 5_000;

/**
 * Remembers the texts of offer entries and their meaning. An entry with the text of the last frame costs one comparison; of a known one
 * with another price list, only the list has to be read. Frames repeat an event's whole offer set, mostly unchanged and mostly in the same
 * order, but the order is only a guess. Texts are compared byte by byte, never by hash alone.
 */
export class OfferMemo {
  readonly #byBeginning = new Map<number, OfferTexts>();
  readonly #prices = new PriceText();
  /** The number of remembered offers. */
  size = 0;
  /** The guess for the next entry, with `#index`. */
  #texts: OfferTexts | null = null;
  #index = 0;
  /** The position after the entry that `find` returned last. */
  end = 0;

  /** The offer entry that starts at `at`, if all its text but the price list is known; else null. */
  find(data: Bytes, at: number): OfferEntry | null {
    const end = this.#texts?.endOfSame(data, at, this.#index) ?? -1;
    if (end < 0) return this.#findChanged(data, at);
    this.end = end;
    return this.#texts?.entries[this.#index++] as OfferEntry;
  }

  #findChanged(data: Bytes, at: number): OfferEntry | null {
    const list = this.#recognise(data, at);
    const [texts, index] = [this.#texts, this.#index];
    if (list < 0 || texts === null) return null;
    const { offer } = texts.entries[index] as OfferEntry;
    const priceList = this.#prices.read(data, list, offer.priceList);
    if (priceList === null) return null;
    this.end = texts.endOf(data, this.#prices.end, index);
    if (this.end < 0) return null;
    this.#index++;
    return texts.reprice(data, list, this.end, index, priceList);
  }

  /**
   * Remembers an offer that the general reader has read, if its text can be recognised. Returns the entry as it is kept.
   * `text` is the text of the bytes from `at` to `end`.
   */
  learn(data: Bytes, at: number, end: number, text: string, entry: OfferEntry): OfferEntry {
    const { offer } = entry;
    const span = spanOf(data, at, end);
    if (span === null || this.#prices.read(data, span.list, offer.priceList) !== offer.priceList)
      return entry;
    // Positions count bytes. In a text with characters beyond ASCII they would point elsewhere.
    const isAscii = text.length === end - at;
    if (!isAscii || !isTheList(text, span.list - at, this.#prices.end - at)) return entry;
    this.#texts = this.#textsFor(data, span);
    this.size++;
    this.#index = this.#texts.entries.length + 1;
    return this.#texts.add(data, span, this.#prices.end, end, offer);
  }

  /** The latest text of each remembered offer of an event. */
  textsOf(event: EventName): ReadonlyMap<Offer, Uint8Array> {
    const found = new Map<Offer, Uint8Array>();
    for (const texts of this.#byBeginning.values()) {
      // Texts begin alike because they name one event there. Others are not looked for.
      const first = texts.entries[0]?.offer;
      if (first === undefined || !isSameEvent(first, event)) continue;
      for (const [index, { offer }] of texts.entries.entries())
        if (isSameEvent(offer, event)) found.set(offer, texts.textOf(index));
    }
    return found;
  }

  /** Forgets the event's offers, or all when null. */
  forget(event: EventName | null): void {
    this.#texts = null;
    for (const [hash, { entries }] of this.#byBeginning) {
      if (event === null || entries.some(({ offer }) => isSameEvent(offer, event))) this.#drop(hash);
    }
  }

  /** Sets the guess to the offer whose entry starts at `at`. Returns where its price list begins, -1 when unknown. */
  #recognise(data: Bytes, at: number): number {
    if (this.#texts?.isAt(data, at) === true) {
      const list = this.#texts.listOf(data, at, this.#index);
      if (list >= 0) return list;
    }
    const span = spanOf(data, at, data.length);
    const texts = span && this.#textsAt(data, span);
    const index = texts?.indexOf(data, span as EntrySpan) ?? -1;
    if (texts === null || index < 0) return -1;
    this.#texts = texts;
    this.#index = index;
    return (span as EntrySpan).list;
  }

  #textsAt(data: Bytes, { at, own }: EntrySpan): OfferTexts | null {
    const texts = this.#byBeginning.get(hashBytes(data, at, own));
    return texts?.isAt(data, at) === true ? texts : null;
  }

  /** The group for a new offer: offers that begin like it, unless one of them is its own earlier text. */
  #textsFor(data: Bytes, span: EntrySpan): OfferTexts {
    const known = this.#textsAt(data, span);
    if (known !== null && known.entries.length < MOST_ALIKE && known.indexOf(data, span) < 0) return known;
    if (this.size >= MOST_OFFERS) this.forget(null);
    const hash = hashBytes(data, span.at, span.own);
    this.#drop(hash);
    const texts = new OfferTexts(data.array.slice(span.at, span.own));
    this.#byBeginning.set(hash, texts);
    return texts;
  }

  #drop(hash: number): void {
    this.size -= this.#byBeginning.get(hash)?.entries.length ?? 0;
    this.#byBeginning.delete(hash);
  }
}

/** Where the parts of the entry at `at` are; null when it has no list named `price_list`. */
function spanOf(data: Bytes, at: number, end: number): EntrySpan | null {
  let next = indexOf(data.array, PRICE_LIST, at, end);
  if (next < 0) return null;
  const own = indexOf(data.array, BET_TYPE, at, next);
  next += PRICE_LIST.length;
  if (data.array[next++] !== COLON) return null;
  if (data.array[next] === BLANK) next++;
  return data.array[next] === OPEN ? { at, own: Math.max(at, own), list: next } : null;
}

/** The part before the price list is short. A search further on is of no use. */
const LONGEST_HEAD = 512;

/** The first position of the pattern between `from` and `end`; -1 when there is none. */
function indexOf(array: Uint8Array, pattern: Uint8Array, from: number, end: number): number {
  const last = Math.min(end, from + LONGEST_HEAD) - pattern.length;
  const first = pattern[0];
  for (let at = from; at <= last; at++) {
    if (array[at] === first && array[at + 1] === pattern[1] && startsWith(array, at, pattern)) return at;
  }
  return -1;
}

function startsWith(array: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let i = 2; i < pattern.length; i++) if (array[at + i] !== pattern[i]) return false;
  return true;
}

/**
 * Whether [head, listEnd) of an entry's text is *the* price list of the offer and not text that only looks like it. As
 * proof, another list in its place must show up where the price list is read.
 */
function isTheList(text: string, head: number, listEnd: number): boolean {
  const probe: unknown = JSON.parse(`${text.slice(0, head)}["probe"]${text.slice(listEnd)}`);
  if (!Array.isArray(probe) || probe.length !== 2) return false;
  const list = (probe[1] as { price_list?: unknown }).price_list;
  return Array.isArray(list) && list.length === 1 && list[0] === 'probe';
}
