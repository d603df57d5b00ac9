import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import type { Heartbeat } from '../../../src/domain/orders.ts';
import { OldHeartbeats } from '../../../src/orders/heartbeats/old-heartbeats.ts';
import { PartRig } from '../support/part.ts';

const [A, B, PRESENT] = ['a', 'b', 'present'] as [HeartbeatId, HeartbeatId, HeartbeatId];
const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');
const LANDING_MS = 30_000;

let rig: PartRig;
let old: OldHeartbeats;
let present: HeartbeatId | null;
let allows: boolean;
let abandoned: Set<HeartbeatId>;
let unanswered: Set<HeartbeatId>;
let lists: ((listed: readonly Heartbeat[] | null) => void)[];

beforeEach(() => {
  [present, allows, lists] = [PRESENT, true, []];
  [abandoned, unanswered] = [new Set([A, B]), new Set()];
  rig = new PartRig({ options: { latestLandingMs: LANDING_MS } });
  const keeper = {
    get id() {
      return present;
    },
    allowsSending: () => allows,
    list: (priority: string, onListed: (listed: readonly Heartbeat[] | null) => void) => {
      expect(priority).toBe('reducing');
      lists.push(onListed);
    },
  };
  const others = {
    isAbandoned: (id: HeartbeatId) => abandoned.has(id),
    isUnanswered: (id: HeartbeatId) => unanswered.has(id),
  };
  old = new OldHeartbeats(rig.context, keeper, others);
});

const show = (...ids: readonly HeartbeatId[]): void =>
  lists.shift()?.(ids.map((heartbeatId) => ({ heartbeatId, expiryMs: 0 })));
const sweptAfter = async (ms: number): Promise<unknown[]> => {
  await rig.clock.advance(ms);
  old.sweep();
  return rig.asked.map(({ args }) => args[0]);
};
const isHalted = (): boolean => rig.halts.codeOf('old_heartbeat') === 'heartbeat_of_an_earlier_run';
const ended = (): unknown[] => rig.noted.filter(({ kind }) => kind === 'heartbeat_ended');

describe('old heartbeats', () => {
  it('block placing until the last of them is deleted, and the journal records each', async () => {
    expect([isHalted(), old.left, old.dueMs]).toEqual([false, 0, Infinity]);
    old.found([]);
    expect(isHalted()).toBe(false);
    old.found([A, B]);
    expect([isHalted(), old.left, old.has(A), old.dueMs]).toEqual([true, 2, true, -Infinity]);
    expect(await sweptAfter(0)).toEqual([A, B]);
    expect(rig.asked[0]).toMatchObject({ method: 'deleteHeartbeat', options: { priority: 'reducing' } });
    await rig.take('deleteHeartbeat').answer();
    expect([isHalted(), old.left, old.has(A)]).toEqual([true, 1, false]);
    await rig.take('deleteHeartbeat').fail(NOT_FOUND);
    expect([isHalted(), old.left, rig.warned]).toEqual([false, 0, []]);
    expect(ended()).toEqual(
      [A, B].map((heartbeatId) => ({
        kind: 'heartbeat_ended',
        heartbeatId,
        how: 'of an earlier run',
        by: 'note',
      })),
    );
  });

  it('guard open orders until the new one is proven, unless nothing is open', async () => {
    allows = false;
    old.found([A]);
    expect(await sweptAfter(0)).toEqual([]);
    old.guardNothing([B]);
    expect(await sweptAfter(0)).toEqual([A, B]);
  });

  it('that may be refreshed by another process are not deleted, but looked for', async () => {
    abandoned.delete(A);
    old.found([A]);
    expect([await sweptAfter(0), lists.length]).toEqual([[], 1]);
    await sweptAfter(1_000);
    show(A);
    expect(old.left).toBe(1);
    await sweptAfter(999);
    expect(lists).toHaveLength(0);
    await sweptAfter(1);
    show();
    expect([old.left, isHalted(), ended()]).toMatchObject([0, false, [{ how: 'of an earlier run' }]]);
  });

  it('that were found after the listing was asked for are not missed by it', async () => {
    abandoned.delete(A);
    old.found([A]);
    old.sweep();
    show();
    expect(old.left).toBe(1);
    await sweptAfter(2_000);
    show();
    expect(old.left).toBe(0);
  });

  it('are deleted again a second after a failure, once each at a time, and are then looked for', async () => {
    old.found([A]);
    await sweptAfter(0);
    expect(await sweptAfter(1_000)).toEqual([A]);
    expect(lists).toHaveLength(0);
    await rig.take('deleteHeartbeat').fail(UNANSWERED);
    expect(rig.warned).toEqual([
      { message: 'an old heartbeat could not be deleted', id: A, error: UNANSWERED },
    ]);
    expect(await sweptAfter(999)).toEqual([]);
    expect(lists).toHaveLength(1);
    expect(await sweptAfter(1)).toEqual([A]);
    show(PRESENT);
    expect([old.left, isHalted()]).toEqual([0, false]);
    await rig.take('deleteHeartbeat').answer();
    expect(ended()).toHaveLength(1);
    // All are gone, so the next one is not looked for unless its delete fails.
    old.found([B]);
    expect([await sweptAfter(2_000), lists.length]).toEqual([[B], 0]);
  });

  it('that this run gave up are deleted whoever refreshes them, and not taken off by a listing', async () => {
    abandoned.clear();
    old.found([A], 'given up');
    expect(await sweptAfter(0)).toEqual([A]);
    await rig.take('deleteHeartbeat').fail(UNANSWERED);
    await sweptAfter(2_000);
    show();
    expect(old.left).toBe(1);
    await rig.take('deleteHeartbeat').answer();
    expect(ended()).toMatchObject([{ how: 'given up' }]);
  });

  it('that this run gave up are over after the longest life of a heartbeat, and earlier ones never by time', async () => {
    abandoned.clear();
    old.found([A], 'given up');
    old.found([B]);
    await sweptAfter(299_999);
    expect(old.has(A)).toBe(true);
    await rig.take('deleteHeartbeat').fail(UNANSWERED);
    await sweptAfter(999);
    expect(old.has(A)).toBe(true);
    await sweptAfter(1);
    expect([old.has(A), old.has(B)]).toEqual([false, true]);
    expect([await sweptAfter(900_000), old.left]).toEqual([[], 1]);
  });

  it('that are forgotten are noted once', async () => {
    old.found([A], 'given up');
    await sweptAfter(0);
    await sweptAfter(300_000);
    await rig.take('deleteHeartbeat').answer();
    expect(ended()).toHaveLength(1);
  });
});

