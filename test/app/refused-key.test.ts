import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { SentRequest } from '../sim/witness.ts';
import { CalmDay } from '../support/calm-day.ts';

const CLOSE_MANY = 'POST /v2/orders/close_many/';
/** Requests that were on their way when the first refusal came. */
const ON_THEIR_WAY_MS = 100;

const refusedFrom = (at: number, fields: object = {}) =>
  faultSchema.parse({ target: 'rest', fault: 'answer', status: 401, code: 'auth_error', at, ...fields });

/** A day on which the exchange refuses the key from the 40th second on. Resolves when the daemon knows. */
async function refusedDay(fields: object = {}): Promise<{ day: CalmDay; since: () => SentRequest[] }> {
  const day = new CalmDay({ faults: [refusedFrom(40, fields)] });
  await day.begin();
  const { orders } = day.run.composed.parts;
  await day.until('refused', () => orders.status().latched !== null);
  const fromMs = day.world.clock.monotonicMs();
  return { day, since: () => day.run.witness.sent.filter(({ atMs }) => atMs > fromMs + ON_THEIR_WAY_MS) };
}

describe('a daemon whose key is refused', () => {
  it('sends one close a second and nothing else, and lets the heartbeat close the rest', async () => {
    const { day, since } = await refusedDay();
    const open = day.open().map(({ orderId }) => orderId);
    expect(open.length).toBeGreaterThan(1);
    await day.pass(14_000);
    expect(new Set(since().map(({ what }) => what))).toEqual(new Set([CLOSE_MANY]));
    expect(since().length).toBeGreaterThanOrEqual(12);
    expect(since().length).toBeLessThanOrEqual(14);
    const named = since().map(({ body }) => (JSON.parse(body ?? '') as { order_ids: number[] }).order_ids);
    expect(named[0]).toEqual(expect.arrayContaining(open));
    for (const ids of named)
      expect(ids).toEqual(expect.arrayContaining(day.open().map(({ orderId }) => orderId)));
    await day.until('all closed', () => day.open().length === 0);
    await day.pass(5_000);
    const before = since().length;
    await day.pass(120_000);
    expect(since().length - before).toBe(0);
  });

  it('goes on after a resume, once the key is accepted again', async () => {
    const { day } = await refusedDay({ for_s: 60 });
    await day.pass(70_000);
    expect(day.open()).toEqual([]);
    expect(day.controls.risk()).toMatchObject({ remaining: [{ release: 'touchline resume --reason TEXT' }] });
    expect(day.resume()).toMatchObject({
      released: [expect.stringContaining('the exchange refuses our key')],
      remaining: [],
      trading: true,
    });
    await day.until('quoting', () => day.open().length > 1);
  });

  it('closes and lets nothing else out before it is resumed, though the key is accepted again', async () => {
    const { day, since } = await refusedDay({ for_s: 5 });
    await day.pass(8_000);
    expect(day.open()).toEqual([]);
    await day.pass(60_000);
    expect(new Set(since().map(({ what }) => what))).toEqual(new Set([CLOSE_MANY]));
  });
});
