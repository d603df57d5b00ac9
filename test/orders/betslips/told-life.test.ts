import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { BetslipLife } from '../../../src/orders/betslips/slot.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../../src/orders/options.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';

function rig() {
  const clock = new VirtualClock();
  const asked: [string, number][] = [];
  const bounded = (name: string, value: number): number => {
    asked.push([name, value]);
    return Math.min(100, Math.max(1, value));
  };
  const context = { deps: { clock, venue: { bounded } }, options: DEFAULT_ORDER_OPTIONS };
  return { clock, asked, life: new BetslipLife(context as unknown as OrderContext) };
}

it.each([
  [45_000, 45_000],
  [4_000, 5_000],
  [0, 5_000],
  [-1e12, 5_000],
  [1e12, 60_000],
])('a betslip that expires %i ms from now by the exchange’s clock lives %i ms', (toldMs, leftMs) => {
  const { clock, asked, life } = rig();
  const exchangeMs = clock.wallMs() + 5_000_000;
  life.onExchangeTime(exchangeMs, clock.monotonicMs());
  expect(life.leftMs(exchangeMs + toldMs)).toBe(leftMs);
  expect(asked).toEqual([['betslip.life', toldMs / 1_000]]);
});

it('by our own clock, which may be wrong, its life is bounded and no word of the exchange', () => {
  const { clock, asked, life } = rig();
  expect(life.leftMs(clock.wallMs() - 1e9)).toBe(5_000);
  expect(life.leftMs(clock.wallMs() + 1e9)).toBe(60_000);
  expect(life.leftMs(null)).toBe(15_000);
  expect(asked).toEqual([]);
});