describe('a heartbeat of an unanswered request', () => {
  beforeEach(() => {
    unanswered = new Set([A]);
    old.expect();
  });

  it('is looked for every two seconds, by one listing at a time, until it can no longer land', async () => {
    expect(old.dueMs).toBe(-Infinity);
    await sweptAfter(0);
    expect([lists.length, old.dueMs]).toEqual([1, 2_000]);
    await sweptAfter(5_000);
    expect(lists).toHaveLength(1);
    show(PRESENT);
    await sweptAfter(0);
    expect(lists).toHaveLength(1);
    show(PRESENT);
    await sweptAfter(1_999);
    expect(lists).toHaveLength(0);
    await sweptAfter(LANDING_MS - 7_000);
    show(PRESENT);
    await sweptAfter(1);
    expect(old.dueMs).toBeLessThan(Infinity);
    await sweptAfter(2_000);
    show(PRESENT);
    expect(old.dueMs).toBe(Infinity);
    await sweptAfter(60_000);
    expect(lists).toHaveLength(0);
  });

  it('is deleted and journalled once it is found, told, and others are left alone', async () => {
    await sweptAfter(0);
    show(PRESENT, A, B);
    expect(rig.warned).toEqual([
      { message: 'a heartbeat whose create request had no answer is deleted', heartbeatId: A },
    ]);
    expect(rig.noted).toEqual([{ kind: 'heartbeat_armed', heartbeatId: A, by: 'note' }]);
    expect([old.left, old.has(B)]).toEqual([1, false]);
    expect(await sweptAfter(2_000)).toEqual([A]);
    show(A);
    expect([rig.warned.length, old.left]).toEqual([1, 1]);
  });

  it('is looked for on while it may not be deleted yet', async () => {
    abandoned.clear();
    await sweptAfter(LANDING_MS);
    show(A);
    expect([old.left, old.dueMs < Infinity]).toEqual([0, true]);
    abandoned.add(A);
    await sweptAfter(2_000);
    show(A);
    expect([old.left, old.has(A)]).toEqual([1, true]);
  });

  it('is not looked for without a heartbeat of ours, and not found by a listing for an earlier one', async () => {
    present = null;
    await sweptAfter(0);
    expect(lists).toHaveLength(0);
    present = PRESENT;
    await sweptAfter(0);
    present = B;
    show(A);
    expect([old.left, rig.noted]).toEqual([0, []]);
  });

  it('is looked for again after a listing that failed', async () => {
    await sweptAfter(0);
    lists.shift()?.(null);
    await sweptAfter(2_000);
    expect(lists).toHaveLength(1);
  });
});

it('without an unanswered request, a heartbeat that a listing shows is not deleted', async () => {
  unanswered = new Set([B]);
  abandoned = new Set([B]);
  old.found([A]);
  await sweptAfter(0);
  show(A, B);
  expect([old.left, old.has(B)]).toEqual([1, false]);
});
