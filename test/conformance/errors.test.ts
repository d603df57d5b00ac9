import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { exchange, type ServedExchange } from './support/exchange.ts';
import { EVENT_ID } from './support/names.ts';

/** An exchange on which every request meets this fault. */
async function failing(fault: object): Promise<ServedExchange> {
  const ex = await exchange();
  ex.simulator.host.addFault(faultSchema.parse({ target: 'rest', ...fault }));
  return ex;
}

describe('failures', () => {
  it('name every wrong field with its reasons', async () => {
    const ex = await exchange();
    const { http, status, code, data } = await ex
      .client()
      .post('orders/', { price: 'x', stake: ['USDT', 'y'] });
    expect({ http, status, code }).toEqual({ http: 400, status: 'error', code: 'validation_error' });
    expect(data.validation_errors).toMatchObject({
      betslip_id: [expect.any(String)],
      price: [expect.any(String)],
      stake: { 1: [expect.any(String)] },
    });
  });

  it('of bodies that are not JSON are validation errors', async () => {
    const ex = await exchange();
    for (const body of ['{', 'null', '[]', '"x"', '\u0000', 'NaN', '{"a":}']) {
      const response = await ex.client().fetch('POST', 'orders/', body);
      await ex.pass(1);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'validation_error',
        data: { validation_errors: { non_field_errors: [expect.any(String)] } },
      });
    }
  });

  it('of unknown paths are not_found, whatever their form', async () => {
    const ex = await exchange();
    for (const path of ['/v2/nothing/', '/', '/v3/orders/', '/v2/orders/1/2/3/', '/v2/%zz/', '/sim/orders']) {
      expect(await ex.client().get(path)).toMatchObject({ http: 404, status: 'error', code: 'not_found' });
    }
  });

  it('of oversized bodies are validation errors', async () => {
    const ex = await exchange();
    const response = await ex.client().fetch('POST', 'orders/close_all/', `"${'x'.repeat(3_000_000)}"`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation_error' });
  });

  it('inside the exchange are server_error with a message and a token', async () => {
    const ex = await failing({ fault: 'server_error' });
    expect(await ex.client().get('balance/')).toMatchObject({
      http: 500,
      code: 'server_error',
      data: ['An error has occurred, token:', expect.any(String)],
    });
  });

  it('inside the exchange have a token of their own each', async () => {
    const ex = await failing({ fault: 'server_error', target: 'balance' });
    ex.simulator.host.addFault(faultSchema.parse({ fault: 'server_error', target: 'xrates' }));
    const anna = ex.client();
    const answers = [];
    for (const path of ['balance/', 'balance/', 'xrates/']) answers.push(await anna.get(path));
    const tokens = answers.map(({ data }) => data[1] as string);
    expect(new Set(tokens).size).toBe(3);
  });

  it('before the exchange is reached have no envelope', async () => {
    const ex = await failing({ fault: 'unavailable' });
    const response = await ex.client().fetch('GET', 'balance/');
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"detail":"Service unavailable"}');
  });

  it('of a cap per customer are limit_reached', async () => {
    const ex = await exchange({ settings: { heartbeatCap: 1 } });
    const anna = ex.client();
    await anna.post('heartbeats/', { timeout: 60 });
    expect(await anna.post('heartbeats/', { timeout: 60 })).toMatchObject({
      http: 409,
      code: 'limit_reached',
      data: { detail: expect.any(String) },
    });
  });

  it('of throttling carry the wait in body and header', async () => {
    const ex = await failing({ fault: 'throttled', retry_after_s: 7 });
    const { http, code, data, headers } = await ex.client().get('balance/');
    expect({ http, code }).toEqual({ http: 429, code: 'throttled' });
    expect(data).toEqual({
      message: 'Request was throttled. Expected available in 7 seconds.',
      retry_after: 7,
    });
    expect(headers.get('retry-after')).toBe('7');
  });
});

describe('retries', () => {
  it('of a creation whose answer was lost find the order by the same request_uuid', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const uuid = '0b5bd6a4-6a06-4b0e-8b7c-3d8f3c1c2d11';
    const betslip_id = await anna.betslip();
    const body = { betslip_id, price: 2.2, stake: ['USDT', 10], request_uuid: uuid };
    ex.simulator.host.addFault(
      faultSchema.parse({ target: 'orders.create', fault: 'reset_after', times: 1 }),
    );
    await expect(anna.post('orders/', body)).rejects.toThrow(/fetch failed/);
    const again = await anna.post('orders/', body);
    expect(again).toMatchObject({ http: 409, code: 'order_already_created' });
    const tracked = await anna.get(`orders/tracked/${uuid}/`);
    expect(tracked.data.order_id).toBe(again.data.order_id);
    expect(ex.inspect().orders).toHaveLength(1);
  });

  it('after the wait of a 429 succeed', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const betslip_id = await anna.betslip();
    const place = () => anna.post('orders/', { betslip_id, price: 2.2, stake: ['USDT', 1] });
    for (let i = 0; i < 5; i++) expect((await place()).http).toBe(201);
    const { http, data } = await place();
    expect(http).toBe(429);
    await ex.pass(data.retry_after);
    expect((await place()).http).toBe(201);
  });

  it('change nothing when a request was refused', async () => {
    const ex = await exchange();
    const before = ex.inspect();
    const anna = ex.client();
    await anna.post('betslips/', {
      sport: 'fb',
      event_id: EVENT_ID,
      bet_type: 'nonsense',
      betslip_type: 'normal',
    });
    await anna.post('orders/', { betslip_id: 'x', price: 2, stake: ['USDT', 1] });
    await anna.post('heartbeats/', { timeout: 1_000 });
    await ex.client('wrong').post('orders/close_all/');
    expect(ex.inspect()).toEqual(before);
  });
});
