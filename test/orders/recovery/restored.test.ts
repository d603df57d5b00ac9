import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import { type HeartbeatId, orderId } from '../../../src/domain/ids.ts';
import type { Heartbeat, VenueOrder } from '../../../src/domain/orders.ts';
import { LONGEST_LIFE_MS } from '../../../src/orders/heartbeats/keeper.ts';
import { emptyState, type FoldedState } from '../../../src/orders/journal/fold.ts';
import { ofEarlierRuns, recover, sortHeartbeats } from '../../../src/orders/recovery/recovery.ts';
import { resyncUntilDone } from '../../../src/orders/recovery/resync.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

const [A, B] = ['a', 'b'] as [HeartbeatId, HeartbeatId];
const LANDING_MS = 30_000;
const OLDEST_MS = LANDING_MS + LONGEST_LIFE_MS;
const DAY_MS = 86_400_000;
/** Updates are read up to so long before now. */
const BEHIND_MS = 63_000;

let rig: PartRig;
let did: string[];
let heartbeats: readonly Heartbeat[];
let booked: number;
let known: boolean;
let nowMs: number;

function begin(...orders: readonly TrackedOrder[]): void {
  [did, heartbeats, booked, known] = [[], [], 0, false];
  rig = new PartRig({
    options: { latestLandingMs: LANDING_MS },
    deps: {
      claim: { isSoleUser: true },
      account: {
        bets: {
          get booked() {
            return booked;
          },
        },
      },
    },
    venue: {
      heartbeats: async ({ priority }: { priority: string }) => (
        did.push(`heartbeats ${priority}`),
        heartbeats
      ),
      orders: async () => ({ orders: [], unread: [] }),
      orderUpdates: async () => {
        booked++;
        return { orders: [], unread: [] };
      },
    },
  });
  nowMs = rig.clock.wallMs();
  const book = bookOf(rig.clock, ...orders);
  Object.assign(rig.context, { book, run: '4' });
}
beforeEach(() => begin());

const beats = (...ids: readonly HeartbeatId[]): Heartbeat[] =>
  ids.map((heartbeatId) => ({ heartbeatId, expiryMs: null }));
const restored = (over: Partial<FoldedState> = {}): FoldedState => ({
  ...emptyState(),
  runs: 3,
  records: 40,
  cursorMs: nowMs - BEHIND_MS,
  lastAtMs: nowMs,
  ...over,
});
async function recovered(over: Partial<FoldedState> = {}) {
  const parts = {
    onUnguarded: () => void did.push('unguarded'),
    isGuarded: () => known,
    onNewest: () => undefined,
    reports: { order: () => null },
    lookups: { settle: async ({ order }: TrackedOrder) => void did.push(`settle ${order.requestUuid}`) },
    foreignLookups: { ask: async (id: number) => void did.push(`ask ${id}`) },
  };
  const result = recover(rig.context, parts as never, restored(over));
  for (let turn = 0; turn < 20; turn++) await rig.clock.advance(0);
  return result;
}

