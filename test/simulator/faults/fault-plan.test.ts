import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimRequest } from '../../../src/simulator/core/api.ts';
import { ok } from '../../../src/simulator/core/replies.ts';
import { otherTerms, type RequestPlan, UNHARMED } from '../../../src/simulator/faults/request-plan.ts';
import { FaultPlan } from '../../../src/simulator/faults/fault-plan.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';

const T0 = 1_700_000_000_000;
const REQUEST: SimRequest = { method: 'POST', target: '/v2/orders/', apiKey: null, body: '' };

function planOf(faults: readonly object[], seed = 1): FaultPlan {
  const plan = new FaultPlan(seed);
  for (const fault of faults) plan.add(faultSchema.parse(fault), T0);
  return plan;
}

const batch = (...data: unknown[]) => JSON.stringify({ ts: 't', data });

/** The output in place of a frame on connection 1: parsed, with delays. */
function sent(plan: FaultPlan, ...data: unknown[]): { data: unknown; afterMs: number }[] {
  const text = batch(...data);
  const steps = plan.planFrame(1, text, T0) ?? [{ text, afterMs: 0 }];
  return steps.map((step) => ({
    data: (JSON.parse(step.text) as { data: unknown }).data,
    afterMs: step.afterMs,
  }));
}

describe('the time of faults', () => {
  const lost = { target: 'orders.create', fault: 'answer_lost' };
  const isHit = (plan: FaultPlan, atMs: number): boolean =>
    plan.planRequest('orders.create', atMs) !== UNHARMED;

  it('leaves everything alone without faults, and everything that a fault does not name', () => {
    expect(new FaultPlan().planRequest('orders.create', T0)).toBe(UNHARMED);
    expect(planOf([lost]).planRequest('orders.get', T0)).toBe(UNHARMED);
  });

  it('strikes in any window, in whatever order instants are asked for, and faults added and removed', () => {
    const second = fc.integer({ min: 0, max: 30 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('ask' as const), atS: second }),
      fc.record({ do: fc.constant('add' as const), atS: second, forS: fc.integer({ min: 1, max: 10 }) }),
      fc.record({ do: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 10 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const plan = new FaultPlan();
        const windows = new Map<number, readonly [fromS: number, untilS: number]>();
        for (const each of steps) {
          if (each.do === 'add') {
            const fault = faultSchema.parse({ ...lost, at: each.atS, for_s: each.forS });
            windows.set(plan.add(fault, T0), [each.atS, each.atS + each.forS]);
          } else if (each.do === 'remove') {
            expect(plan.remove(each.id) !== null).toBe(windows.delete(each.id));
          } else {
            const isWithin = [...windows.values()].some(
              ([from, until]) => from <= each.atS && each.atS < until,
            );
            expect(isHit(plan, T0 + each.atS * 1000)).toBe(isWithin);
          }
        }
      }),
    );
  });

  it('strikes only within its window', () => {
    const plan = planOf([{ ...lost, at: 10, for_s: 5 }]);
    const hits = [9_999, 10_000, 14_999, 15_000].map((ms) => isHit(plan, T0 + ms));
    expect(hits).toEqual([false, true, true, false]);
  });

  it('accepts an instant as its beginning', () => {
    const plan = planOf([{ ...lost, at: new Date(T0 + 1_000).toISOString() }]);
    expect([isHit(plan, T0 + 999), isHit(plan, T0 + 1_000)]).toEqual([false, true]);
  });

  it('lets some pass first and stops after its times', () => {
    const plan = planOf([{ ...lost, skip: 2, times: 2 }]);
    expect([1, 2, 3, 4, 5, 6].map(() => isHit(plan, T0))).toEqual([false, false, true, true, false, false]);
    expect(plan.list(T0)).toMatchObject([{ id: 1, active: true, reached: 2 }]);
    expect(plan.reached()).toEqual({ answer_lost: 2 });
  });

  it('decides by the seed, about as often as its probability says', () => {
    const hitsOf = (seed: number): string => {
      const plan = planOf([{ ...lost, probability: 0.3 }], seed);
      return Array.from({ length: 400 }, () => (isHit(plan, T0) ? 'x' : '.')).join('');
    };
    expect(hitsOf(7)).toBe(hitsOf(7));
    expect(hitsOf(7)).not.toBe(hitsOf(8));
    const share = [...hitsOf(7)].filter((mark) => mark === 'x').length / 400;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
  });

  it('ends when removed, and remembers what it did', () => {
    const plan = planOf([lost]);
    isHit(plan, T0);
    expect([plan.remove(1)?.id, plan.remove(1), isHit(plan, T0)]).toEqual([1, null, false]);
    expect(plan.reached()).toEqual({ answer_lost: 1 });
  });
});

