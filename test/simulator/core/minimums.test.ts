import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { DEFAULT_SETTINGS } from '../../../src/simulator/core/settings.ts';
import { at, EVENT_ID, Harness, type Wire } from './harness.ts';

/** `for` takers get 2.2 from one maker, 100 in bets of 5 or more, and 2.1 from another, 100 in bets of 2 or more. */
function withMinimums(): Harness {
  const h = new Harness({ priced: false });
  h.exchange.market.setMinimum('large', toMicros(5));
  h.exchange.market.setMinimum('small', toMicros(2));
  h.price();
  h.exchange.market.clearLevels('maker', at('h'), h.nowMs);
  h.rest('h', 'against', 2.2, 100, 'large');
  h.rest('h', 'against', 2.1, 100, 'small');
  return h;
}

/** The offers to `for` takers. */
function offered(h: Harness): Wire {
  const answer = h.call('GET', `/v2/offers/?sport=fb&event_id=${EVENT_ID}&bet_type=for,h`);
  answer.release?.();
  return answer.data.flatMap((offer: Wire) => offer.price_list.map((level: Wire) => level.effective));
}

/** Price and stake of each bet that an order of this stake receives at once. */
const got = (h: Harness, price: number, stake: number, extra: object = {}): Wire =>
  h
    .order(h.place('for,h', price, stake, { ...extra }).order_id)
    .bets.map(({ got_price: at2, got_stake: [, amount] }: Wire) => [at2, amount]);

describe('the minimum of a price level', () => {
  it('is in offers and quotes, the least of the sources at its price', () => {
    const h = withMinimums();
    expect(offered(h)).toEqual([
      { price: 2.2, min: ['USDT', 5], max: ['USDT', 100] },
      { price: 2.1, min: ['USDT', 2], max: ['USDT', 100] },
    ]);
    h.rest('h', 'against', 2.2, 40, 'small');
    const [best] = offered(h);
    expect(best).toEqual({ price: 2.2, min: ['USDT', 2], max: ['USDT', 140] });
    h.rest('h', 'against', 2.2, 10, 'without a minimum');
    expect(offered(h)[0]).toMatchObject({ min: null });
    const betslip = h.betslip('for,h');
    h.pass(2_500);
    const quote = h.call('GET', `/v2/betslips/${betslip}/`).data.price_list;
    expect(quote.map((level: Wire) => level.effective)).toEqual(offered(h));
  });

  it('keeps a taker of less away from that level alone', () => {
    expect(got(withMinimums(), 2.2, 4.99)).toEqual([]);
    expect(got(withMinimums(), 2.1, 4.99)).toEqual([[2.1, 4.99]]);
    expect(got(withMinimums(), 2.2, 5)).toEqual([[2.2, 5]]);
    expect(got(withMinimums(), 2.1, 1.99)).toEqual([]);
  });

  it('is compared with the bet that would result there, not with the whole stake of the order', () => {
    expect(got(withMinimums(), 2.1, 101)).toEqual([[2.2, 100]]);
    expect(got(withMinimums(), 2.1, 102)).toEqual([
      [2.2, 100],
      [2.1, 2],
    ]);
  });

  it('lets the rest of a level be taken whole, and shows that as its minimum', () => {
    const h = withMinimums();
    got(h, 2.2, 97);
    expect(offered(h)[0]).toEqual({ price: 2.2, min: ['USDT', 3], max: ['USDT', 3] });
    expect(got(h, 2.2, 3)).toEqual([[2.2, 3]]);
  });

  it('counts for orders that are filled whole or not at all', () => {
    expect(got(withMinimums(), 2.1, 101, { accept_partial_fill: false })).toEqual([]);
    expect(got(withMinimums(), 2.1, 102, { accept_partial_fill: false })).toHaveLength(2);
  });

  it('does not count for background takers, who trade where the stake comes from', () => {
    const h = withMinimums();
    const { market } = h.exchange;
    expect(market.take(at('h'), 'for', 2.2, toMicros(4), h.nowMs)).toBe(toMicros(4));
  });

  it('does not keep a maker from stake that rests in the way of its prices', () => {
    const h = withMinimums();
    const { order_id: id } = h.place('for,h', 2.26, 1);
    h.rest('h', 'against', 2.26, 50, 'large');
    expect(h.order(id).bets).toMatchObject([{ got_stake: ['USDT', 1], exchange_role: 'maker' }]);
  });

  it('is kept by every bet with a maker, whatever happens', () => {
    const stakes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(stakes, (asked) => {
        const h = withMinimums();
        for (const stake of asked) {
          const before = offered(h) as { price: number; min: [string, number]; max: [string, number] }[];
          for (const [price, amount] of got(h, 2.1, stake, { exchange_mode: 'take_only', duration: 1 })) {
            const level = before.find((each) => each.price === price);
            expect(amount).toBeGreaterThanOrEqual(level?.min[1] ?? Infinity);
            expect(amount).toBeLessThanOrEqual(level?.max[1] ?? 0);
          }
          h.pass(1_000);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the minimum of an order', () => {
  const usual = { minOrderStakeMicros: DEFAULT_SETTINGS.minOrderStakeMicros };

  it('is 1 USDT: less is refused at its amount', () => {
    const h = new Harness({ settings: usual });
    for (const stake of [0.001, 0.5, 0.999_999])
      expect(h.tryPlace('for,h', 2.2, stake)).toMatchObject({
        status: 400,
        code: 'validation_error',
        data: { validation_errors: { stake: { '1': ['Ensure this value is greater than or equal to 1.'] } } },
      });
    expect(h.tryPlace('for,h', 2.2, 1).status).toBe(201);
  });

  it('does not apply to the remainder of a larger order', () => {
    const h = new Harness({ settings: usual });
    const { order_id: id } = h.place('for,h', 2.26, 10);
    h.exchange.market.take(at('h'), 'against', 2.26, toMicros(9.5), h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'open', bets: [{ got_stake: ['USDT', 9.5] }] });
    h.exchange.market.take(at('h'), 'against', 2.26, toMicros(2), h.nowMs);
    expect(h.order(id)).toMatchObject({ status: 'done', stake: ['USDT', 10] });
  });
});
