import { describe, expect, it } from 'vitest';
import { ConfigError, VenueRejection } from '../../../src/domain/errors.ts';
import { betType, type OrderId, requestUuid } from '../../../src/domain/ids.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { OWN_CLAIM } from '../../support/claims.ts';
import type { KnownOrder } from '../../../src/orders/journal/account-identity.ts';
import { identify } from '../../../src/orders/recovery/account-check.ts';

import { BY_HAND, OrderManagerRig, quote } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

/** A journal whose last run placed an order and has been dead for `agoMs`. */
async function traded(agoMs = 60_000): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  expect(rig.venue.open()).toHaveLength(1);
  rig.kill();
  await rig.advance(agoMs);
  Object.assign(rig.venue, {
    balance: async () => ({ balanceMicros: 9e9, openStakeMicros: 264_500_000, smartCreditMicros: null }),
  });
  return rig;
}

/** The next key opens an account with this many orders placed by hand. */
function otherAccount({ venue }: OrderManagerRig, orders = 0): readonly OrderId[] {
  venue.held.clear();
  venue.heartbeatsHeld.clear();
  return Array.from({ length: orders }, () => venue.placeByHand(BY_HAND).orderId);
}

/** The error of a start that is refused; null for one that is not. */
async function refusalOf(rig: OrderManagerRig): Promise<unknown> {
  rig.revive();
  return begin(rig);
}

async function begin(rig: OrderManagerRig): Promise<unknown> {
  rig.venue.connect();
  const started = rig.manager.start().then(
    () => null,
    (error: unknown) => error,
  );
  await rig.advance(10_000);
  return started;
}

const NOT_COMPARED = 'the account cannot be compared with the one of the journal';

const countOf = (rig: OrderManagerRig, method: string): number =>
  rig.venue.calls.filter((call) => call.method === method).length;

describe('a start with the key of another account', () => {
  it('is refused, names what is missing, and says what a person can do', async () => {
    const rig = await traded();
    const lost = [...rig.venue.held.keys()];
    otherAccount(rig, 264);
    const records = rig.store.records.length;
    const refusal = await refusalOf(rig);
    expect(refusal).toBeInstanceOf(ConfigError);
    const text = String(refusal);
    expect(text).toContain(`knows none of its last orders (${lost.join(', ')})`);
    expect(text).toContain('264.5 USDT of open stake');
    expect(text).toContain('journal.path');
    expect(text).toContain('--accept-account');
    expect(rig.venue.open()).toHaveLength(264);
    // The cursor stays: the journal's own account may have changes from meanwhile.
    expect(rig.kinds().slice(records)).toEqual(['run_started']);
  });

  it('is refused also where the account is empty', async () => {
    const rig = await traded();
    otherAccount(rig);
    expect(await refusalOf(rig)).toBeInstanceOf(ConfigError);
  });

  it('trades again with the key of the journal’s account', async () => {
    const rig = await traded();
    const held = new Map(rig.venue.held);
    otherAccount(rig, 3);
    expect(await refusalOf(rig)).toBeInstanceOf(ConfigError);
    rig.kill();
    rig.venue.held.clear();
    for (const [id, order] of held) rig.venue.held.set(id, order);
    rig.revive();
    await rig.startQuoting(quote());
    expect(rig.venue.open().filter(({ uuid }) => uuid !== null)).toHaveLength(1);
  });

  it('is refused where the exchange has another order by the same id', async () => {
    const rig = await traded();
    const ours = [...rig.venue.held.values()];
    otherAccount(rig);
    for (const held of ours)
      rig.venue.held.set(held.view.orderId, {
        ...held,
        view: { ...held.view, userData: null, betType: betType('for,draw') },
      });
    expect(await refusalOf(rig)).toBeInstanceOf(ConfigError);
  });

  it('is refused where no order was placed, and the account has one from before the first start', async () => {
    const rig = new OrderManagerRig();
    await rig.start();
    rig.kill();
    otherAccount(rig, 1);
    const [held] = rig.venue.held.values();
    held!.view = { ...held!.view, placementTimeMs: rig.clock.wallMs() - 3_600_000 };
    Object.assign(rig.venue, { balance: async () => ({ openStakeMicros: 0 }) });
    const refusal = await refusalOf(rig);
    expect(String(refusal)).toContain(`has orders (${held!.view.orderId}) from a time`);
  });

  it('reports an error of the exchange as such, not as another account', async () => {
    const rig = await traded();
    otherAccount(rig);
    const { order } = rig.venue;
    rig.venue.order = async () => {
      throw new VenueRejection('server_error', 500, 'broken');
    };
    expect(await refusalOf(rig)).toMatchObject({ code: 'server_error' });
    rig.venue.order = order;
  });

  it('names at most five orders', async () => {
    const rig = await traded();
    rig.store.records.push({
      seq: rig.store.records.length + 1,
      atMs: rig.clock.wallMs(),
      kind: 'account_seen',
      uuid: null,
      data: {
        orders: Array.from({ length: 7 }, (_, at) => ({
          orderId: 50 + at,
          betType: 'for,h',
          placedMs: rig.clock.wallMs() + at,
        })),
        isWhole: false,
      },
    });
    otherAccount(rig);
    expect(String(await refusalOf(rig))).toContain('(56, 55, 54, 53, 52 and 3 more)');
  });
});

