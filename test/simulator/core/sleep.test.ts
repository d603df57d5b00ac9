import { describe, expect, it } from 'vitest';
import type { Feed } from '../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';
import { Harness, START_MS } from './harness.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** A task every `everyMs`, and a record of the lulls that were reported to it. */
class Ticking implements Feed {
  readonly lulls: number[] = [];
  readonly #everyMs: number;
  #nextMs: number;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
    this.#nextMs = START_MS + everyMs;
  }

  start(): void {
    // The record starts empty.
  }

  nextDueMs(): number {
    return this.#nextMs;
  }

  advance(_market: unknown, nowMs: number): void {
    while (this.#nextMs <= nowMs) this.#nextMs += this.#everyMs;
  }

  lull(untilMs: number): void {
    this.lulls.push(untilMs);
  }
}

describe('an exchange whose host slept', () => {
  it('informs its feeds when it is late by more than a minute', () => {
    const feed = new Ticking(SECOND_MS);
    const h = new Harness({ feeds: [feed], priced: false });
    h.pass(61 * SECOND_MS);
    expect(feed.lulls).toEqual([]);
    h.pass(61 * SECOND_MS + 1);
    expect(feed.lulls).toEqual([h.nowMs]);
    h.pass(HOUR_MS);
    expect(feed.lulls).toHaveLength(2);
  });

  it('does not mistake a quiet time for sleep', () => {
    const feed = new Ticking(HOUR_MS);
    const h = new Harness({ feeds: [feed], priced: false });
    for (let hour = 0; hour < 3; hour++) h.pass(HOUR_MS);
    expect(feed.lulls).toEqual([]);
  });

  it('behaves as usual when it was late by less', () => {
    const frames = [60_000, 500].map((stepMs) => {
      const feed = createModelFeed({ seed: 8, startWallMs: START_MS, speed: 60 });
      const h = new Harness({ feeds: [feed], parse: parseBetType, priced: false });
      for (let ms = 0; ms < 60_000; ms += stepMs) h.pass(stepMs);
      return h.exchange.inspect().events;
    });
    expect(frames[0]).toEqual(frames[1]);
  });

  it('lets orders, betslips and heartbeats expire in the order in which they were due, at their instants', () => {
    const feed = createModelFeed({ seed: 5, startWallMs: START_MS });
    const h = new Harness({ feeds: [feed], parse: parseBetType });
    const client = h.connect();
    const durations = [7200, 15, 90, 3601, 601];
    const ids = durations.map(
      (duration) => h.place('for,h', 3, 1, { duration, keep_open_ir: true }).order_id,
    );
    const betslipId = h.betslip();
    h.call('POST', '/v2/heartbeats/', { timeout: 300 });
    client.read();
    h.pass(3 * HOUR_MS);
    const closed = client.payloads('order').filter((order) => order.closed === true);
    // The heartbeat closes all orders that are open when it expires.
    expect(closed.map(({ order_id: id, close_reason: why }) => [id, why])).toEqual([
      [ids[1], 'timed_out'],
      [ids[2], 'timed_out'],
      ...[ids[0], ids[3], ids[4]].map((id) => [id, 'cancelled']),
    ]);
    const instants = h.exchange.inspect().orders.map(({ closedMs }) => (closedMs ?? 0) - START_MS);
    expect(instants).toEqual([300_000, 15_000, 90_000, 300_000, 300_000]);
    expect(h.call('GET', `/v2/betslips/${betslipId}/`).status).toBe(404);
  });

  it('closes the orders that are not to be kept at the kick-off, between what expires before and after', () => {
    const feed = createModelFeed({ seed: 5, startWallMs: START_MS });
    const h = new Harness({ feeds: [feed], parse: parseBetType, priced: false });
    const events: { event_id: string; start_time: string }[] = h.call(
      'GET',
      '/v2/events/?sport=fb&ir_status=pre_event',
    ).data;
    const [soon = { event_id: '', start_time: '' }] = events.toSorted((x, y) =>
      x.start_time < y.start_time ? -1 : 1,
    );
    const kickOffMs = Date.parse(soon.start_time);
    const place = (duration: number, keep: boolean) => {
      const slip = h.betslip('for,h', undefined, soon.event_id);
      const body = { betslip_id: slip, price: 900, stake: ['USDT', 1], duration, keep_open_ir: keep };
      return h.call('POST', '/v2/orders/', body).data.order_id as number;
    };
    const untilKickOffS = (kickOffMs - START_MS) / 1000;
    const ids = [
      place(untilKickOffS - 1, false),
      place(untilKickOffS + 3000, false),
      place(untilKickOffS + 60, true),
    ];
    h.pass(2 * HOUR_MS);
    const ends = ids.map((id) => h.exchange.inspect().orders.find(({ orderId }) => orderId === id));
    expect(ends.map((order) => [order?.closedBy, (order?.closedMs ?? 0) - kickOffMs])).toEqual([
      ['duration', -1000],
      ['in_running', 0],
      ['duration', 60_000],
    ]);
  });

  it('sends a connected client little after hours of sleep, and shows it the current market', () => {
    const feed = createModelFeed({ seed: 5, startWallMs: START_MS });
    const h = new Harness({ feeds: [feed], parse: parseBetType, priced: false });
    const client = h.connect();
    for (const { sport, eventId } of h.exchange.inspect().events)
      client.send('register_event', sport, eventId);
    client.read();
    h.pass(5 * HOUR_MS);
    const owed = h.exchange
      .drain()
      .reduce((sum, out) => sum + (out.kind === 'frame' ? out.text.length : 0), 0);
    expect(owed).toBeLessThan(4e6);
    expect(h.call('GET', '/v2/events/').data.length).toBeGreaterThanOrEqual(12);
  });
});