describe('a recovery', () => {
  it('reports what it found', async () => {
    const of = (state: 'live' | 'closing' | 'unknown' | 'closed', at: number): TrackedOrder =>
      trackedOrder({}, { state, requestUuid: `u${at}`, orderId: orderId(at) });
    begin(of('live', 1), of('closing', 2), of('unknown', 3));
    const shown = { orderId: orderId(9), orderType: 'normal', closed: false } as VenueOrder;
    rig.context.book.show(rig.context.book.meet(shown), shown, 0);
    heartbeats = beats(A, B);
    // Each of two windows of updates shows a fill.
    booked = 7;
    const { report, heartbeats: found, cursorMs } = await recovered({ heartbeats: new Set([A]) });
    expect(report).toEqual({
      epoch: 4,
      journalRecords: 40,
      recoveredLive: 2,
      recoveredUnknown: 1,
      recoveredClosed: 0,
      fillsFound: 2,
      foreign: [9],
      oldHeartbeats: [A],
      tookMs: 0,
      closeOnly: null,
    });
    expect([found.originOf(A), found.originOf(B), cursorMs]).toEqual([
      'journal',
      'unknown',
      nowMs - BEHIND_MS,
    ]);
    expect(rig.noted[0]).toEqual({ kind: 'run_started', run: '4', by: 'note' });
    expect(did).toEqual(['heartbeats urgent', 'settle u1', 'settle u2', 'settle u3', 'ask 9']);
  });

  it('counts what ended meanwhile, and what the journal’s failure allows', async () => {
    begin(trackedOrder());
    Object.assign(rig.context.journalWriter, { failed: true });
    rig.venue['orders'] = async () => {
      for (const each of rig.context.book.active())
        rig.context.book.apply(each, 'seen_closed', {}, 'listing');
      return { orders: [], unread: [] };
    };
    const { report } = await recovered();
    expect(report).toMatchObject({ recoveredLive: 0, recoveredClosed: 1, closeOnly: 'journal' });
  });

  it('knows at once that an account without a heartbeat guards nothing', async () => {
    await recovered();
    expect(did.slice(0, 2)).toEqual(['heartbeats urgent', 'unguarded']);
  });

  it('looks each second whether the heartbeats of earlier runs have gone, until this run has one', async () => {
    heartbeats = beats(A);
    await recovered();
    did = [];
    await rig.clock.advance(999);
    expect(did).toEqual([]);
    await rig.clock.advance(1);
    expect(did).toEqual(['heartbeats reducing']);
    heartbeats = [];
    await rig.clock.advance(1_000);
    expect(did).toEqual(['heartbeats reducing', 'heartbeats reducing', 'unguarded']);
    await rig.clock.advance(5_000);
    expect(did).toHaveLength(3);
  });

  it('looks no more once this run has a heartbeat, and goes on after a failure', async () => {
    heartbeats = beats(A);
    await recovered();
    did = [];
    const { heartbeats: list } = rig.venue;
    rig.venue['heartbeats'] = async () => {
      throw new VenueRejection('server_error', 503, 'no');
    };
    await rig.clock.advance(1_000);
    rig.venue['heartbeats'] = list;
    await rig.clock.advance(1_000);
    expect(did).toEqual(['heartbeats reducing']);
    known = true;
    await rig.clock.advance(5_000);
    expect(did).toEqual(['heartbeats reducing']);
  });

  it('tells the ages of the day’s betslips by the time that the exchange has proven', async () => {
    const { betslipAges } = await recovered({
      betslipsAtMs: [nowMs - DAY_MS, nowMs - DAY_MS + 1, nowMs - 5, nowMs + 5],
      reserveBetslipsAtMs: [nowMs - 7],
    });
    expect(betslipAges).toEqual({ pacedMs: [DAY_MS - 1, 5, 0], reserveMs: [7] });
  });
});

