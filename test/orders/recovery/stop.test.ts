import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { orderId, type HeartbeatId, type OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { drain } from '../../../src/orders/draining.ts';
import { emptyState } from '../../../src/orders/journal/fold.ts';
import { Adoption } from '../../../src/orders/recovery/adoption.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

let rig: PartRig;
let book: OrderBook;
let did: string[];
let listed: VenueOrder[];
let strays: OrderId[];
let isRemoved: boolean;
let openBetslips: number;
let oldHeartbeats: number;
let unrecovered: { heartbeats: Set<HeartbeatId> } | null;
let ownsEarlierRuns: boolean;
let guarded: unknown[];

function begin(...orders: readonly TrackedOrder[]): void {
  [did, listed, strays, guarded] = [[], [], [], []];
  [isRemoved, openBetslips, oldHeartbeats, unrecovered, ownsEarlierRuns] = [true, 0, 0, null, true];
  rig = new PartRig({
    venue: {
      orders: async (_: unknown, { priority }: { priority: string }) => {
        did.push(`list ${priority}`);
        return { orders: listed, unread: [] };
      },
    },
  });
  book = bookOf(rig.clock, ...orders);
  Object.assign(rig.context, { book });
  Object.assign(rig.context.journalWriter, { checkpoint: () => void did.push('checkpoint') });
}
beforeEach(() => begin());

async function stopped(deadlineMs: number, during: () => Promise<void> = async () => undefined) {
  const parts = {
    closing: { wantAll: (why: string) => void did.push(`close all: ${why}`) },
    betslips: {
      deleteAll: () => void did.push('delete betslips'),
      get open() {
        return openBetslips;
      },
    },
    others: {
      mayClose: () => true,
      isOurs: () => false,
      strays: () => strays,
      get ownsEarlierRuns() {
        return ownsEarlierRuns;
      },
    },
    oldHeartbeats: {
      guardNothing: (ids: readonly HeartbeatId[]) => {
        did.push('delete old heartbeats');
        guarded = [...ids];
      },
      get left() {
        return oldHeartbeats;
      },
    },
    heartbeat: { id: null, remove: async () => (did.push('remove heartbeat'), isRemoved) },
    lookups: { settle: async () => 'open' },
    foreignLookups: { ask: async () => undefined },
    reports: { order: () => null },
    unrecovered: () => unrecovered,
  };
  const result = drain(rig.context, parts as never, deadlineMs);
  await during();
  await rig.clock.advance(deadlineMs + 10_000);
  return result;
}

describe('a stop', () => {
  it('closes, confirms by the list, removes heartbeats, and ends with a checkpoint', async () => {
    const report = await stopped(10_000);
    expect(did).toEqual([
      'close all: drain',
      'delete betslips',
      'list urgent',
      'delete old heartbeats',
      'remove heartbeat',
      'checkpoint',
    ]);
    expect(report).toEqual({
      clean: true,
      stillOpen: [],
      straysOpen: [],
      foreignOpen: [],
      heartbeatRemoved: true,
      tookMs: 0,
    });
    expect(rig.halts.codeOf('drain')).toBe('draining');
  });

  it('leaves the heartbeat to orders that are still open when the time is over, and names them', async () => {
    const order = trackedOrder();
    begin(order);
    const report = await stopped(1_000);
    expect(did).toEqual(['close all: drain', 'delete betslips', 'checkpoint']);
    expect(report).toEqual({
      clean: false,
      stillOpen: [order.order],
      straysOpen: [],
      foreignOpen: [],
      heartbeatRemoved: false,
      tookMs: 1_000,
    });
  });

  it('waits for orders that close in time', async () => {
    const order = trackedOrder();
    begin(order);
    const report = await stopped(1_000, async () => {
      await rig.clock.advance(120);
      book.apply(order, 'seen_closed', {}, 'stream');
    });
    expect(report).toMatchObject({ clean: true, heartbeatRemoved: true, tookMs: 150 });
  });

  it('is not clean while the list shows an order of ours, and reads it again each quarter of a second', async () => {
    const order = trackedOrder({}, { state: 'closed' });
    begin(order);
    book.apply(order, 'seen_open_again', {}, 'listing');
    book.apply(order, 'seen_closed', {}, 'listing');
    listed = [{ orderId: order.order.orderId, closed: false } as VenueOrder];
    const report = await stopped(1_000);
    expect(did.filter((each) => each === 'list urgent')).toHaveLength(4);
    expect([report.clean, report.heartbeatRemoved]).toEqual([false, false]);
  });

  it('tells strays and the orders of others apart', async () => {
    for (const id of [5, 6]) {
      const shown = { orderId: orderId(id), orderType: 'normal', closed: false } as VenueOrder;
      book.show(book.meet(shown), shown, 0);
    }
    strays = [orderId(5)];
    const report = await stopped(1_000);
    expect(report).toMatchObject({ clean: false, straysOpen: [5], foreignOpen: [6] });
  });

  it('is clean beside orders of others, and says whether the heartbeat is gone', async () => {
    const shown = { orderId: orderId(6), orderType: 'normal', closed: false } as VenueOrder;
    book.show(book.meet(shown), shown, 0);
    isRemoved = false;
    expect(await stopped(1_000)).toMatchObject({ clean: true, foreignOpen: [6], heartbeatRemoved: false });
  });

  it.each([
    ['old heartbeats', () => void (oldHeartbeats = 1), 5_000],
    ['betslips', () => void (openBetslips = 1), 2_000],
  ])('waits no longer than it must for %s', async (_, begins, ms) => {
    begins();
    expect(await stopped(60_000)).toMatchObject({ clean: true, tookMs: ms });
    begin();
    begins();
    expect((await stopped(1_000)).tookMs).toBe(1_000);
  });

  const [NAMED, UNANSWERED] = ['hb-1', 'hb-2'] as [HeartbeatId, HeartbeatId];
  const listHeartbeats = (answer: () => Promise<unknown>): void => void (rig.venue['heartbeats'] = answer);

  it('before recovery deletes the heartbeats of the journal that the exchange lists', async () => {
    unrecovered = { ...emptyState(), heartbeats: new Set([NAMED]) };
    listHeartbeats(async () => [NAMED, UNANSWERED].map((heartbeatId) => ({ heartbeatId, expiryMs: 0 })));
    await stopped(10_000);
    expect(guarded).toEqual([NAMED]);
  });

  it('before recovery deletes all that the journal names if the list does not come within two seconds', async () => {
    unrecovered = { ...emptyState(), heartbeats: new Set([NAMED]) };
    listHeartbeats(() => new Promise(() => undefined));
    const report = await stopped(10_000);
    expect([guarded, report.tookMs]).toEqual([[NAMED], 2_000]);
  });

  it.each([
    ['after recovery', () => void (unrecovered = null)],
    ['while another process may use them', () => void (ownsEarlierRuns = false)],
  ])('looks for no heartbeat of earlier runs %s', async (_, given) => {
    unrecovered = { ...emptyState(), heartbeats: new Set([NAMED]) };
    listHeartbeats(() => expect.fail('heartbeats were listed'));
    given();
    await stopped(10_000);
    expect(guarded).toEqual([]);
  });
});

describe('what earlier runs left', () => {
  function adoption(): Adoption {
    Object.assign(rig.context.deps, { journal: { last: () => null, read: () => [], rootSeq: () => 0 } });
    Object.assign(rig.context.journalWriter, { resume: () => undefined });
    Object.assign(rig.context, { owners: { restore: () => undefined } });
    return new Adoption(rig.context, {
      closing: { wantAll: (why: string) => void did.push(`close all: ${why}`) } as never,
      closers: [{ sweep: () => void did.push('sweep') }],
      stream: { accept: () => void did.push('accept') } as never,
      onAdopted: () => void did.push('adopted'),
    });
  }

  it('is adopted once, and orders that must not stay open are closed at once', () => {
    const adopts = adoption();
    const state = adopts.once();
    expect([adopts.once(), did]).toEqual([state, ['accept', 'adopted']]);
    begin();
    rig.halts.latch('why');
    adoption().once();
    expect(did).toEqual(['accept', 'close all: latched', 'adopted']);
  });

  it.each<[what: string, isSwept: boolean, given: () => void]>([
    ['nothing is to be closed', false, () => begin(trackedOrder())],
    ['all are to be closed', true, () => rig.halts.set('stopped', 'stopped')],
    [
      'one is to be closed',
      true,
      () =>
        begin(trackedOrder(), trackedOrder({ closeWanted: true }, { requestUuid: 'b', orderId: orderId(2) })),
    ],
  ])('is swept before recovery only if %s needs it', (_, isSwept, given) => {
    given();
    adoption().sweep();
    expect(did).toEqual(isSwept ? ['sweep'] : []);
  });
});
