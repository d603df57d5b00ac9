import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderId } from '../../../src/domain/ids.ts';
import { markedBy, OWN } from '../../support/claims.ts';
import { BY_HAND, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const PAGE = 25;

/** An exchange with small pages and many manual orders, oldest first. */
function rigWith(orders: number): { readonly rig: OrderManagerRig; readonly ids: readonly OrderId[] } {
  const rig = new OrderManagerRig({ options: { durationS: 600 } });
  rig.venue.mostPerPage = PAGE;
  const ids = Array.from({ length: orders }, () => rig.venue.placeByHand(BY_HAND).orderId);
  return { rig, ids };
}

const reported = (rig: OrderManagerRig): readonly OrderId[] =>
  rig.manager
    .status()
    .foreign.map(({ orderId }) => orderId)
    .toSorted((a, b) => a - b);

it('finds every open order of others after a start, however many pages list them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 4 * PAGE }), async (orders) => {
      const { rig, ids } = rigWith(orders);
      await rig.start();
      expect(reported(rig)).toEqual(ids);
      rig.kill();
    }),
    {
      examples: [[PAGE - 1], [PAGE], [PAGE + 1], [2 * PAGE]].map(([n]) => [n as number] as [number]),
      numRuns: 20,
    },
  );
});

it('finds them after a reconnect', async () => {
  const { rig } = rigWith(0);
  await rig.startQuoting(quote());
  rig.venue.disconnect();
  const ids = Array.from({ length: 3 * PAGE }, () => rig.venue.placeByHand(BY_HAND).orderId);
  rig.venue.connect();
  await rig.advance(3_000);
  expect([reported(rig), rig.manager.status().blocked]).toEqual([ids, null]);
});

it('finds those that move to an earlier page because others are closed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (afterPage, closed) => {
        const { rig } = rigWith(0);
        await rig.start();
        rig.venue.disconnect();
        const ids = Array.from({ length: 4 * PAGE }, () => rig.venue.placeByHand(BY_HAND).orderId);
        const newest = ids.toReversed().slice(0, closed);
        const list = rig.venue.orders.bind(rig.venue);
        let read = 0;
        rig.venue.orders = async (query, options) => {
          const page = await list(query, options);
          if (++read === afterPage) for (const orderId of newest) rig.venue.closeByHand(orderId);
          return page;
        };
        rig.venue.connect();
        await rig.advance(5_000);
        expect(reported(rig)).toEqual(ids.filter((id) => !newest.includes(id)));
        rig.kill();
      },
    ),
    { numRuns: 20 },
  );
});

it('closes all strays after a start that cannot read its journal, however many pages list them', async () => {
  const rig = new OrderManagerRig();
  rig.venue.mostPerPage = PAGE;
  rig.loseJournal();
  for (let at = 0; at < 3 * PAGE; at++)
    rig.venue.placeByHand({ ...BY_HAND, userData: markedBy(OWN, '7', `lost-${at}`) });
  await rig.start();
  await rig.advance(5_000);
  expect(rig.venue.open()).toEqual([]);
});
