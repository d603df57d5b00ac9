import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { ExecutionReports } from '../../../src/orders/outcomes/execution-reports.ts';
import { orderPages, readOpen } from '../../../src/orders/recovery/resync.ts';
import { readUpdates, trustedCursor } from '../../../src/orders/recovery/updates.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-03-10T12:00:00Z');
/** The exchange is asked for updates up to so long before now. */
const LATEST_MS = NOW_MS - 63_000;

const order = (id: number, over: Partial<VenueOrder> = {}): VenueOrder =>
  ({ orderId: orderId(id), closed: false, ...over }) as VenueOrder;
const run = async (work: () => unknown): Promise<void> => void work();

/** A page of orders, which is full by default. */
const page = (from: number, count = 25): readonly VenueOrder[] =>
  Array.from({ length: count }, (_, at) => order(from + at));

/** An exchange that lists these pages, pass after pass. A pass ends with a page that is not full. */
function listing(passes: readonly (readonly (readonly VenueOrder[])[])[]) {
  const pages = passes.flat();
  const asked: (number | undefined)[] = [];
  const context = {
    deps: {
      clock: { monotonicMs: () => 1_000 + asked.length },
      venue: {
        orders: async (query: { page?: number }) => {
          asked.push(query.page);
          const next = pages[asked.length - 1];
          if (next === undefined) throw new Error('a pass too many');
          return { orders: next, unread: [] };
        },
      },
    },
    queue: { run },
  } as unknown as OrderContext;
  return { context, asked };
}

describe('the pages of a list', () => {
  const read = async (passes: Parameters<typeof listing>[0]) => {
    const { context, asked } = listing(passes);
    const ids = new Set<OrderId>();
    for await (const { orders } of orderPages(context, {})) for (const each of orders) ids.add(each.orderId);
    return { asked, count: ids.size };
  };

  it('are read once if there is one', async () => {
    expect(await read([[page(0, 24)]])).toEqual({ asked: [1], count: 24 });
  });

  it('are read again until a pass shows nothing new, since orders move while they are read', async () => {
    const same = [page(0), page(25, 3)];
    expect(await read([same, same])).toEqual({ asked: [1, 2, 1, 2], count: 28 });
    const passes = [same, [page(0), page(26, 3)], [page(0), page(27, 3)], [page(0), page(27, 3)]];
    expect(await read(passes.slice(0, 2).concat([passes[1]!]))).toEqual({
      asked: [1, 2, 1, 2, 1, 2],
      count: 29,
    });
    expect(await read(passes)).toEqual({ asked: [1, 2, 1, 2, 1, 2, 1, 2], count: 30 });
  });

  it('are read at most four times', async () => {
    const passes = [0, 1, 2, 3].map((pass) => [page(0), page(25 + pass, 3)]);
    expect(await read(passes)).toEqual({ asked: [1, 2, 1, 2, 1, 2, 1, 2], count: 31 });
  });
});

it('open orders are those that the list shows open, each as it was listed last, and as of the first request', async () => {
  const older = [...page(0, 24), order(30, { stakeMicros: 1 })];
  const newer = [order(30, { stakeMicros: 2 }), order(31, { closed: true }), order(32)];
  const { context } = listing([
    [older, newer],
    [older.slice(0, 25), newer],
  ]);
  const told: unknown[] = [];
  const reports = {
    order: ({ orderId: id, stakeMicros }: VenueOrder, source: string, _: null, askedMs: number) =>
      void told.push([id, stakeMicros ?? null, source, askedMs]),
  } as unknown as ExecutionReports;
  const { orders: open } = await readOpen(context, reports);
  expect(open.map(({ orderId: id }) => id)).toEqual([...page(0, 24).map(({ orderId: id }) => id), 30, 32]);
  expect(told.slice(-2)).toEqual([
    [30, 2, 'listing', 1_000],
    [32, null, 'listing', 1_000],
  ]);
});

