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