describe('the effect of faults on requests', () => {
  const planFor = (...faults: object[]): RequestPlan => planOf(faults).planRequest('orders.create', T0);
  const own = ok({ order_id: 17, price_list: [] }, 201);
  const answered = (fault: object, answer: typeof own | null = own, body = '') =>
    planFor({ target: 'rest', ...fault }).rewrites.reduce(
      (so, rewrite) => rewrite(so, { ...REQUEST, body }),
      answer,
    );

  it('acknowledge a close that they keep from the exchange, and all orders that it names', () => {
    const ignored = { fault: 'close_ignored' };
    expect(planFor({ target: 'rest', ...ignored })).toMatchObject({ arrivals: 0, carriage: 'whole' });
    const answerTo = (body: string) => JSON.parse(answered(ignored, null, body)?.body ?? '') as unknown;
    expect(answerTo('')).toEqual({ status: 'ok', data: null });
    expect(answerTo('{"order_ids":[4,5]}')).toEqual({
      status: 'ok',
      data: { closed: [[4, 5]], not_found: [[]] },
    });
  });

  it.each([
    [{ fault: 'request_lost' }, { arrivals: 0, carriage: 'never' }],
    [{ fault: 'answer_lost' }, { arrivals: 1, carriage: 'never' }],
    [{ fault: 'reset' }, { arrivals: 0, carriage: 'reset' }],
    [{ fault: 'reset_after' }, { arrivals: 1, carriage: 'reset' }],
    [
      { fault: 'delayed', delay_ms: 50 },
      { arrivals: 1, beforeMs: 50, afterMs: 0, carriage: 'whole' },
    ],
    [
      { fault: 'answer_delayed', delay_ms: 50 },
      { arrivals: 1, beforeMs: 0, afterMs: 50 },
    ],
    [
      { fault: 'late', delay_ms: 50 },
      { abandoned: true, arrivals: 1, beforeMs: 50 },
    ],
    [{ fault: 'applied_twice' }, { arrivals: 2, answer: 'second' }],
    [{ fault: 'stall' }, { arrivals: 1, carriage: 'stalled' }],
    [{ fault: 'cut_body' }, { arrivals: 1, carriage: 'cut' }],
    [{ fault: 'betslip_gone' }, { arrivals: 1, betslipGone: true }],
    [{ fault: 'server_error' }, { arrivals: 0, carriage: 'whole' }],
    [
      { fault: 'server_error', applied: true },
      { arrivals: 1, carriage: 'whole' },
    ],
  ])('plans %o', (fault, expected) => {
    expect(planFor({ target: 'orders.*', ...fault })).toMatchObject(expected);
  });

  it('adds delays up', () => {
    const delayed = { target: 'rest', fault: 'delayed', delay_ms: 20 };
    expect(planFor(delayed, delayed)).toMatchObject({ beforeMs: 40, arrivals: 1 });
  });

  it.each([
    [{ fault: 'throttled', retry_after_s: 7 }, 429, 'throttled'],
    [{ fault: 'server_error' }, 500, 'server_error'],
    [{ fault: 'rejected', reasons: { bet_type: ['invalid_bet_type'] } }, 400, 'validation_error'],
    [{ fault: 'answer', status: 401 }, 401, 'auth_error'],
    [{ fault: 'answer', status: 403, code: 'too_many_open_betslips' }, 403, 'too_many_open_betslips'],
    [{ fault: 'answer', status: 503 }, 503, 'warming'],
    [{ fault: 'conflict' }, 409, 'order_already_created'],
  ])('answers %o in the envelope', (fault, status, code) => {
    const answer = answered(fault);
    expect(answer?.status).toBe(status);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status: 'error', code });
  });

  it('throttles with and without saying how long', () => {
    expect(answered({ fault: 'throttled', retry_after_s: 7 })?.headers['retry-after']).toBe('7');
    const silent = answered({ fault: 'throttled', retry_after_s: null });
    expect(silent?.headers).not.toHaveProperty('retry-after');
    expect(silent?.body).not.toContain('retry_after');
  });

  it('names the order that exists in a conflict, unless without a body', () => {
    expect(JSON.parse(answered({ fault: 'conflict' })?.body ?? '')).toMatchObject({ data: { order_id: 17 } });
    expect(answered({ fault: 'conflict', with_body: false })).toMatchObject({ status: 409, body: '' });
  });

  it('is unavailable without an envelope', () => {
    expect(answered({ fault: 'unavailable' })).toMatchObject({
      status: 503,
      body: '{"detail":"Service unavailable"}',
    });
  });

  it('breaks the body, or gives it another shape', () => {
    expect(() => JSON.parse(answered({ fault: 'invalid_body' })?.body ?? '') as unknown).toThrow();
    expect(JSON.parse(answered({ fault: 'other_shape' })?.body ?? '')).toEqual({
      status: 'ok',
      data: [{ ccy: 'USDT', rate: 1 }],
    });
  });
});

