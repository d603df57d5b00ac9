import { describe, expect, it } from 'vitest';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import { CloseRequests } from '../../../src/orders/outcomes/close-requests.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';

const [A, B, C] = [orderId(1), orderId(2), orderId(3)];

/** Requests to close on a clock that the test sets, and what each outcome is told. */
function rig(open: readonly OrderId[] = [A, B, C]) {
  const clock = { nowMs: 50_000, monotonicMs: () => clock.nowMs };
  const sent: OrderId[][] = [];
  const told: string[] = [];
  const venue = {
    keyRefusal: null as VenueRejection | null,
    answer: (ids: readonly OrderId[]): { closed: readonly OrderId[]; notFound: readonly OrderId[] } => ({
      ...{ closed: ids, notFound: [] },
    }),
    closeMany: async (ids: readonly OrderId[]) => (sent.push([...ids]), venue.answer(ids)),
    closeOrder: async (id: OrderId) => {
      sent.push([id]);
      if (venue.answer([id]).closed.length === 0) throw new VenueRejection('order_closed', 400, 'closed');
    },
  };
  const calls: Promise<void>[] = [];
  const queue = {
    call<T>(request: () => Promise<T>, done: (answer: T) => void, failed: (error: unknown) => void): void {
      calls.push(request().then(done, failed));
    },
  };
  const context = { deps: { clock, venue }, queue } as unknown as Pick<OrderContext, 'deps' | 'queue'>;
  const requests = new CloseRequests(context, () => open);
  const ask = (id: OrderId, alone = false): void =>
    requests.ask(
      id,
      {
        closed: () => told.push(`${id} closed`),
        over: () => told.push(`${id} over`),
        failed: (error) => told.push(`${id} failed: ${(error as Error).message}`),
      },
      alone,
    );
  const flush = async (): Promise<void> => {
    requests.flush();
    await Promise.all(calls.splice(0));
  };
  const refuse = (): void => {
    venue.keyRefusal = new VenueRejection('auth_error', 401, 'refused');
  };
  return { clock, sent, told, venue, requests, ask, flush, refuse };
}

describe('while the key is refused', () => {
  it('the client sends one request a second that names all open orders, asked for or not, and tells each outcome once', async () => {
    const { clock, sent, told, venue, ask, flush, refuse } = rig();
    refuse();
    ask(A);
    ask(B, true);
    venue.answer = () => ({ closed: [A], notFound: [B] });
    await flush();
    expect(sent).toEqual([[A, B, C]]);
    expect(told).toEqual(['1 closed', '2 over']);
    clock.nowMs += 999;
    await flush();
    expect(sent).toHaveLength(1);
    clock.nowMs += 1;
    await flush();
    expect(sent).toEqual([
      [A, B, C],
      [A, B, C],
    ]);
    // Once the key works again, nothing of it is asked for a second time.
    venue.keyRefusal = null;
    clock.nowMs += 10;
    await flush();
    expect(sent).toHaveLength(2);
    expect(told).toHaveLength(2);
  });

  it('a single order is closed by the same request, and an order that is not open waits for the key', async () => {
    const { sent, told, venue, ask, flush, refuse } = rig([A]);
    refuse();
    ask(C);
    await flush();
    expect([sent, told]).toEqual([[[A]], []]);
    venue.keyRefusal = null;
    await flush();
    expect([sent, told]).toEqual([[[A], [C]], ['3 closed']]);
  });

  it('nothing leaves while no order is open', async () => {
    const { sent, ask, flush, refuse } = rig([]);
    refuse();
    ask(A);
    await flush();
    expect(sent).toEqual([]);
  });

  it('a refused request changes nothing about how many orders the next one names', async () => {
    const { clock, sent, told, venue, requests, ask, flush, refuse } = rig();
    const { most } = requests;
    refuse();
    venue.answer = () => {
      throw new VenueRejection('auth_error', 401, 'refused');
    };
    for (let at = 0; at < 3; at++) {
      ask(A);
      await flush();
      clock.nowMs += 1_000;
    }
    expect(told).toEqual(Array(3).fill('1 failed: refused'));
    expect(sent).toHaveLength(3);
    expect(requests.most).toBe(most);
  });
});

describe('the closes of one turn', () => {
  it('leave together, those that are sent alone by themselves', async () => {
    const { sent, told, ask, flush } = rig();
    ask(A);
    ask(B);
    ask(C, true);
    await flush();
    await flush();
    expect(sent).toEqual([[A, B], [C]]);
    expect(told.toSorted()).toEqual(['1 closed', '2 closed', '3 closed']);
  });

  it('of which the answer does not name one are failed for that one alone', async () => {
    const { told, venue, ask, flush } = rig();
    for (const id of [A, B, C]) ask(id);
    venue.answer = () => ({ closed: [B], notFound: [C] });
    await flush();
    expect(told).toEqual(['1 failed: the answer to a close does not name the order', '2 closed', '3 over']);
  });

  it('are sent one by one for a minute after the exchange refused a request of several', async () => {
    const { clock, sent, venue, requests, ask, flush } = rig();
    const answer = venue.answer;
    venue.answer = (ids) => {
      if (ids.length > 1) throw new VenueRejection('validation_error', 400, 'no');
      return answer(ids);
    };
    const turn = async (): Promise<readonly number[]> => {
      sent.length = 0;
      for (const id of [A, B, C]) ask(id);
      await flush();
      return sent.map(({ length }) => length);
    };
    expect(await turn()).toEqual([3]);
    expect(requests.most).toBe(1);
    expect(await turn()).toEqual([1, 1, 1]);
    clock.nowMs += 59_999;
    expect(await turn()).toEqual([1, 1, 1]);
    clock.nowMs += 1;
    expect(await turn()).toEqual([3]);
  });

  it.each([
    [new VenueRejection('throttled', 429, 'later'), false],
    [new VenueRejection('server_error', 500, 'oh'), true],
    [new Error('no answer'), true],
  ])('shrink after a failure that may be the fault of one of them: %s', async (error, shrinks) => {
    const { venue, requests, ask, flush } = rig();
    const { most } = requests;
    venue.answer = () => {
      throw error;
    };
    for (const id of [A, B, C]) ask(id);
    await flush();
    expect(requests.most < most).toBe(shrinks);
  });
});
