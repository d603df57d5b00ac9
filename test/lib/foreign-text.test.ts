import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BoundPassed,
  foreignJson,
  foreignLines,
  MOST_DEPTH,
  MOST_LINE_CHARS,
  UnpackedBound,
  unpackedWithin,
} from '../../src/lib/foreign-text.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON of a stranger', () => {
  it('is read as the parser reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(foreignJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is read up to the bound of its depth, whatever its strings hold', () => {
    expect(foreignJson(nested(MOST_DEPTH))).toBeInstanceOf(Array);
    for (const text of ['[', '{'.repeat(3), '\\"[[', '\\\\', '\\\\\\"{'])
      expect(foreignJson(`["${text}${'['.repeat(0)}"]`)).toEqual([JSON.parse(`"${text}"`)]);
    expect(foreignJson(`["${'[{'.repeat(MOST_DEPTH)}\\""]`)).toHaveLength(1);
    expect(foreignJson(`[${'[],{},'.repeat(5_000)}1]`)).toHaveLength(10_001);
  });

  it.each([
    nested(MOST_DEPTH + 1),
    '['.repeat(30_000_000),
    '{"a":'.repeat(MOST_DEPTH + 1),
    `["\\\\",${'['.repeat(MOST_DEPTH)}`,
    `["\\"",${'{"x":['.repeat(MOST_DEPTH)}`,
  ])('is refused beyond', (text) => {
    expect(() => foreignJson(text)).toThrow(BoundPassed);
    expect(() => foreignJson(text)).toThrow('brackets are nested more than 1,000 deep');
  });
});

async function* inPieces(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const portion of foreignLines(bytes)) lines.push(...portion);
  return lines;
}

describe('the lines of a stranger', () => {
  it('are the same however they arrive', async () => {
    const text = 'one\n\nzwei und £\n€ three';
    const bytes = Buffer.from(text);
    for (let size = 1; size < bytes.length; size++) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await read(inPieces(...pieces))).toEqual(text.split('\n'));
    }
    expect(await read(inPieces('one\n'))).toEqual(['one']);
    expect(await read(inPieces())).toEqual([]);
  });

  it('that end within a character show that something is missing, as Node reads them', async () => {
    for (const bytes of [[0x61, 0xe2, 0x82], [0xe2], [0x61, 0x0a, 0xf0, 0x9f, 0x98], [0xff, 0x0a, 0xc3]]) {
      const whole = Buffer.from(bytes);
      const lines = whole.toString('utf8').split('\n');
      expect(await read(inPieces(whole))).toEqual(lines);
      expect(await read(inPieces(...bytes.map((byte) => Buffer.from([byte]))))).toEqual(lines);
    }
  });

  it('have a longest length, and the one that passes it is named', async () => {
    const longest = 'x'.repeat(MOST_LINE_CHARS);
    expect(await read(inPieces('a\n', longest, '\nb'))).toHaveLength(3);
    for (const pieces of [
      ['a\nb\n', longest, 'x'],
      ['a\nb\n', `${longest}x\nc\n`],
      ['a\n', `b\n${longest}`, 'x\n'],
    ])
      await expect(read(inPieces(...pieces))).rejects.toThrow('line 3: has more than 16,777,216 characters');
  });

  it('end long before the memory does', async () => {
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.alloc(1 << 20, 'x');
      for (;;) {
        pieces++;
        yield piece;
      }
    }
    await expect(read(endless())).rejects.toThrow('line 1: ');
    expect(pieces).toBe(17);
  });
});

describe('what a small file unpacks to', () => {
  const MIB = 1 << 20;
  async function* zeros(count: number): AsyncGenerator<Uint8Array> {
    const piece = new Uint8Array(MIB);
    for (let each = 0; each < count; each++) yield piece;
  }
  const unpacked = async (mib: number, packedBytes: number): Promise<number> => {
    let bytes = 0;
    for await (const chunk of unpackedWithin(zeros(mib), new UnpackedBound(packedBytes)))
      bytes += chunk.length;
    return bytes / MIB;
  };

  it('is bounded by its size, and by a size that is never too much', async () => {
    expect(await unpacked(256, 10)).toBe(256);
    await expect(unpacked(257, 10)).rejects.toThrow('the file unpacks to more than 256 MiB');
    expect(await unpacked(500, 2 * MIB)).toBe(500);
    await expect(unpacked(501, 2 * MIB)).rejects.toThrow('the file unpacks to more than 500 MiB');
  });

  it('is bounded for all its parts together, to the byte', () => {
    const bound = new UnpackedBound(4, MIB);
    for (let part = 0; part < 4; part++) bound.count(MIB / 4);
    expect(() => bound.count(1)).toThrow('the file unpacks to more than 1 MiB');
    expect(() => bound.count(0)).toThrow(BoundPassed);
  });
});
