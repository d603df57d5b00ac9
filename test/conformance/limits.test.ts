import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/simulator/core/settings.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { patient } from '../support/patience.ts';
import type { Answer, Client } from './support/client.ts';
import { exchange } from './support/exchange.ts';
import { EVENT_ID, KEY, OTHER_KEY, SECOND_KEY } from './support/names.ts';

const SELECTION = { sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', betslip_type: 'normal' };
const OFFERS = `offers/?sport=fb&event_id=${EVENT_ID}`;

/** How many of so many calls pass. */
async function passed(count: number, call: () => Promise<Answer>): Promise<number> {
  let passing = 0;
  for (let i = 0; i < count; i++) if ((await call()).http !== 429) passing++;
  return passing;
}

const balance = (client: Client) => () => client.get('balance/');

describe('budgets', () => {
  it('let an idle account spend a full bucket at once, and refill continuously', async () => {
    const ex = await exchange();
    const anna = ex.client();
    expect(await passed(105, balance(anna))).toBe(100);
    await ex.pass(0.1);
    expect(await passed(5, balance(anna))).toBe(2);
  });

  it(
    'sustain 1200 general requests a minute',
    async () => {
      const ex = await exchange();
      const anna = ex.client();
      let passing = await passed(100, balance(anna));
      for (let second = 0; second < 30; second++) {
        await ex.pass(1);
        passing += await passed(25, balance(anna));
      }
      expect(passing).toBe(100 + 30 * 20);
    },
    patient(60_000),
  );

  it(
    'in the lenient reading allow 100 in each second until 1200 are spent',
    async () => {
      const ex = await exchange({ settings: { limits: LIMITS.lenient } });
      const anna = ex.client();
      let passing = 0;
      for (let second = 0; second < 14; second++) {
        passing += await passed(100, balance(anna));
        await ex.pass(1);
      }
      // 1200 of the full bucket, and 20 more in each second that passed.
      expect(passing).toBeGreaterThanOrEqual(1_200);
      expect(passing).toBeLessThanOrEqual(1_200 + 14 * 20);
    },
    patient(60_000),
  );

  it('are shared by the keys of an account, and by no other account', async () => {
    const ex = await exchange();
    await passed(100, balance(ex.client(KEY)));
    expect((await ex.client(SECOND_KEY).get('balance/')).http).toBe(429);
    expect((await ex.client(OTHER_KEY).get('balance/')).http).toBe(200);
  });

  it('for market data and everything else are the general one', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await passed(100, () => anna.get('events/'));
    for (const path of ['balance/', 'orders/', 'heartbeats/', OFFERS, 'sports/fb/bet_types/for,h/']) {
      expect((await anna.get(path)).http).toBe(429);
    }
  });

  it('for betslips are 10 a second, apart from the general one', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await passed(100, balance(anna));
    expect(await passed(12, () => anna.post('betslips/', SELECTION))).toBe(10);
    await ex.pass(0.5);
    expect(await passed(7, () => anna.post('betslips/', SELECTION))).toBe(5);
  });

  it(
    'for betslips are 2000 in any 24 hours, including rejected ones and excluding refreshes',
    async () => {
      const ex = await exchange({ settings: { openBetslipCap: 1 } });
      const anna = ex.client();
      const id = await anna.betslip();
      // The first second leaves room for 9 more, each other second for 10: 1990 after the loop.
      for (let i = 0; i < 199; i++) {
        await passed(10, () => anna.post('betslips/', SELECTION));
        await ex.pass(1);
        await anna.post(`betslips/${id}/refresh/`);
      }
      expect(await passed(10, () => anna.post('betslips/', SELECTION))).toBe(10);
      const { http, data } = await anna.post('betslips/', SELECTION);
      expect(http).toBe(429);
      expect(data.retry_after).toBeGreaterThan(80_000);
      await ex.pass(data.retry_after);
      expect((await anna.post('betslips/', SELECTION)).http).not.toBe(429);
    },
    patient(60_000),
  );

  it('for orders are 5 a second, apart from the general one', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const betslip_id = await anna.betslip();
    await passed(100, balance(anna));
    const place = () => anna.post('orders/', { betslip_id, price: 2.5, stake: ['USDT', 1] });
    expect(await passed(7, place)).toBe(5);
    await ex.pass(0.4);
    expect(await passed(4, place)).toBe(2);
  });

  it('for offers are 4 requests in flight; beyond that the wait is one second', async () => {
    const ex = await exchange();
    const anna = ex.client();
    ex.simulator.host.addFault(
      faultSchema.parse({ target: 'offers', fault: 'answer_delayed', delay_ms: 500, times: 4 }),
    );
    const slow = Array.from({ length: 4 }, () => anna.get(OFFERS));
    await expect.poll(() => ex.simulator.host.faults.reached().answer_delayed).toBe(4);
    const fifth = await anna.get(OFFERS);
    expect(fifth).toMatchObject({ http: 429, code: 'throttled', data: { retry_after: 1 } });
    expect(fifth.headers.get('retry-after')).toBe('1');
    await ex.pass(1);
    expect((await Promise.all(slow)).map(({ http }) => http)).toEqual([200, 200, 200, 200]);
    expect((await anna.get(OFFERS)).http).toBe(200);
  });

  it('are not mentioned in a successful answer', async () => {
    const ex = await exchange();
    const { headers } = await ex.client().get('balance/');
    expect([...headers.keys()].filter((name) => /limit|remaining|quota|retry/i.test(name))).toEqual([]);
  });

  it('answer throttled with a whole number of seconds, in body and header alike', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await passed(100, balance(anna));
    const { data, headers } = await anna.get('balance/');
    expect(Number.isInteger(data.retry_after)).toBe(true);
    expect(headers.get('retry-after')).toBe(String(data.retry_after));
    expect(data.message).toBe(`Request was throttled. Expected available in ${data.retry_after} seconds.`);
  });

  it('are not spent by throttled requests', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await passed(300, balance(anna));
    await ex.pass(1);
    expect(await passed(100, balance(anna))).toBe(20);
  });
});
