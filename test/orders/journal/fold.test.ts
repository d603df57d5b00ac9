import process from 'node:process';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { type BetId, type HeartbeatId, type RequestUuid, sport } from '../../../src/domain/ids.ts';
import {
  CHECKPOINT,
  checkpointOf,
  dayOf,
  foldJournal,
  prune,
  type ResultReportedMs,
} from '../../../src/orders/journal/checkpoint.ts';
import { applyFact, emptyState, fold, type FoldedState } from '../../../src/orders/journal/fold.ts';
import { entryOf, type Fact } from '../../../src/orders/journal/records.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { facts } from '../support/facts.ts';

/** A state without the number of records, which a checkpoint changes. */
const essence = (state: FoldedState): unknown => ({ ...state, records: 0 });

/** An order of a take with an id of its own, about to be sent. */
const takeIntended = (uuid: RequestUuid): Fact => ({
  kind: 'order_intended',
  uuid,
  key: null,
  selectionId: 's' as never,
  direction: 'for',
  tick: 100,
  mode: 'take_only',
  bodyHash: 'h',
  repeat: false,
  owner: 'a strategy',
  place: { requestUuid: uuid, take: { id: `of ${uuid}` } } as never,
});

const CLOSED: Omit<Extract<Fact, { kind: 'order_changed' }>, 'uuid'> = {
  kind: 'order_changed',
  state: 'closed',
  orderId: null,
  expiryMs: null,
  filledMicros: 0,
  closeReason: null,
  source: 'stream',
};

describe('the day of an event', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  it.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
    'is that of its id in UTC, wherever the daemon runs: %s',
    (zone) => {
      process.env['TZ'] = zone;
      expect(dayOf('2026-11-21,10,20')).toBe(Date.UTC(2026, 10, 21));
      expect(dayOf('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
      for (const without of ['', 'derby', '10,20', '2026', '1.24', 'May 5 2026', '2026-13-40'])
        expect(dayOf(without)).toBe(Infinity);
    },
  );
});

