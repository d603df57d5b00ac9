import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetId, EventId, HeartbeatId, OrderId, RequestUuid, Sport } from '../../../src/domain/ids.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { dayOf, prune } from '../../../src/orders/journal/checkpoint.ts';
import {
  applyFact,
  betslipsOfLastDay,
  emptyState,
  type FoldedState,
  notBefore,
} from '../../../src/orders/journal/fold.ts';
import { bodyHashOf, entryOf, type Fact, type Intended } from '../../../src/orders/journal/records.ts';

/** The state after facts that are each a thousand milliseconds apart. */
function after(...facts: readonly Fact[]): FoldedState {
  const state = emptyState();
  for (const [at, fact] of facts.entries()) applyFact(state, fact, 1_000 * (at + 1));
  return state;
}

/** An empty state with so many records, except for what is named. */
const only = (records: number, over: Partial<FoldedState>): FoldedState => ({
  ...emptyState(),
  records,
  lastAtMs: records === 0 ? null : 1_000 * records,
  ...over,
});

const EVENT = { sport: 'fb' as Sport, eventId: '2026-03-10,1,2' as EventId };
const KEY = 'fb|2026-03-10,1,2';
const HB = 'hb-1' as HeartbeatId;
const UUID = 'uuid-1' as RequestUuid;
const REQUESTED: Fact = { kind: 'heartbeat_requested' };
const ARMED: Fact = { kind: 'heartbeat_armed', heartbeatId: HB };
const ENDED: Fact = { kind: 'heartbeat_ended', heartbeatId: HB, how: 'removed' };
const STARTED: Fact = { kind: 'run_started', run: '1' };
const cursor = (updatesToMs: number): Fact => ({ kind: 'cursor', updatesToMs });
const betslip = (reserve?: boolean): Fact => ({
  kind: 'betslip_requested',
  betType: 'for,h',
  eventId: EVENT.eventId,
  ...(reserve !== undefined && { reserve }),
});
const latched = (reason: string): Fact => ({ kind: 'latched', reason });
const RELEASED: Fact = { kind: 'latch_released', reason: 'by hand' };
const SEEN = { orders: [{ orderId: 1 as OrderId, betType: 'for,h' as never, placedMs: 5 }], isWhole: true };
const FILL = { ...EVENT, betId: 5 as BetId, orderId: 1 as OrderId, requestUuid: UUID } as Fill;
const OWNED: Fact = { kind: 'event_owned', event: EVENT, owner: 'maker' };
const owned = (atMs: number, hasFills: boolean, owner = 'maker') =>
  new Map([[KEY, { event: EVENT, owner, atMs, hasFills }]]) as FoldedState['owners'];

