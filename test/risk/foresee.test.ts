import { expect, it } from 'vitest';
import { ask, bench, codesOf } from './support/harness.ts';

it('foresees what review refuses, tells why, and counts nothing as open for it', () => {
  const { risk, refused } = bench();
  const order = ask({ stake: 500.01 });
  expect(risk.foresee(order).map(({ code }) => code)).toEqual(codesOf(risk, order));
  expect(refused).toHaveLength(2);
  expect(risk.foresee(ask())).toEqual([]);
  expect(risk.accountExposure()).toEqual(bench().risk.accountExposure());
  expect(codesOf(risk, ask())).toEqual([]);
});
