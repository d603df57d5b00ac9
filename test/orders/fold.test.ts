import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { BetId, HeartbeatId, OrderId, RequestUuid } from '../../src/domain/ids.ts';
import { checkpointOf, CHECKPOINT, foldJournal, prune } from '../../src/orders/checkpoint.ts';
import { emptyState, fold, type FoldedState } from '../../src/orders/fold.ts';
import { entryOf, type Fact } from '../../src/orders/records.ts';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';

const uuid = fc.integer({ min: 0, max: 6 }).map((n) => `uuid-${n}` as RequestUuid);

const intended = uuid.map((id): Fact => ({
  ...{ kind: 'order_intended', uuid: id, key: null, selectionId: 's' as never, direction: 'for', tick: 100 },
  ...{ bodyHash: 'h', repeat: false, place: { requestUuid: id, durationS: 60, stakeMicros: 1 } as never },
}));
const changed = fc
  .record({
    uuid,
    state: fc.constantFrom('live' as const, 'unknown' as const, 'closed' as const, 'absent' as const),
  })
  .map((given): Fact => ({
    ...{ kind: 'order_changed', ...given, orderId: 1 as OrderId, expiryMs: null, filledMicros: 0 },
    ...{ closeReason: null, source: 'stream' },
  }));
const filled = fc.integer({ min: 0, max: 9 }).map((n): Fact => ({
  kind: 'fill_booked',
  fill: { betId: n as BetId, eventId: '2023-11-20,1,2', stakeMicros: n } as never,
}));
const heartbeat = fc
  .record({ kind: fc.constantFrom('heartbeat_armed' as const, 'heartbeat_ended' as const), n: fc.nat(3) })
  .map(({ kind, n }): Fact => ({ kind, heartbeatId: `hb-${n}` as HeartbeatId, how: '' }) as Fact);
const simple = fc.constantFrom<Fact>(
  { kind: 'run_started', run: '1' },
  { kind: 'heartbeat_requested' },
  { kind: 'betslip_requested', betType: 'for,h', eventId: 'e' },
  { kind: 'latched', reason: 'r' },
  { kind: 'latch_released', reason: 'r' },
  { kind: 'cursor', updatesToMs: 5 },
);
const facts = fc.array(fc.oneof(intended, changed, changed, filled, heartbeat, simple), { maxLength: 60 });

/** What counts of a state; the number of records differs by the checkpoint itself. */
const essence = (state: FoldedState): unknown => ({ ...state, records: 0 });

describe('the fold of the journal', () => {
  it('is the same from a checkpoint on as from the beginning', () => {
    fc.assert(
      fc.property(facts, facts, (before, after) => {
        const clock = new VirtualClock();
        const [whole, cut] = [createMemoryJournal(clock), createMemoryJournal(clock)];
        if (before.length > 0) cut.append(before.map(entryOf));
        const state = fold(cut.read());
        prune(state);
        cut.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
        for (const journal of [whole, cut]) {
          if (journal === whole && before.length > 0) journal.append(before.map(entryOf));
          if (after.length > 0) journal.append(after.map(entryOf));
        }
        expect(essence(foldJournal(cut))).toEqual(essence(fold(whole.read())));
      }),
    );
  });

  it('is the same twice, and grows record by record', () => {
    fc.assert(
      fc.property(facts, fc.nat(60), (all, at) => {
        const journal = createMemoryJournal(new VirtualClock());
        if (all.length > 0) journal.append(all.map(entryOf));
        const records = [...journal.read()];
        const stepwise = fold(records.slice(at), fold(records.slice(0, at)));
        expect(stepwise).toEqual(fold(records));
        expect(fold(records)).toEqual(fold(records));
      }),
    );
  });

  it('never leaves a terminal state', () => {
    fc.assert(
      fc.property(facts, facts, (before, after) => {
        const journal = createMemoryJournal(new VirtualClock());
        if (before.length > 0) journal.append(before.map(entryOf));
        const over = [...fold(journal.read()).orders].filter(([, order]) =>
          ['closed', 'absent'].includes(order.state),
        );
        if (after.length > 0) journal.append(after.map(entryOf));
        const later = fold(journal.read(), emptyState());
        for (const [id, order] of over) expect(later.orders.get(id)?.state).toBe(order.state);
      }),
    );
  });

  it('lets go of fills of events long past, and of betslips of other days', () => {
    const state = emptyState();
    state.lastAtMs = Date.parse('2026-03-10T12:00:00Z');
    for (const [n, eventId] of ['2026-03-06,1,2', '2026-03-08,1,2', 'outright'].entries()) {
      state.fills.set(n as BetId, { betId: n, eventId } as never);
    }
    state.betslipsAtMs.push(state.lastAtMs - 90_000_000, state.lastAtMs - 1_000);
    prune(state);
    expect([...state.fills.keys()]).toEqual([1, 2]);
    expect(state.betslipsAtMs).toHaveLength(1);
  });
});