describe('the state that a journal holds', () => {
  it.each<[what: string, facts: Fact[], over: Partial<FoldedState>]>([
    ['nothing', [], {}],
    ['runs, and the first of them', [STARTED, STARTED], { runs: 2, firstRunAtMs: 1_000 }],
    ['betslips', [betslip(), betslip(false)], { betslipsAtMs: [1_000, 2_000] }],
    ['betslips of the reserve', [betslip(true)], { reserveBetslipsAtMs: [1_000] }],
    [
      'betslips no earlier than the exchange has proven',
      [cursor(9_000), betslip()],
      { cursorMs: 9_000, betslipsAtMs: [69_000] },
    ],
    ['the first reason of a latch', [latched('a'), latched('b')], { latched: 'a' }],
    ['no latch that was released', [latched('a'), RELEASED], {}],
    ['the latest cursor', [cursor(7_000), cursor(5_000)], { cursorMs: 5_000 }],
    ['an account', [{ kind: 'account_seen', ...SEEN }], { accountSeen: { ...SEEN, atMs: 1_000 } }],
    [
      'no account before the accepted one',
      [
        { kind: 'account_seen', ...SEEN },
        { kind: 'account_accepted', why: '' },
      ],
      { accountSinceMs: 2_000 },
    ],
    ['a requested heartbeat', [REQUESTED], { heartbeatsUnanswered: 1, heartbeatRequestedAtMs: 1_000 }],
    [
      'one whose request had no answer',
      [REQUESTED, REQUESTED],
      { heartbeatsUnanswered: 2, heartbeatRequestedAtMs: 2_000, heartbeatMissedAtMs: 1_000 },
    ],
    ['none after a refusal', [REQUESTED, { kind: 'heartbeat_refused' }], { heartbeatRequestedAtMs: 1_000 }],
    ['none below zero', [{ kind: 'heartbeat_refused' }], {}],
    [
      'none that was answered before the next',
      [REQUESTED, ARMED, REQUESTED],
      { heartbeats: new Set([HB]), heartbeatsUnanswered: 1, heartbeatRequestedAtMs: 3_000 },
    ],
    ['an armed heartbeat', [ARMED], { heartbeats: new Set([HB]) }],
    ['no heartbeat that ended', [ARMED, ENDED], {}],
    [
      'a heartbeat of a clock that is behind',
      [cursor(9_000), REQUESTED],
      { cursorMs: 9_000, heartbeatsUnanswered: 1, heartbeatRequestedAtMs: 69_000, isHeartbeatUndated: true },
    ],
    [
      'its upper bound once updates are read',
      [cursor(9_000), REQUESTED, cursor(10_000)],
      {
        cursorMs: 10_000,
        heartbeatsUnanswered: 1,
        heartbeatRequestedAtMs: 69_000,
        isHeartbeatUndated: false,
        heartbeatRequestedByMs: 70_000,
      },
    ],
    [
      'no upper bound by an old cursor',
      [cursor(9_000), REQUESTED, cursor(9_000)],
      { cursorMs: 9_000, heartbeatsUnanswered: 1, heartbeatRequestedAtMs: 69_000, isHeartbeatUndated: true },
    ],
    ['an owner without fills', [OWNED], { owners: owned(1_000, false) }],
    [
      'an owner with fills',
      [OWNED, { kind: 'fill_booked', fill: FILL }],
      { owners: owned(1_000, true), fills: new Map([[FILL.betId, FILL]]) },
    ],
    [
      'the fills of a new owner',
      [OWNED, { kind: 'fill_booked', fill: FILL }, { ...OWNED, owner: 'other' }],
      { owners: owned(3_000, true, 'other'), fills: new Map([[FILL.betId, FILL]]) },
    ],
    [
      'a fill without an owner',
      [{ kind: 'fill_booked', fill: FILL }],
      { fills: new Map([[FILL.betId, FILL]]) },
    ],
    ['no unknown kind', [{ kind: 'of a later version' } as unknown as Fact], {}],
  ])('is %s', (_, facts, over) => {
    expect(after(...facts)).toEqual(only(facts.length, over));
  });

  const intended = (uuid = UUID, eventId = EVENT.eventId): Intended =>
    ({ kind: 'order_intended', uuid, place: { ...EVENT, eventId } }) as unknown as Intended;
  const changed = (state: OrderState, uuid = UUID): Fact => ({
    kind: 'order_changed',
    uuid,
    state,
    orderId: 7 as OrderId,
    expiryMs: 9,
    filledMicros: 3,
    closeReason: 'why',
    source: 'stream',
  });

  it('has an order from its intention on, as the last change shows it, and as sent last', () => {
    const fresh = { intended: intended(), sentAtMs: 1_000, state: 'sending', orderId: null };
    const none = { expiryMs: null, filledMicros: 0, closeReason: null };
    expect(after(intended()).orders).toEqual(new Map([[UUID, { ...fresh, ...none }]]));
    expect(after(intended(), intended()).orders.get(UUID)).toEqual({ ...fresh, ...none, sentAtMs: 2_000 });
    const shown = { orderId: 7, expiryMs: 9, filledMicros: 3, closeReason: 'why' };
    expect(after(intended(), changed('live')).orders.get(UUID)).toEqual({
      ...fresh,
      ...shown,
      state: 'live',
    });
    expect(after(intended(), changed('closed'), changed('live')).orders.get(UUID)?.state).toBe('closed');
    expect(after(changed('live')).orders.size).toBe(0);
  });

  it('has orders that ended in the order of their ends', () => {
    const [a, b, c] = ['a', 'b', 'c'] as [RequestUuid, RequestUuid, RequestUuid];
    const state = after(
      intended(a),
      intended(b),
      intended(c),
      changed('closed', b),
      changed('live', c),
      changed('absent', a),
      changed('refused', b),
    );
    expect([...state.orders.keys()]).toEqual([c, b, a]);
  });

  it('keeps a thousand orders that ended, the latest, and all that have not', () => {
    const ids = Array.from({ length: 1_002 }, (_, at) => `u${at}` as RequestUuid);
    const open = 'open' as RequestUuid;
    const state = after(
      intended(open),
      ...ids.map((id) => intended(id)),
      ...ids.map((id) => changed('closed', id)),
    );
    prune(state, () => null);
    expect([...state.orders.keys()]).toEqual([open, ...ids.slice(2)]);
    prune(state, () => null);
    expect(state.orders.size).toBe(1_001);
  });

  it('drops the owner of a past event, unless that has fills or an order', () => {
    const dayMs = 86_400_000;
    const lastsUntilMs = dayOf(EVENT.eventId) + 3.5 * dayMs;
    const left = (nowMs: number, ...facts: readonly Fact[]): number => {
      const state = after(OWNED, ...facts);
      [state.lastAtMs, state.cursorMs] = [nowMs, nowMs];
      prune(state, () => null);
      return state.owners.size;
    };
    expect([left(lastsUntilMs), left(lastsUntilMs + 1)]).toEqual([1, 0]);
    expect(left(lastsUntilMs + 1, { kind: 'fill_booked', fill: FILL })).toBe(1);
    expect(left(lastsUntilMs + 1, intended())).toBe(1);
    expect(left(lastsUntilMs + 1, intended(UUID, '2026-03-09,1,2' as EventId))).toBe(0);
  });
});