describe('a start with the key of the same account', () => {
  it('asks nothing more while a heartbeat of ours is listed', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote());
    rig.kill();
    const before = countOf(rig, 'order');
    expect(await refusalOf(rig)).toBeNull();
    expect(countOf(rig, 'order')).toBe(before);
    expect(rig.warnings).toEqual([]);
  });

  it('finds an order of ours below hundreds of others', async () => {
    const rig = await traded();
    for (let count = 0; count < 150; count++) rig.venue.placeByHand(BY_HAND);
    expect(await refusalOf(rig)).toBeNull();
  });

  it('goes on although the exchange lost our newest order', async () => {
    const rig = await traded();
    const first = [...rig.venue.held.keys()];
    rig.revive();
    await rig.startQuoting(quote({ tick: 120 }));
    const newest = onlyOpen(rig).orderId;
    expect(first).not.toContain(newest);
    rig.kill();
    await rig.advance(60_000);
    rig.venue.held.delete(newest);
    expect(await refusalOf(rig)).toBeNull();
  });

  it('goes on with bets by hand', async () => {
    const rig = await traded();
    for (let count = 0; count < 5; count++) rig.venue.fill(rig.venue.placeByHand(BY_HAND).orderId, 1_000_000);
    expect(await refusalOf(rig)).toBeNull();
    expect(rig.otherAccounts).toBe(0);
  });

  it('goes on, with a warning, where the exchange may have forgotten every order', async () => {
    const rig = await traded(4 * DAY_MS);
    otherAccount(rig);
    expect(await refusalOf(rig)).toBeNull();
    expect(rig.warnings).toContain(NOT_COMPARED);
  });

  it('records the newest orders, and begins a new journal without a warning', async () => {
    const rig = new OrderManagerRig();
    const { orderId } = rig.venue.placeByHand(BY_HAND);
    await rig.start();
    const [record] = rig.store.records.filter(({ kind }) => kind === 'account_seen');
    expect(record?.data).toMatchObject({ orders: [{ orderId, betType: BY_HAND.betType }], isWhole: true });
    expect(rig.warnings).not.toContain(NOT_COMPARED);
  });

  it('knows the account of a journal that never placed an order, by the orders of others', async () => {
    const rig = new OrderManagerRig();
    rig.venue.placeByHand(BY_HAND);
    await rig.start();
    rig.kill();
    await rig.advance(60_000);
    expect(await refusalOf(rig)).toBeNull();
    rig.kill();
    otherAccount(rig);
    Object.assign(rig.venue, { balance: async () => ({ openStakeMicros: 0 }) });
    await rig.advance(60_000);
    expect(await refusalOf(rig)).toBeInstanceOf(ConfigError);
  });
});

describe('a person who accepts the account', () => {
  const ACCEPTS = { ...OWN_CLAIM, acceptsAccount: true };

  it('makes the journal one of that account from then on', async () => {
    const rig = await traded();
    otherAccount(rig, 2);
    rig.revive({ claim: ACCEPTS });
    expect(await begin(rig)).toBeNull();
    expect(rig.otherAccounts).toBe(1);
    expect(rig.warnings).toContain('another account is accepted for this journal');
    rig.kill();
    await rig.advance(60_000);
    rig.revive({ claim: OWN_CLAIM });
    expect(await begin(rig)).toBeNull();
    expect(rig.otherAccounts).toBe(1);
  });

  it('accepts nothing where the account is the same', async () => {
    const rig = await traded();
    rig.revive({ claim: ACCEPTS });
    expect(await begin(rig)).toBeNull();
    expect([rig.otherAccounts, rig.kinds().includes('account_accepted')]).toEqual([0, false]);
  });
});

