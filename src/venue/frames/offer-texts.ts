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

/**
 * The offers whose entries begin alike, which are those of one event. Kept are their latest meaning and the text around
 * each price list; the text of the list itself is not needed. Stored in columns by order of first sight, because there
 * are tens of thousands.
 */
export class OfferTexts {
  /** An unchanged offer is the same entry in every frame: most are unchanged, and a new object for each would be most of the garbage. */
  readonly entries: OfferEntry[] = [];
  readonly #beginning: Bytes;
  /** For each offer, the text between the common beginning and the price list, then the text after the list. */
  #texts = bytesOf(new Uint8Array(FIRST_BYTES));
  #end = 0;
  readonly #starts: number[] = [];
  readonly #headLengths: number[] = [];
  readonly #hashes: number[] = [];

  constructor(beginning: Uint8Array) {
    this.#beginning = bytesOf(beginning);
  }

  /** Whether an entry with the common beginning starts at `at`. */
  isAt(data: Bytes, at: number): boolean {
    return sameBytes(data, at, this.#beginning, 0, this.#beginning.length);
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
    const from = (this.#starts[index] as number) + (this.#headLengths[index] as number);
    const length = (this.#starts[index + 1] ?? this.#end) - from;
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
    this.#starts.push(this.#end);
    this.#headLengths.push(list - own);
    this.#hashes.push(hashBytes(data, own, list));
    this.#append(data.array.subarray(own, list));
    this.#append(data.array.subarray(listEnd, end));
    const entry: OfferEntry = { tag: 'offer', offer: this.#withSharedNames(offer) };
    this.entries.push(entry);
    return entry;
  }

  /** Replaces the price list of offer `index`. */
  reprice(index: number, priceList: PriceList): OfferEntry {
    const { sport, eventId, betType, marketType, inRunning } = (this.entries[index] as OfferEntry).offer;
    const offer = { sport, eventId, betType, marketType, inRunning, priceList };
    const entry: OfferEntry = { tag: 'offer', offer };
    this.entries[index] = entry;
    return entry;
  }

  /** The offer with the first offer's strings where they are equal, so that each string is in memory once. */
  #withSharedNames(offer: Offer): Offer {
    const first = this.entries[0]?.offer;
    if (first?.eventId !== offer.eventId || first.sport !== offer.sport) return offer;
    return { ...offer, sport: first.sport, eventId: first.eventId };
  }

  #append(bytes: Uint8Array): void {
    const end = this.#end + bytes.length;
    if (end > this.#texts.length) {
      // Grows in small steps: an event's offers come all at once, and more room would stay unused.
      const larger = new Uint8Array(end + (end >> 3));
      larger.set(this.#texts.array);
      this.#texts = bytesOf(larger);
    }
    this.#texts.array.set(bytes, this.#end);
    this.#end = end;
  }
}
