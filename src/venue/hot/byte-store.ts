import { bytesOf, type Bytes } from './bytes.ts';

const GRAIN = 32;
/** Slabs are of this size: a power of two, so that a place splits into slab and offset by bits. */
const SLAB_BITS = 18;
const SLAB_BYTES = 2 ** SLAB_BITS;
const OFFSET_MASK = SLAB_BYTES - 1;

/** The longest text that can be kept. */
export const LONGEST_TEXT = SLAB_BYTES;

/**
 * Many short byte strings in a few large buffers, so that each costs its bytes and no object. A place is as long as its
 * text rounded up to 32; places that were given back are used again by texts of the same rounded length.
 */
export class ByteStore {
  #slabs: Bytes[] = [];
  /** Where the next new place begins. */
  #end = 0;
  /** Free places by their length in grains. */
  #free: number[][] = [];

  /** The buffer that a place is in, and where in it. */
  slabOf(place: number): Bytes {
    return this.#slabs[place >>> SLAB_BITS] as Bytes;
  }

  offsetOf(place: number): number {
    return place & OFFSET_MASK;
  }

  /** Copies `length` bytes of `from` in, `LONGEST_TEXT` at most; answers their place. */
  put(from: Uint8Array, at: number, length: number): number {
    const grains = grainsOf(length);
    const place = this.#free[grains]?.pop() ?? this.#extend(grains * GRAIN);
    this.#copy(place, from, at, length);
    return place;
  }

  /** Puts other bytes in the place of earlier ones, which need not be as long. Answers their place. */
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
    this.#slabs = [];
    this.#end = 0;
    this.#free = [];
  }

  #copy(place: number, from: Uint8Array, at: number, length: number): void {
    this.slabOf(place).array.set(from.subarray(at, at + length), this.offsetOf(place));
  }

  /** A text lies in one slab; what is left of the one before is given up. */
  #extend(length: number): number {
    const room = this.#slabs.length * SLAB_BYTES - this.#end;
    if (room < length) {
      this.#end = this.#slabs.length * SLAB_BYTES;
      this.#slabs.push(bytesOf(new Uint8Array(SLAB_BYTES)));
    }
    const place = this.#end;
    this.#end += length;
    return place;
  }
}

const grainsOf = (length: number): number => Math.ceil(length / GRAIN);
