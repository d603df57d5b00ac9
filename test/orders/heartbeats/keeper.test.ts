import { beforeEach, describe, expect, it } from 'vitest';
import { JournalError, TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import { HeartbeatKeeper } from '../../../src/orders/heartbeats/keeper.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { PartRig } from '../support/part.ts';

const [FIRST, SECOND] = ['hb-1', 'hb-2'] as [HeartbeatId, HeartbeatId];
const TIMEOUT_MS = 30_000;
const REFRESH_MS = 10_000;
const RETRY_MS = 1_000;
const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const REFUSED = new VenueRejection('forbidden', 403, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');

const metrics = createPrometheusMetrics({ processMetrics: false });
let rig: PartRig;
let keeper: HeartbeatKeeper;
let told: string[];
const facts = { trusted: true, mustRunOut: false, mayCreate: true, contested: false };

beforeEach(() => {
  Object.assign(facts, { trusted: true, mustRunOut: false, mayCreate: true, contested: false });
  told = [];
  rig = new PartRig({
    metrics,
    options: {
      heartbeat: { timeoutS: 30, refreshRatio: 1 / 3, retryMs: RETRY_MS, sendReserveMs: 5_000 },
    },
  });
  keeper = new HeartbeatKeeper(rig.context, {
    trusted: () => facts.trusted,
    mustRunOut: () => facts.mustRunOut,
    mayCreate: () => facts.mayCreate,
    isContested: () => facts.contested,
    onListed: (listed, askedMs) =>
      void told.push(`listed ${listed.map(({ heartbeatId }) => heartbeatId).join(' ')} ${askedMs}`),
    onContested: () => void told.push('contested'),
    onUnanswered: () => void told.push('unanswered'),
    onLost: (reason) => void told.push(`lost: ${reason}`),
    onGivenUp: (id) => void told.push(`given up ${id}`),
  });
});

const advance = async (ms: number): Promise<void> => rig.clock.advance(ms);
const beat = (heartbeatId: HeartbeatId) => ({ heartbeatId, expiryMs: 0 });

/** Lets the request that keeps a heartbeat leave now, and answers it `laterMs` later. */
async function answered(method: string, id = FIRST, laterMs = 0): Promise<void> {
  const asked = rig.take(method);
  asked.options.beforeSend?.();
  await advance(laterMs);
  await asked.answer(beat(id));
}
const listed = async (...ids: readonly HeartbeatId[]): Promise<void> =>
  rig.take('heartbeats').answer(ids.map(beat));

async function armed(): Promise<void> {
  keeper.arm();
  await answered('createHeartbeat');
  await listed(FIRST);
  told = [];
}

/** Sweeps at an instant from now, and returns what it requests. */
async function sweptAfter(ms: number): Promise<string[]> {
  await advance(ms);
  keeper.sweep();
  return rig.asked.map(({ method }) => method);
}

describe('before a heartbeat is wanted', () => {
  it('nothing is known, requested or proven', () => {
    keeper.sweep();
    expect(rig.methods()).toEqual([]);
    expect([keeper.id, keeper.remainingMs(), keeper.isKnown, keeper.hasRunOut, keeper.isMissing]).toEqual([
      null,
      0,
      false,
      false,
      false,
    ]);
    expect([keeper.allowsSending(), keeper.dueMs, keeper.isMine(FIRST)]).toEqual([false, -Infinity, false]);
  });

  it('an account without one counts as one whose heartbeat has run out', () => {
    keeper.foundNone();
    expect([keeper.isKnown, keeper.hasRunOut, keeper.isMissing]).toEqual([true, true, false]);
  });
});

describe('the creation', () => {
  it('is requested once, with the timeout, as urgent, and journalled before it leaves', async () => {
    keeper.arm();
    keeper.sweep();
    const [asked, ...others] = rig.asked;
    expect([others, asked?.method, asked?.args, asked?.options.priority]).toEqual([
      [],
      'createHeartbeat',
      [30],
      'urgent',
    ]);
    expect([rig.noted, keeper.hasRunOut, keeper.isMissing]).toEqual([[], true, true]);
    asked?.options.beforeSend?.();
    asked?.options.whenConnected?.();
    expect(rig.noted).toEqual([{ kind: 'heartbeat_requested', by: 'commit' }]);
  });

  it('proves from the instant at which it left on, and is confirmed by a listing', async () => {
    keeper.arm();
    await advance(300);
    await answered('createHeartbeat', FIRST, 200);
    expect(rig.noted.at(-1)).toEqual({ kind: 'heartbeat_armed', heartbeatId: FIRST, by: 'note' });
    expect(keeper.proof).toEqual({ isConfirmed: false, provenUntilMs: 30_300, reserveMs: 5_000 });
    expect([keeper.remainingMs(), keeper.allowsSending(), keeper.id]).toEqual([29_800, false, FIRST]);
    expect([keeper.isMine(FIRST), keeper.isMine(SECOND), keeper.isKnown]).toEqual([true, false, true]);
    expect([keeper.hasRunOut, keeper.isMissing]).toEqual([false, false]);
    expect(rig.asked[0]?.options).toEqual({ priority: 'urgent' });
    await listed(SECOND, FIRST);
    expect([keeper.proof.isConfirmed, keeper.allowsSending()]).toEqual([true, true]);
    expect(told).toEqual(['listed hb-2 hb-1 500']);
    expect(rig.methods()).toEqual([]);
  });

  it.each([
    [24_999, true],
    [25_000, false],
  ])('%i ms later allows an order only while more than the reserve is proven: %s', async (ms, isAllowed) => {
    await armed();
    await advance(ms);
    expect(keeper.allowsSending()).toBe(isAllowed);
  });

  it('shows what is left of the proof in seconds', async () => {
    await armed();
    await advance(4_000);
    keeper.sweep();
    const { text } = await metrics.expose();
    expect(text).toContain('\ntouchline_orders_heartbeat_remaining_seconds 26\n');
  });

  it('has a reserve of half of a short timeout at most', () => {
    rig.context.options = {
      ...rig.context.options,
      heartbeat: { ...rig.context.options.heartbeat, timeoutS: 8 },
    };
    expect(keeper.reserveMs).toBe(4_000);
  });

  it.each([
    ['the exchange refuses our key', () => void (rig.venue.keyRefusal = REFUSED)],
    ['another process may use the account', () => void (facts.mayCreate = false)],
    ['the engine hangs and nothing is open', () => void (facts.trusted = false)],
  ])('waits while %s', async (_, hinder) => {
    hinder();
    keeper.arm();
    expect(rig.methods()).toEqual([]);
    [rig.venue.keyRefusal, facts.mayCreate, facts.trusted] = [null, true, true];
    keeper.sweep();
    expect(rig.methods()).toEqual(['createHeartbeat']);
  });

  it('is requested though the engine hangs if orders are open that only its expiry may close', () => {
    Object.assign(facts, { trusted: false, mustRunOut: true });
    keeper.arm();
    expect(rig.methods()).toEqual(['createHeartbeat']);
  });

  it('does not leave once it must not be kept any more, and is not journalled then', async () => {
    keeper.arm();
    const asked = rig.take('createHeartbeat');
    facts.mayCreate = false;
    for (const check of [asked.options.beforeSend, asked.options.whenConnected])
      expect(() => check?.()).toThrow(expect.objectContaining({ outcome: 'not-sent' }));
    await asked.fail(new TransportError('not-sent', 'left'));
    expect([rig.noted, told]).toEqual([[], []]);
  });

  it.each([
    ['refused', REFUSED, [], [{ kind: 'heartbeat_refused', by: 'note' }]],
    ['not answered', UNANSWERED, ['unanswered'], []],
  ])('is requested again soon after one that was %s', async (_, error, hooks, noted) => {
    keeper.arm();
    const asked = rig.take('createHeartbeat');
    asked.options.beforeSend?.();
    await asked.fail(error);
    expect([told, rig.noted.slice(1)]).toEqual([hooks, noted]);
    expect(rig.warned).toEqual([{ message: 'heartbeat could not be created', error }]);
    expect(await sweptAfter(RETRY_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['createHeartbeat']);
  });

  it('is not requested again once the journal has failed: nothing will be placed', async () => {
    keeper.arm();
    await rig.take('createHeartbeat').fail(new JournalError('full'));
    expect(await sweptAfter(60_000)).toEqual([]);
    expect([told, keeper.isMissing]).toEqual([[], false]);
  });

  it('that was refused by the exchange before it left is not journalled as refused', async () => {
    keeper.arm();
    await rig.take('createHeartbeat').fail(REFUSED);
    expect(rig.noted).toEqual([]);
  });
});

describe('the listing after the creation', () => {
  beforeEach(async () => {
    keeper.arm();
    await answered('createHeartbeat');
  });

  it('is repeated by a sweep at the next refresh if it failed', async () => {
    await rig.take('heartbeats').fail(UNANSWERED);
    expect(rig.warned).toEqual([{ message: 'heartbeats could not be listed', error: UNANSWERED }]);
    expect(keeper.proof.isConfirmed).toBe(false);
    expect(await sweptAfter(REFRESH_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['heartbeats', 'refreshHeartbeat']);
    await listed(FIRST);
    expect(keeper.proof.isConfirmed).toBe(true);
  });

  it('takes the heartbeat back if another process made one at the same time', async () => {
    facts.contested = true;
    await listed(FIRST, SECOND);
    expect([told.at(-1), rig.warned.length]).toEqual(['contested', 1]);
    expect([keeper.remainingMs(), keeper.id, keeper.proof.isConfirmed]).toEqual([0, FIRST, false]);
    const removal = rig.take('deleteHeartbeat');
    expect([removal.args, removal.options]).toEqual([[FIRST], { priority: 'urgent' }]);
    await removal.answer();
    expect([keeper.id, rig.noted.at(-1)]).toEqual([
      null,
      { kind: 'heartbeat_ended', heartbeatId: FIRST, how: 'removed', by: 'note' },
    ]);
  });

  it('that does not show it means that it is lost', async () => {
    await advance(100);
    await listed(SECOND);
    expect(told.slice(1)).toEqual([
      'given up hb-1',
      'lost: the exchange does not know our heartbeat any more: not listed',
    ]);
    expect([keeper.id, keeper.remainingMs(), keeper.hasRunOut]).toEqual([null, 0, true]);
    expect(rig.fruitless).toEqual(['heartbeat  not listed']);
    keeper.sweep();
    expect(rig.methods()).toEqual(['createHeartbeat']);
  });
});

describe('the refresh', () => {
  beforeEach(armed);

  it('comes when a part of the timeout is over, and proves from the instant at which it left', async () => {
    expect(keeper.dueMs).toBe(REFRESH_MS);
    expect(await sweptAfter(REFRESH_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['refreshHeartbeat']);
    keeper.sweep();
    expect([rig.asked.length, rig.asked[0]?.args, keeper.dueMs]).toEqual([1, [FIRST], -Infinity]);
    await advance(50);
    await answered('refreshHeartbeat', FIRST, 70);
    expect(keeper.proof).toEqual({ isConfirmed: true, provenUntilMs: 40_050, reserveMs: 5_000 });
    expect([keeper.dueMs, told]).toEqual([2 * REFRESH_MS, []]);
  });

  it('is not sent beside one that has no answer yet, however long that takes', async () => {
    await sweptAfter(REFRESH_MS);
    expect(await sweptAfter(5 * REFRESH_MS)).toEqual(['refreshHeartbeat']);
  });

  it('bears fruit once the heartbeat is as old as its timeout', async () => {
    for (const lasted of [[], [], ['heartbeat  lasted']]) {
      await sweptAfter(REFRESH_MS);
      await answered('refreshHeartbeat');
      expect(rig.fruitless).toEqual(lasted);
    }
  });

  it.each([
    ['refused', REFUSED],
    ['not answered', UNANSWERED],
  ])('is repeated soon after one that was %s, and the proof goes on', async (_, error) => {
    await sweptAfter(REFRESH_MS);
    await rig.take('refreshHeartbeat').fail(error);
    expect(rig.warned).toEqual([
      { message: 'heartbeat could not be refreshed', error, remainingMs: TIMEOUT_MS - REFRESH_MS },
    ]);
    expect([keeper.remainingMs(), told]).toEqual([TIMEOUT_MS - REFRESH_MS, []]);
    expect(await sweptAfter(RETRY_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['refreshHeartbeat']);
  });

  it('that comes after the proven time tells that the heartbeat may have run out', async () => {
    await sweptAfter(TIMEOUT_MS);
    await answered('refreshHeartbeat');
    expect(told).toEqual([]);
    await sweptAfter(TIMEOUT_MS + 1);
    await answered('refreshHeartbeat');
    expect(told).toEqual(['lost: refreshed too late: the heartbeat may have run out between']);
  });

  it('that shows that the heartbeat is gone leads to a new one, and counts as fruitless while it was proven', async () => {
    await sweptAfter(REFRESH_MS);
    await rig.take('refreshHeartbeat').fail(NOT_FOUND);
    expect(told).toEqual([
      'given up hb-1',
      'lost: the exchange does not know our heartbeat any more: not found',
    ]);
    expect([keeper.id, keeper.remainingMs(), rig.fruitless]).toEqual([null, 0, ['heartbeat  not found']]);
    expect(await sweptAfter(0)).toEqual(['createHeartbeat']);
  });

  it('of a heartbeat that had run out is no fruitless attempt', async () => {
    await sweptAfter(TIMEOUT_MS);
    await rig.take('refreshHeartbeat').fail(NOT_FOUND);
    expect([rig.fruitless, told.length]).toEqual([[], 2]);
  });

  it('does not leave once the engine hangs', async () => {
    await sweptAfter(REFRESH_MS);
    facts.trusted = false;
    const { options } = rig.take('refreshHeartbeat');
    expect(() => options.beforeSend?.()).toThrow(expect.objectContaining({ outcome: 'not-sent' }));
    expect(() => options.whenConnected?.()).toThrow(expect.objectContaining({ outcome: 'not-sent' }));
  });

  it('is not requested while the key is refused or the engine hangs', async () => {
    rig.venue.keyRefusal = REFUSED;
    expect(await sweptAfter(REFRESH_MS)).toEqual([]);
    rig.venue.keyRefusal = null;
    facts.trusted = false;
    expect(await sweptAfter(REFRESH_MS)).toEqual([]);
    facts.trusted = true;
    expect(await sweptAfter(0)).toEqual(['refreshHeartbeat']);
  });

  it.each([
    ['an answer', async () => answered('refreshHeartbeat')],
    ['a refusal', async () => rig.take('refreshHeartbeat').fail(REFUSED)],
    ['a word that it is gone', async () => rig.take('refreshHeartbeat').fail(NOT_FOUND)],
  ])('of a heartbeat that was given up changes nothing of its successor: %s', async (_, late) => {
    await sweptAfter(REFRESH_MS);
    keeper.list('reducing', () => undefined);
    await listed();
    keeper.sweep();
    await answered('createHeartbeat', SECOND);
    await listed(SECOND);
    [told, rig.warned.length] = [[], 0];
    const before = [keeper.id, keeper.proof, keeper.dueMs];
    await advance(100);
    await late();
    expect([keeper.id, keeper.proof, keeper.dueMs]).toEqual(before);
    expect([told, rig.warned, keeper.id]).toEqual([[], [], SECOND]);
  });
});

describe('a heartbeat that must run out', () => {
  beforeEach(async () => {
    await armed();
    Object.assign(facts, { trusted: false, mustRunOut: true });
  });

  it('is looked after by one listing at a time, and not refreshed', async () => {
    expect(await sweptAfter(REFRESH_MS)).toEqual(['heartbeats']);
    expect(rig.asked[0]?.options).toEqual({ priority: 'reducing' });
    expect(await sweptAfter(RETRY_MS)).toEqual(['heartbeats']);
    await listed(FIRST);
    expect(await sweptAfter(RETRY_MS - 1)).toEqual(['heartbeats']);
    await rig.take('heartbeats').fail(UNANSWERED);
    expect(await sweptAfter(RETRY_MS)).toEqual(['heartbeats']);
  });

  it('is looked after soon again, and no sooner', async () => {
    await sweptAfter(REFRESH_MS);
    await listed(FIRST);
    expect(await sweptAfter(RETRY_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['heartbeats']);
  });

  it.each([
    [1_001, ['heartbeats']],
    [1_000, []],
  ])('is not looked after in its last second: %i ms left', async (leftMs, requests) => {
    expect(await sweptAfter(TIMEOUT_MS - leftMs)).toEqual(requests);
  });
});

describe('a question whether it still exists', () => {
  it('is answered at once while there is none', () => {
    const answers: boolean[] = [];
    keeper.verify((isListed) => void answers.push(isListed));
    expect([answers, rig.methods()]).toEqual([[true], []]);
  });

  it('is answered by a listing, or not at all', async () => {
    await armed();
    const answers: boolean[] = [];
    for (const error of [null, UNANSWERED]) {
      keeper.verify((isListed) => void answers.push(isListed));
      expect(rig.asked[0]?.options).toEqual({ priority: 'urgent' });
      if (error === null) await listed(FIRST);
      else await rig.take('heartbeats').fail(error);
    }
    expect([answers, keeper.id]).toEqual([[true, false], FIRST]);
  });

  it('concerns the heartbeat of the moment at which it was asked', async () => {
    keeper.list('normal', () => undefined);
    keeper.arm();
    await answered('createHeartbeat');
    await listed();
    expect(keeper.id).toBe(FIRST);
  });
});

describe('a release', () => {
  it('deletes the heartbeat, again each second until it is certainly gone, and creates no other', async () => {
    await armed();
    keeper.release();
    expect([keeper.id, keeper.remainingMs()]).toEqual([FIRST, 0]);
    expect(await sweptAfter(RETRY_MS)).toEqual(['deleteHeartbeat']);
    await rig.take('deleteHeartbeat').fail(UNANSWERED);
    expect(await sweptAfter(RETRY_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['deleteHeartbeat']);
    await rig.take('deleteHeartbeat').fail(NOT_FOUND);
    expect(keeper.id).toBeNull();
    expect(await sweptAfter(60_000)).toEqual([]);
  });

  it('takes back a heartbeat that is created meanwhile, at once', async () => {
    keeper.arm();
    keeper.release();
    expect(rig.asked).toHaveLength(1);
    await answered('createHeartbeat');
    expect([rig.methods(), keeper.remainingMs()]).toEqual([['deleteHeartbeat'], 0]);
  });

  it('does nothing without a heartbeat', () => {
    keeper.release();
    expect(rig.methods()).toEqual([]);
  });
});

describe('the removal at the end', () => {
  it('says at once that none is there, unless a creation was not answered', async () => {
    expect(await keeper.remove(0)).toBe(true);
    keeper.arm();
    const asked = rig.take('createHeartbeat');
    asked.options.beforeSend?.();
    await asked.fail(UNANSWERED);
    expect(await keeper.remove(0)).toBe(false);
    keeper.arm();
    await advance(RETRY_MS);
    keeper.sweep();
    await answered('createHeartbeat', SECOND);
    const removal = keeper.remove(0);
    await rig.take('deleteHeartbeat').answer();
    expect(await removal).toBe(true);
    expect(await keeper.remove(0)).toBe(true);
  });

  it.each([
    ['deleted', null, true, null],
    ['not known', NOT_FOUND, true, null],
    ['not answered', UNANSWERED, false, FIRST],
  ])('is certain once it is %s', async (_, error, isGone, left) => {
    await armed();
    const removal = keeper.remove(0);
    expect([keeper.id, keeper.remainingMs(), keeper.isMissing]).toEqual([FIRST, 0, false]);
    const asked = rig.take('deleteHeartbeat');
    await (error === null ? asked.answer() : asked.fail(error));
    expect([await removal, keeper.id]).toEqual([isGone, left]);
  });

  it('waits for one that is being created, up to its time', async () => {
    keeper.arm();
    const asked = rig.take('createHeartbeat');
    let isGone: boolean | null = null;
    void keeper.remove(500).then((gone) => (isGone = gone));
    await advance(480);
    expect(isGone).toBeNull();
    await advance(20);
    expect(isGone).toBe(false);
    const removal = keeper.remove(9_000);
    await asked.answer(beat(FIRST));
    await advance(20);
    for (const each of rig.asked.splice(0)) await each.answer();
    expect(await removal).toBe(true);
  });
});
