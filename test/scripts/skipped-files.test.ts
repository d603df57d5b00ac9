import { expect, it } from 'vitest';
import { leftOut } from '../support/skipped-files.ts';

const ALL = ['test/a.test.ts', 'test/b.slow.test.ts', 'test/c.slow.test.ts'];

it.each([
  ['test/a.test.ts', 'left out: 2 test files, which `npm run test:slow` runs'],
  ['test/b.slow.test.ts', 'left out: 1 test files, which `npm test` runs'],
])('names the other command after a run of %s', (file, line) => {
  expect(leftOut([file], ALL)).toEqual([line]);
});

it('is silent when there is nothing left', () => {
  expect(leftOut(['test/a.test.ts'], ['test/a.test.ts'])).toEqual([]);
});
