import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { orderId, type HeartbeatId } from '../../../src/domain/ids.ts';
import type { AccountClaim } from '../../../src/domain/installation.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { OtherInstallations, oursOf } from '../../../src/orders/heartbeats/other-installations.ts';
import type { HeartbeatOrigin } from '../../../src/orders/heartbeats/presence.ts';
import { markedBy, OTHER, OWN } from '../../support/claims.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

/** A refresh interval of ten seconds, and two for the answers. */
const WATCH_MS = 12_000;
/** The longest life of an order or a heartbeat, and a minute. */
const LINGER_MS = 180_000;
const [A, B] = ['a', 'b'] as [HeartbeatId, HeartbeatId];

let rig: PartRig;
let others: OtherInstallations;
let told: string[];
let alarms: string[];
let unread: boolean;

function begin(claim: Partial<AccountClaim> = {}, ...orders: readonly TrackedOrder[]): void {
  [told, alarms, unread] = [[], [], false];
  rig = new PartRig({
    options: { durationS: 120, heartbeat: { timeoutS: 30, refreshRatio: 1 / 3 }, latestLandingMs: 30_000 },
    deps: {
      claim: { installation: OWN, earlierOwner: 'unknown', isSoleUser: false, takesOver: false, ...claim },
      ids: { uuid: () => 'a seed' },
    },
  });
  const writer = Object.defineProperty({ ...rig.context.journalWriter }, 'unread', { get: () => unread });
  Object.assign(rig.context, {
    book: bookOf(rig.clock, ...orders),
    journalWriter: writer,
    metrics: { alarms: { inc: ({ kind }: { kind: string }): void => void alarms.push(kind) } },
  });
  others = new OtherInstallations(rig.context, {
    heartbeat: {
      isMine: (id) => id === 'mine',
      arm: () => void told.push('arm'),
      release: () => void told.push('release'),
      list: (priority, onListed) => {
        told.push(`list ${priority}`);
        answers.push(onListed);
      },
    },
    deleteOld: (ids) => void told.push(`delete ${ids.join(' ')}`),
    closeAll: (why) => void told.push(`close all: ${why}`),
    resync: (reason) => void told.push(`resync: ${reason}`),
  });
  answers.length = 0;
}
const answers: ((listed: null) => void)[] = [];

beforeEach(() => begin());

const listing = (...ids: readonly HeartbeatId[]) =>
  ids.map((heartbeatId) => ({ heartbeatId, expiryMs: 30_000 }));
const start = (ids: readonly HeartbeatId[] = [], origin: HeartbeatOrigin = 'unknown'): void =>
  others.begin({ listed: listing(...ids), listedMs: rig.clock.monotonicMs(), originOf: () => origin });
const shown = (
  over: Partial<VenueOrder> & { readonly id?: number; readonly by?: typeof OWN } = {},
): VenueOrder =>
  ({
    orderId: orderId(over.id ?? 7),
    closed: false,
    placementTimeMs: null,
    userData: markedBy(over.by ?? OTHER, '1', `uuid-${over.id ?? 7}`),
    ...over,
  }) as VenueOrder;
const halt = (): string | null => rig.halts.codeOf('presence');
/** Sweeps at an instant from now. Each listing that this asks for is answered with these heartbeats, before the sweep returns. */
async function sweptAfter(ms: number, ...ids: readonly HeartbeatId[]): Promise<string[]> {
  await rig.clock.advance(ms);
  others.sweep();
  for (const answer of answers.splice(0)) {
    others.onListed(listing(...ids), rig.clock.monotonicMs());
    answer(null);
  }
  return told.splice(0);
}

