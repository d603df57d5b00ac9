import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { eventKey, type EventName } from '../../../src/domain/events.ts';
import { eventId, type RequestUuid, type SelectionId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { takeKey } from '../../../src/orders/journal/fold.ts';
import { Takes } from '../../../src/orders/state/takes.ts';
import { EVENT_NAME, SELECTION } from '../../support/order-manager-rig.ts';

const ID_PARTS = ['a', 'b', 'a b', ' '];
const OTHER_EVENT: EventName = { ...EVENT_NAME, eventId: eventId('2026-11-21,30,40') };
const DRAW = SELECTION.replace(/h$/, 'd') as SelectionId;
const ELSEWHERE = SELECTION.replace(EVENT_NAME.eventId, OTHER_EVENT.eventId) as SelectionId;
const eventOf = (on: SelectionId): EventName => (on === ELSEWHERE ? OTHER_EVENT : EVENT_NAME);

it('tells every pair of a strategy and an id apart', () => {
  const pairs = ID_PARTS.flatMap((owner) => ID_PARTS.map((id) => [owner, id] as const));
  expect(new Set(pairs.map(([owner, id]) => takeKey(owner, id))).size).toBe(pairs.length);
});

/** What may happen to takes, in any order. */
type Act =
  /** An offer of a hedge has an id, and rests. */
  | { readonly kind: 'send'; readonly id: string; readonly on: SelectionId; readonly isOffer: boolean }
  | { readonly kind: 'end'; readonly on: SelectionId }
  /** A decision of an event, which reaches the order manager after some further acts. */
  | { readonly kind: 'decide'; readonly event: EventName }
  | { readonly kind: 'deliver' };

const selection = fc.constantFrom(SELECTION, DRAW, ELSEWHERE);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    on: selection,
    isOffer: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('end' as const), on: selection }),
  fc.record({ kind: fc.constant('decide' as const), event: fc.constantFrom(EVENT_NAME, OTHER_EVENT) }),
  fc.constant({ kind: 'deliver' as const }),
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
      const deciding: { readonly event: EventName; readonly ended: number }[] = [];
      const sinceEnd = new Map<SelectionId, number>();
      const sent: string[] = [];
      for (const [at, each] of acts.entries()) {
        if (each.kind === 'decide') deciding.push({ event: each.event, ended: takes.ended });
        const decided = each.kind === 'deliver' ? deciding.shift() : undefined;
        if (decided !== undefined) {
          const { event, ended } = decided;
          takes.decided(eventKey(event), ended);
          const seen = [...sinceEnd].filter(([on, count]) => eventOf(on) === event && count <= ended);
          for (const [on] of seen) sinceEnd.delete(on);
        }
        if (each.kind === 'end')
          for (const order of Array.from(open).filter(({ selectionId }) => selectionId === each.on)) {
            open.delete(order);
            takes.changed({ ...order, state: 'closed' });
            sinceEnd.set(order.selectionId, takes.ended);
          }
        if (each.kind !== 'send') continue;
        const judged = { owner: 'x', id: each.id, selectionId: each.on, requestUuid: null };
        const isBusy =
          sinceEnd.has(each.on) ||
          [...open].some(({ selectionId, mode }) => selectionId === each.on && mode === 'take_only');
        const isSpent = spent.has(takeKey('x', each.id));
        expect(takes.obstacle(judged)).toBe(isSpent ? 'spent' : isBusy ? 'waits' : null);
        // Nothing waits for an offer, and an offer waits for nothing.
        if (isSpent || (isBusy && !each.isOffer)) continue;
        const requestUuid = `uuid-${at}` as RequestUuid;
        sent.push(each.id);
        spent.set(takeKey('x', each.id), requestUuid);
        const order = {
          ...eventOf(each.on),
          selectionId: each.on,
          requestUuid,
          state: 'live',
          take: { id: each.id },
          mode: each.isOffer ? 'make_and_take' : 'take_only',
        };
        open.add(order as LiveOrder);
        expect(takes.obstacle({ ...judged, requestUuid })).toBe(isBusy ? 'waits' : null);
      }
      expect(new Set(sent).size).toBe(sent.length);
    }),
  );
});
