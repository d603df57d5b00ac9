import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/domain/errors.ts';
import { orderId } from '../../src/domain/ids.ts';
import { lastPage, type UnreadOrder } from '../../src/domain/order-listing.ts';
import { collect } from '../../src/venue/rest/pagers.ts';
import { readPosition } from '../../src/venue/wire/account.ts';
import { readEvent } from '../../src/venue/wire/events.ts';
import { readOrder, readOrderPage } from '../../src/venue/wire/orders.ts';
import { silentSurvey, type Survey } from '../../src/venue/wire/survey.ts';
import { ok, script } from './support/fake-transports.ts';
import { makeClient } from './support/make-client.ts';
import { settled } from './support/make-venue.ts';
import { FB, wireOffer, wireOrder } from './support/samples.ts';

function noting(): { survey: Survey; noted: string[] } {
  const noted: string[] = [];
  return { noted, survey: { note: (kind, name) => noted.push(`${kind} ${name}`) } };
}

const wireBet = (part: Record<string, unknown> = {}) => ({
  bet_id: 5,
  order_id: 77,
  status: 'success',
  sport: FB,
  want_price: 2,
  got_price: 2,
  want_stake: ['USDT', 1],
  got_stake: ['USDT', 1],
  bet_type: 'for,h',
  ...part,
});

/** What no reader can make an order of. */
const spoilt = fc.oneof(
  fc.constantFrom(2 ** 60, -(2 ** 60), 1.5, 'x', null, '', [], {}).map((id) => wireOrder({ order_id: id })),
  fc.constantFrom<unknown>(null, 7, 'order', [], {}),
  fc.constantFrom('want_price', 'want_stake', 'status').map((field) => wireOrder({ [field]: { odd: 1 } })),
  fc.constant(wireOrder({ bets: 'none' })),
);

describe('a page of orders', () => {
  it('is read but for the entries that cannot be, wherever they stand', () => {
    const entry = fc.oneof(fc.constant(null), spoilt);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const raw = entries.map((bad, at) => bad ?? wireOrder({ order_id: 1_000 + at }));
        const isBad = entries.map((each) => each !== null);
        const { survey, noted } = noting();
        const { orders, unread } = readOrderPage(raw, survey);
        const at = [...raw.keys()];
        expect(orders.map(({ orderId: id }) => id)).toEqual(
          at.filter((n) => !isBad[n]).map((n) => 1_000 + n),
        );
        expect(unread.map((each) => each.at)).toEqual(at.filter((n) => isBad[n]));
        expect(noted.filter((what) => what.startsWith('bad-entry'))).toHaveLength(unread.length);
      }),
    );
  });

  it.each<[string, unknown, Omit<UnreadOrder, 'at'>]>([
    [
      'all but its price',
      wireOrder({ want_price: 'high', user_data: 'tag' }),
      { label: '77', orderId: orderId(77), userData: 'tag' },
    ],
    [
      'its tag alone',
      wireOrder({ order_id: 2 ** 60, user_data: 'tag' }),
      { label: '1152921504606847000', orderId: null, userData: 'tag' },
    ],
    ['nothing', ['x'], { label: '["x"]', orderId: null, userData: null }],
    ['a long id', { order_id: 'i'.repeat(65) }, { label: 'i'.repeat(64), orderId: null, userData: null }],
  ])('keeps what can be read of an entry: %s', (_, entry, part) => {
    expect(readOrderPage([entry], silentSurvey).unread).toEqual([{ at: 0, ...part }]);
  });

  it('names the entry and the fault in the survey', () => {
    const { survey, noted } = noting();
    readOrderPage([wireOrder({ order_id: 2 ** 60 })], survey);
    expect(noted).toEqual([
      'bad-entry orders: 1152921504606847000: unreadable order: order_id: expected an integer',
    ]);
  });

  it('is refused where it is no list', () => {
    expect(() => readOrderPage({}, silentSurvey)).toThrow(ProtocolError);
  });
});

describe('the end of a list of orders', () => {
  const unread = (count: number, label = (at: number): string => `odd ${at}`) =>
    Array.from({ length: count }, (_, at) => ({ at, label: label(at), orderId: null, userData: null }));
  const orders = (count: number) => Array.from({ length: count }, (_, at) => ({ orderId: orderId(at + 1) }));

  it('counts a page by all its entries', () => {
    expect(lastPage(25)({ orders: orders(24), unread: unread(1) })).toBe(false);
    expect(lastPage(25)({ orders: [], unread: unread(25) })).toBe(false);
    expect(lastPage(25)({ orders: orders(23), unread: unread(1) })).toBe(true);
  });

  it('is where a page shows no new entry', () => {
    const isLast = lastPage(25);
    const page = { orders: orders(20), unread: unread(10) };
    expect([isLast(page), isLast(page)]).toEqual([false, true]);
    expect(isLast({ orders: orders(20), unread: unread(10, (at) => `other ${at}`) })).toBe(false);
  });

  it('comes after the pages that a list has without its bad entries', async () => {
    const all = Array.from({ length: 60 }, (_, at) =>
      wireOrder(at % 25 === 24 ? { order_id: 2 ** 60 + 1_000 * at } : { order_id: at + 1 }),
    );
    const { client, clock } = makeClient(({ path }) => {
      const to = 25 * Number(/[?&]page=(\d+)/.exec(path)?.[1]);
      return ok(all.slice(to - 25, to));
    });
    const left: string[] = [];
    const listed = client.allOrders({ pageSize: 25 }, {}, ({ label }) => left.push(label));
    expect(await settled(clock, collect(listed))).toHaveLength(58);
    expect(left).toHaveLength(2);
  });
});

