import { type Pages, Unsound } from './pages.ts';

/** A value as SQLite stores it. Text stays as bytes, so that damaged text keeps all its content. */
export type Value = null | bigint | number | string;

export interface Row {
  readonly rowId: bigint;
  readonly values: readonly Value[];
}

/** The result of a walk through a b-tree. */
export interface Walk {
  readonly rows: readonly Row[];
  /** Unreadable parts, whose rows are missing. */
  readonly broken: number;
  /** Rows are out of the order that a search relies on: a search may miss a row that a walk finds. */
  readonly isUnordered: boolean;
}

const [INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];

/** All rows of a table, in the order of the tree. */
export function walkTable(pages: Pages, root: number): Walk {
  const walk = new Walker(pages, false);
  walk.enter(root);
  const ids = walk.rows.map(({ rowId }) => rowId);
  const isUnordered = walk.isMisled || ids.some((id, at) => at > 0 && id <= (ids[at - 1] ?? 0n));
  return { rows: walk.rows, broken: walk.broken, isUnordered };
}

/** All entries of an index, in the order of the tree. */
export function walkIndex(pages: Pages, root: number): Walk {
  const walk = new Walker(pages, true);
  walk.enter(root);
  return { rows: walk.rows, broken: walk.broken, isUnordered: false };
}

class Walker {
  readonly rows: Row[] = [];
  broken = 0;
  isMisled = false;
  readonly #pages: Pages;
  readonly #isIndex: boolean;
  readonly #entered = new Set<number>();
  /** Rows before this key are at or below it, and rows after it are above. Otherwise a search goes astray. */
  #divider: bigint | null = null;

  constructor(pages: Pages, isIndex: boolean) {
    this.#pages = pages;
    this.#isIndex = isIndex;
  }

  enter(number: number): void {
    try {
      if (this.#entered.has(number)) throw new Unsound('a page is in the tree twice');
      this.#entered.add(number);
      this.#visit(this.#pages.page(number), number === 1 ? 100 : 0);
    } catch (error) {
      if (!(error instanceof Unsound) && !(error instanceof RangeError)) throw error;
      this.broken++;
    }
  }

  #visit(page: Buffer, start: number): void {
    const kind = page.readUInt8(start);
    const isInterior = kind === INDEX_INTERIOR || kind === TABLE_INTERIOR;
    const kinds = this.#isIndex ? [INDEX_INTERIOR, INDEX_LEAF] : [TABLE_INTERIOR, TABLE_LEAF];
    if (!kinds.includes(kind)) throw new Unsound('a page of another kind');
    const count = page.readUInt16BE(start + 3);
    if (count > (this.#pages.size - 8) / 6) throw new Unsound('too many cells');
    const first = start + (isInterior ? 12 : 8);
    for (let at = 0; at < count; at++)
      this.#cell(page, page.readUInt16BE(first + 2 * at) & (this.#pages.size - 1), isInterior);
    if (isInterior) this.enter(page.readUInt32BE(start + 8));
  }

  #cell(page: Buffer, at: number, isInterior: boolean): void {
    if (isInterior) this.enter(page.readUInt32BE(at));
    const cursor = { at: at + (isInterior ? 4 : 0) };
    if (isInterior && !this.#isIndex) {
      this.#divider = varint(page, cursor);
      if ((this.rows.at(-1)?.rowId ?? this.#divider) > this.#divider) this.isMisled = true;
      return;
    }
    this.#row(page, cursor);
  }

  #row(page: Buffer, cursor: Cursor): void {
    try {
      const payloadBytes = Number(varint(page, cursor));
      const rowId = this.#isIndex ? 0n : varint(page, cursor);
      const values = valuesOf(this.#payload(page, cursor.at, payloadBytes));
      if (this.#divider !== null && rowId <= this.#divider) this.isMisled = true;
      this.rows.push({ rowId, values });
    } catch (error) {
      if (!(error instanceof Unsound) && !(error instanceof RangeError)) throw error;
      this.broken++;
    }
  }

  /** Follows the chain of overflow pages when a payload does not fit into its page. */
  #payload(page: Buffer, at: number, bytes: number): Buffer {
    const { size } = this.#pages;
    const most = this.#isIndex ? Math.floor(((size - 12) * 64) / 255) - 23 : size - 35;
    const least = Math.floor(((size - 12) * 32) / 255) - 23;
    const split = least + ((bytes - least) % (size - 4));
    const local = bytes <= most ? bytes : split <= most ? split : least;
    if (at + local > size) throw new Unsound('a payload goes beyond its page');
    const parts = [page.subarray(at, at + local)];
    let left = bytes - local;
    let next = left > 0 ? page.readUInt32BE(at + local) : 0;
    const passed = new Set<number>();
    while (left > 0) {
      if (passed.has(next)) throw new Unsound('overflow pages lead in a circle');
      passed.add(next);
      const overflow = this.#pages.page(next);
      next = overflow.readUInt32BE(0);
      parts.push(overflow.subarray(4, 4 + Math.min(left, size - 4)));
      left -= size - 4;
    }
    return Buffer.concat(parts);
  }
}

interface Cursor {
  at: number;
}

function varint(page: Buffer, cursor: Cursor): bigint {
  let value = 0n;
  for (let bytes = 0; bytes < 8; bytes++) {
    const byte = page.readUInt8(cursor.at++);
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return BigInt.asIntN(64, (value << 8n) | BigInt(page.readUInt8(cursor.at++)));
}

function valuesOf(payload: Buffer): readonly Value[] {
  const cursor = { at: 0 };
  const headerBytes = Number(varint(payload, cursor));
  if (headerBytes > payload.length) throw new Unsound('a record is longer than itself');
  const types: number[] = [];
  while (cursor.at < headerBytes) types.push(Number(varint(payload, cursor)));
  let at = headerBytes;
  return types.map((type) => {
    const bytes = bytesOf(type);
    if (at + bytes > payload.length) throw new Unsound('a value goes beyond its record');
    at += bytes;
    return valueOf(type, payload.subarray(at - bytes, at));
  });
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

function bytesOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return INTEGER_BYTES[type] ?? (type === 7 ? 8 : 0);
}

function valueOf(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type === 8 || type === 9) return BigInt(type - 8);
  if (type === 7) return bytes.readDoubleBE(0);
  if (type < 7) return integerOf(bytes);
  return `${type % 2 === 0 ? 'blob' : 'text'} ${bytes.toString('latin1')}`;
}

const integerOf = (bytes: Buffer): bigint =>
  BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`));
