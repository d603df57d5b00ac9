import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { EVENT, levelsIn, PaperRig, REAL_KEY } from './support/rig.ts';

const REGISTERED = JSON.stringify(['register_event', EVENT.sport, EVENT.eventId]);

async function quoted(options: ConstructorParameters<typeof PaperRig>[0] = {}): Promise<PaperRig> {
  const rig = new PaperRig(options);
  rig.offer('for,h', [
    [2.1, 100],
    [2.08, 60],
  ]);
  rig.offer('against,h', [[1.9, 80]]);
  await rig.connect();
  return rig;
}

describe('a paper order', () => {
  it('is matched by an offer that crosses its price, and the real exchange hears nothing of it', async () => {
    const rig = await quoted();
    const order = await rig.place('for,h', 2.2, 10);
    expect(order).toMatchObject({ status: 'open' });
    await rig.pass(3);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open' });
    rig.offer('for,h', [[2.2, 50]]);
    await rig.pass(3);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'done', stake: ['USDT', 10] });
    expect(rig.tags()).toEqual(expect.arrayContaining(['order', 'bet', 'balance']));
    expect(rig.wire).toEqual([REGISTERED]);
    expect(rig.real.inspect().orders).toEqual([]);
  });

  it.each([
    ['touch', 'done'],
    ['queue', 'open'],
    ['through', 'open'],
  ] as const)('under %s is %s once takers reach its price, with others before it', async (fills, status) => {
    const rig = await quoted({ fills });
    const order = await rig.place('for,h', 2.1, 10, 'lay');
    await rig.pass(3);
    rig.take(2.1, 40);
    await rig.pass(4);
    expect(await rig.order(order['order_id'])).toMatchObject({ status });
  });

  it.each(['touch', 'queue', 'through'] as const)(
    'under %s is done once takers pass its price',
    async (fills) => {
      const rig = await quoted({ fills });
      const order = await rig.place('for,h', 2.1, 10, 'lay');
      await rig.pass(3);
      rig.take(2.08, 140);
      await rig.pass(4);
      expect(await rig.order(order['order_id'])).toMatchObject({ status: 'done' });
    },
  );

  it('is open when the offers that it is behind were quoted anew', async () => {
    const rig = await quoted();
    const order = await rig.place('for,h', 2.1, 10, 'lay');
    await rig.pass(3);
    rig.offer('for,h', [
      [2.1, 0],
      [2.08, 90],
    ]);
    await rig.pass(4);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open' });
  });

  it('takes no less of an offer than its smallest bet, which the client goes on seeing', async () => {
    const rig = new PaperRig();
    rig.offer('for,h', [[2.1, 100, 20]]);
    await rig.connect();
    const small = await rig.place('for,h', 2.1, 10);
    await rig.pass(3);
    expect(await rig.order(small['order_id'])).toMatchObject({ status: 'open', bets: [] });
    const large = await rig.place('for,h', 2.1, 30);
    await rig.pass(3);
    expect(await rig.order(large['order_id'])).toMatchObject({ status: 'done', stake: ['USDT', 30] });
    const last = rig.entries.findLast(([tag, { bet_type: type }]) => tag === 'offer' && type === 'for,h');
    expect(last?.[1]).toMatchObject({
      price_list: [{ effective: { price: 2.1, min: ['USDT', 20], max: ['USDT', 70] } }],
    });
  });

  it('lands a whole request after it was sent', async () => {
    const rig = await quoted({ latencyMs: 200 });
    await rig.ask('GET', '/v2/xrates/');
    const slip = await rig.ask('POST', '/v2/betslips/', {
      sport: EVENT.sport,
      event_id: EVENT.eventId,
      bet_type: 'for,h',
      betslip_type: 'normal',
    });
    const { betslip_id } = slip.data as { betslip_id: string };
    const sentMs = rig.clock.wallMs();
    const order = await rig.ask('POST', '/v2/orders/', { betslip_id, price: 2.2, stake: ['USDT', 5] });
    const placedMs = Date.parse((order.data as { placement_time: string }).placement_time);
    expect(placedMs - sentMs).toBe(400);
  });
});

