import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/domain/errors.ts';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import type { AccountClaim } from '../../../src/domain/installation.ts';
import { type AccountHold, beginHolding, holdAccount } from '../../../src/orders/recovery/account-hold.ts';
import { OWN } from '../../support/claims.ts';
import { PartRig } from '../support/part.ts';
import { bookOf } from '../support/tracked.ts';

const [OLD, MINE, STRANGE] = ['old', 'mine', 'strange'] as [HeartbeatId, HeartbeatId, HeartbeatId];

let rig: PartRig;
let hold: AccountHold;
let told: string[];

function begin(claim: Partial<AccountClaim> = {}): void {
  told = [];
  rig = new PartRig({
    deps: {
      claim: { installation: OWN, earlierOwner: 'dead', isSoleUser: false, takesOver: false, ...claim },
      ids: { uuid: () => 'a seed' },
    },
  });
  Object.assign(rig.context, { book: bookOf(rig.clock) });
  Object.assign(rig.context.journalWriter, { unread: false });
  hold = holdAccount(rig.context, {
    trusted: () => true,
    mustRunOut: () => false,
    onLost: (reason) => void told.push(`lost: ${reason}`),
    closeAll: (why) => void told.push(`close all: ${why}`),
    resync: (reason) => void told.push(`resync: ${reason}`),
  });
}
beforeEach(() => begin());

const beats = (...ids: readonly HeartbeatId[]) =>
  ids.map((heartbeatId) => ({ heartbeatId, expiryMs: 30_000 }));
const start = (ids: readonly HeartbeatId[], moreHeartbeatsMayCome = false): void =>
  beginHolding(hold, {
    heartbeats: {
      listed: beats(...ids),
      listedMs: 0,
      originOf: (id) => (id === OLD ? 'journal' : 'unknown'),
    },
    moreHeartbeatsMayCome,
  });
async function created(...listed: readonly HeartbeatId[]): Promise<void> {
  await rig.take('createHeartbeat').answer({ heartbeatId: MINE, expiryMs: null });
  await rig.take('heartbeats').answer(beats(...listed));
}

describe('an account that is free', () => {
  it('gets a heartbeat at once, and what earlier runs left is deleted once that is proven', async () => {
    start([OLD]);
    hold.oldHeartbeats.sweep();
    expect(rig.asked.map(({ method }) => method)).toEqual(['createHeartbeat']);
    expect(hold.oldHeartbeats.has(OLD)).toBe(true);
    await created(OLD, MINE);
    hold.oldHeartbeats.sweep();
    expect(rig.take('deleteHeartbeat').args).toEqual([OLD]);
    expect([hold.heartbeat.id, hold.others.isFree]).toEqual([MINE, true]);
  });

  it.each([
    [false, false],
    [true, true],
  ])('is searched for a heartbeat that may land late, if one may: %s', async (mayCome, isSought) => {
    start([], mayCome);
    expect(hold.oldHeartbeats.dueMs < Infinity).toBe(isSought);
    hold.others.onListed(beats(STRANGE), 1);
    expect(hold.others.sightings.isUnanswered(STRANGE)).toBe(isSought);
  });

  it('is watched again, and searched, after a creation that was not answered', async () => {
    start([]);
    const asked = rig.take('createHeartbeat');
    asked.options.beforeSend?.();
    await asked.fail(new TransportError('unknown', 'cut'));
    expect(hold.oldHeartbeats.dueMs).toBe(-Infinity);
    hold.others.onListed(beats(STRANGE), 1);
    expect(hold.others.sightings.isUnanswered(STRANGE)).toBe(true);
  });

  it('is left to another process that made a heartbeat at the same time', async () => {
    start([]);
    await created(MINE, STRANGE);
    expect([hold.others.isFree, rig.halts.has('presence')]).toEqual([false, true]);
    expect(rig.take('deleteHeartbeat').args).toEqual([MINE]);
  });

  it('is left to nobody where this process is the only user', async () => {
    begin({ isSoleUser: true });
    start([]);
    await created(MINE, STRANGE);
    expect([hold.others.isFree, hold.heartbeat.allowsSending()]).toEqual([true, true]);
  });

  it('keeps a heartbeat that is said to be gone in mind, until it is certainly over', async () => {
    start([]);
    await created(MINE);
    hold.heartbeat.list('reducing', () => undefined);
    await rig.take('heartbeats').answer([]);
    expect(hold.oldHeartbeats.has(MINE)).toBe(true);
    expect(told).toEqual(['lost: the exchange does not know our heartbeat any more: not listed']);
  });
});

describe('an account that may have another user', () => {
  it('gets no heartbeat', () => {
    begin({ earlierOwner: 'unknown' });
    start([]);
    hold.heartbeat.arm();
    expect([hold.others.isFree, rig.asked]).toEqual([false, []]);
  });
});
