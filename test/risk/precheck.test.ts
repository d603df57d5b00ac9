import { expect, it } from 'vitest';
import { ACCOUNT } from '../../src/risk/index.ts';
import { ask, bench, codesOf } from './support/harness.ts';

it('predicts a refusal of the review, with its reason, and counts nothing as open for it', () => {
  const { risk, refused } = bench();
  const order = ask({ stake: 500.01 });
  expect(risk.precheck(order).map(({ code }) => code)).toEqual(codesOf(risk, order));
  expect(refused).toHaveLength(2);
  expect(risk.precheck(ask())).toEqual([]);
  expect(risk.accountExposure()).toEqual(bench().risk.accountExposure());
  expect(codesOf(risk, ask())).toEqual([]);
});

it('predicts a refusal by the collar, unless no price is known yet', () => {
  const world = bench();
  const order = ask({ price: 1.5 });
  expect(codesOf(world.risk, order)).toContain('collar_adverse');
  expect(world.risk.precheck(order).map(({ code }) => code)).toContain('collar_adverse');
  world.reference = null;
  expect(world.risk.precheck(order)).toEqual([]);
  expect(codesOf(world.risk, order)).not.toEqual([]);
});

it('counts no precheck against the throttle: a precheck sends no order', () => {
  const { risk } = bench({ throttle: { ordersPerMinute: 1 } });
  expect(codesOf(risk, ask())).toEqual([]);
  expect(risk.precheck(ask({ stake: 2 }))).toEqual([]);
  expect(risk.effectiveState(ACCOUNT).state).toBe('active');
  expect(codesOf(risk, ask({ stake: 2 }))).toContain('message_throttle');
  expect(risk.effectiveState(ACCOUNT).state).toBe('halted');
});
