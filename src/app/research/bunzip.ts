import { createRequire } from 'node:module';

/** Reads so many bits; null: goes on to the next whole byte. */
interface BitReader {
  (bits: number | null): number;
  readonly bytesRead: number;
}

/** The parts of the library. Its stream unpacks everything that has arrived at once, however much that is. */
interface Bzip2 {
  header(bits: BitReader): number;
  /** Passes on each byte of a block. Returns the sum so far; null if it was not a block but the end. */
  decompress(
    bits: BitReader,
    onByte: (byte: number) => void,
    work: Int32Array,
    workSize: number,
    sum: number,
  ): number | null;
}

const require = createRequire(import.meta.url);
const bzip2 = require('unbzip2-stream/lib/bzip2.js') as Bzip2;
const bitReader = require('unbzip2-stream/lib/bit_iterator.js') as (next: () => Uint8Array) => BitReader;

/** Bytes of work for each of nine levels; a packed block has hardly more. */
const LEVEL_BYTES = 100_000;
const MARGIN_BYTES = 25_000;

class CutFile extends Error {
  constructor() {
    super('the file is cut: its end is missing');
  }
}

/** The bytes of a bzip2 file, one block after the other: a block has at most 46 MB. Throws if the file is cut or damaged. */
export async function* bunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packed = new Packed(bytes);
  let [level, sum] = [0, 0];
  while (await packed.has(MARGIN_BYTES + LEVEL_BYTES * level)) {
    const unpacked = new Unpacked();
    try {
      if (level === 0) {
        [level, sum] = [bzip2.header(packed.bits), 0];
        continue;
      }
      const size = LEVEL_BYTES * level;
      const next = bzip2.decompress(
        packed.bits,
        (byte) => unpacked.add(byte),
        new Int32Array(size),
        size,
        sum,
      );
      if (next === null) level = 0;
      else sum = next;
    } catch (error) {
      if (error instanceof CutFile) throw error;
      throw new Error('the file is damaged, or is not packed by bzip2', { cause: error });
    }
    if (level !== 0) yield unpacked.bytes;
  }
  if (level !== 0) throw new CutFile();
}

/** The part of the file that has arrived. */
class Packed {
  readonly #source: AsyncIterator<Uint8Array, unknown>;
  readonly #waiting: Uint8Array[] = [];
  #received = 0;
  #isAtEnd = false;
  #bits: BitReader | null = null;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  get bits(): BitReader {
    this.#bits ??= bitReader(() => {
      const next = this.#waiting.shift();
      if (next === undefined) throw new CutFile();
      return next;
    });
    return this.#bits;
  }

  /** Waits for so many bytes, or for the end. Returns whether any is left. */
  async has(bytes: number): Promise<boolean> {
    while (!this.#isAtEnd && this.#left() < bytes) {
      const next: IteratorResult<Uint8Array, unknown> = await this.#source.next();
      if (next.done === true) this.#isAtEnd = true;
      else if (next.value.length > 0) {
        this.#waiting.push(next.value);
        this.#received += next.value.length;
      }
    }
    return this.#left() > 0;
  }

  #left(): number {
    return this.#received - (this.#bits?.bytesRead ?? 0);
  }
}

/** Bytes that arrive one by one. */
class Unpacked {
  #held = new Uint8Array(10 * LEVEL_BYTES);
  #length = 0;

  add(byte: number): void {
    if (this.#length === this.#held.length) {
      const more = new Uint8Array(2 * this.#length);
      more.set(this.#held);
      this.#held = more;
    }
    this.#held[this.#length++] = byte;
  }

  get bytes(): Uint8Array {
    return this.#held.subarray(0, this.#length);
  }
}