describe('the effect of other terms on a shown order', () => {
  const order = { want_price: 2, want_stake: ['USDT', 5], expiry_time: '2026-03-01T12:00:10.000Z' };
  const own = { status: 201, headers: {}, body: JSON.stringify({ status: 'ok', data: order }) };

  it.each([
    ['price', { want_price: 3 }],
    ['stake', { want_stake: ['USDT', 10] }],
    ['lifetime', { expiry_time: '2026-03-01T12:01:10.000Z' }],
  ] as const)('changes its %s', (differs, changed) => {
    expect(JSON.parse(otherTerms(own, differs).body)).toEqual({
      status: 'ok',
      data: { ...order, ...changed },
    });
  });

  it('leaves other answers alone', () => {
    const none = { ...own, body: JSON.stringify({ status: 'ok', data: null }) };
    expect(otherTerms(none, 'price')).toBe(none);
  });
});

describe('the effect of faults on stream entries', () => {
  it('removes entries, and frames that are left without any', () => {
    const plan = planOf([{ target: 'stream.sync', fault: 'missing' }]);
    expect(sent(plan, ['event', 1], ['sync', 2])).toEqual([{ data: [['event', 1]], afterMs: 0 }]);
    expect(sent(plan, ['sync', 2])).toEqual([]);
  });

  it('sends entries twice, late, or behind the next frame', () => {
    expect(sent(planOf([{ target: 'stream.bet', fault: 'duplicate' }]), ['bet', 1], ['order', 2])).toEqual([
      {
        data: [
          ['bet', 1],
          ['bet', 1],
          ['order', 2],
        ],
        afterMs: 0,
      },
    ]);
    const late = planOf([{ target: 'stream.bet', fault: 'late_entry', delay_ms: 70 }]);
    expect(sent(late, ['bet', 1], ['order', 2])).toEqual([
      { data: [['order', 2]], afterMs: 0 },
      { data: [['bet', 1]], afterMs: 70 },
    ]);
    const reorder = planOf([{ target: 'stream.bet', fault: 'reorder', times: 1 }]);
    expect(sent(reorder, ['bet', 1])).toEqual([]);
    expect(sent(reorder, ['bet', 2])).toEqual([
      {
        data: [
          ['bet', 2],
          ['bet', 1],
        ],
        afterMs: 0,
      },
    ]);
  });

  it('spoils numbers', () => {
    const strings = planOf([{ target: 'stream.offer', fault: 'numbers_as_strings' }]);
    const offer = ['offer', { price_list: [{ effective: { price: 2.5, max: ['USDT', 10] } }] }];
    expect(sent(strings, offer)[0]?.data).toEqual([
      ['offer', { price_list: [{ effective: { price: '2.5', max: ['USDT', '10'] } }] }],
    ]);
    const spoilt = planOf([{ target: 'stream.offer', fault: 'not_numbers' }]);
    const texts = Array.from({ length: 9 }, () => spoilt.planFrame(1, batch(offer), T0)?.[0]?.text ?? '');
    for (const text of texts) expect(text).not.toContain('"price":2.5');
    expect(texts.some((text) => text.includes('"price":1e999'))).toBe(true);
    expect(new Set(texts).size).toBe(9);
  });

  it('withholds quotes from stream and betslip alike', () => {
    const plan = planOf([{ target: 'betslips', fault: 'quote_never' }]);
    expect(sent(plan, ['pmm', { betslip_id: 'a' }])).toEqual([]);
    const own = ok({ betslip_id: 'a', price_list: [1], total: ['USDT', 1] });
    const [rewrite] = plan.planRequest('betslips.get', T0).rewrites;
    expect(JSON.parse(rewrite?.(own, REQUEST).body ?? '')).toEqual({
      status: 'ok',
      data: { betslip_id: 'a', price_list: [], total: null },
    });
    expect(plan.planRequest('betslips.create', T0)).toBe(UNHARMED);
  });

  it('freezes a quote at the first prices that it showed', () => {
    const plan = planOf([{ target: 'betslips', fault: 'quote_freezes' }]);
    const pmm = (list: readonly number[]) => ['pmm', { betslip_id: 'a', price_list: list, total: 1 }];
    const shown = [[], [3], [4]].map((list) => sent(plan, pmm(list))[0]?.data);
    expect(shown).toEqual([[pmm([])], [pmm([3])], [pmm([3])]]);
  });

  it('passes frames that are no batch, and forgets connections', () => {
    const plan = planOf([{ target: 'stream.*', fault: 'reorder' }]);
    expect(plan.planFrame(1, 'no batch', T0)).toEqual([{ text: 'no batch', afterMs: 0 }]);
    sent(plan, ['bet', 1]);
    plan.forget(1);
    expect(sent(plan, ['bet', 2])).toEqual([]);
  });

  it('leaves frames unchanged before and after a fault, except for entries that it held back', () => {
    const plan = planOf([{ target: 'stream.*', fault: 'reorder', times: 1, at: 5 }]);
    const frame = (entry: number, atMs: number): unknown =>
      plan.planFrame(1, batch(['bet', entry]), atMs)?.map(({ text }) => JSON.parse(text) as unknown) ?? null;
    expect(frame(1, T0)).toBeNull();
    expect(frame(2, T0 + 5_000)).toEqual([]);
    expect(frame(3, T0 + 6_000)).toMatchObject([
      {
        data: [
          ['bet', 3],
          ['bet', 2],
        ],
      },
    ]);
    expect(frame(4, T0 + 7_000)).toBeNull();
  });

  it('loses nothing and invents nothing when it only moves entries', () => {
    const tags = fc.array(fc.constantFrom('offer', 'bet', 'order'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(tags, { maxLength: 8 }), (frames) => {
        const plan = planOf([
          { target: 'stream.bet', fault: 'reorder' },
          { target: 'stream.order', fault: 'late_entry', delay_ms: 5 },
        ]);
        let serial = 0;
        const said = frames.map((frame) => frame.map((tag) => [tag, serial++]));
        const out = [...said, []].flatMap((data) => sent(plan, ...data)).flatMap(({ data }) => data);
        expect(out).toHaveLength(serial);
        expect(new Set(out.map((entry) => JSON.stringify(entry))).size).toBe(serial);
      }),
    );
  });
});

