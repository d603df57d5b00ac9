import { expect, it } from 'vitest';
import { isPassiveDelay } from '../../src/domain/bet-delay.ts';

it.each<[readonly string[] | null, boolean]>([
  [null, false],
  [[], false],
  [['DYNAMIC'], false],
  [['PASSIVE'], true],
  [['DYNAMIC', 'PASSIVE'], true],
])('of a market whose delays are %j, it is %s that resting orders do not wait', (models, isPassive) => {
  expect(isPassiveDelay(models)).toBe(isPassive);
});
