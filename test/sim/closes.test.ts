import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { closesGoOn } from './judges/closes.ts';
import type { Border, Court } from './judges/judge.ts';

const orderOf = (orderId: number): InspectedOrder =>
  ({ orderId, requestUuid: `${orderId}` }) as unknown as InspectedOrder;

interface Judged {
  readonly said: readonly string[];
  send(what: 'POST' | 'GET', path: string, atMs: number, body?: string): void;
  look(atMs: number, open: readonly InspectedOrder[], changed?: readonly InspectedOrder[]): void;
  /** An answer 429. */
  throttle(atMs: number): void;
}

/** The judge of one run: it receives what `send` sends, and looks at the exchange when `look` is called. */
function judged(): Judged {
  const said: string[] = [];
  const border = { witness: {} } as Border;
  const received = { throttledMs: -Infinity };
  const now = { atMs: 0, open: [] as readonly InspectedOrder[] };
  const world = {
    run: { witness: border.witness, received },
    clock: { monotonicMs: () => now.atMs },
    orders: { open: () => now.open },
  };
  const court = { world, plan: { acts: [], faults: [] }, fail: (_: string, seen: string) => said.push(seen) };
  const { onSent, onEvent } = closesGoOn(court as unknown as Court);
  return {
    said,
    send: (method, path, atMs, body) =>
      onSent?.({ what: `${method} ${path}`, path, body: body ?? null, atMs }, border),
    look: (atMs, open, changed = []) => {
      Object.assign(now, { atMs, open });
      onEvent?.(changed as Parameters<NonNullable<typeof onEvent>>[0]);
    },
    throttle: (atMs) => void (received.throttledMs = atMs),
  };
}

/**
 * The judge's reports on this many orders that stay open for 20 s after one close request each, when all but one of
 * them have closed at the same instant.
 */
function saidOf(orders: number): readonly string[] {
  const { said, send, look } = judged();
  const all = Array.from({ length: orders }, (_, at) => orderOf(at + 1));
  const others = all.slice(1).map((order) => ({ ...order, closed: true }));
  for (const { orderId } of all) send('POST', `/v2/orders/${orderId}/close/`, 0);
  look(20_000, all.slice(0, 1), others);
  return said;
}

it('lets an order wait for its turn behind others that close in the end', () => {
  expect(saidOf(45)).toEqual([]);
});

it('notices an order that is left open although it waits for no other', () => {
  expect(saidOf(2)).toEqual(['order 1 is open 20 s after the last attempt to close it']);
});

it('does not accept lookups alone as closing: a close must be repeated after about half a minute', () => {
  const { said, send, look } = judged();
  send('POST', '/v2/orders/1/close/', 0);
  for (let atMs = 2_000; atMs <= 31_000; atMs += 1_000) {
    send('GET', '/v2/orders/1/', atMs);
    look(atMs, [orderOf(1)]);
  }
  expect(said).toEqual([]);
  look(32_000, [orderOf(1)]);
  expect(said).toEqual(['order 1 was told to close 32 s ago, and not again']);
});

/**
 * The judge's reports on an order that was closed and looked up at once and is open after 16 s, beside this many
 * others.
 */
function saidBeside(others: number): readonly string[] {
  const { said, send, look } = judged();
  const all = Array.from({ length: 1 + others }, (_, at) => orderOf(at + 1));
  look(0, all);
  send('POST', '/v2/orders/1/close/', 0);
  for (const { orderId } of all) send('GET', `/v2/orders/${orderId}/`, 0);
  look(16_000, all);
  return said;
}

it('lets an order wait for its turn behind others that are only looked up', () => {
  expect(saidBeside(20)).toEqual([]);
  expect(saidBeside(2)).toEqual(['order 1 is open 16 s after the last attempt to close it']);
});

it('lets a throttled daemon wait before its next lookup', () => {
  const { said, send, look, throttle } = judged();
  send('POST', '/v2/orders/1/close/', 0);
  throttle(9_000);
  look(18_000, [orderOf(1)]);
  expect(said).toEqual([]);
  look(19_000, [orderOf(1)]);
  expect(said).toEqual(['order 1 is open 19 s after the last attempt to close it']);
});

it('counts a request that names several orders as a close of each', () => {
  const { said, send, look } = judged();
  send('POST', '/v2/orders/close_many/', 0, '{"order_ids":[1,2]}');
  look(11_000, [orderOf(1), orderOf(2)]);
  send('POST', '/v2/orders/close_many/', 11_000, '{"order_ids":[2,3]}');
  look(20_000, [orderOf(1), orderOf(2), orderOf(3)]);
  expect(said).toEqual(['order 1 is open 20 s after the last attempt to close it']);
});
