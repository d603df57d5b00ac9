import { describe, expect, it } from 'vitest';
import type { Answer, Client, StreamClient, Wire } from './support/client.ts';
import { exchange, price, type ServedExchange } from './support/exchange.ts';
import { EVENT_ID, SECOND_EVENT_ID } from './support/names.ts';

const LEGS = [EVENT_ID, SECOND_EVENT_ID].map((event_id) => ({ sport: 'fb', event_id, bet_type: 'for,h' }));
const NAMES = { sport: 'parlay', event_id: '', bet_type: 'parlay' };

const ids = ({ data }: Answer): number[] => data.map((order: Wire) => order.order_id);

interface Parlay {
  readonly ex: ServedExchange;
  readonly anna: Client;
  readonly stream: StreamClient;
  readonly betslip: Wire;
  readonly order: Wire;
}

/** An exchange on which anna’s parlay on the home wins of two events was filled: by default at 4 for 5 USDT. */
async function placedParlay(more: object = {}, legs: readonly object[] = LEGS): Promise<Parlay> {
  const ex = await exchange();
  price(ex, { eventId: SECOND_EVENT_ID, eventName: 'Cedar v Dogwood', startTimeMs: ex.nowMs() + 1_000_000 });
  const anna = ex.client();
  const stream = await anna.stream();
  const betslip = (await anna.post('betslips/', { betslip_type: 'parlay', legs })).data;
  const body = { betslip_id: betslip.betslip_id, price: 4, stake: ['USDT', 5], ...more };
  const order = await anna.order((await anna.post('orders/', body)).data.order_id);
  return { ex, anna, stream, betslip, order };
}

