import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ProtocolError, TransportError } from '../../src/domain/errors.ts';
import { betslipId, heartbeatId, orderId, requestUuid } from '../../src/domain/ids.ts';
import { AuthError, NotFound, OrderAlreadyCreated, Throttled } from '../../src/venue/index.ts';
import { type Answerer, json, lost, notSent, ok, refused, script } from './support/fake-transports.ts';
import { KEY, makeRig, type Rig, settled } from './support/make-venue.ts';
import { EVENT, FB, FOR_HOME, placeOrder, wireOffer, wireOrder } from './support/samples.ts';

const balance = ok({ balance: ['USDT', 100], open_stake: ['USDT', 1], smart_credit: null });
const throttled = (seconds: number) =>
  json(429, { status: 'error', code: 'throttled', data: { message: 'm', retry_after: seconds } });

/** Monotonic instants at which requests left. */
function timed(rig: Rig): number[] {
  const at: number[] = [];
  const { answer } = rig.http;
  rig.http.answer = (request, index) => {
    at.push(rig.clock.monotonicMs());
    return answer(request, index);
  };
  return at;
}

describe('the retry table', () => {
  it('429: waits retry_after, then retries', async () => {
    const rig = makeRig(script(throttled(7), balance));
    const at = timed(rig);
    await settled(rig.clock, rig.venue.balance());
    expect(at).toHaveLength(2);
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(7_000);
    expect(rig.venue.throttledCount).toBe(1);
  });

  it('429 with an HTTP date: waits until then by the sender’s clock', async () => {
    const headers = { date: 'Fri, 01 May 2026 10:00:00 GMT', 'retry-after': 'Fri, 01 May 2026 10:00:20 GMT' };
    const rig = makeRig(script({ status: 429, headers, body: '<html>' }, balance));
    const at = timed(rig);
    await settled(rig.clock, rig.venue.balance());
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(20_000);
    expect((at[1] as number) - (at[0] as number)).toBeLessThan(22_000);
  });

  it.each([
    ['500', refused(500, 'server_error', ['x', 't'])],
    ['a lost answer', lost()],
    ['nothing sent', notSent()],
    ['429', throttled(1)],
  ])('%s: sends once what the caller repeats', async (_name, answer) => {
    const rig = makeRig(script(answer, ok(null)));
    const closing = settled(rig.clock, rig.venue.closeOrder(orderId(5), { once: true }));
    await expect(closing).rejects.toBeInstanceOf(Error);
    expect(rig.http.requests).toHaveLength(1);
  });

  it('429 with a wait of hours: leaves it to the caller', async () => {
    const rig = makeRig(script(throttled(3600), balance));
    await expect(settled(rig.clock, rig.venue.balance())).rejects.toBeInstanceOf(Throttled);
    expect(rig.http.requests).toHaveLength(1);
  });

  it.each([99_999_999_999, 0, -5])(
    '429 that asks for %s s: the next request leaves in time',
    async (wait) => {
      const rig = makeRig(script(throttled(wait), balance, balance, balance));
      await settled(rig.clock, rig.venue.balance()).catch(() => undefined);
      const fromMs = rig.clock.monotonicMs();
      await settled(rig.clock, rig.venue.balance());
      expect(rig.clock.monotonicMs() - fromMs).toBeLessThanOrEqual(190_000);
      expect([...rig.venue.unknowns()].map(([name]) => name)).toEqual(['out-of-bounds retry_after']);
    },
  );

  it.each([0, -5])('429 that asks for %s s: is repeated after a second, not at once', async (wait) => {
    const rig = makeRig(script(throttled(wait), balance));
    const at = timed(rig);
    await settled(rig.clock, rig.venue.balance());
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(1_000);
  });

  it('429 of a betslip may ask for a day, and no more', async () => {
    const rig = makeRig(() => throttled(99_999_999_999));
    const asked = { sport: 'fb', eventId: '2026-01-01,1,2', betType: 'for,h', betslipType: 'normal' };
    const creating = settled(rig.clock, rig.venue.createBetslip(asked as never));
    await expect(creating).rejects.toMatchObject({ retryAfterS: 86_400 });
    expect(rig.venue.waitMs('betslips')).toBeLessThanOrEqual(86_400_000);
    expect(rig.venue.waitMs('general')).toBe(0);
  });

  it('409 order_already_created: does not place again, and returns the order', async () => {
    const rig = makeRig(script(refused(409, 'order_already_created', { order_id: 5, message: '' })));
    const placing = settled(rig.clock, rig.venue.placeOrder(placeOrder()));
    await expect(placing).rejects.toBeInstanceOf(OrderAlreadyCreated);
    await expect(placing).rejects.toMatchObject({ orderId: 5 });
    expect(rig.http.requests).toHaveLength(1);
  });

  it.each([
    ['500', refused(500, 'server_error', ['x', 't'])],
    ['503 warming', refused(503, 'warming')],
    ['503 without an envelope', json(503, { detail: 'Service unavailable' })],
    ['a lost answer', lost()],
    ['an unreadable answer', json(200, 'what')],
  ])('%s: backs off exponentially, where repeating is safe', async (_name, answer) => {
    const rig = makeRig(script(answer, answer, answer, balance));
    const at = timed(rig);
    await settled(rig.clock, rig.venue.balance());
    const waits = at.slice(1).map((ms, i) => ms - (at[i] as number));
    expect(waits).toHaveLength(3);
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** i);
      expect(wait).toBeLessThanOrEqual(250 * 2 ** i + 1);
    }
  });

  it('gives up in the end, with the last error', async () => {
    const rig = makeRig(script(lost()));
    await expect(settled(rig.clock, rig.venue.balance())).rejects.toBeInstanceOf(TransportError);
    expect(rig.http.requests).toHaveLength(4);
  });

  it.each([
    ['400', refused(400, 'validation_error', { validation_errors: {} })],
    ['401', refused(401, 'auth_error')],
    ['403', refused(403, 'forbidden')],
    ['404', refused(404, 'not_found')],
    ['409', refused(409, 'limit_reached')],
  ])('%s: does not retry', async (_name, answer) => {
    const rig = makeRig(script(answer));
    await expect(settled(rig.clock, rig.venue.balance())).rejects.toThrow();
    expect(rig.http.requests).toHaveLength(1);
  });

  it.each([
    ['a timeout', lost()],
    ['nothing sent', notSent()],
    ['429', throttled(1)],
    ['500', refused(500, 'server_error')],
    ['503', refused(503, 'warming')],
    ['an unreadable answer', json(201, { nothing: 1 })],
  ])('makes one attempt to place an order: %s', async (_name, answer) => {
    const rig = makeRig(script(answer));
    await expect(settled(rig.clock, rig.venue.placeOrder(placeOrder()))).rejects.toThrow();
    expect(rig.http.requests).toHaveLength(1);
  });

  it.each(['lay', undefined] as const)(
    'requests a betslip of its type each time: %s',
    async (betslipType) => {
      const wanted = betslipType ?? 'normal';
      const made = ok({ betslip_id: 'b', bet_type: FOR_HOME, betslip_type: wanted });
      const rig = makeRig(script(notSent(), throttled(1), made));
      const market = { sport: FB, eventId: EVENT, betType: FOR_HOME };
      const request = betslipType === undefined ? market : { ...market, betslipType };
      await expect(settled(rig.clock, rig.venue.createBetslip(request))).resolves.toMatchObject({
        betslipId: 'b',
      });
      const sent = rig.http.requests.map(({ body }) => JSON.parse(String(body)) as object);
      expect(sent).toHaveLength(3);
      for (const body of sent) expect(body).toMatchObject({ bet_type: FOR_HOME, betslip_type: wanted });
    },
  );

  it.each([
    ['lay', 'normal'],
    [undefined, 'lay'],
  ] as const)('does not take a betslip for a %s one whose type is %s', async (betslipType, answered) => {
    const rig = makeRig(script(ok({ betslip_id: 'b', bet_type: FOR_HOME, betslip_type: answered })));
    const market = { sport: FB, eventId: EVENT, betType: FOR_HOME };
    const request = betslipType === undefined ? market : { ...market, betslipType };
    await expect(settled(rig.clock, rig.venue.createBetslip(request))).rejects.toBeInstanceOf(ProtocolError);
  });

  it.each([
    ['betslip', (rig: Rig) => rig.venue.createBetslip({ sport: FB, eventId: EVENT, betType: FOR_HOME })],
    ['heartbeat', (rig: Rig) => rig.venue.createHeartbeat(60)],
  ] satisfies [string, (rig: Rig) => Promise<unknown>][])(
    'creates a %s again only when it is certain that none was created',
    async (_name, make) => {
      const doubtful = makeRig(script(lost(), ok({ betslip_id: 'b', heartbeat_id: 'h' })));
      await expect(settled<unknown>(doubtful.clock, make(doubtful))).rejects.toMatchObject({
        outcome: 'unknown',
      });
      expect(doubtful.http.requests).toHaveLength(1);
      const certain = makeRig(script(notSent(), throttled(1), ok({ betslip_id: 'b', heartbeat_id: 'h' })));
      await settled<unknown>(certain.clock, make(certain));
      expect(certain.http.requests).toHaveLength(3);
    },
  );

  it('retries closes, refreshes and deletes', async () => {
    const calls = [
      (rig: Rig) => rig.venue.closeOrder(orderId(1)),
      (rig: Rig) => rig.venue.closeAll(),
      (rig: Rig) => rig.venue.deleteBetslip(betslipId('b')),
      (rig: Rig) => rig.venue.refreshBetslip(betslipId('b')),
      (rig: Rig) => rig.venue.refreshHeartbeat(heartbeatId('h')),
      (rig: Rig) => rig.venue.deleteHeartbeat(heartbeatId('h')),
    ];
    for (const call of calls) {
      const rig = makeRig(script(lost(), ok(null)));
      await settled<unknown>(rig.clock, call(rig));
      expect(rig.http.requests).toHaveLength(2);
    }
  });

  it('retries the close of several orders', async () => {
    const rig = makeRig(script(lost(), ok({ closed: [[1]], not_found: [[2]] })));
    const answer = await settled(rig.clock, rig.venue.closeMany([orderId(1), orderId(2)]));
    expect([answer, rig.http.requests.length]).toEqual([{ closed: [1], notFound: [2] }, 2]);
  });

  it('stops retrying when the caller cancels', async () => {
    const rig = makeRig(script(lost()));
    const aborter = new AbortController();
    const asking = rig.venue.balance({ signal: aborter.signal });
    asking.catch(() => undefined);
    await rig.clock.advance(10);
    aborter.abort();
    await expect(settled(rig.clock, asking)).rejects.toBeInstanceOf(TransportError);
    expect(rig.http.requests).toHaveLength(1);
  });
});