describe('an account that no other process uses', () => {
  it('is watched for one refresh interval, by listings, and then traded once it was read again', async () => {
    expect([others.isFree, others.dueMs]).toEqual([false, -Infinity]);
    start();
    expect([halt(), others.isFree, others.dueMs]).toEqual(['watching_the_account', false, -Infinity]);
    expect(await sweptAfter(1_999)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['list reducing']);
    for (let ms = 4_000; ms <= 10_000; ms += 2_000)
      expect(await sweptAfter(2_000)).toEqual(['list reducing']);
    rig.halts.set('resync', 'resync_under_way');
    expect(await sweptAfter(2_000)).toEqual(['list reducing', 'resync: the account is free']);
    expect([halt(), others.isFree, others.dueMs]).toEqual([null, true, -Infinity]);
    expect(await sweptAfter(100)).toEqual([]);
    rig.halts.clear('resync');
    expect(await sweptAfter(100)).toEqual(['delete ', 'arm']);
    expect(others.dueMs).toBe(WATCH_MS + 15_000);
  });

  it.each([
    ['its earlier owner is dead', { earlierOwner: 'dead' }],
    ['no other process can have it', { isSoleUser: true }],
  ] as const)('is traded at once if %s', async (_, claim) => {
    begin(claim);
    start([A], 'journal');
    expect([halt(), told, others.dueMs]).toEqual([null, ['delete a', 'arm'], 15_000]);
    told = [];
    expect(await sweptAfter(14_999)).toEqual([]);
    expect(await sweptAfter(1)).toEqual('isSoleUser' in claim ? [] : ['list reducing']);
  });

  it('gets no heartbeat from a run that drains', () => {
    begin({ earlierOwner: 'dead' });
    rig.halts.set('drain', 'draining');
    start([A], 'journal');
    expect(told).toEqual(['delete a']);
  });

  it('is judged by nothing before recovery has listed its heartbeats', async () => {
    others.onListed(listing(A), 0);
    others.onOrder(shown());
    others.contested();
    expect([halt(), await sweptAfter(60_000)]).toEqual([null, []]);
  });

  it('is watched for the very last moment of the interval, and not listed sooner', async () => {
    await rig.clock.advance(500);
    others.begin({ listed: [], listedMs: 0, originOf: () => 'unknown' });
    for (let ms = 0; ms < 5; ms++) await sweptAfter(2_000);
    expect(await sweptAfter(1_499)).toEqual([]);
    expect(await sweptAfter(1)).toEqual(['list reducing', 'resync: the account is free']);
  });
});

