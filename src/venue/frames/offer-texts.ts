import type { PriceList } from '../../domain/price-list.ts';
import type { Offer } from '../../domain/stream.ts';
import { type Bytes, bytesOf, hashBytes, sameBytes } from './bytes.ts';

/** Where an offer's entry lies in a frame. Positions in the frame; `list` is that of the price list's bracket. */
export interface EntrySpan {
  readonly at: number;
  /** Where the part begins that tells it from the other offers of its event. */
  readonly own: number;
  readonly list: number;
}

const FIRST_BYTES = 1_024;

/**
 * The offers whose entries begin alike, which are those of one event: their latest meaning, and of each text what stands
 * around its price list. The list's own text is not kept, because its meaning is. In columns by order of first sight,
 * since tens of thousands are held.
 */
export class OfferTexts {
  readonly offers: Offer[] = [];
  readonly #beginning: Bytes;
  /** Of each offer the text from behind the common beginning up to the price list, then that behind the list. */
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

  /** Where the price list of the entry at `at` must begin if it is offer `index`; -1 when it is not. */
  listOf(data: Bytes, at: number, index: number): number {
    const length = this.#headLengths[index];
    if (length === undefined) return -1;
    const own = at + this.#beginning.length;
    return sameBytes(data, own, this.#texts, this.#starts[index] as number, length) ? own + length : -1;
  }

  /** Where the entry ends whose list ends at `listEnd`, if it is offer `index`; -1 when it is not. */
  endOf(data: Bytes, listEnd: number, index: number): number {
    const from = (this.#starts[index] as number) + (this.#headLengths[index] as number);
    const length = (this.#starts[index + 1] ?? this.#end) - from;
    return sameBytes(data, listEnd, this.#texts, from, length) ? listEnd + length : -1;
  }

  /** Which offer's entry it is; -1 for one that is not known. */
  indexOf(data: Bytes, { at, own, list }: EntrySpan): number {
    const hash = hashBytes(data, own, list);
    let index = this.#hashes.indexOf(hash);
    while (index >= 0 && this.listOf(data, at, index) !== list) index = this.#hashes.indexOf(hash, index + 1);
    return index;
  }

  /** Remembers one more, whose list ends at `listEnd` and whose entry ends at `end`; answers it as it is kept. */
  add(data: Bytes, { own, list }: EntrySpan, listEnd: number, end: number, offer: Offer): Offer {
    this.#starts.push(this.#end);
    this.#headLengths.push(list - own);
    this.#hashes.push(hashBytes(data, own, list));
    this.#append(data.array.subarray(own, list));
    this.#append(data.array.subarray(listEnd, end));
    const kept = this.#withSharedNames(offer);
    this.offers.push(kept);
    return kept;
  }

  /** Puts another price list into offer `index`. */
  reprice(index: number, priceList: PriceList): Offer {
    const { sport, eventId, betType, marketType, inRunning } = this.offers[index] as Offer;
    const offer = { sport, eventId, betType, marketType, inRunning, priceList };
    this.offers[index] = offer;
    return offer;
  }

  /** With the strings of the first offer where they are equal, so that each is held once. */
  #withSharedNames(offer: Offer): Offer {
    const first = this.offers[0];
    if (first?.eventId !== offer.eventId || first.sport !== offer.sport) return offer;
    return { ...offer, sport: first.sport, eventId: first.eventId };
  }

  #append(bytes: Uint8Array): void {
    const end = this.#end + bytes.length;
    if (end > this.#texts.length) {
      // In small steps: an event's offers come all at once, and then the room stays unused.
      const larger = new Uint8Array(end + (end >> 3));
      larger.set(this.#texts.array);
      this.#texts = bytesOf(larger);
    }
    this.#texts.array.set(bytes, this.#end);
    this.#end = end;
  }
}