/** Gives no answer. Fails as the network does when the caller gives up. */
const untilAborted: Answerer = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(lost()));
  });

describe('requests', () => {
  it('carry the key only in the header', async () => {
    const rig = makeRig(script(balance));
    await settled(rig.clock, rig.venue.balance());
    const [request] = rig.http.requests;
    expect(request?.headers['x-api-key']).toBe(KEY);
    expect(request?.path).toBe('/v2/balance/');
  });

  it('send an order as the specification says, with the published names for the rest', async () => {
    const rig = makeRig(script(ok(wireOrder(), 201)));
    const order = placeOrder({
      exchangeMode: 'dark',
      keepOpenInRunning: true,
      minTakerWantStakeMicros: 5_000_000,
      currentScore: [1, 0],
      userData: 'tag',
    });
    const made = await settled(rig.clock, rig.venue.placeOrder(order));
    expect(JSON.parse(rig.http.requests[0]?.body ?? '')).toEqual({
      betslip_id: 'slip-1',
      price: 2.02,
      stake: ['USDT', 10.5],
      duration: 15,
      request_uuid: '00000000-0000-4000-8000-000000000001',
      exchange_mode: 'dark',
      keep_open_ir: true,
      min_taker_want_stake: ['USDT', 5],
      current_score: [1, 0],
      user_data: 'tag',
    });
    expect(made).toMatchObject({ orderId: 77, status: 'open', wantStakeMicros: 10_500_000, eventId: EVENT });
    expect(made.expiryTimeMs).toBe((made.placementTimeMs ?? 0) + 15_000);
  });

  it('treat an answer about something else as no answer', async () => {
    const other = makeRig(script(ok(wireOrder({ bet_type: 'for,a' }), 201)));
    await expect(settled(other.clock, other.venue.placeOrder(placeOrder()))).rejects.toBeInstanceOf(
      ProtocolError,
    );
    const order = makeRig(script(ok(wireOrder())));
    await expect(settled(order.clock, order.venue.order(orderId(1)))).rejects.toBeInstanceOf(ProtocolError);
    const slip = makeRig(script(ok({ betslip_id: 'other' })));
    await expect(settled(slip.clock, slip.venue.betslip(betslipId('b')))).rejects.toBeInstanceOf(
      ProtocolError,
    );
  });

  it('call beforeSend at the last instant, and send nothing when it throws', async () => {
    const rig = makeRig(script(balance));
    const refusal = new Error('not now');
    const beforeSend = (): void => {
      throw refusal;
    };
    await expect(settled(rig.clock, rig.venue.balance({ beforeSend }))).rejects.toBe(refusal);
    expect(rig.http.requests).toHaveLength(0);
  });

  it('encode the parts of a path', async () => {
    const rig = makeRig(script(refused(404, 'not_found')));
    const asked = rig.venue.trackedOrder(requestUuid('a/b?c'));
    await expect(settled(rig.clock, asked)).rejects.toBeInstanceOf(NotFound);
    expect(rig.http.requests[0]?.path).toBe('/v2/orders/tracked/a%2Fb%3Fc/');
  });

  it('never reveal the key, not even when the exchange repeats it', async () => {
    const rig = makeRig(script(refused(401, 'auth_error', { detail: `bad key ${KEY}` })));
    const error = await settled(rig.clock, rig.venue.balance()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AuthError);
    expect(inspect(error, { depth: null })).toContain('[secret]');
    expect(inspect(error, { depth: null })).not.toContain(KEY);
  });

  it('end in flight when the venue closes', async () => {
    const rig = makeRig(untilAborted);
    const outcomes = Promise.allSettled([
      rig.venue.balance(),
      rig.venue.placeOrder(placeOrder()),
      rig.venue.placeOrder(placeOrder()),
    ]);
    await rig.clock.advance(0);
    await rig.venue.close();
    const results = await settled(rig.clock, outcomes);
    expect(
      results.map((result) => result.status === 'rejected' && (result.reason as TransportError).outcome),
    ).toEqual(['unknown', 'not-sent', 'not-sent']);
  });
});

