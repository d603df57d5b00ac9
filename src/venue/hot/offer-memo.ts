import type { EventId } from '../../domain/ids.ts';
import type { PriceList } from '../../domain/price-list.ts';
import type { Offer, StreamEntry } from '../../domain/stream.ts';
import { ByteStore, LONGEST_TEXT } from './byte-store.ts';
import { hashBytes, sameBytes, type Bytes } from './bytes.ts';
import { PriceText } from './price-text.ts';

type OfferEntry = Extract<StreamEntry, { tag: 'offer' }>;

/** The latest text of one market's entry, and what it means. `head` and `tail` are what stands around its price list. */
interface Remembered {
  entry: OfferEntry;
  place: number;
  length: number;
  readonly head: number;
  readonly tail: number;
  readonly hash: number;
  /** The entry that followed in the last frame: the guess for what follows in the next. */
  next: Remembered | null;
  /** False when it was forgotten: its place holds another text. */
  known: boolean;
}

const PRICE_LIST = new TextEncoder().encode('"price_list"');
const [OPEN, COLON, BLANK] = [0x5b, 0x3a, 0x20];
/** Entries that are remembered at most; when there are more, all are forgotten. */
const MOST_ENTRIES = 200_000;

/**
 * What the texts of offer entries mean, so that an entry whose text was seen before costs a comparison, and one of which
 * only the price list changed costs reading that. Frames repeat an event's whole offer set, mostly unchanged and mostly
 * in the same order; the order is a guess and no more. Texts are compared byte by byte, never by hash alone.
 */
export class OfferMemo {
  readonly #store = new ByteStore();
  readonly #byHead = new Map<number, Remembered>();
  readonly #prices = new PriceText();
  #last: Remembered | null = null;
  /** After `find` that answered an entry: the position behind it. */
  end = 0;

  /** A new frame begins: nothing is known of what comes first. */
  begin(): void {
    this.#last = null;
  }

  /** The offer entry that starts at `at`, when its text is known up to its price list; else null. */
  find(data: Bytes, at: number): OfferEntry | null {
    const guess = this.#guess();
    if (guess !== null && this.#hasText(data, at, guess, 0, guess.length)) {
      return this.#found(guess, at + guess.length);
    }
    const known = guess !== null && this.#hasHead(data, at, guess) ? guess : this.#byItsHead(data, at);
    if (known === null) return null;
    if (this.#hasText(data, at, known, 0, known.length)) {
      return this.#found(known, at + known.length);
    }
    return this.#changed(data, at, known);
  }

  /** Remembers an entry that the general reader has read. `text` is that of the bytes from `at` to `end`. */
  learn(data: Bytes, at: number, end: number, text: string, offer: Offer): OfferEntry {
    const entry: OfferEntry = { tag: 'offer', offer };
    const head = headLength(data, at, end);
    const list = head === 0 || end - at > LONGEST_TEXT ? null : this.#prices.read(data.array, at + head);
    // Lengths here are of bytes: in a text with characters beyond ASCII they would point elsewhere.
    const isAscii = text.length === end - at;
    const isRead = isAscii && list !== null && isSameList(list, offer.priceList);
    if (isRead && isTheList(text, head, this.#prices.end - at)) this.#remember(data, at, end, head, entry);
    else this.#last = null;
    return entry;
  }

  /** Forgets an event's offers, or all. */
  forget(eventId: EventId | null): void {
    this.#last = null;
    for (const known of this.#byHead.values()) {
      if (eventId === null || known.entry.offer.eventId === eventId) this.#drop(known);
    }
    if (eventId === null) this.#store.clear();
  }

  get size(): number {
    return this.#byHead.size;
  }

  #guess(): Remembered | null {
    const next = this.#last?.next ?? null;
    return next?.known === true ? next : null;
  }

  #found(known: Remembered, end: number): OfferEntry {
    this.#follow(known);
    this.end = end;
    return known.entry;
  }

  #follow(known: Remembered): void {
    if (this.#last !== null && this.#last !== known) this.#last.next = known;
    this.#last = known;
  }

