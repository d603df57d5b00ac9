import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { OrphanGuard } from '../../../src/orders/heartbeats/orphan-guard.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

const GRACE_MS = 30_000;
const UNGUARDED = 'no heartbeat guards it';

let rig: PartRig;
let guard: OrphanGuard;
let told: string[];
let alarms: string[];
const heartbeat = { hasRunOut: false, isKnown: true, isMissing: false };
const health = { progressing: true, closingFailed: false };
let isKnown: boolean;

function begin(...orders: readonly TrackedOrder[]): void {
  [told, alarms, isKnown] = [[], [], false];
  Object.assign(heartbeat, { hasRunOut: false, isKnown: true, isMissing: false });
  Object.assign(health, { progressing: true, closingFailed: false });
  rig = new PartRig({
    options: { adoptionGraceMs: GRACE_MS },
    deps: { health: { progressing: () => health.progressing, closingFailed: () => health.closingFailed } },
  });
  const error = (message: string): void => void told.push(`error: ${message}`);
  Object.assign(rig.context, {
    book: bookOf(rig.clock, ...orders),
    log: { ...rig.context.log, error },
    metrics: { alarms: { inc: ({ kind }: { kind: string }) => void alarms.push(kind) } },
  });
  const closing = {
    want: ({ order }: TrackedOrder, why: string) => void told.push(`${order.requestUuid}: ${why}`),
    wantAll: (why: string) => void told.push(`all: ${why}`),
  };
  const guarded = Object.create(heartbeat, {
    foundNone: { value: () => void told.push('found none') },
  }) as ConstructorParameters<typeof OrphanGuard>[3];
  guard = new OrphanGuard(
    rig.context,
    closing as never,
    { knows: () => isKnown },
    guarded,
    (why) => void told.push(`look anew: ${why}`),
  );
}

beforeEach(() => begin());
const sweptAfter = async (ms: number): Promise<string[]> => {
  await rig.clock.advance(ms);
  guard.sweep();
  return told.splice(0);
};

const HANGS = 'the engine makes no progress: its orders are closed';
const REFUSED = 'the exchange refuses the key: orders are closed, and the heartbeat is left to expire';
const UNFINISHED = 'a kill has not closed everything: the heartbeat is left to expire';

describe('trouble', () => {
  it.each<[code: string, message: string, hit: () => void, raised: string[]]>([
    ['engine_hangs', HANGS, () => void (health.progressing = false), []],
    ['key_refused', REFUSED, () => void (rig.venue.keyRefusal = new Error('no')), ['key_refused']],
    ['kill_unfinished', UNFINISHED, () => void (health.closingFailed = true), []],
  ])('closes every order, again in each sweep, and is told once: %s', async (code, message, hit, raised) => {
    expect([guard.trouble, await sweptAfter(0)]).toEqual([null, []]);
    hit();
    expect(guard.trouble).toBe(code);
    expect(await sweptAfter(100)).toEqual([`error: ${message}`, `all: ${message}`]);
    expect([await sweptAfter(100), alarms]).toEqual([[`all: ${message}`], raised]);
    expect(rig.halts.codeOf('orphan_guard')).toBe(code);
    [rig.venue.keyRefusal, health.progressing, health.closingFailed] = [null, true, false];
    const after = code === 'key_refused' ? ['look anew: the key is tried again'] : [];
    expect([await sweptAfter(100), rig.halts.codeOf('orphan_guard'), guard.trouble]).toEqual([
      after,
      null,
      null,
    ]);
    expect(await sweptAfter(100)).toEqual([]);
  });

  it('is a refused key before a hung engine, and that before an unfinished kill', async () => {
    Object.assign(health, { progressing: false, closingFailed: true });
    rig.venue.keyRefusal = new Error('no');
    expect(guard.trouble).toBe('key_refused');
    await sweptAfter(0);
    await sweptAfter(100);
    rig.venue.keyRefusal = null;
    expect(guard.trouble).toBe('engine_hangs');
    expect(await sweptAfter(100)).toEqual([
      'look anew: the key is tried again',
      `error: ${HANGS}`,
      `all: ${HANGS}`,
    ]);
    health.progressing = true;
    expect(guard.trouble).toBe('kill_unfinished');
  });

  it.each([
    ['live', true],
    ['closing', true],
    ['sending', false],
    ['unknown', false],
    ['prepared', false],
  ] as const)('needs a heartbeat that runs out while an order is open: %s %s', (state, isOpen) => {
    begin(trackedOrder({}, { state }));
    expect(guard.isOpenInTrouble).toBe(false);
    health.closingFailed = true;
    expect(guard.isOpenInTrouble).toBe(isOpen);
    rig.venue.keyRefusal = new Error('no');
    expect(guard.isOpenInTrouble).toBe(false);
  });
});

