/** The payload of an `updates` record (`docs/recording.md`, "Imported markets"). */
import { RecordingError } from '../../domain/errors.ts';
import type { Updates } from '../tape.ts';

const BYTES_PER_UPDATE = 8 + 8 + 2 + 2 + 1;

export function updatesPayload(marketId: string, updates: Updates): Uint8Array {
  const id = new TextEncoder().encode(marketId);
  const { length } = updates;
  const payload = new Uint8Array(8 + id.length + length * BYTES_PER_UPDATE);
  const view = new DataView(payload.buffer);
  view.setUint32(0, id.length, true);
  payload.set(id, 4);
  view.setUint32(4 + id.length, length, true);
  let at = 8 + id.length;
  for (const column of columnsOf(updates)) {
    payload.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return payload;
}

/** Throws RecordingError if the payload is of another form. */
export function updatesIn(payload: Uint8Array): { readonly marketId: string; readonly updates: Updates } {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const idBytes = payload.length >= 8 ? view.getUint32(0, true) : Infinity;
  const length = payload.length >= 8 + idBytes ? view.getUint32(4 + idBytes, true) : Infinity;
  if (payload.length !== 8 + idBytes + length * BYTES_PER_UPDATE)
    throw new RecordingError('a record of updates has another length than it says', {});
  const updates: Updates = {
    length,
    atMs: new Float64Array(length),
    op: new Uint8Array(length),
    of: new Uint16Array(length),
    tick: new Uint16Array(length),
    micros: new Float64Array(length),
  };
  let at = 8 + idBytes;
  for (const column of columnsOf(updates)) {
    const bytes = new Uint8Array(column.buffer);
    bytes.set(payload.subarray(at, at + bytes.length));
    at += bytes.length;
  }
  return { marketId: new TextDecoder().decode(payload.subarray(4, 4 + idBytes)), updates };
}

/** The columns in the order of the payload. Every machine that Node runs on is little-endian, as the format is. */
const columnsOf = ({ atMs, micros, of, tick, op }: Updates) => [atMs, micros, of, tick, op];
