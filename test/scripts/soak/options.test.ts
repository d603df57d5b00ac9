import { expect, it } from 'vitest';
import { soakOptions, UsageError } from '../../../scripts/soak/options.ts';

it('runs both parts at full length unless told otherwise', () => {
  expect(soakOptions([])).toEqual({
    parts: ['sockets', 'days'],
    minutes: 30,
    days: 14,
    seed: 1,
    help: false,
  });
});

it('runs the named parts, in the same order, shortened', () => {
  expect(soakOptions(['days', '--days', '0.5', '--seed', '7'])).toMatchObject({
    parts: ['days'],
    days: 0.5,
    seed: 7,
  });
  expect(soakOptions(['days', 'sockets', '--minutes', '5'])).toMatchObject({
    parts: ['sockets', 'days'],
    minutes: 5,
  });
});

it.each([
  ['there is no part weeks', ['weeks']],
  ['--minutes', ['--minutes', '0']],
  ['--minutes', ['--minutes', ' ']],
  ['--days', ['--days', 'two']],
  ['--seed', ['--seed', '-1']],
  ['--hours', ['--hours', '1']],
])('names %s when it is wrong', (wrong, args) => {
  expect(() => soakOptions(args)).toThrow(UsageError);
  expect(() => soakOptions(args)).toThrow(wrong);
});
