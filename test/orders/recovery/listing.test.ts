import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { BY_HAND, quote, TestDesk } from '../../support/order-desk.ts';

const PAGE = 25;

/** An exchange with small pages and many manual orders, oldest first. */
function deskWith(orders: number): { readonly desk: TestDesk; readonly ids: readonly OrderId[] } {
  const desk = new TestDesk({ options: { durationS: 600 } });
  desk.venue.mostPerPage = PAGE;
  const ids = Array.from({ length: orders }, () => desk.venue.placeByHand(BY_HAND).orderId);
  return { desk, ids };
}

const reported = (desk: TestDesk): readonly OrderId[] =>
  desk.manager
    .status()
    .foreign.map(({ orderId }) => orderId)
    .toSorted((a, b) => a - b);

it('finds every open order of others after a start, however many pages list them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 4 * PAGE }), async (orders) => {
      const { desk, ids } = deskWith(orders);
      await desk.start();
      expect(reported(desk)).toEqual(ids);
      desk.kill();
    }),
    {
      examples: [[PAGE - 1], [PAGE], [PAGE + 1], [2 * PAGE]].map(([n]) => [n as number] as [number]),
      numRuns: 20,
    },
  );
});

it('finds them after a reconnect', async () => {
  const { desk } = deskWith(0);
  await desk.startQuoting(quote());
  desk.venue.disconnect();
  const ids = Array.from({ length: 3 * PAGE }, () => desk.venue.placeByHand(BY_HAND).orderId);
  desk.venue.connect();
  await desk.advance(3_000);
  expect([reported(desk), desk.manager.status().blocked]).toEqual([ids, null]);
});

it('finds those that move to an earlier page because others are closed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (afterPage, closed) => {
        const { desk } = deskWith(0);
        await desk.start();
        desk.venue.disconnect();
        const ids = Array.from({ length: 4 * PAGE }, () => desk.venue.placeByHand(BY_HAND).orderId);
        const newest = ids.toReversed().slice(0, closed);
        const list = desk.venue.orders.bind(desk.venue);
        let read = 0;
        desk.venue.orders = async (query, options) => {
          const page = await list(query, options);
          if (++read === afterPage) for (const orderId of newest) desk.venue.closeByHand(orderId);
          return page;
        };
        desk.venue.connect();
        await desk.advance(5_000);
        expect(reported(desk)).toEqual(ids.filter((id) => !newest.includes(id)));
        desk.kill();
      },
    ),
    { numRuns: 20 },
  );
});

it('closes all strays after a start that cannot read its journal, however many pages list them', async () => {
  const desk = new TestDesk();
  desk.venue.mostPerPage = PAGE;
  desk.loseJournal();
  for (let at = 0; at < 3 * PAGE; at++)
    desk.venue.placeByHand({ ...BY_HAND, userData: markedBy(OWN, '7', `lost-${at}`) });
  await desk.start();
  await desk.advance(5_000);
  expect(desk.venue.open()).toEqual([]);
});