describe('pages', () => {
  it('of events follow the cursor to the last page', async () => {
    const item = (n: number) => ({ sport: 'fb', event_id: `2026-01-01,${n},0` });
    const full = Array.from({ length: 5000 }, (_, n) => (n === 9 ? {} : item(n)));
    const rig = makeRig(script(ok(full), ok([item(9001), {}])));
    const { events, unread } = await settled(rig.clock, rig.venue.events({ sports: [FB] }));
    expect([events.length, unread]).toEqual([5000, 2]);
    expect(rig.http.requests[1]?.path).toContain(`after=${encodeURIComponent('fb,2026-01-01,4999,0')}`);
  });

  it('of offers name at most 20 events a call', async () => {
    const rig = makeRig(script(ok([wireOffer()])));
    const eventIds = Array.from({ length: 45 }, () => EVENT);
    const offers = await settled(rig.clock, rig.venue.offers({ sport: FB, eventIds, minLiquidity: 5 }));
    expect(offers).toHaveLength(3);
    const counts = rig.http.requests.map((r) => r.path.split('event_id=').length - 1);
    expect(counts).toEqual([20, 20, 5]);
    expect(rig.http.requests[0]?.path).toContain('min_liquidity=5');
  });

  it('of offers omit what cannot be read', async () => {
    const rig = makeRig(script(ok([wireOffer(), wireOffer({ price_list: [{ effective: {} }] })])));
    const offers = await settled(rig.clock, rig.venue.offers({ sport: FB, eventIds: [EVENT] }));
    expect(offers).toHaveLength(1);
  });

  it('of offers omit an offer whose price is not a number', async () => {
    const { body, ...answer } = ok([wireOffer(), wireOffer()]);
    const rig = makeRig(script({ ...answer, body: body.replace(/"price":[\d.]+/, '"price":NaN') }));
    const offers = await settled(rig.clock, rig.venue.offers({ sport: FB, eventIds: [EVENT] }));
    expect(offers).toHaveLength(1);
  });
});

