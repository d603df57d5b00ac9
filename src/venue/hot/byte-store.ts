import { bytesOf, type Bytes } from './bytes.ts';

const GRAIN = 64;
const FIRST_BYTES = 64 * 1024;
const GROWTH = 1.25;

/**
 * Many short byte strings in one buffer, so that each costs its bytes and no object. A place is as long as its text
 * rounded up to 64; places that were given back are used again by texts of the same rounded length.
 */
export class ByteStore {
  #bytes: Bytes = bytesOf(new Uint8Array(FIRST_BYTES));
  #used = 0;
  /** Free places by their length in grains. */
  #free: number[][] = [];

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Copies `length` bytes of `from` in; answers where they are. */
  put(from: Uint8Array, at: number, length: number): number {
    const grains = grainsOf(length);
    const place = this.#free[grains]?.pop() ?? this.#extend(grains * GRAIN);
    this.#copy(place, from, at, length);
    return place;
  }

  /** Puts other bytes in the place of earlier ones, which need not be as long. Answers where they are. */
  replace(place: number, earlierLength: number, from: Uint8Array, at: number, length: number): number {
    if (grainsOf(earlierLength) !== grainsOf(length)) {
      this.release(place, earlierLength);
      return this.put(from, at, length);
    }
    this.#copy(place, from, at, length);
    return place;
  }

  release(place: number, length: number): void {
    (this.#free[grainsOf(length)] ??= []).push(place);
  }

  clear(): void {
    this.#used = 0;
    this.#free = [];
  }

  #copy(place: number, from: Uint8Array, at: number, length: number): void {
    this.#bytes.array.set(from.subarray(at, at + length), place);
  }

  #extend(length: number): number {
    const place = this.#used;
    this.#used += length;
    if (this.#used > this.#bytes.length) this.#grow();
    return place;
  }

  #grow(): void {
    const larger = new Uint8Array(
      Math.ceil(Math.max(this.#used, this.#bytes.length * GROWTH) / GRAIN) * GRAIN,
    );
    larger.set(this.#bytes.array);
    this.#bytes = bytesOf(larger);
  }
}

const grainsOf = (length: number): number => Math.ceil(length / GRAIN);