describe('a bet that cannot be read', () => {
  it('costs no other bet of its order, and is counted', () => {
    const bets = [wireBet(), wireBet({ bet_id: 2 ** 60 }), 'bet', wireBet({ bet_id: 6 })];
    const order = readOrder(wireOrder({ bets }), silentSurvey);
    expect([order.bets.map(({ betId }) => betId), order.unreadBets]).toEqual([[5, 6], 2]);
    expect(readOrder(wireOrder({ bets: [wireBet()] }), silentSurvey)).not.toHaveProperty('unreadBets');
  });
});

describe('lists of descriptions', () => {
  it('lose only the element that cannot be read', () => {
    const legs = [{ id: 1, outcome: 'w' }, 'leg', { id: 2, outcome: 'l' }];
    expect(readOrder(wireOrder({ legs }), silentSurvey).legs.map(({ id }) => id)).toEqual([1, 2]);
    const teams = [{ team_id: 1, name: 'A' }, { team_id: 2 ** 60 }, { team_id: 3, name: 'C' }];
    const event = readEvent({ sport: FB, event_id: 'e', teams }, silentSurvey);
    expect(event.teams.map(({ teamId }) => teamId)).toEqual([1, 3]);
    for (const none of [null, undefined, 'teams'])
      expect(readEvent({ sport: FB, event_id: 'e', teams: none }, silentSurvey).teams).toEqual([]);
  });
});

describe('lists of ids and rates', () => {
  it('are read but for what cannot be', async () => {
    const { client, clock } = makeClient(
      script(
        ok({ closed: [[1, 2 ** 60, 'x']], not_found: [[null, 3]] }),
        ok(['slip', 7, { betslip_id: 'other' }]),
        ok([{ ccy: 'EUR', rate: 1.1 }, { ccy: 'GBP' }]),
      ),
    );
    const closed = await settled(clock, client.orders.closeMany([1, 2, 3].map(orderId)));
    expect(closed).toEqual({ closed: [1], notFound: [3] });
    expect(await settled(clock, client.betslips.list())).toEqual(['slip', 'other']);
    expect(await settled(clock, client.account.xrates())).toEqual([{ ccy: 'EUR', rate: 1.1 }]);
  });
});

describe('pages of events and offers', () => {
  const named = (id: number | string) => ({ sport: FB, event_id: `2026-01-01,${id},2` });

  it('go on after the last item that says where', async () => {
    const { client, clock, http } = makeClient(
      script(
        ok([named(1), named(2), { sport: FB }]),
        ok([{ sport: FB }, named(4), named(5)]),
        ok([named(6)]),
      ),
    );
    const first = await settled(clock, client.marketData.events({}, { limit: 3 }));
    expect([first.items.length, first.unread, first.next]).toEqual([2, 1, `${FB},2026-01-01,2,2`]);
    const second = await settled(clock, client.marketData.events({}, { limit: 3, after: first.next }));
    expect([second.items.length, second.unread, second.next]).toEqual([2, 1, `${FB},2026-01-01,5,2`]);
    expect(await settled(clock, client.marketData.events({}, { limit: 3 }))).toMatchObject({
      unread: 0,
      next: null,
    });
    expect(http.requests).toHaveLength(3);
  });

  it('are as full as they were sent', async () => {
    const odd = wireOffer({ event_id: 7 });
    const { client, clock } = makeClient(script(ok([odd, wireOffer()])));
    const filter = { sport: FB, eventIds: [named(1).event_id as never] };
    const page = await settled(clock, client.marketData.offers(filter, { limit: 2 }));
    expect([page.items.length, page.unread, page.next]).toEqual([1, 1, '2026-01-01,10,20,for,h']);
  });

  it('are refused where no item says where the next begins', async () => {
    const { client, clock } = makeClient(script(ok([{ sport: FB }, null])));
    await expect(settled(clock, client.marketData.events({}, { limit: 2 }))).rejects.toThrow(
      'no item says where the next page begins',
    );
  });
});

describe('a position', () => {
  const read = (totals: unknown) => readPosition({ sport: FB, event_id: 'e', totals }, silentSurvey);

  it.each([
    ['no object', 'x'],
    ['a stake in another currency', { got_stake: ['EUR', 3] }],
    ['a stake that is no amount', { got_stake: ['USDT', 3], unknown_stake: ['USDT', 'many'] }],
  ])('is read but for a total that cannot be: %s', (_, bad) => {
    const { totals, unreadTypes } = read({ 'for,h': { got_stake: ['USDT', 3] }, 'for,d': bad });
    expect([[...totals.keys()], [...(unreadTypes ?? [])]]).toEqual([['for,h'], ['for,d']]);
    expect(totals.get('for,h' as never)?.gotStakeMicros).toBe(3_000_000);
  });

  it('has no stake where none is told', () => {
    expect(read({ 'for,h': { got_stake: null } })).toMatchObject({
      totals: new Map([
        ['for,h', { gotPrice: null, unknownPrice: null, gotStakeMicros: 0, unknownStakeMicros: 0 }],
      ]),
    });
    expect(read({})).not.toHaveProperty('unreadTypes');
  });
});