describe('another process', () => {
  it('is told once, with all that is known of it, and nothing is placed while its order is open', async () => {
    start();
    others.onOrder(shown());
    const seen = `installation ${OTHER}: its order 7 is open`;
    expect([halt(), alarms]).toEqual(['another_installation', ['other_installation']]);
    const since = new Date(rig.clock.wallMs()).toISOString();
    expect(rig.halts.inForce.get('another_installation')).toBe(`${seen}; seen since ${since}`);
    const closing = [`close all: ${seen}`, 'release'];
    expect(await sweptAfter(1_999)).toEqual(closing);
    expect(await sweptAfter(1)).toEqual([
      ...closing,
      'resync: an order of another process is open',
      'list reducing',
    ]);
    expect([alarms.length, rig.halts.inForce.get('another_installation')]).toEqual([
      1,
      `${seen}; seen since ${since}`,
    ]);
  });

  it('is looked for ever more seldom, from five seconds up to a minute', async () => {
    start();
    others.onOrder(shown());
    const looks: number[] = [];
    for (let ms = 0; ms < 240_000; ms += 500)
      if ((await sweptAfter(500)).includes('list reducing')) looks.push(ms + 500);
    expect(looks).toEqual([2_000, 7_000, 17_000, 37_000, 77_000, 137_000, 197_000]);
  });

  it('is looked for every two seconds where a person takes over', async () => {
    begin({ takesOver: true });
    start();
    others.onOrder(shown());
    const looks: number[] = [];
    for (let ms = 0; ms < 8_000; ms += 500)
      if ((await sweptAfter(500)).includes('list reducing')) looks.push(ms + 500);
    expect(looks).toEqual([2_000, 4_000, 6_000, 8_000]);
  });

  it('is present for a time after its last order, counted from its placement by the exchange’s clock', async () => {
    start();
    others.onExchangeTime(1_000_000, rig.clock.monotonicMs());
    await rig.clock.advance(1_000);
    others.onOrder(shown({ closed: true, placementTimeMs: 991_000 }));
    expect(halt()).toBe('another_installation');
    await sweptAfter(LINGER_MS - 10_000 - 1);
    expect(halt()).toBe('another_installation');
    await sweptAfter(1);
    expect(halt()).not.toBe('another_installation');
  });

  it.each([
    ['by our own clock until the exchange tells the time', (wallMs: number) => wallMs - 10_000, 10_000],
    ['as now if its time is not told', () => null, 0],
    ['as now if its time is to come', (wallMs: number) => wallMs + 10_000, 0],
  ])('has placed its order %s', async (_, placed, agoMs) => {
    start();
    others.onOrder(shown({ closed: true, placementTimeMs: placed(rig.clock.wallMs()) }));
    await sweptAfter(LINGER_MS - agoMs - 1);
    expect(halt()).toBe('another_installation');
    await sweptAfter(1);
    expect(halt()).not.toBe('another_installation');
  });

  it('whose order was shown closed is not taken for one with an open order by a slow listing', () => {
    begin({ takesOver: true });
    start();
    others.onOrder(shown({ closed: true }));
    others.onOrder(shown());
    expect(halt()).toBe('watching_the_account');
    others.onOrder(shown({ id: 8 }));
    expect(halt()).toBe('another_installation');
  });

  it.each([
    ['without a mark', shown({ userData: null })],
    ['of the journal', shown({ userData: markedBy(OWN, '1', 'uuid') })],
    ['whose mark names an order of the journal', shown({ userData: markedBy(OTHER, '1', 'uuid') })],
  ])('is not seen by an order %s', (_, of) => {
    begin({}, trackedOrder());
    start();
    others.onOrder(of);
    expect(halt()).toBe('watching_the_account');
  });

  it('that keeps a heartbeat is told as such, and this process releases its own once it has no order open', async () => {
    begin({ earlierOwner: 'dead' }, trackedOrder());
    start();
    others.onListed(listing(A), 0);
    expect(others.isFree).toBe(true);
    others.onListed([{ heartbeatId: A, expiryMs: 40_000 }], 0);
    expect([others.isFree, halt(), alarms]).toEqual([
      false,
      'heartbeat_of_another_process',
      ['other_installation'],
    ]);
    told = [];
    expect(await sweptAfter(0, A)).toEqual(['close all: a process that keeps heartbeat a']);
    for (const each of rig.context.book.active()) rig.context.book.apply(each, 'seen_closed', {}, 'stream');
    expect(await sweptAfter(100, A)).toEqual(['close all: a process that keeps heartbeat a', 'release']);
  });

  it('that keeps a heartbeat of our journal is a copy of it', async () => {
    start([A], 'journal');
    others.onListed([{ heartbeatId: A, expiryMs: 40_000 }], 0);
    expect(halt()).toBe('another_installation');
  });

  it('whose heartbeat stands is waited for, and does not stop a process that trades', () => {
    start([A]);
    expect([halt(), alarms]).toEqual(['heartbeat_of_another_process', ['other_installation']]);
    others.onListed([], 0);
    expect(halt()).toBe('watching_the_account');
  });

  it.each([
    ['unanswered', WATCH_MS],
    ['contested', null],
  ] as const)('may be there after a request was %s: the account is watched again', async (kind, watchMs) => {
    begin({ earlierOwner: kind === 'unanswered' ? 'unknown' : 'dead' });
    start();
    if (kind === 'unanswered') for (let ms = 0; ms < WATCH_MS; ms += 2_000) await sweptAfter(2_000);
    expect(others.isFree).toBe(true);
    others[kind]();
    expect([others.isFree, halt()]).toEqual([false, 'watching_the_account']);
    const fromMs = rig.clock.monotonicMs();
    while (!others.isFree && rig.clock.monotonicMs() < fromMs + 60_000) await sweptAfter(100);
    const waitedMs = rig.clock.monotonicMs() - fromMs;
    if (watchMs !== null) expect(waitedMs).toBe(watchMs);
    else expect(waitedMs).toBeGreaterThan(100);
    expect(waitedMs).toBeLessThanOrEqual(WATCH_MS);
  });

  it('cannot be there where this process is the only user', () => {
    begin({ isSoleUser: true });
    start();
    others.contested();
    others.unanswered();
    expect([others.isFree, halt()]).toEqual([true, null]);
  });
});

