import { expect, it } from 'vitest';
import { riskLimitsOf } from '../../../src/app/config/part-options.ts';
import type { BetType, SelectionId } from '../../../src/domain/ids.ts';
import { directionOf } from '../../../src/domain/selection.ts';
import type { RiskLimits } from '../../../src/risk/index.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

const lowered = (limits: RiskLimits): RiskLimits => {
  const tiny = Object.keys(limits.worstCase).map((scope) => [scope, 1]);
  return { ...limits, worstCase: Object.fromEntries(tiny) as RiskLimits['worstCase'] };
};

/** A day whose quote against the selection was taken, with quotes of both sides open. */
const begun = async () => {
  const { day, market } = await dayWithBet({ 'orders.durationS': '30' });
  const { ledger } = day.run.composed.core;
  const position = () => ledger.position(market.selectionId as SelectionId);
  const worst = (): number => Math.min(position().ifWinMicros, position().ifLoseMicros);
  expect(worst()).toBeLessThan(-1e6);
  await day.until('both sides rest', () => day.open().length === 2);
  return { day, market, worst };
};

const sides = (orders: readonly { readonly betType: string }[]): readonly (string | null)[] =>
  orders.map(({ betType }) => directionOf(betType as BetType));

it.each([
  ['the limits are lowered', 'limits'],
  ['only reducing is allowed', 'reducing'],
] as const)(
  'a position is reduced to nothing after %s, beside our own quotes of the other side',
  async (_, how) => {
    const { day, market, worst } = await begun();
    const { core } = day.run.composed;
    const limits = lowered(riskLimitsOf(day.run.config));
    if (how === 'limits') core.apply({ kind: 'limits', limits, ofStrategies: new Map() });
    if (how === 'reducing') day.controls.setState({ state: 'reducing', reason: 'a test' }, 'a person');
    await day.pass(45_000);
    expect(sides(day.open())).toEqual(['for']);
    market.take('against', 1_000);
    await day.pass(1_000);
    expect(worst()).toBeGreaterThan(-1e6);
    await day.pass(45_000);
    expect(day.open()).toEqual([]);
  },
);
