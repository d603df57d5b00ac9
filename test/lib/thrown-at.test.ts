import { expect, it } from 'vitest';
import { thrownAt } from '../../src/lib/thrown-at.ts';

const withStack = (...frames: readonly string[]): Error =>
  Object.assign(new Error('my bug'), { stack: ['Error: my bug', ...frames].join('\n') });

const FRAMES = [
  '    at priceOf (file:///opt/touchline/src/domain/odds.ts:40:11)',
  '    at Array.map (<anonymous>)',
  '    at Object.quote (file:///home/me/mine/demo.ts:12:9)',
  '    at file:///home/me/mine/other.ts:3:1',
];

it.each([
  [
    'the line of the strategy, below the library that it called',
    FRAMES,
    'file:///home/me/mine/',
    'demo.ts:12',
  ],
  ['the innermost line if the folder is not known', FRAMES, null, 'odds.ts:40'],
  ['the innermost line if no frame lies in the folder', FRAMES, 'file:///elsewhere/', 'odds.ts:40'],
  ['a frame without a function', ['    at /a/b.mjs:7:1'], '/a/', 'b.mjs:7'],
  ['nothing without a frame', [], '/a/', null],
])('names %s', (_, frames, folder, at) => {
  expect(thrownAt(withStack(...frames), folder)).toBe(at);
});

it.each([['a text'], [null], [{ stack: 'at /a/b.ts:1:1' }], [Object.assign(new Error(''), { stack: 7 })]])(
  'names nothing for %j',
  (error) => expect(thrownAt(error, null)).toBeNull(),
);

it('survives an error whose stack throws', () => {
  const error = Object.defineProperty(new Error('x'), 'stack', {
    get: () => {
      throw new Error('no');
    },
  });
  expect(thrownAt(error, null)).toBeNull();
});

it('names the line of this test', () => {
  expect(thrownAt(new Error('here'), new URL('.', import.meta.url).href)).toMatch(
    /^thrown-at\.test\.ts:\d+$/,
  );
});
