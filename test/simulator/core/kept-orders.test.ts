import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import type { KeptOrder } from '../../../src/simulator/core/api.ts';
import { at, EVENT, EVENT_ID, event, Harness, KEY } from './harness.ts';
import { UNLIMITED } from './unlimited.ts';

const step = fc.record({
  kind: fc.constantFrom('place', 'place', 'place', 'level', 'level', 'close', 'void', 'settle'),
  betType: fc.constantFrom('for,h', 'against,h', 'for,d'),
  type: fc.constantFrom('normal', 'lay'),
  direction: fc.constantFrom('for' as const, 'against' as const),
  price: fc.constantFrom(1.98, 2, 2.02, 2.2),
  stake: fc.integer({ min: 1, max: 60 }),
  nth: fc.nat(10),
});

function act(
  h: Harness,
  {
    kind,
    betType,
    type,
    direction,
    price,
    stake,
    nth,
  }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): void {
  const { market } = h.exchange;
  const { orders } = h.exchange.inspect();
  if (kind === 'place') place(h, betType, type, price, stake);
  if (kind === 'level') h.rest(betType.split(',')[1] ?? 'h', direction, price, stake);
  if (kind === 'close')
    h.call('POST', `/v2/orders/${orders[nth % Math.max(1, orders.length)]?.orderId}/close/`);
  if (kind === 'void') h.exchange.markBet(h.fills[nth]?.betId ?? 0, 'void', h.nowMs);
  if (kind === 'settle' && nth === 0)
    market.settle(
      EVENT,
      { kind: 'score', home: stake % 3, away: 1, halfTimeHome: 0, halfTimeAway: 1 },
      h.nowMs,
    );
}

/** Nothing is placed where there is no such betslip. */
function place(h: Harness, betType: string, type: string, price: number, stake: number): void {
  const slip = h.call('POST', '/v2/betslips/', {
    sport: EVENT.sport,
    event_id: EVENT_ID,
    bet_type: betType,
    betslip_type: type,
  });
  if (slip.status !== 201) return;
  const terms = { price, stake: ['USDT', stake], duration: 600 };
  h.call('POST', '/v2/orders/', { betslip_id: slip.data.betslip_id, ...terms });
}

const shown = (h: Harness) => {
  const [account] = h.exchange.inspect().accounts;
  return {
    balance: account?.balanceMicros,
    openStake: account?.openStakeMicros,
    exposure: h.call('GET', '/v2/balance/').data,
  };
};

/** An exchange in the place of one that ended, with what was kept of its account. */
const after = (kept: readonly KeptOrder[], convention: 'odds' | 'lay'): Harness =>
  new Harness({ ...SETTINGS(convention), kept, seed: 7 });

const SETTINGS = (priceConvention: 'odds' | 'lay') => ({
  priced: false,
  settings: { ...UNLIMITED, priceConvention },
});

describe('an account that outlives its exchange', () => {
  it.each(['odds', 'lay'] as const)(
    'has the same balance, open stake and bets under %s, whatever happened',
    (convention) => {
      let bets = 0;
      fc.assert(
        fc.property(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), (steps) => {
          const h = new Harness(SETTINGS(convention));
          h.exchange.market.putEvent(event(), h.nowMs);
          for (const outcome of ['h', 'd'])
            h.exchange.market.setLevel('far', at(outcome), 'for', 900, toMicros(1), h.nowMs);
          for (const each of steps) act(h, each);
          // What was open ends with the exchange.
          h.call('POST', '/v2/orders/close_all/', {});
          const next = after(structuredClone([...h.kept.values()]), convention);
          expect(shown(next)).toEqual(shown(h));
          for (const orderId of h.kept.keys()) {
            const [was, is] = [h.order(orderId), next.order(orderId)];
            for (const field of [
              'bets',
              'status',
              'closed',
              'want_price',
              'want_stake',
              'order_type',
              'bet_type',
              'profit_loss',
              'price',
              'stake',
            ])
              expect([field, is[field]]).toEqual([field, was[field]]);
            bets += is.bets.length as number;
          }
        }),
      );
      expect(bets).toBeGreaterThan(0);
    },
  );

  it('has bets that settle, once, when their event does', () => {
    const h = new Harness();
    h.place('for,h', 2.2, 10);
    const next = new Harness({ kept: [...h.kept.values()], seed: 7 });
    const win = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;
    next.exchange.market.settle(EVENT, win, next.nowMs);
    h.exchange.market.settle(EVENT, win, h.nowMs);
    expect(shown(next)).toEqual(shown(h));
    const third = new Harness({ kept: [...next.kept.values()], seed: 8 });
    third.exchange.market.settle(EVENT, win, third.nowMs);
    expect(shown(third)).toEqual(shown(h));
  });

  it('finds an order by its uuid, and does not create it again', () => {
    const uuid = '3f9c1f7e-5a0e-4d0b-8f57-0a4be5a0a001';
    const h = new Harness();
    const { order_id: orderId } = h.place('for,h', 2.2, 10, { request_uuid: uuid });
    const next = new Harness({ kept: [...h.kept.values()], seed: 7 });
    expect(next.call('GET', `/v2/orders/tracked/${uuid}/`).data.order_id).toBe(orderId);
    expect(next.tryPlace('for,h', 2.2, 10, { request_uuid: uuid }).status).toBe(409);
    expect(next.call('GET', '/v2/orders/?page=1', undefined, KEY).data[0]).toMatchObject({
      order_id: orderId,
      event_info: { event_id: EVENT_ID },
    });
  });
});
