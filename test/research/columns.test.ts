import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joined, UpdateColumns } from '../../src/research/columns.ts';
import { OP, type Updates } from '../../src/research/tape.ts';

type Row = readonly [atMs: number, op: number, of: number, micros: number];

function columnsOf(rows: readonly Row[]): Updates {
  const columns = new UpdateColumns();
  for (const [atMs, op, of, micros] of rows) columns.push(atMs, op, of, 5, micros);
  return columns.updates();
}

const rowsOf = ({ length, atMs, op, of, micros }: Updates): Row[] =>
  Array.from({ length }, (_, at) => [atMs[at] ?? NaN, op[at] ?? NaN, of[at] ?? NaN, micros[at] ?? NaN]);

const isState = (op: number): boolean => op === OP.state;

it('parts are joined by instant, and at one instant in their order, each with its own places', () => {
  const [level, state] = [OP.restingFor, OP.state];
  const first = columnsOf([
    [1, state, 0, 11],
    [3, level, 0, 12],
    [3, level, 1, 13],
    [7, level, 2, 14],
  ]);
  const second = columnsOf([
    [1, state, 0, 21],
    [3, level, 0, 22],
    [4, level, 1, 23],
  ]);
  const parts = [
    { updates: first, selections: [2, 0, -1], markets: [0] },
    { updates: second, selections: [1, -1], markets: [1] },
  ];
  expect(rowsOf(joined(parts, isState))).toEqual([
    [1, state, 0, 11],
    [1, state, 1, 21],
    [3, level, 2, 12],
    [3, level, 0, 13],
    [3, level, 1, 22],
  ]);
});

it('joined parts are a stable order of all their updates', () => {
  const rows = fc
    .array(fc.integer({ min: 0, max: 20 }), { maxLength: 100 })
    .map((instants) => instants.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 4 }), (given) => {
      const parts = given.map((instants, part) => ({
        updates: columnsOf(instants.map((atMs, at) => [atMs, OP.restingFor, 0, at])),
        selections: [part],
        markets: [],
      }));
      const all = given.flatMap((instants, part) =>
        instants.map((atMs, at): Row => [atMs, OP.restingFor, part, at]),
      );
      expect(rowsOf(joined(parts, isState))).toEqual(all.toSorted((a, b) => a[0] - b[0]));
    }),
  );
});
