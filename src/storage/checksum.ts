import { crc32 } from 'node:zlib';

/** A record as stored; `data` is its JSON text. */
export interface StoredFields {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  readonly uuid: string | null;
  readonly data: string;
}

/** CRC-32 of a record, chained to its predecessor's, so that order and completeness are covered too. */
export function checksumOf(fields: StoredFields, previous: number): number {
  return crc32(
    `${fields.seq}\n${fields.atMs}\n${fields.kind}\n${fields.uuid ?? ''}\n${fields.data}`,
    previous,
  );
}
