import { expect, it } from 'vitest';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { CalmDay } from '../../support/calm-day.ts';

it('the balance is read as soon as the exchange refuses or ends an order for want of money', async () => {
  const day = new CalmDay();
  await day.begin();
  await day.pass(5_000);
  const { venue, core, orders } = day.run.composed.parts;
  let reads = 0;
  venue.balance = () => {
    reads++;
    return new Promise(() => undefined);
  };
  const [order] = [...orders.orders()] as [LiveOrder];
  const becomes = (state: OrderState, closeReason: string | null, before: OrderState): number => {
    core.apply({
      kind: 'account',
      event: { kind: 'order', order: { ...order, state, closeReason }, before },
    });
    return reads;
  };
  expect(becomes('live', null, 'sending')).toBe(0);
  expect(becomes('closed', 'cancelled', 'live')).toBe(0);
  expect(becomes('closed', 'no_available_credit', 'closed')).toBe(0);
  expect(becomes('refused', 'insufficient_balance', 'sending')).toBe(1);
});