  /** Whether `length` bytes of the text from `from` on stand at `at`. */
  #hasText(data: Bytes, at: number, { place }: Remembered, from: number, length: number): boolean {
    return sameBytes(data, at, this.#store.slabOf(place), this.#store.offsetOf(place) + from, length);
  }

  #hasHead(data: Bytes, at: number, known: Remembered): boolean {
    return this.#hasText(data, at, known, 0, known.head);
  }

  #byItsHead(data: Bytes, at: number): Remembered | null {
    const head = headLength(data, at, data.length);
    const known = head === 0 ? undefined : this.#byHead.get(hashBytes(data, at, head));
    return known?.head === head && this.#hasHead(data, at, known) ? known : null;
  }

  /** Same head: if the same tail follows a list that reads well, only the list is new. */
  #changed(data: Bytes, at: number, known: Remembered): OfferEntry | null {
    const priceList = this.#prices.read(data.array, at + known.head);
    if (priceList === null) return null;
    const tailAt = this.#prices.end;
    if (!this.#hasText(data, tailAt, known, known.length - known.tail, known.tail)) return null;
    const length = tailAt + known.tail - at;
    if (length > LONGEST_TEXT) return null;
    const { sport, eventId, betType, marketType, inRunning } = known.entry.offer;
    known.entry = { tag: 'offer', offer: { sport, eventId, betType, marketType, inRunning, priceList } };
    known.place = this.#store.replace(known.place, known.length, data.array, at, length);
    known.length = length;
    return this.#found(known, at + length);
  }

  #remember(data: Bytes, at: number, end: number, head: number, entry: OfferEntry): void {
    const hash = hashBytes(data, at, head);
    const earlier = this.#byHead.get(hash);
    if (earlier !== undefined) this.#drop(earlier);
    if (this.#byHead.size >= MOST_ENTRIES) this.forget(null);
    const length = end - at;
    const place = this.#store.put(data.array, at, length);
    const known = { entry, place, length, head, tail: end - this.#prices.end, hash, next: null, known: true };
    this.#byHead.set(hash, known);
    this.#follow(known);
  }

  #drop(known: Remembered): void {
    known.known = false;
    this.#byHead.delete(known.hash);
    this.#store.release(known.place, known.length);
  }
}

const isSameList = (a: PriceList, b: PriceList): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** Length of an entry's text up to the bracket of the first list that is called `price_list`; 0 when there is none. */
function headLength(data: Bytes, at: number, end: number): number {
  let next = indexOf(data.array, PRICE_LIST, at, end) + PRICE_LIST.length;
  if (next < PRICE_LIST.length || data.array[next++] !== COLON) return 0;
  if (data.array[next] === BLANK) next++;
  return data.array[next] === OPEN ? next - at : 0;
}

/** Heads are short: further on, there is no use in looking. */
const LONGEST_HEAD = 512;

function indexOf(array: Uint8Array, pattern: Uint8Array, from: number, end: number): number {
  const last = Math.min(end, from + LONGEST_HEAD) - pattern.length;
  const first = pattern[0];
  for (let at = from; at <= last; at++) {
    if (array[at] === first && array[at + 1] === pattern[1] && startsWith(array, at, pattern)) return at;
  }
  return -PRICE_LIST.length;
}

function startsWith(array: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let i = 2; i < pattern.length; i++) if (array[at + i] !== pattern[i]) return false;
  return true;
}

/**
 * Whether what stands at [head, listEnd) of an entry's text is *the* price list of the offer and nothing that only looks
 * like it: another list in its place must arrive where the price list is read.
 */
function isTheList(text: string, head: number, listEnd: number): boolean {
  const probe: unknown = JSON.parse(`${text.slice(0, head)}["probe"]${text.slice(listEnd)}`);
  if (!Array.isArray(probe) || probe.length !== 2) return false;
  const list = (probe[1] as { price_list?: unknown }).price_list;
  return Array.isArray(list) && list.length === 1 && list[0] === 'probe';
}
