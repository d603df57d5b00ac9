/**
 * The bytes of JSON's characters. A module that compares many bytes copies them into constants of its own: the engine compiles those
 * into its code, and looks imported ones up each time.
 */
export const BYTE = {
  BLANK: 0x20,
  QUOTE: 0x22,
  COMMA: 0x2c,
  POINT: 0x2e,
  ZERO: 0x30,
  NINE: 0x39,
  COLON: 0x3a,
  OPEN: 0x5b,
  BACKSLASH: 0x5c,
  CLOSE: 0x5d,
  OPEN_BRACE: 0x7b,
  CLOSE_BRACE: 0x7d,
} as const;

/** Bytes with a view on them, to compare eight at a time. */
export interface Bytes {
  readonly length: number;
  readonly array: Uint8Array;
  readonly view: DataView;
}

export function bytesOf(array: Uint8Array): Bytes {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  return { length: array.length, array, view };
}

const WORD = 8;

/** Whether both arrays have `length` bytes at `aAt` and `bAt`, and these are equal. */
export function sameBytes(a: Bytes, aAt: number, b: Bytes, bAt: number, length: number): boolean {
  if (aAt + length > a.length || bAt + length > b.length) return false;
  if (length < WORD) {
    for (let i = 0; i < length; i++) if (a.array[aAt + i] !== b.array[bAt + i]) return false;
    return true;
  }
  const last = length - WORD;
  for (let i = 0; i < last; i += WORD) if (!sameWord(a.view, aAt + i, b.view, bAt + i)) return false;
  // The last eight bytes may overlap those before.
  return sameWord(a.view, aAt + last, b.view, bAt + last);
}

const sameWord = (a: DataView, aAt: number, b: DataView, bAt: number): boolean =>
  a.getBigInt64(aAt, true) === b.getBigInt64(bAt, true);

/** A 32-bit hash of the bytes from `from` to `to`. */
export function hashBytes({ array, view }: Bytes, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = mix(hash, view.getInt32(at, true));
  for (; at < to; at++) hash = mix(hash, array[at] as number);
  return hash;
}

/** The rotation brings the high bits back to where they matter. A product only pushes them out. */
const mix = (hash: number, word: number): number =>
  Math.imul(((hash << 13) | (hash >>> 19)) ^ word, 0x9e3779b1);
