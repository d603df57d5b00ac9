import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/domain/errors.ts';
import { orderId } from '../../src/domain/ids.ts';
import { LONGEST_WINDOW_MS } from '../../src/domain/order-listing.ts';
import { collect } from '../../src/venue/rest/pagers.ts';
import { ok, script } from './support/fake-transports.ts';
import { makeClient } from './support/make-client.ts';
import { settled } from './support/make-venue.ts';
import { wireOrder } from './support/samples.ts';

describe('pagers', () => {
  it('give each order once, though new ones push others to the next page', async () => {
    const order = (id: number) => wireOrder({ order_id: id });
    const { client, clock, http } = makeClient(
      script(ok([order(3), order(2)]), ok([order(2), order(1)]), ok([])),
    );
    const orders = await settled(clock, collect(client.allOrders({ statuses: ['open'], pageSize: 2 })));
    expect(orders.map((each) => each.orderId)).toEqual([3, 2, 1]);
    expect(http.requests.map(({ path }) => path)).toEqual([
      '/v2/orders/?page=1&page_size=2&status=open',
      '/v2/orders/?page=2&page_size=2&status=open',
      '/v2/orders/?page=3&page_size=2&status=open',
      // If one had been closed meanwhile, another would have moved to a page that was read before.
      '/v2/orders/?page=1&page_size=2&status=open',
    ]);
  });

  it('give each order, though those that the reader closes leave the list', async () => {
    let open = [5, 4, 3, 2, 1];
    const { client, clock } = makeClient(({ method, path }) => {
      const at = 2 * (Number(/page=(\d+)/.exec(path)?.[1]) - 1);
      if (method === 'GET') return ok(open.slice(at, at + 2).map((id) => wireOrder({ order_id: id })));
      open = open.filter((id) => path !== `/v2/orders/${id}/close/`);
      return ok(null);
    });
    const closeAll = async (): Promise<void> => {
      const orders = client.allOrders({ statuses: ['open'], pageSize: 2 });
      for await (const { orderId: id } of orders) await client.orders.close(id);
    };
    await settled(clock, closeAll());
    expect(open).toEqual([]);
  });

  it.each([25, 30, 100])('give each order where the exchange puts only %i on a page', async (most) => {
    const all = Array.from({ length: 130 }, (_, n) => wireOrder({ order_id: n + 1 }));
    const { client, clock } = makeClient(({ path }) => {
      const to = most * Number(/[?&]page=(\d+)/.exec(path)?.[1]);
      return ok(all.slice(to - most, to));
    });
    const orders = await settled(clock, collect(client.allOrders({ statuses: ['open'] })));
    expect(orders).toHaveLength(all.length);
  });

  it('end where the exchange lists all its orders whatever page is asked for', async () => {
    const all = Array.from({ length: 30 }, (_, n) => wireOrder({ order_id: n + 1 }));
    const { client, clock } = makeClient(script(ok(all)));
    expect(await settled(clock, collect(client.allOrders()))).toHaveLength(all.length);
  });

  it('request updates window by window', async () => {
    const { client, clock, http } = makeClient(script(ok([wireOrder()])));
    const pages = await settled(clock, collect(client.orderUpdates(0, 2 * LONGEST_WINDOW_MS)));
    expect(pages).toHaveLength(3);
    expect(http.requests[0]?.path).toBe(
      '/v2/orders/updates/?updated_at_from=1970-01-01T00%3A00%3A00.000Z&updated_at_to=1970-01-01T01%3A10%3A00.000Z',
    );
  });

  it('do not follow a cursor that does not move', async () => {
    const page = Array.from({ length: 5000 }, () => ({ sport: 'fb', event_id: 'same' }));
    const { client, clock } = makeClient(script(ok(page)));
    await expect(settled(clock, collect(client.allEvents()))).rejects.toBeInstanceOf(ProtocolError);
  });

  it('stop when the reader does', async () => {
    const { client, clock, http } = makeClient(script(ok([wireOrder(), wireOrder({ order_id: 78 })])));
    const orders = client.allOrders({ pageSize: 2 });
    expect((await settled(clock, orders.next())).value).toMatchObject({ orderId: 77 });
    await orders.return();
    expect(http.requests).toHaveLength(1);
  });
});

describe('many orders at once', () => {
  it('are closed, and distinguished from those that were not there', async () => {
    const { client, clock, http } = makeClient(script(ok({ closed: [[1, 2]], not_found: [[3]] })));
    const result = await settled(clock, client.orders.closeMany([1, 2, 3].map(orderId)));
    expect(result).toEqual({ closed: [1, 2], notFound: [3] });
    expect(http.requests[0]?.body).toBe('{"order_ids":[1,2,3]}');
  });
});
