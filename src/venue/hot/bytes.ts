/** Bytes with a view on them, for comparing eight at a time. */
export interface Bytes {
  readonly length: number;
  readonly array: Uint8Array;
  readonly view: DataView;
}

export function bytesOf(array: Uint8Array): Bytes {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  return { length: array.length, array, view };
}

/** Whether `length` bytes at `a[aAt]` and `b[bAt]` are there and the same. */
export function sameBytes(a: Bytes, aAt: number, b: Bytes, bAt: number, length: number): boolean {
  if (aAt + length > a.length || bAt + length > b.length) return false;
  const words = length & ~7;
  for (let i = 0; i < words; i += 8) {
    if (a.view.getBigInt64(aAt + i, true) !== b.view.getBigInt64(bAt + i, true)) return false;
  }
  for (let i = words; i < length; i++) {
    if (a.array[aAt + i] !== b.array[bAt + i]) return false;
  }
  return true;
}

/** A 32-bit hash (FNV-1a by words) of `length` bytes at `at`. */
export function hashBytes(bytes: Bytes, at: number, length: number): number {
  let hash = 0x811c9dc5 ^ length;
  const words = length & ~3;
  for (let i = 0; i < words; i += 4) hash = Math.imul(hash ^ bytes.view.getInt32(at + i, true), 0x01000193);
  for (let i = words; i < length; i++) hash = Math.imul(hash ^ (bytes.array[at + i] as number), 0x01000193);
  return hash;
}
