import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { refusal } from '../simulator/server/support.ts';
import { exchange } from './support/exchange.ts';
import { EVENT_ID, KEY, OTHER_KEY, READ_KEY, SECOND_KEY } from './support/names.ts';

describe('keys over REST', () => {
  it('travel in X-Api-Key on every request', async () => {
    const ex = await exchange();
    for (const { method, path } of ex.core.endpoints) {
      const url = `${ex.simulator.rest}${path.replace('/v2/', '').replaceAll(/\{\w+\}/g, 'x')}`;
      const response = await fetch(url, { method });
      expect([response.status, ((await response.json()) as { code: string }).code], path).toEqual([
        401,
        'auth_error',
      ]);
    }
  });

  it('are refused with 401 in the same words when missing, malformed or unknown', async () => {
    const ex = await exchange();
    const refused = {
      status: 'error',
      code: 'auth_error',
      data: { detail: 'Authentication credentials were not provided.' },
    };
    const bare = await fetch(`${ex.simulator.rest}xrates/`);
    expect([bare.status, await bare.json()]).toEqual([401, refused]);
    for (const key of ['', 'unknown', `${KEY}-`, KEY.slice(1), 'x'.repeat(5_000)]) {
      expect(await ex.client(key).get('xrates/'), key).toMatchObject({ http: 401, ...refused });
    }
  });

  it('are not accepted in the query, which only the stream uses', async () => {
    const ex = await exchange();
    expect((await fetch(`${ex.simulator.rest}xrates/?api_key=${KEY}`)).status).toBe(401);
  });

  it('of one account see the same data, and none of another account', async () => {
    const ex = await exchange();
    const { order_id: id } = await ex.client(KEY).placed('for,h', 2.5, 10);
    expect(await ex.client(SECOND_KEY).order(id)).toMatchObject({ order_id: id });
    const ben = ex.client(OTHER_KEY);
    expect((await ben.get(`orders/${id}/`)).http).toBe(404);
    expect((await ben.get('orders/')).data).toEqual([]);
    expect((await ben.get('balance/')).data.open_stake).toEqual(['USDT', 0]);
  });

  it('with read-only access read everything and are forbidden to act', async () => {
    const ex = await exchange();
    const reader = ex.client(READ_KEY);
    const { order_id: id } = await ex.client().placed('for,h', 2.5, 10);
    for (const path of [
      'balance/',
      'orders/position/',
      'orders/',
      `orders/${id}/`,
      'betslips/',
      'heartbeats/',
    ]) {
      expect((await reader.get(path)).http, path).toBe(200);
    }
    const selection = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', betslip_type: 'normal' };
    const acts = [
      ['POST', 'betslips/', selection],
      ['POST', 'orders/', {}],
      ['POST', `orders/${id}/close/`, undefined],
      ['POST', 'orders/close_all/', undefined],
      ['POST', 'heartbeats/', { timeout: 60 }],
    ] as const;
    for (const [method, path, body] of acts) {
      expect(await reader.ask(method, path, body), path).toMatchObject({
        http: 403,
        code: 'forbidden',
        data: null,
      });
    }
    expect(await ex.client().order(id)).toMatchObject({ closed: false });
  });
});

describe('the handshake of the stream', () => {
  it('is refused with 400 missing_credentials without api_key', async () => {
    const ex = await exchange();
    expect(await refusal(ex.simulator.stream)).toEqual({ status: 400, body: 'missing_credentials' });
    expect(await refusal(`${ex.simulator.stream}?api_key=`)).toEqual({
      status: 400,
      body: 'missing_credentials',
    });
  });

  it('is refused with 401 auth_rejected for a key that is not accepted', async () => {
    const ex = await exchange();
    expect(await refusal(`${ex.simulator.stream}?api_key=wrong`)).toEqual({
      status: 401,
      body: 'auth_rejected',
    });
  });

  it('is refused with 400 invalid_lang for an unknown language', async () => {
    const ex = await exchange();
    const url = `${ex.simulator.stream}?api_key=${KEY}`;
    expect(await refusal(`${url}&lang=tlh`)).toEqual({ status: 400, body: 'invalid_lang' });
    for (const lang of ['en', 'ko', 'zh-hans']) {
      expect((await ex.client().stream({ lang })).all('sync')).toHaveLength(1);
    }
  });

  it('is refused with 503 unavailable while the stream is down', async () => {
    const ex = await exchange();
    ex.simulator.host.addFault(faultSchema.parse({ target: 'handshake', fault: 'refused_upgrade' }));
    const url = `${ex.simulator.stream}?api_key=${KEY}`;
    expect(await refusal(url)).toEqual({ status: 503, body: 'unavailable' });
  });

  it('accepts a read-only key', async () => {
    const ex = await exchange();
    expect((await ex.client(READ_KEY).stream()).all('event')).toHaveLength(1);
  });
});
