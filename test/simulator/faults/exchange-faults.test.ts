import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { exchange, price, type ServedExchange } from '../../conformance/support/exchange.ts';
import { EVENT, EVENT_ID, SECOND_EVENT, SECOND_EVENT_ID } from '../../conformance/support/names.ts';

const LATER_EVENT_ID = '2026-03-01,3001,3002';

function addFault(ex: ServedExchange, fault: object): number {
  return ex.simulator.host.addFault(faultSchema.parse({ target: 'exchange', ...fault }));
}

describe('faults of the exchange itself', () => {
  it('fills an order after its close was acknowledged', async () => {
    const ex = await exchange();
    addFault(ex, { fault: 'fill_after_close', delay_ms: 2_000 });
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.5, 10);
    expect((await anna.post(`orders/${order.order_id}/close/`)).status).toBe('ok');
    await ex.pass(1);
    ex.rest('h', 'against', 2.5, 4);
    await ex.pass(2);
    expect(await anna.order(order.order_id)).toMatchObject({
      closed: true,
      status: 'done',
      stake: ['USDT', 4],
    });
  });

  it('keeps orders pending until the fault is removed, for orders that end later', async () => {
    const ex = await exchange();
    const id = addFault(ex, { fault: 'pending_forever' });
    const anna = ex.client();
    const stuck = await anna.placed('for,h', 2.2, 10);
    await ex.pass(100_000);
    expect(await anna.order(stuck.order_id)).toMatchObject({ closed: false, status: 'pending' });
    ex.simulator.host.removeFault(id);
    expect(await anna.placed('for,h', 2.2, 10)).toMatchObject({ closed: true, status: 'done' });
  });

  it('forgets orders by their uuid while the fault lasts', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const uuid = 'a3c1f7e0-6f0a-4a51-9a39-6f6a2f3f9d11';
    await anna.placed('for,h', 2.5, 10, { request_uuid: uuid });
    const id = addFault(ex, { fault: 'tracked_forgotten', after_s: 2 });
    const http = async () => (await anna.get(`orders/tracked/${uuid}/`)).http;
    await ex.pass(2);
    expect(await http()).toBe(200);
    await ex.pass(0.5);
    expect(await http()).toBe(404);
    ex.simulator.host.removeFault(id);
    expect(await http()).toBe(200);
  });

  it('shrinks the cap of open betslips', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await anna.betslip();
    addFault(ex, { fault: 'betslip_cap', cap: 1 });
    await expect(anna.betslip()).rejects.toThrow('too_many_open_betslips');
  });

  it('lets betslips expire early, and quotes come late', async () => {
    const ex = await exchange();
    addFault(ex, { fault: 'betslips_short_lived', life_s: 3 });
    addFault(ex, { fault: 'quotes_late', delay_ms: 60_000 });
    const anna = ex.client();
    const betslipId = await anna.betslip();
    await ex.pass(2.5);
    expect((await anna.get(`betslips/${betslipId}/`)).data).toMatchObject({ is_open: true, price_list: [] });
    await ex.pass(1);
    expect((await anna.get('betslips/')).data).toEqual([]);
  });

  it('changes what the prices of against offers are, while it is active', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    const shown = async (): Promise<readonly number[]> => {
      await ex.pass(5);
      await stream.settled();
      const offer = stream.all('offer').findLast(({ bet_type: betType }) => betType === 'against,h');
      const { price_list: levels } = offer as { price_list: { effective: { price: number } }[] };
      return levels.map(({ effective }) => effective.price);
    };
    expect(await shown()).toEqual([2.4, 2.3]);
    const id = addFault(ex, { fault: 'prices_change', against_prices: 'odds' });
    expect(await shown()).toEqual([1.76, 1.71]);
    ex.simulator.host.removeFault(id);
    expect(await shown()).toEqual([2.4, 2.3]);
  });

  it('reports an order on the stream before its creation is answered', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const delayed = { target: 'orders.create', fault: 'answer_delayed', delay_ms: 1_000 };
    ex.simulator.host.addFault(faultSchema.parse(delayed));
    const answer = anna.place('for,h', 2.2, 10);
    const bet = await stream.until('bet');
    await ex.pass(1);
    expect((await answer).data.order_id).toBe(bet.order_id);
  });

  it('voids a bet after it was settled', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const order = await anna.placed('for,h', 2.2, 10);
    ex.market((market, nowMs) => {
      const result = { kind: 'score', home: 2, away: 1, halfTimeHome: 0, halfTimeAway: 0 } as const;
      market.settle(EVENT, result, nowMs);
    });
    expect(await anna.order(order.order_id)).toMatchObject({
      status: 'reconciled',
      profit_loss: ['USDT', 12],
    });
    ex.simulator.host.run((nowMs) => ex.core.markBet(order.bets[0].bet_id, 'void', nowMs));
    expect(await anna.order(order.order_id)).toMatchObject({ status: 'full_void', profit_loss: ['USDT', 0] });
  });

  it('pays the orders of an event one after the other', async () => {
    const ex = await exchange();
    const anna = ex.client();
    addFault(ex, { fault: 'results_in_turn', over_s: 60 });
    const placed: Awaited<ReturnType<typeof anna.placed>>[] = [];
    for (let count = 0; count < 3; count++) placed.push(await anna.placed('for,h', 2.2, 10));
    ex.market((market, nowMs) => {
      const result = { kind: 'score', home: 2, away: 1, halfTimeHome: 0, halfTimeAway: 0 } as const;
      market.settle(EVENT, result, nowMs);
    });
    const statuses = () =>
      Promise.all(placed.map(async ({ order_id: id }) => (await anna.order(id)).status as string));
    expect(await statuses()).toEqual(['reconciled', 'done', 'done']);
    await ex.pass(31);
    expect(await statuses()).toEqual(['reconciled', 'reconciled', 'done']);
    await ex.pass(30);
    expect(await statuses()).toEqual(['reconciled', 'reconciled', 'reconciled']);
  });

  it('reports events only when a stream begins, and never their end; their list does', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const listed = async () =>
      (await anna.get('events/')).data.map(({ event_id: id }: { event_id: string }) => id) as string[];
    addFault(ex, { fault: 'events_told_once' });
    price(ex, { eventId: LATER_EVENT_ID });
    expect(await listed()).toEqual([EVENT_ID, LATER_EVENT_ID]);
    ex.market((market, nowMs) => market.voidEvent(EVENT, nowMs));
    expect(await listed()).toEqual([LATER_EVENT_ID]);
    await stream.settled();
    expect([stream.all('event').length, stream.all('remove_event').length]).toEqual([1, 0]);
    const later = await anna.stream();
    expect(later.all('event')).toMatchObject([{ event_id: LATER_EVENT_ID }]);
  });

  it('arms a heartbeat that nobody refreshes', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const { order_id: id } = await anna.placed('for,h', 2.5, 10);
    addFault(ex, { target: 'account', fault: 'foreign_heartbeat', timeout_s: 10 });
    expect((await anna.get('heartbeats/')).data.heartbeats).toHaveLength(1);
    await ex.pass(12);
    expect(await anna.order(id)).toMatchObject({ closed: true });
  });

  it('voids the latest bets', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const [first, second] = [await anna.placed('for,h', 2.2, 10), await anna.placed('for,h', 2.2, 10)];
    addFault(ex, { target: 'account', fault: 'bets_voided' });
    expect((await anna.order(first.order_id)).bets[0].status.code).toBe('success');
    expect((await anna.order(second.order_id)).bets[0].status.code).toBe('void');
  });

  it.each([
    [undefined, 'success', 'done'],
    ['void', 'void', 'full_void'],
  ])('holds new bets in danger for a while, then confirms or voids them (%s)', async (...row) => {
    const [ends, code, status] = row;
    const ex = await exchange();
    const anna = ex.client();
    addFault(ex, { fault: 'bets_in_danger', delay_ms: 30_000, ends, for_s: 10 });
    const { order_id: id } = await anna.placed('for,h', 2.2, 10);
    await ex.pass(29);
    expect(await anna.order(id)).toMatchObject({
      status: 'done',
      bets: [{ status: { code: 'danger' } }],
      bet_bar_values: { success: ['USDT', 0], danger: ['USDT', 10] },
    });
    await ex.pass(2);
    expect(await anna.order(id)).toMatchObject({ status, bets: [{ status: { code } }] });
  });

  it('does not confirm a bet in danger that was voided meanwhile', async () => {
    const ex = await exchange();
    const anna = ex.client();
    addFault(ex, { fault: 'bets_in_danger', delay_ms: 30_000 });
    const { order_id: id } = await anna.placed('for,h', 2.2, 10);
    addFault(ex, { target: 'account', fault: 'bets_voided' });
    await ex.pass(31);
    expect((await anna.order(id)).bets[0].status.code).toBe('void');
  });

  it('suspends every event until it ends or is removed', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const offers = async () => (await anna.get(`offers/?sport=fb&event_id=${EVENT_ID}`)).data.length;
    const id = addFault(ex, { target: 'market', fault: 'events_suspended' });
    expect(await offers()).toBe(0);
    expect((await anna.placed('for,h', 2.2, 10)).bets).toEqual([]);
    ex.simulator.host.removeFault(id);
    expect(await offers()).toBeGreaterThan(0);
    addFault(ex, { target: 'market', fault: 'events_suspended', for_s: 5 });
    await ex.pass(6);
    expect(await offers()).toBeGreaterThan(0);
  });

  it('suspends events, too, that appear meanwhile', async () => {
    const ex = await exchange();
    const isSuspended = (id = SECOND_EVENT_ID): boolean | undefined =>
      ex.inspect().events.find(({ eventId }) => eventId === id)?.suspended;
    addFault(ex, { target: 'market', fault: 'events_suspended', for_s: 5 });
    price(ex, { eventId: SECOND_EVENT_ID });
    await ex.pass(1);
    expect(isSuspended()).toBe(true);
    ex.simulator.host.run((nowMs) => ex.core.intervene(SECOND_EVENT, { kind: 'resume' }, nowMs));
    await ex.pass(3);
    expect(isSuspended()).toBe(false);
    await ex.pass(2);
    price(ex, { eventId: LATER_EVENT_ID });
    await ex.pass(1);
    expect(isSuspended(LATER_EVENT_ID)).toBe(false);
  });

  it('keeps events suspended until the last such fault ends, and leaves them alone when one that is over is removed', async () => {
    const ex = await exchange();
    const { host } = ex.simulator;
    const isSuspended = (): boolean => ex.core.market.isSuspended(EVENT);
    const over = addFault(ex, { target: 'market', fault: 'events_suspended', for_s: 5 });
    addFault(ex, { target: 'market', fault: 'events_suspended', for_s: 10 });
    await ex.pass(6);
    expect(isSuspended()).toBe(true);
    await ex.pass(5);
    expect(isSuspended()).toBe(false);
    host.run((nowMs) => ex.core.intervene(EVENT, { kind: 'suspend' }, nowMs));
    host.removeFault(over);
    expect(isSuspended()).toBe(true);
  });
});
