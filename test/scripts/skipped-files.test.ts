import { expect, it } from 'vitest';
import { leftOut } from '../support/skipped-files.ts';

const ALL = ['test/a.test.ts', 'test/b.slow.test.ts', 'test/c.slow.test.ts', 'test/packed/d.test.ts'];

const FAST = 'left out: 1 test files, which `npm test` runs';
const SLOW = 'left out: 2 test files, which `npm run test:slow` runs';
const PACKED = 'left out: 1 test files, which `npm run test:package` runs';

it.each([
  ['test/a.test.ts', [SLOW, PACKED]],
  ['test/b.slow.test.ts', [FAST, PACKED]],
  ['test/packed/d.test.ts', [FAST, SLOW]],
])('names the other commands after a run of %s', (file, lines) => {
  expect(leftOut([file], ALL)).toEqual(lines);
});

it('is silent when there is nothing left', () => {
  expect(leftOut(['test/a.test.ts'], ['test/a.test.ts'])).toEqual([]);
});
