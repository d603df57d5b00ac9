import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { betId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { HistoryFact } from '../../src/history/facts.ts';
import type { History } from '../../src/history/history.ts';
import { IN_MEMORY, openHistory } from '../../src/history/sqlite-history.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { UTC_DAYS } from '../../src/lib/trading-day.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-pruning-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOON = Date.parse('2026-03-10T12:00:00Z');
const RATE = { commissionRate: 0.1 };
const SPORT = sport('fb');
const eventOf = (n: number) => ({ sport: SPORT, eventId: eventId(`e${n}`) });

/** A fill of its own order on its own event, so many days after the tenth of March. */
const filled = (n: number, day = 0, strategy: string | null = 'a'): HistoryFact => ({
  kind: 'fill',
  fill: {
    betId: betId(n),
    orderId: orderId(n),
    ...eventOf(n),
    strategy,
    role: 'maker',
    fair: 0.5,
    selectionId: 's' as SelectionId,
    direction: 'for',
    priceKind: 'odds-for',
    price: 2.1,
    stakeMicros: 10 * n,
    atMs: NOON + day * DAY_MS,
  },
});
const settled = (n: number, profitMicros: number, day = 0): HistoryFact => ({
  kind: 'result',
  result: { orderId: orderId(n), ...eventOf(n), profitMicros, atMs: NOON + day * DAY_MS, lastFair: 0.48 },
});
const idsIn = (history: History) => history.fills({ limit: 99 }).map((each) => each.betId);
const sumsIn = (history: History) => [history.total(RATE), history.byDay(RATE), history.byStrategy(RATE)];

describe('the sums of deleted days', () => {
  it('stay by day and by strategy, for orders of others as well', () => {
    const history = openHistory(IN_MEMORY, UTC_DAYS);
    history.write([
      filled(1),
      filled(2, 0, 'b'),
      filled(3, 0, null),
      filled(4, 1),
      filled(5, 2),
      settled(1, 70),
      settled(2, -30),
      settled(3, 11),
      settled(4, 5, 1),
      settled(5, 6, 2),
      ...([1, 10, 60] as const).map((horizonS): HistoryFact => ({
        kind: 'markout',
        betId: betId(1),
        horizonS,
        micros: horizonS,
      })),
    ]);
    const before = sumsIn(history);
    for (const day of ['2026-03-11', '2026-03-11', '2026-03-12']) {
      history.prune(day);
      expect(sumsIn(history)).toEqual(before);
    }
    expect(idsIn(history)).toEqual([5]);
    expect(history.byEvent(RATE).map((each) => each.eventId)).toEqual(['e5']);
    history.close();
  });

  it('grow no more by later reports, also by those of the next process', () => {
    const path = join(folder, 'final');
    const first = openHistory(path, UTC_DAYS);
    first.write([filled(1), settled(1, 70)]);
    first.prune('2026-03-11');
    // An earlier day does not open what a later one has closed.
    first.prune('2026-03-09');
    const before = sumsIn(first);
    first.write([filled(2), settled(2, 4)]);
    expect(sumsIn(first)).toEqual(before);
    first.close();
    const second = openHistory(path, UTC_DAYS);
    second.write([filled(3), settled(3, 5)]);
    expect(sumsIn(second)).toEqual(before);
    second.write([filled(4, 1), settled(4, 5, 1)]);
    expect(idsIn(second)).toEqual([4]);
    expect(second.total(RATE)).toMatchObject({ bets: 2, orders: 2, settledMicros: 75 });
    second.close();
  });
});

describe('a fill of an order that is not settled', () => {
  it('stays 366 days longer than others, and its sums for good', () => {
    const history = openHistory(IN_MEMORY, UTC_DAYS);
    history.write([filled(1), filled(2), settled(2, 3)]);
    const before = sumsIn(history);
    const pruneAfter = (days: number) =>
      history.prune(new Date(NOON + days * DAY_MS).toISOString().slice(0, 10));
    pruneAfter(1);
    expect(idsIn(history)).toEqual([1]);
    pruneAfter(366);
    expect(idsIn(history)).toEqual([1]);
    pruneAfter(367);
    expect(idsIn(history)).toEqual([]);
    expect(sumsIn(history)).toEqual(before);
    history.close();
  });

  it('stays until the day of its result is deleted', () => {
    const history = openHistory(IN_MEMORY, UTC_DAYS);
    history.write([filled(1), settled(1, 3, 2)]);
    history.prune('2026-03-12');
    expect(idsIn(history)).toEqual([1]);
    history.prune('2026-03-13');
    expect(idsIn(history)).toEqual([]);
    history.close();
  });
});

describe('what describes deleted fills', () => {
  it('goes with the last fill of its event, with the balances and samples of its day', () => {
    const history = openHistory(IN_MEMORY, UTC_DAYS);
    const who = { home: 'A', away: 'B', teams: [] };
    const described = (n: number): HistoryFact => ({
      kind: 'event',
      event: eventOf(n),
      title: `title ${n}`,
      startMs: null,
      who,
    });
    const midnight = Date.parse('2026-03-11T00:00:00Z');
    const balance = { balanceMicros: 5, openStakeMicros: 2, smartCreditMicros: null };
    const sample = {
      settledMicros: 1,
      expectedMicros: 2,
      worstMicros: 3,
      grossMicros: 4,
      openStakeMicros: 5,
      ordersOpen: 6,
      wanted: 7,
      quoted: 8,
      twoSided: 9,
    };
    history.write([
      filled(1),
      settled(1, 3),
      filled(2, 1),
      settled(2, 3, 1),
      described(1),
      described(2),
      { kind: 'balance', balance, atMs: midnight - 1 },
      ...[-1, 0].map((at): HistoryFact => ({ kind: 'sample', sample: { ...sample, atMs: midnight + at } })),
    ]);
    history.prune('2026-03-11');
    expect(history.lastBalance()).toBeNull();
    const all = { fromMs: 0, toMs: 2 * midnight, points: 1e12 };
    expect(history.samples(all)).toEqual([{ ...sample, atMs: midnight }]);
    expect(history.fills({ limit: 9 })).toMatchObject([{ betId: 2, title: 'title 2', who }]);
    history.write([filled(3, 1), { kind: 'balance', balance, atMs: midnight }]);
    history.prune('2026-03-11');
    expect(history.lastBalance()).toEqual({ ...balance, atMs: midnight });
    // A fill of the first event that comes later finds no description any more.
    const late = filled(1, 1);
    history.write([late]);
    expect(history.fills({ limit: 9 }).find((each) => each.betId === 1)).toMatchObject({ title: null });
    expect(history.fills({ limit: 9 }).find((each) => each.betId === 1)).not.toHaveProperty('who');
    history.close();
  });
});