describe('a heartbeat of an unanswered request', () => {
  it.each<[what: string, over: (nowMs: number) => Partial<FoldedState>, mayCome: boolean]>([
    ['none was requested', () => ({}), false],
    ['it was answered', (now) => ({ heartbeatRequestedAtMs: now }), false],
    [
      'it was requested a moment ago',
      (now) => ({ heartbeatsUnanswered: 1, heartbeatRequestedAtMs: now }),
      true,
    ],
    [
      'its longest life has just not passed',
      (now) => ({ heartbeatsUnanswered: 1, heartbeatRequestedAtMs: now - OLDEST_MS }),
      true,
    ],
    [
      'its longest life has passed',
      (now) => ({ heartbeatsUnanswered: 1, heartbeatRequestedAtMs: now - OLDEST_MS - 1 }),
      false,
    ],
    ['one before it had no answer', (now) => ({ heartbeatMissedAtMs: now - OLDEST_MS }), true],
    ['one long before it had no answer', (now) => ({ heartbeatMissedAtMs: now - OLDEST_MS - 1 }), false],
    [
      'its time is not known',
      (now) => ({ heartbeatsUnanswered: 1, heartbeatRequestedAtMs: now - DAY_MS, isHeartbeatUndated: true }),
      true,
    ],
    ['no time of none is known', () => ({ isHeartbeatUndated: true }), false],
    [
      'it is no younger than the updates',
      (now) => ({
        heartbeatsUnanswered: 1,
        heartbeatRequestedAtMs: now - DAY_MS,
        heartbeatRequestedByMs: now - OLDEST_MS,
      }),
      true,
    ],
    [
      'it is older than the updates',
      (now) => ({
        heartbeatsUnanswered: 1,
        heartbeatRequestedAtMs: now - DAY_MS,
        heartbeatRequestedByMs: now - OLDEST_MS - 1,
      }),
      false,
    ],
  ])('may still land, depending on when it was requested: %s', async (_, over, mayCome) => {
    expect((await recovered(over(nowMs))).moreHeartbeatsMayCome).toBe(mayCome);
  });

  it.each([
    ['a moment ago', 0, 'unanswered'],
    ['by a clock that was a little ahead', LONGEST_LIFE_MS, 'unanswered'],
    ['by a clock that was far ahead', LONGEST_LIFE_MS + 1, 'unknown'],
    ['long ago', -OLDEST_MS - 1, 'unknown'],
  ])('is taken for one of ours if it was requested %s', async (_, laterMs, origin) => {
    const state = restored({ heartbeatsUnanswered: 1, heartbeatRequestedAtMs: nowMs + laterMs });
    const sorted = await sortHeartbeats(rig.context, state, beats(A));
    expect([sorted.originOf(A), sorted.originOf(B)]).toEqual([origin, 'unknown']);
    expect(ofEarlierRuns(sorted)).toEqual(origin === 'unknown' ? [] : [A]);
    expect([sorted.listed, sorted.listedMs]).toEqual([beats(A), 0]);
  });

  it('of the journal that is not listed has ended, which the journal records', async () => {
    const state = restored({ heartbeats: new Set([A, B]) });
    await sortHeartbeats(rig.context, state, beats(B));
    expect(rig.noted).toEqual([{ kind: 'heartbeat_ended', heartbeatId: A, how: 'not listed', by: 'note' }]);
  });
});

describe('a resync', () => {
  const PARTS = {
    reports: { order: () => null },
    lookups: { settle: async () => undefined },
    foreignLookups: { ask: async () => undefined },
  } as never;

  it('is repeated after pauses that double up to ten seconds, until it is done', async () => {
    const asked: number[] = [];
    rig.venue['orders'] = async () => {
      asked.push(rig.clock.monotonicMs());
      if (asked.length < 8) throw new VenueRejection('server_error', 503, 'no');
      return { orders: [], unread: [] };
    };
    const done = resyncUntilDone(rig.context, PARTS, () => false);
    await rig.clock.advance(60_000);
    expect(await done).toBe(true);
    expect(asked.map((ms, at) => ms - (asked[at - 1] ?? 0))).toEqual([
      0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
    expect(rig.warned).toHaveLength(7);
  });

  it('is not done once it was given up, before or after its answer', async () => {
    let isAbandoned = true;
    expect(await resyncUntilDone(rig.context, PARTS, () => isAbandoned)).toBe(false);
    isAbandoned = false;
    rig.venue['orders'] = async () => {
      isAbandoned = true;
      return { orders: [], unread: [] };
    };
    expect(await resyncUntilDone(rig.context, PARTS, () => isAbandoned)).toBe(false);
  });

  it('asks nothing of an order that was never sent', async () => {
    begin(trackedOrder({}, { state: 'prepared', orderId: null }), trackedOrder({}, { requestUuid: 'b' }));
    await recovered();
    expect(did.filter((each) => each.startsWith('settle'))).toEqual(['settle b']);
  });
});