it('an exchange that began with this process is not compared', async () => {
  const rig = await traded();
  otherAccount(rig);
  rig.revive({ claim: { ...OWN_CLAIM, isSoleUser: true } });
  expect(await begin(rig)).toBeNull();
});

describe('the questions about an account', () => {
  const MINUTE_MS = 60_000;
  const known = (id: OrderId): KnownOrder => ({
    orderId: id,
    uuid: requestUuid(`u-${id}`),
    betType: BY_HAND.betType,
    placedMs: null,
    keptUntilMs: Infinity,
  });

  /** An account with this many orders, one a minute. */
  async function accountWith(orders: number): Promise<{ rig: OrderManagerRig; ids: readonly OrderId[] }> {
    const rig = new OrderManagerRig();
    const ids: OrderId[] = [];
    for (let count = 0; count < orders; count++) {
      ids.push(rig.venue.placeByHand(BY_HAND).orderId);
      await rig.advance(MINUTE_MS);
    }
    return { rig, ids };
  }

  async function kindOf(rig: OrderManagerRig, account: Parameters<typeof identify>[1]): Promise<string> {
    const verdict = identify(rig.venue, account, [], rig.clock.wallMs());
    await rig.advance(5_000);
    return (await verdict).kind;
  }

  it('look up eight orders one by one, those first that the exchange must know the longest', async () => {
    const { rig, ids } = await accountWith(101);
    const [oldest] = ids as [OrderId];
    const lost = Array.from({ length: 8 }, (_, at) => known((9_000 + at) as OrderId));
    const among = (count: number) => ({
      orders: [...lost.slice(0, count), known(oldest)],
      heartbeats: new Set<never>(),
      covered: null,
    });
    expect(await kindOf(rig, among(7))).toBe('same');
    expect(countOf(rig, 'order')).toBe(8);
    // The longer list shows the order that was not looked up.
    expect(await kindOf(rig, among(8))).toBe('same');
    rig.venue.mostPerPage = 100;
    expect(await kindOf(rig, among(8))).toBe('other');
    expect(countOf(rig, 'order')).toBe(24);
  });

  it('take an order whose answer cannot be read neither for missing nor for found', async () => {
    const { rig, ids } = await accountWith(1);
    const [odd] = ids as [OrderId];
    rig.venue.unreadable.set(odd, 'all');
    const account = (...orders: KnownOrder[]) => ({ orders, heartbeats: new Set<never>(), covered: null });
    expect(await kindOf(rig, account(known(odd)))).toBe('undecided');
    expect(await kindOf(rig, account(known(odd), known(9_000 as OrderId)))).toBe('other');
  });

  it('list up to a thousand orders to find a strange one', async () => {
    const { rig } = await accountWith(150);
    const beganMs = rig.clock.wallMs() - 150 * MINUTE_MS;
    const covered = { fromMs: beganMs - 1, toMs: beganMs + MINUTE_MS };
    const account = { orders: [], heartbeats: new Set<never>(), covered };
    expect(await kindOf(rig, account)).toBe('other');
    expect(await kindOf(rig, { ...account, covered: { fromMs: 0, toMs: beganMs } })).toBe('undecided');
  });

  it('find the same account by one order of ours that is found, whatever else looks strange', async () => {
    const { rig, ids } = await accountWith(101);
    const [oldest] = ids as [OrderId];
    const nowMs = rig.clock.wallMs();
    const covered = { fromMs: nowMs - 50 * MINUTE_MS, toMs: nowMs };
    const lost = known(9_000 as OrderId);
    const account = { orders: [lost, known(oldest)], heartbeats: new Set<never>(), covered };
    expect(await kindOf(rig, account)).toBe('same');
    expect(await kindOf(rig, { ...account, orders: [] })).toBe('other');
  });

  it('are not asked where the journal knows nothing', async () => {
    const { rig } = await accountWith(1);
    const nothing = { orders: [], heartbeats: new Set<never>(), covered: null };
    expect(await kindOf(rig, nothing)).toBe('undecided');
    expect(rig.venue.calls).toEqual([]);
  });
});
