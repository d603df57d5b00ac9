import type { PriceList } from '../../domain/price-list.ts';
import type { Offer, StreamEntry } from '../../domain/stream.ts';
import { type Bytes, bytesOf, hashBytes, sameBytes } from './bytes.ts';

/** Where an offer's entry lies in a frame. `at` is its start, `list` the bracket of its price list. */
export interface EntrySpan {
  readonly at: number;
  /** The start of the part that differs from the other offers of the event. */
  readonly own: number;
  readonly list: number;
}

export type OfferEntry = Extract<StreamEntry, { tag: 'offer' }>;

const FIRST_BYTES = 1_024;
/** A price list may become this much longer before the texts behind it have to move. */
const SPARE_BYTES = 8;

/**
 * The offers whose entries begin alike, which are those of one event. Kept are their latest text and meaning. Stored in columns by
 * order of first sight, because there are tens of thousands.
 */
export class OfferTexts {
  /** An unchanged offer is the same entry in every frame: most are unchanged, and a new object for each would be most of the garbage. */
  readonly entries: OfferEntry[] = [];
  readonly #beginning: Bytes;
  /** For each offer, its text behind the common beginning: up to the price list, the list, and what follows it. Then bytes to spare. */
  #texts = bytesOf(new Uint8Array(FIRST_BYTES));
  #end = 0;
  readonly #starts: number[] = [];
  readonly #headLengths: number[] = [];
  readonly #lengths: number[] = [];
  readonly #tailLengths: number[] = [];
  readonly #hashes: number[] = [];

  constructor(beginning: Uint8Array) {
    this.#beginning = bytesOf(beginning);
  }

  /** The latest text of offer `index`. */
  textOf(index: number): Uint8Array {
    const start = this.#starts[index] as number;
    const text = new Uint8Array(this.#beginning.length + (this.#lengths[index] as number));
    text.set(this.#beginning.array);
    text.set(
      this.#texts.array.subarray(start, start + (this.#lengths[index] as number)),
      this.#beginning.length,
    );
    return text;
  }

  /** Whether an entry with the common beginning starts at `at`. */
  isAt(data: Bytes, at: number): boolean {
    return sameBytes(data, at, this.#beginning, 0, this.#beginning.length);
  }

  /** Where the entry at `at` ends if its text is that of offer `index`, price list included; -1 when it is not. */
  endOfSame(data: Bytes, at: number, index: number): number {
    const length = this.#lengths[index];
    if (length === undefined || !this.isAt(data, at)) return -1;
    const own = at + this.#beginning.length;
    return sameBytes(data, own, this.#texts, this.#starts[index] as number, length) ? own + length : -1;
  }

  /** Where the price list of the entry at `at` begins if the entry is offer `index`; -1 when it is another. */
  listOf(data: Bytes, at: number, index: number): number {
    const length = this.#headLengths[index];
    if (length === undefined) return -1;
    const own = at + this.#beginning.length;
    return sameBytes(data, own, this.#texts, this.#starts[index] as number, length) ? own + length : -1;
  }

  /** Where the entry whose list ends at `listEnd` ends if it is offer `index`; -1 when it is another. */
  endOf(data: Bytes, listEnd: number, index: number): number {
    const length = this.#tailLengths[index] as number;
    const from = (this.#starts[index] as number) + (this.#lengths[index] as number) - length;
    return sameBytes(data, listEnd, this.#texts, from, length) ? listEnd + length : -1;
  }

  /** The index of the entry's offer; -1 when it is not known. */
  indexOf(data: Bytes, { at, own, list }: EntrySpan): number {
    const hash = hashBytes(data, own, list);
    let index = this.#hashes.indexOf(hash);
    while (index >= 0 && this.listOf(data, at, index) !== list) index = this.#hashes.indexOf(hash, index + 1);
    return index;
  }

  /** Remembers an offer whose list ends at `listEnd` and whose entry ends at `end`. Returns the entry as it is kept. */
  add(data: Bytes, { own, list }: EntrySpan, listEnd: number, end: number, offer: Offer): OfferEntry {
    const length = end - own;
    this.#starts.push(this.#end);
    this.#headLengths.push(list - own);
    this.#lengths.push(length);
    this.#tailLengths.push(end - listEnd);
    this.#hashes.push(hashBytes(data, own, list));
    this.#reserve(length + SPARE_BYTES);
    this.#texts.array.set(data.array.subarray(own, end), this.#end);
    this.#end += length + SPARE_BYTES;
    const entry: OfferEntry = { tag: 'offer', offer: this.#withSharedNames(offer) };
    this.entries.push(entry);
    return entry;
  }

  /** Takes over the price list of offer `index`, and its text, from the entry that ends at `end`. Returns the entry as it is kept. */
  reprice(data: Bytes, list: number, end: number, index: number, priceList: PriceList): OfferEntry {
    const start = this.#starts[index] as number;
    const head = this.#headLengths[index] as number;
    const length = head + end - list;
    const missing = start + length - (this.#starts[index + 1] ?? this.#end);
    if (missing > 0) this.#widen(index, missing + SPARE_BYTES);
    this.#texts.array.set(data.array.subarray(list, end), start + head);
    this.#lengths[index] = length;
    const previous = this.entries[index] as OfferEntry;
    if (previous.offer.priceList === priceList) return previous;
    const { sport, eventId, betType, marketType, inRunning } = previous.offer;
    const offer = { sport, eventId, betType, marketType, inRunning, priceList };
    return (this.entries[index] = { tag: 'offer', offer });
  }

  /** The offer with the first offer's strings where they are equal, so that each string is in memory once. */
  #withSharedNames(offer: Offer): Offer {
    const first = this.entries[0]?.offer;
    if (first?.eventId !== offer.eventId || first.sport !== offer.sport) return offer;
    return { ...offer, sport: first.sport, eventId: first.eventId };
  }

  /** Moves the texts behind offer `index` by so many bytes. */
  #widen(index: number, bytes: number): void {
    this.#reserve(bytes);
    const next = this.#starts[index + 1] ?? this.#end;
    this.#texts.array.copyWithin(next + bytes, next, this.#end);
    for (let i = index + 1; i < this.#starts.length; i++)
      this.#starts[i] = (this.#starts[i] as number) + bytes;
    this.#end += bytes;
  }

  #reserve(bytes: number): void {
    const end = this.#end + bytes;
    if (end <= this.#texts.length) return;
    // Grows in small steps: an event's offers come all at once, and more room would stay unused.
    const larger = new Uint8Array(end + (end >> 4));
    larger.set(this.#texts.array);
    this.#texts = bytesOf(larger);
  }
}