describe('the effect of faults by themselves', () => {
  it('begins and ends at its instants', () => {
    const plan = planOf([{ at: 2, for_s: 3, target: 'stream', fault: 'half_open' }]);
    expect(plan.nextDueMs()).toBe(T0 + 2_000);
    expect(plan.take(T0 + 1_999)).toBeNull();
    expect(plan.take(T0 + 2_000)).toMatchObject({ phase: 'begin' });
    expect(plan.nextDueMs()).toBe(T0 + 5_000);
    expect(plan.take(T0 + 5_000)).toMatchObject({ phase: 'end' });
    expect(plan.nextDueMs()).toBeNull();
  });

  it('cuts the network for its window', () => {
    const plan = planOf([{ at: 1, for_s: 1, target: 'network', fault: 'connect_refused' }]);
    expect([0, 1_000, 1_999, 2_000].map((ms) => plan.state(T0 + ms).networkDown)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([
    [{ probability: 1e-9 }, 0, false],
    [{ skip: 1 }, 0, false],
    [{}, 1, true],
  ])('changes nothing by a state that does not happen: %j', (common, reached, happens) => {
    const plan = planOf([
      { ...common, target: 'network', fault: 'connect_refused' },
      { ...common, target: 'exchange', fault: 'betslip_cap', cap: 3 },
    ]);
    while (plan.take(T0) !== null);
    expect(plan.reached()).toEqual({ connect_refused: reached, betslip_cap: reached });
    expect(plan.state(T0)).toEqual({
      networkDown: happens,
      tuning: happens ? { openBetslipCap: 3 } : {},
    });
  });

  it('changes how the exchange works while it lasts, the later fault over the earlier', () => {
    const cap = { target: 'exchange', fault: 'betslip_cap' };
    const plan = planOf([
      { ...cap, cap: 9 },
      { ...cap, cap: 3, at: 1, for_s: 1 },
      { at: 1, target: 'exchange', fault: 'fill_after_close', delay_ms: 700 },
    ]);
    expect([0, 1_000, 2_000].map((ms) => plan.state(T0 + ms).tuning)).toEqual([
      { openBetslipCap: 9 },
      { openBetslipCap: 3, closeLatencyMs: 700 },
      { openBetslipCap: 9, closeLatencyMs: 700 },
    ]);
  });

  it('plans handshakes', () => {
    const plan = planOf([
      { target: 'handshake', fault: 'refused_upgrade', status: 401, times: 1 },
      { target: 'handshake', fault: 'upgrade_reset', times: 1 },
      { target: 'handshake', fault: 'upgrade_stall', times: 1 },
    ]);
    expect([1, 2, 3, 4].map(() => plan.planUpgrade(T0))).toEqual([
      { kind: 'refused', status: 401, body: 'auth_rejected' },
      { kind: 'reset' },
      { kind: 'stalled' },
      { kind: 'pass' },
    ]);
  });
});
