import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../src/ports/venue.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { OWN_CLAIM } from '../../support/claims.ts';
import { OrderManagerRig, quote, type RigOptions } from '../../support/order-manager-rig.ts';

type Asked = readonly [what: string, query: unknown, priority: string | undefined];

/** What a manager asks the exchange for lists, with the priority of each request. */
function listening(given: RigOptions = {}) {
  const rig = new OrderManagerRig(given);
  const asked: Asked[] = [];
  const { venue } = rig;
  const note = (what: string, query: unknown, options?: CallOptions): void =>
    void asked.push([what, query, options?.priority]);
  const [orders, updates, heartbeats] = [
    venue.orders.bind(venue),
    venue.orderUpdates.bind(venue),
    venue.heartbeats.bind(venue),
  ];
  venue.orders = (query, options) => (note('orders', query, options), orders(query, options));
  venue.orderUpdates = (fromMs, toMs, options) => (
    note('updates', [fromMs, toMs], options),
    updates(fromMs, toMs, options)
  );
  venue.heartbeats = (options) => (note('heartbeats', null, options), heartbeats(options));
  return { rig, asked };
}

/** The instant at which a fake exchange has answered a number of requests since the start of the clock. */
const after = (requests: number): number => 1_700_000_000_000 + 1 + 5 * requests;
const OPEN = ['orders', { statuses: ['open', 'pending'], page: 1, pageSize: 1_000 }, 'reducing'] as const;
const NEWEST = ['orders', { page: 1, pageSize: 100 }, 'reducing'] as const;
/** What the exchange does not yet tell of, and what two windows share. */
const [SETTLED_MS, OVERLAP_MS] = [60_000, 5_000];
const YEAR_MS = 366 * 86_400_000;

/** A window of updates that ends at an instant. */
const updatesTo = (toMs: number, sinceMs = toMs): Asked => [
  ...(['updates', [sinceMs - OVERLAP_MS, toMs], 'reducing'] as const),
];

describe('a start', () => {
  it('asks for nothing but its lists, in their order, as work that reduces risk', async () => {
    const { rig, asked } = listening();
    await rig.start();
    const cursorMs = after(1) - SETTLED_MS - 3_000;
    expect(asked).toEqual([
      OPEN,
      ['heartbeats', null, 'urgent'],
      ['orders', { statuses: ['done'], fromMs: after(1) - YEAR_MS, page: 1, pageSize: 1_000 }, 'reducing'],
      updatesTo(cursorMs),
      updatesTo(cursorMs + 12, cursorMs),
      OPEN,
      NEWEST,
      ['heartbeats', null, 'urgent'],
    ]);
  });

  it('goes on from where the last run had read, and counts itself', async () => {
    const { rig, asked } = listening();
    await rig.startQuoting(quote());
    const read = rig.store.records.filter(({ kind }) => kind === 'cursor').at(-1)?.data;
    const cursorMs = (read as { readonly updatesToMs: number }).updatesToMs;
    await rig.advance(30_000);
    asked.length = 0;
    await rig.restart();
    const windows = asked.filter(([what]) => what === 'updates');
    expect(windows[0]).toEqual(updatesTo(cursorMs));
    expect(asked.filter(([what]) => what === 'orders')).toEqual([OPEN, OPEN, NEWEST]);
    const runs = rig.store.records.filter(({ kind }) => kind === 'run_started').map(({ data }) => data);
    expect(runs).toEqual([{ run: '1' }, { run: '2' }]);
  });

  it('is followed by a window of updates a minute, each from where the last one ended', async () => {
    const { rig, asked } = listening();
    await rig.start();
    asked.length = 0;
    await rig.advance(190_000);
    const windows = asked.flatMap(([what, query]) => (what === 'updates' ? [query as [number, number]] : []));
    expect(windows).toHaveLength(3);
    for (const [at, [fromMs, toMs]] of windows.entries()) {
      if (at > 0) expect(fromMs).toBe((windows[at - 1]?.[1] ?? 0) - OVERLAP_MS);
      expect(toMs).toBeGreaterThan(fromMs);
    }
  });

  it('of the only user of an account does not look for orders of others', async () => {
    const { rig, asked } = listening({ claim: { ...OWN_CLAIM, isSoleUser: true } });
    await rig.start();
    expect(asked).not.toContainEqual(NEWEST);
    expect(rig.kinds()).not.toContain('account_seen');
  });

  it('is over once the open orders were read, and not before', async () => {
    const { rig } = listening();
    let asks = 0;
    const list = rig.venue.orders.bind(rig.venue);
    rig.venue.orders = async (query, options) => {
      if (query.statuses?.includes('open') === true && ++asks === 2) await sleep(rig.clock, 20_000);
      return list(query, options);
    };
    rig.venue.connect();
    let isOver = false;
    void rig.manager.start().then(() => (isOver = true));
    await rig.advance(15_000);
    expect([asks, isOver, rig.manager.status().recovered]).toEqual([2, false, false]);
    await rig.advance(10_000);
    expect([isOver, rig.manager.status().recovered]).toEqual([true, true]);
  });
});

it('the adoption of what earlier runs left writes nothing to the journal, and waits for no exchange', async () => {
  const { rig } = listening();
  await rig.startQuoting(quote());
  rig.kill();
  rig.revive();
  const kinds = rig.kinds();
  rig.manager.adopt();
  await rig.advance(0);
  expect([rig.states(), rig.kinds()]).toEqual([['live'], kinds]);
});