describe('betslips of the last day', () => {
  it('are those of both kinds that are younger than a day, ascending', () => {
    const nowMs = 100_000_000;
    const dayAgoMs = nowMs - 86_400_000;
    const state = { betslipsAtMs: [dayAgoMs, dayAgoMs + 2, nowMs], reserveBetslipsAtMs: [dayAgoMs + 1] };
    expect(betslipsOfLastDay(state, nowMs)).toEqual([dayAgoMs + 1, dayAgoMs + 2, nowMs]);
  });
});

it('an instant is no earlier than the exchange has proven: a minute after the cursor', () => {
  expect([notBefore({ cursorMs: null }, 5), notBefore({ cursorMs: 10 }, 5)]).toEqual([5, 60_010]);
  expect(notBefore({ cursorMs: 10 }, 60_011)).toBe(60_011);
});

it.each([
  ['2026-03-10,1,2', Date.parse('2026-03-10T00:00:00Z')],
  ['outright', Infinity],
])('the day of the event %s is %i', (eventId, dayMs) => {
  expect(dayOf(eventId)).toBe(dayMs);
});

it.each<[Fact, uuid: string | null]>([
  [{ kind: 'fill_booked', fill: FILL }, UUID],
  [{ kind: 'fill_booked', fill: { ...FILL, requestUuid: null } }, null],
  [{ kind: 'order_intended', uuid: UUID, place: {} } as Fact, UUID],
  [STARTED, null],
])('a record names the create request that it concerns, and keeps its kind apart: $kind', (fact, uuid) => {
  const { kind, ...data } = fact;
  expect(entryOf(fact)).toEqual({ kind, uuid, data });
});

describe('the hash of a request', () => {
  const place = {
    durationS: 60,
    price: 3,
    stakeMicros: 5,
    betType: 'for,h',
    sport: 'fb',
    userData: 'a mark',
  };
  const hash = (of: object): string => bodyHashOf(of as PlaceOrder);

  it('is that of its content, in whatever order its fields come', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(place), { minLength: 6 }), (entries) => {
        expect(hash(Object.fromEntries(entries))).toBe(hash(place));
      }),
    );
    expect(hash(place)).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each(Object.keys(place))('is another one if its %s is', (field) => {
    expect(hash({ ...place, [field]: 7 })).not.toBe(hash(place));
  });
});
