import fc from 'fast-check';
import type { BetId, HeartbeatId, OrderId, RequestUuid } from '../../../src/domain/ids.ts';
import type { Fact } from '../../../src/orders/journal/records.ts';

const uuid = fc.integer({ min: 0, max: 6 }).map((n) => `uuid-${n}` as RequestUuid);

const intended = uuid.map((id): Fact => ({
  kind: 'order_intended',
  uuid: id,
  key: null,
  selectionId: 's' as never,
  direction: 'for',
  tick: 100,
  mode: 'make_and_take',
  bodyHash: 'h',
  repeat: false,
  owner: 'a strategy',
  place: { requestUuid: id, durationS: 60, stakeMicros: 1 } as never,
}));
const changed = fc
  .record({
    uuid,
    state: fc.constantFrom('live' as const, 'unknown' as const, 'closed' as const, 'absent' as const),
  })
  .map((given): Fact => ({
    kind: 'order_changed',
    ...given,
    orderId: 1 as OrderId,
    expiryMs: null,
    filledMicros: 0,
    closeReason: null,
    source: 'stream',
  }));
const filled = fc.integer({ min: 0, max: 9 }).map((n): Fact => ({
  kind: 'fill_booked',
  fill: { betId: n as BetId, eventId: '2023-11-20,1,2', stakeMicros: n, atMs: 0 } as never,
}));
const heartbeat = fc
  .record({ kind: fc.constantFrom('heartbeat_armed' as const, 'heartbeat_ended' as const), n: fc.nat(3) })
  .map(({ kind, n }): Fact => ({ kind, heartbeatId: `hb-${n}` as HeartbeatId, how: '' }) as Fact);
const simple = fc.constantFrom<Fact>(
  { kind: 'run_started', run: '1' },
  { kind: 'heartbeat_requested' },
  { kind: 'heartbeat_refused' },
  { kind: 'betslip_requested', betType: 'for,h', eventId: 'e' },
  { kind: 'latched', reason: 'r' },
  { kind: 'latch_released', reason: 'r' },
  { kind: 'cursor', updatesToMs: 5 },
  { kind: 'cursor', updatesToMs: 2e12 },
);
/** Random sequences of the manager’s facts about few orders, fills and heartbeats. */
export const facts = fc.array(fc.oneof(intended, changed, changed, filled, heartbeat, simple), {
  maxLength: 60,
});