/** An exchange that takes windows up to `takesToMs`, and what the journal notes. */
function updates(
  takesToMs: number,
  refusal: (toMs: number) => unknown,
  isInDoubt: (toMs: number) => boolean,
) {
  const asked: (readonly [number, number])[] = [];
  const noted: number[] = [];
  const told: unknown[] = [];
  const context = {
    deps: {
      clock: { wallMs: () => NOW_MS },
      venue: {
        orderUpdates: async (fromMs: number, toMs: number) => {
          asked.push([fromMs, toMs]);
          if (toMs > takesToMs) throw refusal(toMs);
          return { orders: [order(asked.length)], unread: [] };
        },
      },
    },
    journalWriter: { note: ({ updatesToMs }: { updatesToMs: number }) => void noted.push(updatesToMs) },
    queue: { run },
    book: { held: () => (isInDoubt(asked.at(-1)?.[1] ?? 0) ? [{}] : []) },
  } as unknown as OrderContext;
  const reports = {
    order: ({ orderId: id }: VenueOrder, source: string) => void told.push([id, source]),
  } as unknown as ExecutionReports;
  return { context, reports, asked, noted, told };
}

const refused = (validation: Readonly<Record<string, readonly string[]>>, code = 'validation_error') =>
  new VenueRejection(code, 400, 'no', { validation });
const TOO_RECENT = [
  ['the end', refused({ updated_at_to: ['must be in the past', 'too recent'] })],
  ['the beginning', refused({ updated_at_from: ['is too recent'] })],
] as const;
const never = (): boolean => false;

describe('updates', () => {
  it('note how far they were read after each window, but not while a report in them waits for its judgement', async () => {
    const fromMs = NOW_MS - 4 * HOUR_MS;
    const all = updates(Infinity, never, never);
    const reachedMs = await readUpdates(all.context, all.reports, fromMs);
    expect([reachedMs, all.noted.at(-1)]).toEqual([LATEST_MS, LATEST_MS]);
    expect(all.noted).toEqual(all.asked.map(([, toMs]) => toMs));
    expect(all.noted.length).toBe(4);
    expect(all.told).toEqual([1, 2, 3, 4].map((id) => [id, 'updates']));
    const doubtful = all.noted.slice(1, 3);
    const some = updates(Infinity, never, (toMs) => doubtful.includes(toMs));
    expect(await readUpdates(some.context, some.reports, fromMs)).toBe(LATEST_MS);
    expect(some.noted).toEqual([all.noted[0], all.noted[3]]);
  });

  it.each(TOO_RECENT)(
    'are read to within a minute of what the exchange finds too recent by %s',
    async (_, error) => {
      const takesToMs = NOW_MS - 30 * 60_000;
      const { context, reports, noted } = updates(takesToMs, () => error, never);
      const reachedMs = await readUpdates(context, reports, NOW_MS - HOUR_MS);
      expect(reachedMs).toBeLessThanOrEqual(takesToMs);
      expect(reachedMs).toBeGreaterThan(takesToMs - 60_000);
      expect(noted.at(-1)).toBe(reachedMs);
      expect(noted).toEqual(noted.toSorted((a, b) => a - b));
    },
  );

  it.each(TOO_RECENT)('go back from a cursor that the exchange finds too recent by %s', async (_, error) => {
    const takesToMs = NOW_MS - 30 * 60_000;
    const { context, reports, told } = updates(takesToMs, () => error, never);
    const cursorMs = await trustedCursor(context, reports, NOW_MS);
    expect(cursorMs).toBeLessThanOrEqual(takesToMs);
    expect(cursorMs).toBeGreaterThan(NOW_MS - 65 * 60_000);
    expect(told).toEqual([[expect.any(Number), 'recovery']]);
  });

  it.each([
    ['for another reason', refused({ updated_at_to: ['is no instant'] })],
    ['for another field', refused({ page: ['too recent'] })],
    ['with another code', refused({ updated_at_to: ['too recent'] }, 'forbidden')],
    ['without a word', new TransportError('unknown', 'recent')],
  ])('end with the error of a window that is refused %s, and what was read counts', async (_, error) => {
    const takesToMs = NOW_MS - 90 * 60_000;
    const { context, reports, noted } = updates(takesToMs, () => error, never);
    await expect(readUpdates(context, reports, NOW_MS - 4 * HOUR_MS)).rejects.toBe(error);
    expect(noted).toHaveLength(2);
    await expect(trustedCursor(context, reports, NOW_MS)).rejects.toBe(error);
  });
});