describe('orders without a heartbeat', () => {
  it('are closed once none was proven for ten seconds', async () => {
    heartbeat.isMissing = true;
    await sweptAfter(0);
    expect(await sweptAfter(9_999)).toEqual([]);
    expect(await sweptAfter(1)).toEqual([`all: ${UNGUARDED}`]);
    heartbeat.isMissing = false;
    expect(await sweptAfter(1)).toEqual([]);
    heartbeat.isMissing = true;
    expect(await sweptAfter(1)).toEqual([]);
    expect(await sweptAfter(9_999)).toEqual([]);
  });

  it.each([
    ['shown open', 'live', 'stream', [`uuid: ${UNGUARDED}`]],
    ['read from the journal', 'live', 'journal', []],
    ['that is not open', 'unknown', 'stream', []],
    ['that is being closed', 'closing', 'stream', []],
  ] as const)('are closed as they land after its end: one %s', (_, state, source, expected) => {
    heartbeat.hasRunOut = true;
    guard.onOrderChange(trackedOrder({}, { state }), source);
    expect(told).toEqual(expected);
  });

  it('that landed before this run had one are closed if the account has none', () => {
    heartbeat.isKnown = false;
    guard.onOrderChange(trackedOrder(), 'stream');
    expect(told).toEqual([]);
    guard.unguarded();
    guard.unguarded();
    expect(told).toEqual(['found none', `uuid: ${UNGUARDED}`, 'found none']);
  });

  it('that land while one is known are left open', async () => {
    guard.onOrderChange(trackedOrder(), 'stream');
    guard.unguarded();
    expect(told).toEqual(['found none']);
    begin();
    heartbeat.isKnown = false;
    guard.onOrderChange(trackedOrder(), 'stream');
    await sweptAfter(0);
    heartbeat.isKnown = true;
    await sweptAfter(0);
    guard.unguarded();
    expect(told).toEqual(['found none']);
  });

  it('that landed stay noted in sweeps until one is known', async () => {
    heartbeat.isKnown = false;
    guard.onOrderChange(trackedOrder(), 'stream');
    await sweptAfter(100);
    guard.unguarded();
    expect(told).toEqual(['found none', `uuid: ${UNGUARDED}`]);
  });
});

describe('an order of an earlier run', () => {
  const WHY = 'uuid: of an earlier run, wanted by nobody';

  it('is closed once nobody has asked for it within the grace time', async () => {
    begin(trackedOrder({ recovered: true }));
    expect(await sweptAfter(GRACE_MS)).toEqual([]);
    guard.start();
    expect(await sweptAfter(GRACE_MS - 1)).toEqual([]);
    expect(await sweptAfter(1)).toEqual([WHY]);
  });

  it.each([
    ['of this run', { recovered: false }, false],
    ['that is to be closed already', { recovered: true, closeWanted: true }, false],
    ['whose event is quoted', { recovered: true }, true],
  ])('is not closed if it is one %s', async (_, of, knows) => {
    begin(trackedOrder(of));
    guard.start();
    isKnown = knows;
    expect(await sweptAfter(GRACE_MS)).toEqual([]);
  });
});
