import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { closesGoOn } from './judges/closes.ts';
import type { Border, Court } from './judges/judge.ts';

const orderOf = (orderId: number): InspectedOrder =>
  ({ orderId, requestUuid: `${orderId}` }) as unknown as InspectedOrder;

/**
 * What is said of so many orders that stay open after one request each to close them, 20 s later, when all but one of
 * them have closed at the same instant.
 */
function saidOf(orders: number): readonly string[] {
  const said: string[] = [];
  const all = Array.from({ length: orders }, (_, at) => orderOf(at + 1));
  const [first, ...others] = all;
  const [border, open] = [{ witness: {} } as Border, { orders: all }];
  const time = { nowMs: 0 };
  const world = {
    run: { witness: border.witness },
    clock: { monotonicMs: () => time.nowMs },
    orders: { open: () => open.orders },
  };
  const court = { world, plan: { acts: [], faults: [] }, fail: (_: string, seen: string) => said.push(seen) };
  const { onSent, onEvent } = closesGoOn(court as unknown as Court);
  for (const { orderId } of all) {
    const path = `/v2/orders/${orderId}/close/`;
    onSent?.({ what: `POST ${path}`, path, body: null, atMs: 0 }, border);
  }
  time.nowMs = 20_000;
  open.orders = first === undefined ? [] : [first];
  onEvent?.(others.map((order) => ({ ...order, closed: true })));
  return said;
}

it('lets an order wait for its turn behind others that close in the end', () => {
  expect(saidOf(45)).toEqual([]);
});

it('notices when an order is left open that has nobody to wait for', () => {
  expect(saidOf(2)).toEqual(['order 1 is open 20 s after the last attempt to close it']);
});