describe('a parlay', () => {
  it('shows its legs on the order', async () => {
    const { order } = await placedParlay();
    expect(order).toMatchObject({ order_type: 'parlay', status: 'done' });
    expect(order.legs).toMatchObject([
      { id: 1, sport: 'fb', event_id: EVENT_ID, bet_type: 'for,h', price: 2.2, outcome: null },
      { id: 2, event_id: SECOND_EVENT_ID, live_score: { home: 0, away: 0 } },
    ]);
    expect(order.event_info.leg_event_infos).toMatchObject([
      { event_type: 'normal', event_id: EVENT_ID },
      { event_type: 'normal', event_id: SECOND_EVENT_ID },
    ]);
  });

  it('shows on the betslip each leg’s id, description and outcome, and its price once it is quoted', async () => {
    const { ex, anna, stream, betslip } = await placedParlay({}, [
      LEGS[0] as object,
      { ...LEGS[1], bet_type: 'for,d' },
    ]);
    const legs = [
      { id: 1, ...LEGS[0], bet_type_description: 'Alder', outcome: null },
      { id: 2, ...LEGS[1], bet_type: 'for,d', bet_type_description: 'Draw', outcome: null },
    ];
    const unpriced = legs.map((leg) => ({ ...leg, price: null }));
    expect(betslip.legs).toMatchObject(unpriced);
    expect((await stream.until('betslip')).legs).toMatchObject(unpriced);
    const read = async () => (await anna.get(`betslips/${betslip.betslip_id}/`)).data;
    expect((await read()).legs).toMatchObject(unpriced);
    await ex.pass(2);
    const quoted = await read();
    expect(quoted.legs).toMatchObject([
      { ...legs[0], price: 2.2 },
      { ...legs[1], price: 3.3 },
    ]);
    expect(quoted.price_list[0].effective.price).toBeCloseTo(2.2 * 3.3);
    ex.rest('d', 'against', 3.3, 0, SECOND_EVENT_ID);
    expect((await read()).legs).toMatchObject([{ price: 2.2 }, { price: null }]);
    await anna.delete(`betslips/${betslip.betslip_id}/`);
    expect((await read()).legs).toMatchObject([{ price: null }, { price: null }]);
  });

  it('keeps the limit that was requested: its prices are on no ladder', async () => {
    const { order } = await placedParlay({ price: 4.837 });
    expect(order).toMatchObject({ want_price: 4.837, bets: [{ want_price: 4.837, got_price: 4.84 }] });
  });

  it('is described by its legs, with the names of their teams and AND between them', async () => {
    const { anna, betslip, order } = await placedParlay();
    const away = { ...LEGS[1], bet_type: 'for,d' };
    const mixed = (await anna.post('betslips/', { betslip_type: 'parlay', legs: [LEGS[0], away] })).data;
    expect(mixed.bet_type_description).toBe('Alder AND Draw');
    expect(betslip.bet_type_description).toBe('Alder AND Alder');
    expect(order.bet_type_description).toBe('Alder AND Alder');
    expect(order.legs).toMatchObject([{ bet_type_description: 'Alder' }, { bet_type_description: 'Alder' }]);
  });

  it('has no leg’s name: its sport and bet type are parlay, and it has no event', async () => {
    const { ex, anna, stream, betslip, order } = await placedParlay();
    const { event_id: _none, ...named } = NAMES;
    const ofBet = { ...named, event_id: null };
    const event_info = { event_type: 'parlay', event_id: null };
    expect(betslip).toMatchObject(NAMES);
    expect(order).toMatchObject({ ...named, event_info });
    expect(order.bets).toMatchObject([ofBet]);
    expect(await stream.until('betslip')).toMatchObject(NAMES);
    expect(await stream.until('bet')).toMatchObject(ofBet);
    expect(await stream.until('order', ({ status }) => status === 'done')).toMatchObject({
      ...named,
      event_info,
      bets: [ofBet],
    });
    await ex.pass(2);
    expect(await stream.until('pmm')).toMatchObject(NAMES);
    expect((await anna.get(`betslips/${betslip.betslip_id}/`)).data).toMatchObject(NAMES);
  });

  it('shows the same event whatever the order of its legs', async () => {
    const { order } = await placedParlay();
    const { order: turned } = await placedParlay({}, LEGS.toReversed());
    const { leg_event_infos: legs, event_name: name, ...rest } = order.event_info;
    const { leg_event_infos: turnedLegs, event_name: turnedName, ...turnedRest } = turned.event_info;
    expect(turnedRest).toEqual(rest);
    expect(turnedLegs).toEqual(legs.toReversed());
    expect([name, turnedName]).toEqual([
      'Alder v Birch / Cedar v Dogwood',
      'Cedar v Dogwood / Alder v Birch',
    ]);
    expect(rest).toMatchObject({ home_id: 0, home_team: '', competition_name: '', teams: [], result: null });
    expect(rest).toMatchObject({ start_time: '2026-03-01T12:16:40.000+00:00', date: '2026-03-01' });
  });

  it('is found by its sport, its type and the words of any leg, and by no leg’s sport or event', async () => {
    const { anna, order } = await placedParlay();
    const single = await anna.placed('for,h', 2.5, 1);
    const chosen = async (query: string) => ids(await anna.get(`orders/?${query}`));
    for (const query of ['sport=parlay', 'order_type=parlay', 'search=Cedar'])
      expect(await chosen(query), query).toEqual([order.order_id]);
    expect(await chosen('search=Alder')).toEqual([single.order_id, order.order_id]);
    expect(await chosen('sport=fb')).toEqual([single.order_id]);
    expect(await chosen(`event_id=${EVENT_ID}`)).toEqual([single.order_id]);
    expect(await chosen(`event_id=${SECOND_EVENT_ID}`)).toEqual([]);
  });

  it('has a position of its own, and is in the position of no leg', async () => {
    const { anna } = await placedParlay();
    for (const { event_id: eventId } of LEGS) {
      const { data } = await anna.get(`orders/position/?event_id=${eventId}`);
      expect(data).toMatchObject({ event_id: eventId, totals: {}, payoff_grid: null });
    }
    for (const query of ['sport=parlay', 'order_type=parlay']) {
      expect((await anna.get(`orders/position/?${query}`)).data).toMatchObject({
        sport: 'parlay',
        event_id: '',
        payoff_grid: null,
        totals: { parlay: { got_price: 4.84, got_stake: ['USDT', 5] } },
      });
    }
    await anna.placed('for,h', 2.2, 1);
    expect((await anna.get(`orders/position/?event_id=${EVENT_ID}`)).data.totals).toMatchObject({
      'for,h': { got_stake: ['USDT', 1] },
    });
    expect(await anna.get('orders/position/')).toMatchObject({ http: 400, code: 'validation_error' });
  });

  it('is closed with the orders of its sport, and not with those of a leg’s sport', async () => {
    const { anna, order } = await placedParlay({ price: 400, duration: 600 });
    const close = async (body: object) => (await anna.post('orders/close_all/', body)).data;
    expect(await close({ sport: 'fb' })).toEqual([[]]);
    expect(await close({ sport: 'fb', event_id: EVENT_ID })).toEqual([[]]);
    expect(await close({ sport: 'parlay' })).toEqual([[order.order_id]]);
  });

  it('counts its stake against the limit of each of its events alike', async () => {
    const ex = await exchange({ settings: { eventStakeLimitMicros: 50_000_000 } });
    price(ex, { eventId: SECOND_EVENT_ID });
    const anna = ex.client();
    const { betslip_id } = (await anna.post('betslips/', { betslip_type: 'parlay', legs: LEGS })).data;
    await anna.post('orders/', { betslip_id, price: 4, stake: ['USDT', 45] });
    for (const { event_id: eventId } of LEGS) {
      const single = await anna.betslip('for,h', eventId);
      const body = { betslip_id: single, price: 2.2, stake: ['USDT', 10] };
      expect(await anna.post('orders/', body), eventId).toMatchObject({
        data: { validation_errors: { non_field_errors: ['event_stake_limit_reached'] } },
      });
    }
  });

  it('reports how each leg was decided, in the order and on the stream', async () => {
    const { ex, anna, order } = await placedParlay();
    const stream = await anna.stream();
    const decide = (eventId: string, home: number): void => {
      const result = { kind: 'score', home, away: 1, halfTimeHome: 0, halfTimeAway: 0 } as const;
      ex.market((market, nowMs) => market.settle({ sport: 'fb', eventId }, result, nowMs));
    };
    const outcomes = async (): Promise<(string | null)[]> => {
      const reported = await stream.until('order', ({ order_id: id }) => id === order.order_id);
      const { legs } = await anna.order(order.order_id);
      expect(reported.legs).toEqual(legs);
      return legs.map(({ outcome }: Wire) => outcome);
    };
    decide(EVENT_ID, 2);
    expect(await outcomes()).toEqual(['w', null]);
    decide(SECOND_EVENT_ID, 0);
    expect(await outcomes()).toEqual(['w', 'l']);
  });
});
