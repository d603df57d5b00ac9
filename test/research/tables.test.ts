import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../src/research/tables.ts';
import { tableCsv, tableParquet } from '../../src/research/tables.ts';

const table: Table = {
  name: 'sample',
  columns: [
    { name: 'text', type: 'string', values: ['a,b', null, '=1+1'] },
    { name: 'share', type: 'double', values: [0.5, null, -1] },
    { name: 'micros', type: 'integer', values: [9_007_199_254_740_991, null, -3] },
    { name: 'in_play', type: 'boolean', values: [true, null, false] },
    { name: 'at', type: 'timestamp', values: [Date.parse('2026-01-03T15:00:00.250Z'), null, 0] },
  ],
};

const read = async (written: Table): Promise<unknown[]> => {
  const bytes = tableParquet(written);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file });
};

describe('a table', () => {
  it('is CSV with a line of names', () => {
    expect(tableCsv(table)).toBe(
      [
        'text,share,micros,in_play,at',
        '"a,b",0.5,9007199254740991,true,2026-01-03T15:00:00.250Z',
        ',,,,',
        "'=1+1,-1,-3,false,1970-01-01T00:00:00.000Z",
        '',
      ].join('\n'),
    );
  });

  it('is Parquet that others read', async () => {
    expect(await read(table)).toEqual([
      {
        text: 'a,b',
        share: 0.5,
        micros: 9_007_199_254_740_991n,
        in_play: true,
        at: new Date('2026-01-03T15:00:00.250Z'),
      },
      { text: null, share: null, micros: null, in_play: null, at: null },
      { text: '=1+1', share: -1, micros: -3n, in_play: false, at: new Date(0) },
    ]);
  });

  it('keeps every number in Parquet', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.option(fc.double({ noNaN: true })), fc.option(fc.maxSafeInteger())), {
          minLength: 1,
        }),
        async (rows) => {
          const written: Table = {
            name: 'numbers',
            columns: [
              { name: 'share', type: 'double', values: rows.map(([share]) => share) },
              { name: 'micros', type: 'integer', values: rows.map(([, micros]) => micros) },
            ],
          };
          expect(await read(written)).toEqual(
            rows.map(([share, micros]) => ({ share, micros: micros === null ? null : BigInt(micros) })),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('may be empty', async () => {
    const empty: Table = { name: 'none', columns: [{ name: 'share', type: 'double', values: [] }] };
    expect(tableCsv(empty)).toBe('share\n');
    expect(await read(empty)).toEqual([]);
  });
});