describe('the fold of the journal', () => {
  it('is the same from a checkpoint as from the beginning', () => {
    fc.assert(
      fc.property(facts, facts, (before, after) => {
        const clock = new VirtualClock();
        const [whole, cut] = [createMemoryJournal(clock), createMemoryJournal(clock)];
        if (before.length > 0) cut.append(before.map(entryOf));
        const state = fold(cut.read());
        prune(state, () => 0);
        cut.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
        for (const journal of [whole, cut]) {
          if (journal === whole && before.length > 0) journal.append(before.map(entryOf));
          if (after.length > 0) journal.append(after.map(entryOf));
        }
        expect(essence(foldJournal(cut))).toEqual(essence(fold(whole.read())));
      }),
    );
  });

  it('remembers the ids of takes beyond their orders, and from a checkpoint, too', () => {
    const journal = createMemoryJournal(new VirtualClock());
    const state = emptyState();
    state.takes.set('mine a', 'u1' as never);
    journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
    const restored = foldJournal(journal);
    expect([restored.orders.size, [...restored.takes]]).toEqual([0, [['mine a', 'u1']]]);
  });

  it('drops orders that ended long ago, and no id of a take', () => {
    const uuids = Array.from({ length: 1_200 }, (_, at) => `uuid-${at}` as RequestUuid);
    const state = emptyState();
    for (const uuid of uuids) {
      applyFact(state, takeIntended(uuid), 0);
      applyFact(state, { ...CLOSED, uuid }, 0);
    }
    prune(state, () => 0);
    expect(state.orders.size).toBeLessThan(uuids.length);
    const journal = createMemoryJournal(new VirtualClock());
    journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
    for (const { takes } of [state, foldJournal(journal)]) expect([...takes.values()]).toEqual(uuids);
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

  const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
  const HOUR_MS = 3_600_000;

  /** A state with one fill per event, `ageMs` old, with the clock `aheadMs` ahead of the updates. */
  function stateWith(eventIds: readonly string[], ageMs: number, aheadMs = 0): FoldedState {
    const state = { ...emptyState(), lastAtMs: NOW_MS, cursorMs: NOW_MS - aheadMs };
    for (const [n, eventId] of eventIds.entries())
      state.fills.set(n as BetId, { betId: n, orderId: n, eventId, atMs: NOW_MS - ageMs } as never);
    return state;
  }

  /** The fills that remain after the exchange has reported these results. */
  function left(state: FoldedState, resultReportedMs: ResultReportedMs = () => 0): readonly number[] {
    prune(state, resultReportedMs);
    return [...state.fills.keys()];
  }

  it('keeps the fills of an event that is not settled, and not those of a sport that shares its id', () => {
    const state = stateWith(['2026-03-06,1,2', '2026-03-06,1,2', '2026-03-06,1,2'], 100 * HOUR_MS);
    for (const [betId, fill] of state.fills)
      state.fills.set(betId, { ...fill, sport: sport(Number(betId) === 0 ? 'fb_ht' : 'fb') });
    expect(left(state, (orderId) => (Number(orderId) === 2 ? null : 0))).toEqual([1, 2]);
  });

  it('drops fills of events long past, and betslips of other days', () => {
    const state = stateWith(['2026-03-06,1,2', '2026-03-08,1,2', 'outright'], 100 * HOUR_MS);
    for (const instants of [state.betslipsAtMs, state.reserveBetslipsAtMs])
      instants.push(NOW_MS - 90_000_000, NOW_MS - 1_000);
    expect(left(state)).toEqual([1, 2]);
    expect(state.betslipsAtMs).toHaveLength(1);
    expect(state.reserveBetslipsAtMs).toHaveLength(1);
  });

  it('keeps every fill of an event with an unsettled bet, whatever day its name bears', () => {
    const state = stateWith(['2026-03-01,1,2', '2026-03-01,1,2', '2026-03-02,1,2'], 100 * HOUR_MS);
    expect(left(state, (orderId) => (orderId === 1 ? null : 0))).toEqual([0, 1]);
  });

  it('keeps recent bookings of an old event, because the turnover of the day counts them', () => {
    expect(left(stateWith(['2026-03-01,1,2'], HOUR_MS))).toEqual([0]);
    expect(left(stateWith(['2026-03-01,1,2'], 85 * HOUR_MS))).toEqual([]);
  });

  it('keeps fills with a recently reported result, because it may be corrected or voided', () => {
    const state = stateWith(['2026-03-01,1,2', '2026-03-02,1,2'], 200 * HOUR_MS);
    expect(left(state, (orderId) => NOW_MS - (orderId === 0 ? 73 : 85) * HOUR_MS)).toEqual([0]);
  });

  it('drops nothing by a clock that is ahead of what the exchange has reported', () => {
    const state = stateWith(['2026-03-06,1,2'], 100 * HOUR_MS, 96 * HOUR_MS);
    state.betslipsAtMs.push(NOW_MS - 90 * HOUR_MS);
    expect(left(state)).toEqual([0]);
    expect(state.betslipsAtMs).toHaveLength(1);
    expect(left({ ...state, cursorMs: null })).toEqual([0]);
    expect(left({ ...state, cursorMs: NOW_MS })).toEqual([]);
  });
});

it('remembers a requested heartbeat, whatever ends before its answer', () => {
  const state = emptyState();
  const heartbeatId = 'of an earlier run' as HeartbeatId;
  applyFact(state, { kind: 'heartbeat_requested' }, 1);
  applyFact(state, { kind: 'heartbeat_ended', heartbeatId, how: 'of an earlier run' }, 2);
  expect(state.heartbeatsUnanswered).toBe(1);
});

it('forgets only what a refused heartbeat’s own request has set', () => {
  const state = emptyState();
  const unanswered = ['requested', 'refused', 'requested', 'requested', 'refused'].map((what) => {
    applyFact(state, { kind: `heartbeat_${what}` } as Fact, 1);
    return state.heartbeatsUnanswered;
  });
  expect(unanswered).toEqual([1, 0, 1, 2, 1]);
});
