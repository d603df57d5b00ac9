import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromMicros } from '../../src/domain/money.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import { explicitLevels } from '../../src/research/explicit-levels.ts';
import { OP, type Updates } from '../../src/research/tape.ts';
import { type Step, TAPE_START_MS, updatesOf } from '../support/tapes.ts';

const shown = ({ length, atMs, op, of, tick, micros }: Updates): string[] =>
  Array.from({ length }, (_, at) => {
    const what = Object.entries(OP).find(([, value]) => value === op[at])?.[0];
    const price = priceOf(tick[at] as number);
    return `${(atMs[at] as number) - TAPE_START_MS} ${of[at]} ${what} ${price} ${fromMicros(micros[at] as number)}`;
  });

const IMAGE: readonly Step[] = [
  [0, 'for', 2.5, 100],
  [0, 'for', 2.52, 50],
  [0, 'against', 2.3, 80],
  [0, 'for', 2.5, 70, 1],
  [100, 'clear'],
  [100, 'for', 2.5, 90],
  [100, 'for', 2.54, 20],
  [100, 'for', 2.5, 60, 1],
  [200, 'for', 2.54, 0],
];

it('turns an image into changes of the levels that it does not repeat', () => {
  expect(shown(explicitLevels(updatesOf(IMAGE)))).toEqual([
    '0 0 restingFor 2.5 100',
    '0 0 restingFor 2.52 50',
    '0 0 restingAgainst 2.3 80',
    '0 1 restingFor 2.5 70',
    '100 0 restingFor 2.52 0',
    '100 0 restingAgainst 2.3 0',
    '100 0 restingFor 2.5 90',
    '100 0 restingFor 2.54 20',
    '100 1 restingFor 2.5 60',
    '200 0 restingFor 2.54 0',
  ]);
});

it('leaves updates without an image as they are', () => {
  const updates = updatesOf(IMAGE.slice(0, 4));
  expect(explicitLevels(updates)).toBe(updates);
});

it('keeps the images of two selections at one instant apart', () => {
  const both: readonly Step[] = [
    [0, 'for', 2.5, 100],
    [0, 'for', 2.52, 50],
    [0, 'for', 2.52, 70, 1],
    [100, 'clear'],
    [100, 'clear', 1],
    [100, 'for', 2.5, 90],
    [100, 'for', 2.52, 60, 1],
  ];
  expect(shown(explicitLevels(updatesOf(both))).slice(3)).toEqual([
    '100 0 restingFor 2.52 0',
    '100 0 restingFor 2.5 90',
    '100 1 restingFor 2.52 60',
  ]);
});

it('gives the books that the images give', () => {
  const level = fc.tuple(
    fc.constantFrom('for' as const, 'against' as const),
    fc.constantFrom(2.4, 2.42, 2.44),
    fc.integer({ min: 0, max: 9 }),
    fc.nat({ max: 1 }),
  );
  const instant = fc.record({ images: fc.subarray([0, 1]), levels: fc.array(level, { maxLength: 6 }) });
  const empty = (book: Map<string, number>, selection: string): void => {
    for (const key of book.keys()) if (key.startsWith(selection)) book.delete(key);
  };
  /** The stakes after the updates, by selection, side and price. */
  const bookOf = ({ length, op, of, tick, micros }: Updates): Map<string, number> => {
    const book = new Map<string, number>();
    for (let at = 0; at < length; at++) {
      const key = `${of[at]} ${op[at]} ${tick[at]}`;
      if (op[at] === OP.clear) empty(book, `${of[at]} `);
      else if (micros[at] === 0) book.delete(key);
      else book.set(key, micros[at] as number);
    }
    return book;
  };
  fc.assert(
    fc.property(fc.array(instant, { maxLength: 8, size: 'max' }), (instants) => {
      const steps = instants.flatMap(({ images, levels }, at): Step[] => [
        ...images.map((selection): Step => [at, 'clear', selection]),
        ...levels.map((given): Step => [at, ...given]),
      ]);
      const updates = updatesOf(steps);
      const explicit = explicitLevels(updates);
      expect(explicit.op.includes(OP.clear)).toBe(false);
      for (let ms = 0; ms < instants.length; ms++) {
        const until = ({ atMs, ...columns }: Updates): Updates => ({
          atMs,
          ...columns,
          length: atMs.filter((each) => each <= TAPE_START_MS + ms).length,
        });
        const [right, found] = [bookOf(until(updates)), bookOf(until(explicit))];
        expect(new Map([...found].toSorted())).toEqual(new Map([...right].toSorted()));
      }
    }),
  );
});
