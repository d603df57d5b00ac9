import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { eventKey } from '../../../src/domain/events.ts';
import type { RequestUuid, SelectionId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { takeKey } from '../../../src/orders/journal/fold.ts';
import { Takes } from '../../../src/orders/state/takes.ts';
import { EVENT_NAME, SELECTION } from '../../support/order-manager-rig.ts';

const ID_PARTS = ['a', 'b', 'a b', ' '];
const EVENT = eventKey(EVENT_NAME);
const DRAW = SELECTION.replace(/h$/, 'd') as SelectionId;

it('tells every pair of a strategy and an id apart', () => {
  const pairs = ID_PARTS.flatMap((owner) => ID_PARTS.map((id) => [owner, id] as const));
  expect(new Set(pairs.map(([owner, id]) => takeKey(owner, id))).size).toBe(pairs.length);
});

/** What may happen to takes, in any order. */
type Act =
  | { readonly kind: 'send'; readonly id: string; readonly on: SelectionId }
  | { readonly kind: 'end' }
  /** A decision, which reaches the order manager after so many further acts. */
  | { readonly kind: 'decide' }
  | { readonly kind: 'deliver' };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    on: fc.constantFrom(SELECTION, DRAW),
  }),
  fc.constantFrom({ kind: 'end' as const }, { kind: 'decide' as const }, { kind: 'deliver' as const }),
);

it('sends one order for an id, and one take after another, each decided after the end of the last', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
      const spent = new Map<string, RequestUuid>();
      const open = new Set<LiveOrder>();
      const takes = new Takes({
        spentBy: (owner, id) => spent.get(takeKey(owner, id)) ?? null,
        active: () => [...open].map((order) => ({ order }) as TrackedOrder),
      });
      /** Takes that had ended when each decision that is on its way was made. */
      const deciding: number[] = [];
      const sinceEnd = new Map<SelectionId, number>();
      const sent: string[] = [];
      for (const [at, each] of acts.entries()) {
        if (each.kind === 'decide') deciding.push(takes.ended);
        const ended = each.kind === 'deliver' ? deciding.shift() : undefined;
        if (ended !== undefined) {
          takes.decided(EVENT, ended);
          for (const [on] of [...sinceEnd].filter(([, count]) => count <= ended)) sinceEnd.delete(on);
        }
        if (each.kind === 'end')
          for (const order of open) {
            open.delete(order);
            takes.changed({ ...order, state: 'closed' });
            sinceEnd.set(order.selectionId, takes.ended);
          }
        if (each.kind !== 'send') continue;
        const judged = { owner: 'x', id: each.id, selectionId: each.on, requestUuid: null };
        if (takes.obstacle(judged) !== null) continue;
        expect([...open].some(({ selectionId }) => selectionId === each.on)).toBe(false);
        expect(sinceEnd.get(each.on)).toBeUndefined();
        const requestUuid = `uuid-${at}` as RequestUuid;
        sent.push(each.id);
        spent.set(takeKey('x', each.id), requestUuid);
        const order = {
          ...EVENT_NAME,
          selectionId: each.on,
          requestUuid,
          state: 'live',
          take: { id: each.id },
        };
        open.add(order as LiveOrder);
        expect(takes.obstacle({ ...judged, requestUuid })).toBeNull();
      }
      expect(new Set(sent).size).toBe(sent.length);
    }),
  );
});