describe('a heartbeat that is first listed after a request without an answer', () => {
  it.each([
    [29_999, true],
    [30_000, false],
  ])('may be ours %i ms later: %s', async (ms, mayBe) => {
    begin({ earlierOwner: 'dead' });
    start();
    others.expectUnanswered();
    await rig.clock.advance(ms);
    others.onListed(listing(B), rig.clock.monotonicMs());
    expect(others.sightings.isUnanswered(B)).toBe(mayBe);
  });
});

describe('what earlier runs left', () => {
  it.each<[what: string, claim: Partial<AccountClaim>, mayClose: boolean]>([
    ['the only user', { isSoleUser: true }, true],
    ['the successor of a dead owner', { earlierOwner: 'dead' }, true],
    ['nobody else before the account is free', {}, false],
  ])('belongs to %s', (_, claim, mayClose) => {
    const earlier = trackedOrder({ recovered: true });
    const own = trackedOrder({}, { requestUuid: 'own', orderId: orderId(2) });
    begin(claim, earlier, own);
    expect([others.ownsEarlierRuns, others.mayClose(earlier), others.mayClose(own)]).toEqual([
      mayClose,
      mayClose,
      true,
    ]);
    expect(oursOf(rig.context, others)).toEqual(mayClose ? [earlier, own] : [own]);
    expect(others.isOurs({ userData: markedBy(OWN, '1', 'uuid') })).toBe(mayClose);
    expect(others.isOurs({ userData: markedBy(OWN, '1', 'own') })).toBe(true);
  });

  it.each([
    ['of an unreadable journal whose owner is dead', true, 'dead', true],
    ['of a journal that was read', false, 'dead', false],
    ['of an unreadable journal whose owner may live', true, 'unknown', false],
  ] as const)('includes an order with our mark that is %s: %s', (_, isUnread, earlierOwner, isOurs) => {
    begin({ earlierOwner });
    unread = isUnread;
    const lost = shown({ by: OWN });
    rig.context.book.show(rig.context.book.meet(lost), lost, 0);
    expect([others.isOurs(lost), others.strays()]).toEqual([isOurs, isOurs ? [lost.orderId] : []]);
    expect(others.isOurs(shown({ by: OTHER }))).toBe(false);
    expect(others.isOurs({ userData: null })).toBe(false);
  });

  it('becomes ours once the account is free', async () => {
    const earlier = trackedOrder({ recovered: true });
    begin({}, earlier);
    start();
    for (let ms = 0; ms < WATCH_MS; ms += 2_000) await sweptAfter(2_000);
    expect(others.mayClose(earlier)).toBe(true);
  });
});

it('forgets orders that prove no presence any more once it knows more than a thousand', async () => {
  start();
  others.onOrder(shown({ id: 1, closed: true }));
  await rig.clock.advance(LINGER_MS - 1);
  for (let id = 2; id <= 1_000; id++) others.onOrder(shown({ id, closed: true }));
  await rig.clock.advance(1);
  // A report of the first order keeps the instant of its placement as long as it is known.
  others.onOrder(shown({ id: 1, closed: true }));
  others.onOrder(shown({ id: 1_001, closed: true }));
  others.onOrder(shown({ id: 1 }));
  await sweptAfter(0);
  expect(rig.halts.inForce.get('another_installation')).toContain('its order 1 is open');
});