it('reads a recurring answer once, and a changed one anew', async () => {
  const position = (stake: number) =>
    ok({
      sport: 'fb',
      event_id: EVENT,
      unknown_bets_num: 0,
      totals: { [FOR_HOME]: { got_stake: ['USDT', stake] } },
    });
  const rig = makeRig(script(position(1), position(1), position(2), position(1)));
  const ask = () => settled(rig.clock, rig.venue.position({ sport: FB, eventId: EVENT }));
  const [first, same, other, back] = [await ask(), await ask(), await ask(), await ask()];
  expect(same).toBe(first);
  expect(other).not.toEqual(first);
  expect(back).toEqual(first);
});

describe('the budgets of requests that were', () => {
  it.each<[string, Answerer, number]>([
    ['not sent', () => notSent(), 0],
    ['sent, and not answered', () => lost(), 5],
    ['answered', () => ok([]), 5],
  ])('%s', async (_, answer, count) => {
    const rig = makeRig(answer);
    const before = rig.venue.budgets();
    const asked = Array.from({ length: 5 }, () =>
      rig.venue
        .createBetslip({ sport: FB, eventId: EVENT, betType: FOR_HOME }, { once: true })
        .catch(() => null),
    );
    await settled(rig.clock, Promise.all(asked));
    expect(rig.http.requests).toHaveLength(5);
    expect(before.betslipsToday - rig.venue.budgets().betslipsToday).toBe(count);
  });
});