describe('the offers of a paper run', () => {
  it('have a paper order among them once, whatever is broadcast', async () => {
    const rig = await quoted();
    await rig.place('for,h', 2.3, 10);
    await rig.pass(5);
    // Resting for the selection at 2.30, it is 1.76 for takers against it: 1/(1 - 1/2.3) = 1.769, rounded to what they surely get.
    const own = rig.shown('against,h')?.filter(([price]) => price !== 1.9);
    expect(own).toHaveLength(1);
    const [[price, stake]] = own as [[number, number]];
    expect([price, stake]).toEqual([1.76, 13]);
    rig.offer('against,h', [[1.9, 70]]);
    await rig.pass(5);
    expect(rig.shown('against,h')).toEqual([
      [1.9, 70],
      [1.76, 13],
    ]);
    const answer = await rig.ask('GET', `/v2/offers/?sport=fb&event_id=${EVENT.eventId}`);
    const listed = (answer.data as Record<string, unknown>[]).find(
      (each) => each['bet_type'] === 'against,h',
    );
    expect(levelsIn(listed as Record<string, unknown>)).toEqual([
      [1.9, 70],
      [1.76, 13],
    ]);
  });

  it('lose what a paper order took, until the real exchange has less of it', async () => {
    const rig = await quoted();
    await rig.place('for,h', 2.1, 30);
    await rig.pass(5);
    expect(rig.shown('for,h')?.[0]).toEqual([2.1, 70]);
    rig.offer('for,h', [[2.08, 90]]);
    await rig.pass(3);
    expect(rig.shown('for,h')).toEqual([
      [2.1, 70],
      [2.08, 90],
    ]);
    rig.offer('for,h', [[2.1, 20]]);
    await rig.pass(3);
    expect(rig.shown('for,h')).toEqual([[2.08, 90]]);
  });

  it('pass byte by byte while no paper order is there', async () => {
    const rig = await quoted();
    const offers = rig.entries.filter(([tag]) => tag === 'offer').map(([, payload]) => payload);
    expect(offers).toContainEqual({
      sport: 'fb',
      event_id: EVENT.eventId,
      bet_type: 'for,h',
      market_type: 'wdw',
      in_running: false,
      price_list: [
        { effective: { price: 2.1, min: null, max: ['USDT', 100] } },
        { effective: { price: 2.08, min: null, max: ['USDT', 60] } },
      ],
    });
  });
});

describe('the account of a paper run', () => {
  it('is the configured one: neither balance nor orders of the real account are seen', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = await quoted({ metrics });
    expect((await rig.ask('GET', '/v2/balance/')).data).toMatchObject({ balance: ['USDT', 1_000] });
    // The real account trades: another program of the same customer.
    const request = (method: string, target: string, body: unknown): unknown => {
      const text = body === null ? '' : JSON.stringify(body);
      const answer = rig.realHost.run((nowMs) =>
        rig.real.request({ method, target, apiKey: REAL_KEY, body: text }, nowMs),
      );
      return (JSON.parse(answer.body) as { data: unknown }).data;
    };
    const { betslip_id } = request('POST', '/v2/betslips/', {
      sport: 'fb',
      event_id: EVENT.eventId,
      bet_type: 'for,h',
      betslip_type: 'normal',
    }) as { betslip_id: string };
    const { order_id } = request('POST', '/v2/orders/', {
      betslip_id,
      price: 2.1,
      stake: ['USDT', 7],
      duration: 60,
    }) as { order_id: number };
    await rig.pass(5);
    const texts = JSON.stringify(rig.entries);
    expect(texts).not.toContain(String(order_id));
    expect(texts).not.toContain(betslip_id);
    expect(texts).not.toContain('5000');
    expect((await rig.ask('GET', '/v2/orders/')).data).toEqual([]);
    const { text: exposed } = await metrics.expose();
    for (const tag of ['order', 'bet', 'balance', 'betslip', 'pmm'])
      expect(exposed).toMatch(new RegExp(`touchline_paper_dropped_entries_total\\{tag="${tag}"\\} [1-9]`));
  });

  it('answers a request that the table does not name with a failure that was not sent', async () => {
    const rig = await quoted();
    await expect(rig.ask('POST', '/v2/keys/')).rejects.toMatchObject({ outcome: 'not-sent' });
    await expect(rig.ask('DELETE', '/v2/events/')).rejects.toMatchObject({ outcome: 'not-sent' });
    expect(rig.wire).toEqual([REGISTERED]);
  });
});
