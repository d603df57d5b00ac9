import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { HistoryError } from '../../src/domain/errors.ts';
import { betId, type EventId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { HistoryFact, HistoryFill, HistoryResult } from '../../src/history/facts.ts';
import type { History } from '../../src/history/history.ts';
import { IN_MEMORY, openHistory, readHistory } from '../../src/history/sqlite-history.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { UTC_DAYS } from '../../src/lib/trading-day.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-history-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DAY_1 = Date.parse('2026-03-01T12:00:00Z');
const [FIRST, SECOND] = ['2026-03-01', '2026-03-02'];
const RATE = { commissionRate: 0.1 };

const eventOf = (n: number): EventId => eventId(`2026-03-01,${n},${n + 1}`);

function fill(n: number, change: Partial<HistoryFill> = {}): HistoryFact {
  const event = { sport: sport('fb'), eventId: eventOf(1) };
  return {
    kind: 'fill',
    fill: {
      betId: betId(n),
      orderId: orderId(n),
      ...event,
      strategy: 'a',
      role: 'maker',
      fair: 0.5,
      selectionId: 'fb|x|h' as SelectionId,
      direction: 'for',
      priceKind: 'odds-for',
      price: 2.1,
      stakeMicros: 10_000_000,
      atMs: DAY_1,
      ...change,
    },
  };
}

function result(n: number, profitMicros: number, change: Partial<HistoryResult> = {}): HistoryFact {
  const event = { sport: sport('fb'), eventId: eventOf(1) };
  const settled = { orderId: orderId(n), ...event, profitMicros, atMs: DAY_1, lastFair: 0.48, ...change };
  return { kind: 'result', result: settled };
}

/** Everything that people see. */
const shown = (history: History) => ({
  total: history.total(RATE),
  byDay: history.byDay(RATE),
  byEvent: history.byEvent(RATE),
  byStrategy: history.byStrategy(RATE),
  fills: history.fills({ limit: 1000 }),
});

/** Every history keeps these promises. */
function historyContract(name: string, open: () => History): void {
  describe(`${name} as a history`, () => {
    const opened: History[] = [];
    afterEach(() => opened.splice(0).forEach((history) => history.close()));
    const empty = (): History => {
      const history = open();
      opened.push(history);
      return history;
    };

    it('is empty at first', () => {
      const history = empty();
      expect(history.total(RATE)).toMatchObject({ bets: 0, stakeMicros: 0, settledMicros: 0, orders: 0 });
      expect([history.byDay(RATE), history.fills({ limit: 9 }), history.runs(9)]).toEqual([[], [], []]);
      expect(history.lastBalance()).toBeNull();
    });

    it('values a fill by what its price is, and shows both', () => {
      const history = empty();
      const against = { direction: 'against', price: 3, fair: 0.5 } as const;
      history.write([
        // 10 at 3.00 that pay 20 or cost 10, and 10 that pay 10 or cost 20.
        fill(1, { ...against, priceKind: 'odds-against' }),
        fill(2, { ...against, priceKind: 'lay-for' }),
        fill(3, { direction: 'for', priceKind: 'lay-against', price: 3, fair: 0.5 }),
        ...[1, 2, 3].map((n) => result(n, 0, { lastFair: 0.4 })),
      ]);
      expect(
        history
          .fills({ limit: 9 })
          .map(({ betId: id, direction, priceKind, price }) => [id, direction, priceKind, price]),
      ).toEqual([
        [3, 'for', 'lay-against', 3],
        [2, 'against', 'lay-for', 3],
        [1, 'against', 'odds-against', 3],
      ]);
      // At 50 %: 5, −5 and −5. At 40 %: 8, −2 and −8.
      expect(history.total(RATE)).toMatchObject({
        spreadMicros: -5e6,
        moveMicros: 3e6,
        settlementMicros: 2e6,
      });
    });

    it('splits a settled result into spread, move and settlement, which add up to it', () => {
      const history = empty();
      history.write([fill(1), result(1, 11_000_000)]);
      // The bet was worth 0.5 * 11 - 0.5 * 10 at the fill, and 0.48 * 11 - 0.52 * 10 at last.
      expect(history.total(RATE)).toMatchObject({
        bets: 1,
        stakeMicros: 10_000_000,
        orders: 1,
        settledMicros: 11_000_000,
        spreadMicros: 500_000,
        moveMicros: -420_000,
        settlementMicros: 10_920_000,
        unattributedMicros: 0,
        commissionMicros: 1_100_000,
      });
    });

    it('leaves a result without a fair probability unattributed', () => {
      const history = empty();
      history.write([fill(1, { fair: null }), result(1, -10_000_000), result(2, 3_000_000)]);
      expect(history.total(RATE)).toMatchObject({ unattributedMicros: -7_000_000, spreadMicros: 0 });
    });

    it('replaces a corrected result on the day of the first, and drops that of an order that is open again', () => {
      const history = empty();
      history.write([fill(1), result(1, 11_000_000)]);
      history.write([result(1, -10_000_000, { atMs: DAY_1 + DAY_MS, lastFair: 0.1 })]);
      expect(history.byDay(RATE)).toMatchObject([
        { day: FIRST, settledMicros: -10_000_000, spreadMicros: 500_000, moveMicros: -420_000 },
      ]);
      history.write([{ kind: 'reopened', orderId: orderId(1) }]);
      expect(history.total(RATE)).toMatchObject({ bets: 1, orders: 0, settledMicros: 0 });
    });

    it('takes commission from the net winnings of each event', () => {
      const history = empty();
      const other = { eventId: eventOf(7) };
      history.write([fill(1), fill(2), fill(3, other)]);
      history.write([result(1, 30_000_000), result(2, -10_000_000), result(3, -50_000_000, other)]);
      expect(history.total(RATE).commissionMicros).toBe(2_000_000);
      expect(history.byEvent(RATE).map((each) => each.commissionMicros)).toEqual([0, 2_000_000]);
    });

    it('names strategies, events and days, also if the result is reported before the fill', () => {
      const history = empty();
      const later = { atMs: DAY_1 + DAY_MS, strategy: 'b', eventId: eventOf(7) };
      history.write([result(2, 5_000_000, { atMs: DAY_1 + DAY_MS }), fill(1), fill(2, later)]);
      const event = { sport: sport('fb'), eventId: eventOf(7) };
      history.write([{ kind: 'event', event, title: 'A v B', startMs: DAY_1 }, fill(3, { strategy: null })]);
      expect(history.byStrategy(RATE)).toMatchObject([
        { strategy: 'a', bets: 1, settledMicros: 0 },
        { strategy: 'b', bets: 1, settledMicros: 5_000_000 },
        { strategy: null, bets: 1 },
      ]);
      expect(history.byEvent(RATE)).toMatchObject([
        { ...event, title: 'A v B', startMs: DAY_1, strategy: 'b', settledMicros: 5_000_000 },
        { title: null, startMs: null, strategy: 'a', bets: 2 },
      ]);
      expect(history.byDay(RATE).map(({ day, bets }) => [day, bets])).toEqual([
        [SECOND, 1],
        [FIRST, 2],
      ]);
      expect(history.total({ ...RATE, from: SECOND, to: SECOND })).toMatchObject({ bets: 1, orders: 1 });
    });

    it('gives the teams of an event with its fills, as they were described last', () => {
      const history = empty();
      const event = { sport: sport('fb'), eventId: eventOf(7) };
      const who = (home: string) => ({ home, away: 'B', teams: [{ teamId: 1, name: home }] });
      const described = (home: string) =>
        ({ kind: 'event', event, title: `${home} v B`, startMs: DAY_1, who: who(home) }) as const;
      history.write([described('A'), described('Å'), fill(1, { eventId: event.eventId }), fill(2)]);
      const known = history.fills({ limit: 9 }).map(({ betId: id, who: teams }) => [id, teams]);
      expect(Object.fromEntries(known)).toEqual({ 1: who('Å'), 2: undefined });
    });

    it('lists fills by time, with mark-outs and without counting voided bets', () => {
      const history = empty();
      const at = (s: number) => ({ atMs: DAY_1 + s * 1000 });
      history.write([fill(1), fill(2, at(5)), fill(3, at(9))]);
      history.write([
        { kind: 'markout', betId: betId(2), horizonS: 10, micros: -40 },
        { kind: 'markout', betId: betId(2), horizonS: 10, micros: 70 },
        { kind: 'validity', betId: betId(3), stands: false },
      ]);
      expect(history.fills({ limit: 2 }).map((each) => [each.betId, each.voided])).toEqual([
        [3, true],
        [2, false],
      ]);
      expect(history.fills({ fromMs: DAY_1 + 1, toMs: DAY_1 + 9000, limit: 9 })).toMatchObject([
        { betId: 2, markouts: { 1: null, 10: -40, 60: null } },
      ]);
      const { bets, markouts } = history.total(RATE);
      expect([bets, markouts[1]]).toEqual([
        2,
        { horizonS: 10, fills: 1, micros: -40, stakeMicros: 10_000_000 },
      ]);
      history.write([{ kind: 'validity', betId: betId(3), stands: true }]);
      expect(history.total(RATE).bets).toBe(3);
    });

    it('does not count a bet that was voided before its fill was reported', () => {
      const history = empty();
      history.write([{ kind: 'validity', betId: betId(1), stands: false }, fill(1)]);
      expect(history.total(RATE).bets).toBe(0);
    });

    it('tells how runs ended', () => {
      const history = empty();
      const run = (runId: string, atMs: number) => ({ runId, version: '1', mode: 'simulated', atMs });
      history.write([{ kind: 'run_started', run: run('1-a', 10) }]);
      history.write([{ kind: 'run_seen', runId: '1-a', atMs: 20, profitMicros: 7 }]);
      history.write([{ kind: 'run_started', run: run('2-b', 30) }]);
      history.write([{ kind: 'run_ended', runId: '2-b', atMs: 40, profitMicros: 9 }]);
      history.write([{ kind: 'run_started', run: run('3-c', 50) }]);
      expect(history.runs(9)).toMatchObject([
        { runId: '3-c', how: 'running', endMs: null },
        { runId: '2-b', how: 'clean', endMs: 40, profitMicros: 9 },
        { runId: '1-a', how: 'not clean', startMs: 10, endMs: 20, profitMicros: 7 },
      ]);
    });

    it('keeps balances, reconciliations and deposits', () => {
      const history = empty();
      const balance = { balanceMicros: 5, openStakeMicros: 2, smartCreditMicros: null };
      const deposit = { id: 'x', atMs: 9, amountMicros: -4, note: 'rent', by: 'a person' };
      const reconciliation = {
        atMs: 10,
        sinceMs: null,
        balanceMicros: 5,
        changeMicros: 1,
        settledMicros: 2,
        commissionMicros: 3,
        depositsMicros: 4,
        residualMicros: 5,
      };
      history.write([
        { kind: 'balance', balance, atMs: 3 },
        { kind: 'deposit', deposit },
        { kind: 'deposit', deposit },
        { kind: 'reconciliation', reconciliation },
      ]);
      expect(history.lastBalance()).toEqual({ atMs: 3, ...balance });
      expect(history.deposits(9)).toEqual([deposit]);
      expect(history.reconciliations(9)).toEqual([reconciliation]);
    });

    it('gives samples of a span, evenly, and keeps old ones further apart', () => {
      const history = empty();
      const at = (n: number): HistoryFact => ({
        kind: 'sample',
        sample: {
          atMs: DAY_1 + n * 10_000,
          settledMicros: n,
          expectedMicros: 2 * n,
          worstMicros: 0 - n,
          grossMicros: 1,
          openStakeMicros: 2,
          ordersOpen: 3,
          wanted: 6,
          quoted: 5,
          twoSided: 4,
        },
      });
      const taken = Array.from({ length: 100 }, (_, n) => at(n));
      history.write(taken);
      history.write(taken.slice(0, 3));
      const all = { fromMs: DAY_1, toMs: DAY_1 + 1_000_000, points: 1_000 };
      expect(history.samples(all)).toEqual(taken.map((fact) => 'sample' in fact && fact.sample));
      const few = history.samples({ ...all, points: 10 }).map(({ settledMicros }) => settledMicros);
      expect(few).toEqual([9, 19, 29, 39, 49, 59, 69, 79, 89, 99]);
      expect(history.samples({ ...all, fromMs: DAY_1 + 20_000, toMs: DAY_1 + 40_000 })).toHaveLength(2);
      history.thinSamples(DAY_1 + 600_000);
      expect(history.samples(all).map(({ settledMicros }) => settledMicros)).toEqual([
        0,
        30,
        ...Array.from({ length: 40 }, (_, n) => 60 + n),
      ]);
      history.prune('2026-03-02');
      expect(history.samples(all)).toEqual([]);
    });

    it('writes all facts of a batch or none', () => {
      const history = empty();
      const broken = fill(2, { price: NaN });
      expect(() => history.write([fill(1), broken])).toThrow(HistoryError);
      expect(history.fills({ limit: 9 })).toEqual([]);
      history.write([fill(1)]);
      expect(history.fills({ limit: 9 })).toHaveLength(1);
    });

    it('shows the same after facts are reported again, in any batches', () => {
      const facts = fc.array(
        fc.oneof(
          fc.record({ n: fc.integer({ min: 1, max: 6 }) }).map(({ n }) => fill(n, { atMs: DAY_1 + n })),
          fc
            .record({ n: fc.integer({ min: 1, max: 6 }), profit: fc.constant(1) })
            .map(({ n }) => result(n, n * 1_000_000 - 3_000_000)),
        ),
        { maxLength: 20 },
      );
      fc.assert(
        fc.property(facts, fc.integer({ min: 1, max: 5 }), (given, size) => {
          // A fill is reported before its result, as in a run.
          const inOrder = given.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
          const [once, again] = [open(), open()];
          once.write(inOrder);
          for (let at = 0; at < inOrder.length; at += size) {
            again.write(inOrder.slice(at, at + size));
            again.write(inOrder.slice(0, at + size));
          }
          expect(shown(again)).toEqual(shown(once));
          once.close();
          again.close();
        }),
        { numRuns: 30 },
      );
    });

    it('keeps the sums of days whose details it deletes, and ignores later reports of them', () => {
      const history = empty();
      const old = [fill(1), fill(2, { strategy: 'b', eventId: eventOf(7) }), fill(3)];
      const results = [result(1, 11_000_000), result(2, -10_000_000, { eventId: eventOf(7) })];
      history.write([...old, ...results, fill(4, { atMs: DAY_1 + DAY_MS })]);
      history.write([{ kind: 'markout', betId: betId(1), horizonS: 1, micros: 300 }]);
      const before = [history.total(RATE), history.byDay(RATE), history.byStrategy(RATE)];
      history.prune(SECOND as string);
      expect([history.total(RATE), history.byDay(RATE), history.byStrategy(RATE)]).toEqual(before);
      // A fill whose order is not settled stays: its result needs it.
      expect(history.fills({ limit: 9 }).map((each) => each.betId)).toEqual([4, 3]);
      history.write([...old, ...results, result(1, 5)]);
      expect([history.total(RATE), history.byDay(RATE), history.byStrategy(RATE)]).toEqual(before);
      history.write([result(3, -10_000_000, { atMs: DAY_1 + DAY_MS })]);
      expect(history.byDay(RATE)[0]).toMatchObject({
        day: SECOND,
        settledMicros: -10_000_000,
        spreadMicros: 500_000,
      });
      const settled = history.byDay(RATE);
      history.prune('2026-03-03');
      expect(history.fills({ limit: 9 }).map((each) => each.betId)).toEqual([4]);
      expect(history.byDay(RATE)).toEqual(settled);
    });
  });
}

historyContract('memory', () => openHistory(IN_MEMORY, UTC_DAYS));

let files = 0;
historyContract('a file', () => openHistory(join(folder, `history-${files++}`), UTC_DAYS));

describe('a file of history of an earlier version', () => {
  /** As a program before prices had kinds, and before paper, left it. */
  function ofVersion2(path: string): void {
    openHistory(path, UTC_DAYS).close();
    const db = new DatabaseSync(path);
    db.exec(`ALTER TABLE fills DROP COLUMN price_kind; DROP TABLE paper_fills; DROP TABLE alerts; DROP TABLE profits;
      PRAGMA user_version = 2;
      INSERT INTO fills (bet_id, order_id, strategy, sport, event_id, selection_id, direction, price, stake, role, at_ms, day, fair)
      VALUES (1, 1, 'a', 'fb', 'e', 's', 'for', 2.1, 10000000, 'maker', ${DAY_1}, '${FIRST}', 0.5),
        (2, 2, 'a', 'fb', 'e', 's', 'against', 3, 10000000, 'maker', ${DAY_1}, '${FIRST}', 0.5)`);
    db.close();
  }

  it('keeps its fills, whose prices are those of the selection, and takes others', () => {
    const path = join(folder, 'version-2');
    ofVersion2(path);
    const history = openHistory(path, UTC_DAYS);
    history.write([
      fill(3, { direction: 'against', priceKind: 'odds-against', price: 3 }),
      result(2, 0),
      result(3, 0),
    ]);
    const kinds = history.fills({ limit: 9 }).map(({ betId: id, priceKind }) => [id, priceKind]);
    expect(kinds).toEqual([
      [3, 'odds-against'],
      [2, 'lay-for'],
      [1, 'odds-for'],
    ]);
    // At 50 %: a lay of 10 at 3.00 is worth −5, and 10 at odds of 3.00 against it 5.
    expect(history.total(RATE)).toMatchObject({ spreadMicros: 0, moveMicros: 2 * 0.02 * 30e6 });
    history.close();
    const again = openHistory(path, UTC_DAYS);
    expect(again.fills({ limit: 9 }).map(({ betId: id, priceKind }) => [id, priceKind])).toEqual(kinds);
    again.close();
  });
});

describe('a file of history', () => {
  it('is found again by the next process, and can be read beside it', () => {
    const path = join(folder, 'again');
    const first = openHistory(path, UTC_DAYS);
    first.write([fill(1), result(1, 11_000_000)]);
    const before = shown(first);
    first.close();
    const second = openHistory(path, UTC_DAYS);
    expect(shown(second)).toEqual(before);
    const reader = readHistory(path);
    second.write([fill(2)]);
    expect(reader.total(RATE).bets).toBe(2);
    reader.close();
    second.close();
  });

  it('is refused if it is another database, or of a newer version', () => {
    const other = new DatabaseSync(join(folder, 'other'));
    other.exec('CREATE TABLE t (x)');
    other.close();
    expect(() => openHistory(join(folder, 'other'), UTC_DAYS)).toThrow(/another database/);
    const newer = new DatabaseSync(join(folder, 'newer'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(() => openHistory(join(folder, 'newer'), UTC_DAYS)).toThrow(/newer version/);
    expect(() => readHistory(join(folder, 'missing'))).toThrow(HistoryError);
  });
});
