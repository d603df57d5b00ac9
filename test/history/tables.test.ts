import { afterEach, describe, expect, it } from 'vitest';
import { HistoryError } from '../../src/domain/errors.ts';
import { betId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type {
  Deposit,
  HistoryFact,
  HistoryFill,
  HistoryPaperFill,
  HistoryResult,
  Reconciliation,
  Sample,
} from '../../src/history/facts.ts';
import type { History } from '../../src/history/history.ts';
import { IN_MEMORY, openHistory } from '../../src/history/sqlite-history.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { UTC_DAYS } from '../../src/lib/trading-day.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const RATE = { commissionRate: 0.1 };

const opened: History[] = [];
afterEach(() => opened.splice(0).forEach((history) => history.close()));

function historyOf(...facts: readonly HistoryFact[]): History {
  const history = openHistory(IN_MEMORY, UTC_DAYS);
  opened.push(history);
  history.write(facts);
  return history;
}

const EVENT = { sport: sport('fb'), eventId: eventId('2026-03-01,1,2') };
const OTHER = { sport: sport('basket'), eventId: eventId('2026-03-01,7,8') };

const fillOf = (n: number, change: Partial<HistoryFill> = {}): HistoryFill => ({
  betId: betId(n),
  orderId: orderId(100 + n),
  ...EVENT,
  strategy: 'a',
  role: 'maker',
  fair: 0.5,
  selectionId: `fb|x|${n}` as SelectionId,
  direction: 'for',
  priceKind: 'odds-for',
  price: 2.1,
  stakeMicros: 10_000_000,
  atMs: NOON,
  ...change,
});
const filled = (n: number, change: Partial<HistoryFill> = {}): HistoryFact => ({
  kind: 'fill',
  fill: fillOf(n, change),
});
const settled = (n: number, profitMicros: number, change: Partial<HistoryResult> = {}): HistoryFact => ({
  kind: 'result',
  result: { orderId: orderId(100 + n), ...EVENT, profitMicros, atMs: NOON, lastFair: 0.48, ...change },
});
const marked = (n: number, horizonS: 1 | 10 | 60, micros: number): HistoryFact => ({
  kind: 'markout',
  betId: betId(n),
  horizonS,
  micros,
});

describe('a fill', () => {
  it('is read as it was written, with its day and its mark-outs', () => {
    const own = { strategy: 'b', role: 'taker', fair: 0.61, atMs: NOON + DAY_MS } as const;
    const ofOthers = { ...OTHER, strategy: null, role: 'unknown', fair: null, price: 1.04 } as const;
    const history = historyOf(
      filled(1, own),
      filled(2, { ...ofOthers, direction: 'against', priceKind: 'odds-against', stakeMicros: 3 }),
      marked(1, 1, 11),
      marked(1, 10, -22),
      marked(1, 60, 33),
    );
    const unmarked = { 1: null, 10: null, 60: null };
    expect(history.fills({ limit: 9 })).toEqual([
      {
        ...fillOf(1, own),
        title: null,
        day: '2026-03-02',
        voided: false,
        cause: null,
        markouts: { 1: 11, 10: -22, 60: 33 },
      },
      {
        ...fillOf(2, { ...ofOthers, direction: 'against', priceKind: 'odds-against', stakeMicros: 3 }),
        title: null,
        day: '2026-03-01',
        voided: false,
        cause: null,
        markouts: unmarked,
      },
    ]);
  });

  it('stays as it was reported first', () => {
    const history = historyOf(filled(1), filled(1, { fair: 0.9, price: 3, stakeMicros: 7, strategy: 'b' }));
    expect(history.fills({ limit: 9 })).toMatchObject([fillOf(1)]);
  });

  it('is listed from the first instant of a span to before its end, the later bet of an instant first', () => {
    const history = historyOf(...[1, 2, 3, 4].map((n) => filled(n, { atMs: NOON + Math.floor(n / 2) })));
    const idsIn = (fromMs?: number, toMs?: number) =>
      history
        .fills({
          limit: 9,
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
        })
        .map((each) => each.betId);
    expect(idsIn()).toEqual([4, 3, 2, 1]);
    expect(idsIn(NOON + 1)).toEqual([4, 3, 2]);
    expect(idsIn(NOON, NOON + 1)).toEqual([1]);
    expect(idsIn(NOON, NOON + 2)).toEqual([3, 2, 1]);
  });

  it('that stands again counts again, wherever the void was known before the fill', () => {
    const validity = (stands: boolean): HistoryFact => ({ kind: 'validity', betId: betId(1), stands });
    const betsAfter = (...facts: readonly HistoryFact[]): number => historyOf(...facts).total(RATE).bets;
    expect(betsAfter(validity(false), validity(false), filled(1))).toBe(0);
    expect(betsAfter(validity(false), validity(true), filled(1))).toBe(1);
    expect(betsAfter(filled(1), validity(false))).toBe(0);
    expect(betsAfter(filled(1), validity(false), validity(true))).toBe(1);
    expect(betsAfter(filled(1), filled(2), validity(false))).toBe(1);
  });
});

describe('the sums', () => {
  it('hold every fill, result and mark-out, and commission of the net winnings', () => {
    const history = historyOf(
      filled(1),
      filled(2, { stakeMicros: 4_000_000 }),
      filled(3, { fair: null }),
      marked(1, 1, 5),
      marked(2, 1, 6),
      marked(2, 10, -7),
      marked(3, 60, 8),
      settled(1, 11_000_000),
      settled(2, -4_000_001),
      settled(3, -300),
    );
    const sums = {
      bets: 3,
      stakeMicros: 24_000_000,
      orders: 3,
      settledMicros: 6_999_699,
      winningsMicros: 6_999_699,
      commissionMicros: 699_970,
      // Worth at 0.5 and at 0.48 of 10 at 2.1: 0.5 and 0.08; of 4 at 2.1: 0.2 and 0.032.
      spreadMicros: 700_000,
      moveMicros: -588_000,
      settlementMicros: 6_887_999,
      unattributedMicros: -300,
      markouts: [
        { horizonS: 1, fills: 2, micros: 11, stakeMicros: 14_000_000 },
        { horizonS: 10, fills: 1, micros: -7, stakeMicros: 4_000_000 },
        { horizonS: 60, fills: 1, micros: 8, stakeMicros: 10_000_000 },
      ],
    };
    expect(history.total(RATE)).toEqual(sums);
    const against = { direction: 'against', priceKind: 'odds-against', price: 1.25 } as const;
    const odds = historyOf(filled(1, { ...against, stakeMicros: 4_000_000 }), marked(1, 10, 250_000));
    // As a share: 1 at 5, which is what the other side of 4 at 1.25 stakes.
    const marks = { horizonS: 10, fills: 1, micros: 250_000, stakeMicros: 1_000_000 };
    expect(odds.total(RATE).markouts[1]).toEqual(marks);
    odds.prune('2026-03-02');
    expect(odds.total(RATE).markouts[1]).toEqual(marks);
    expect(history.byDay(RATE)).toEqual([{ day: '2026-03-01', ...sums }]);
    expect(history.byStrategy(RATE)).toEqual([{ strategy: 'a', ...sums }]);
    const undescribed = { title: null, startMs: null, openMicros: null };
    expect(history.byEvent(RATE)).toEqual([{ ...EVENT, ...undescribed, strategy: 'a', ...sums }]);
  });

  it('are those of the days that are asked for, both ends included', () => {
    const history = historyOf(
      ...[0, 1, 2, 3].flatMap((day) => [
        filled(day, { atMs: NOON + day * DAY_MS, stakeMicros: 10 ** day }),
        settled(day, 10 ** day, { atMs: NOON + day * DAY_MS }),
      ]),
    );
    const sumsOf = (range: { readonly from?: string; readonly to?: string }) => {
      const { stakeMicros, settledMicros } = history.total({ ...RATE, ...range });
      return [stakeMicros, settledMicros];
    };
    expect(sumsOf({})).toEqual([1111, 1111]);
    expect(sumsOf({ from: '2026-03-02', to: '2026-03-03' })).toEqual([110, 110]);
    expect(sumsOf({ from: '2026-03-03' })).toEqual([1100, 1100]);
    expect(sumsOf({ to: '2026-03-02' })).toEqual([11, 11]);
    expect(history.byDay({ ...RATE, from: '2026-03-02' }).map(({ day }) => day)).toEqual([
      '2026-03-04',
      '2026-03-03',
      '2026-03-02',
    ]);
  });

  it('of strategies come by name, those without a strategy last, and of events the latest start first', () => {
    const at = (n: number) => ({ sport: sport('fb'), eventId: eventId(`e${n}`) });
    const described = (n: number, startMs: number | null): HistoryFact => ({
      kind: 'event',
      event: at(n),
      title: `title ${n}`,
      startMs,
    });
    const names = ['c', null, 'a', 'b'];
    const history = historyOf(
      ...names.map((strategy, n) => filled(n + 1, { ...at(n + 1), strategy })),
      described(1, 5),
      described(2, 9),
      described(4, 5),
    );
    expect(history.byStrategy(RATE).map(({ strategy }) => strategy)).toEqual(['a', 'b', 'c', null]);
    expect(history.byEvent(RATE).map((each) => [each.eventId, each.title, each.startMs])).toEqual([
      ['e2', 'title 2', 9],
      ['e4', 'title 4', 5],
      ['e1', 'title 1', 5],
      ['e3', null, null],
    ]);
  });
});

describe('the winnings', () => {
  const winningsOf = (...facts: readonly HistoryFact[]) => {
    const history = historyOf(...facts);
    const totals = [history.total(RATE), ...history.byStrategy(RATE), ...history.byEvent(RATE)];
    return totals.map(({ winningsMicros }) => winningsMicros);
  };

  it('of an event are those of each day alone: a later loss gives no commission back', () => {
    const lost = settled(2, -10, { atMs: NOON + DAY_MS });
    expect(winningsOf(filled(1), filled(2), settled(1, 10), lost)).toEqual([10, 10, 10]);
    expect(winningsOf(filled(1), filled(2), settled(1, 10), settled(2, -10))).toEqual([0, 0, 0]);
  });

  it('of a day are those of each event and strategy alone', () => {
    expect(winningsOf(filled(1), filled(2, OTHER), settled(1, 10), settled(2, -10, OTHER))).toEqual([
      10, 10, 0, 10,
    ]);
    const ofB = filled(2, { strategy: 'b' });
    expect(winningsOf(filled(1), ofB, settled(1, 10), settled(2, -10))).toEqual([10, 10, 0, 10]);
  });
});

it('events that start together come by their ids, the last first, whatever the order of their facts', () => {
  const at = (n: number) => ({ sport: sport('fb'), eventId: eventId(`e${n}`) });
  for (const order of [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
  ]) {
    const history = historyOf(...order.map((n) => filled(n, at(n))));
    expect(history.byEvent(RATE).map((each) => each.eventId)).toEqual(['e3', 'e2', 'e1']);
  }
});

describe('a result', () => {
  it('that is corrected has the sources of the corrected amount, at the market of the first', () => {
    const history = historyOf(filled(1), settled(1, 11_000_000), settled(1, -10_000_000, { lastFair: 0.1 }));
    expect(history.total(RATE)).toMatchObject({
      orders: 1,
      settledMicros: -10_000_000,
      spreadMicros: 500_000,
      moveMicros: -420_000,
      settlementMicros: -10_080_000,
      unattributedMicros: 0,
      winningsMicros: 0,
      commissionMicros: 0,
    });
  });

  it('counts on the strategy and the event of its bets, whichever is reported first', () => {
    const bet = filled(1, { ...OTHER, strategy: 'b' });
    for (const facts of [
      [bet, settled(1, 8)],
      [settled(1, 8), bet],
    ]) {
      const history = historyOf(...facts);
      expect(history.byEvent(RATE)).toMatchObject([{ ...OTHER, strategy: 'b', bets: 1, settledMicros: 8 }]);
      expect(history.byStrategy(RATE)).toMatchObject([{ strategy: 'b', bets: 1, settledMicros: 8 }]);
    }
  });

  it('of an order without bets counts on the event that it names, for no strategy', () => {
    const history = historyOf(settled(1, 8, OTHER));
    expect(history.byEvent(RATE)).toMatchObject([{ ...OTHER, strategy: null, orders: 1, settledMicros: 8 }]);
    expect(history.byStrategy(RATE)).toMatchObject([{ strategy: null, settledMicros: 8 }]);
  });

  it('counts on the day of its instant, which may have a fraction', () => {
    const history = historyOf(settled(1, 8, { atMs: NOON + DAY_MS + 0.5 }), settled(2, 9));
    expect(history.byDay(RATE).map(({ day, settledMicros }) => [day, settledMicros])).toEqual([
      ['2026-03-02', 8],
      ['2026-03-01', 9],
    ]);
  });

  it('is gone once its order is open again, and no other is', () => {
    const history = historyOf(settled(1, 8), settled(2, 9), { kind: 'reopened', orderId: orderId(101) });
    expect(history.total(RATE)).toMatchObject({ orders: 1, settledMicros: 9 });
  });
});

describe('an alert', () => {
  const alert = (kind: string, atMs: number, untilMs: number | null = null): HistoryFact => ({
    kind: 'alert',
    alert: { kind, severity: 'page', title: 'Killed', text: 'resume', atMs, untilMs },
  });

  it('is kept with its cause and its times, the newest first', () => {
    const history = historyOf(
      alert('killed', NOON),
      alert('not_quoting', NOON + 5),
      alert('killed', NOON, NOON + 9),
    );
    expect(history.alerts({ limit: 9 })).toEqual([
      {
        kind: 'not_quoting',
        severity: 'page',
        title: 'Killed',
        text: 'resume',
        atMs: NOON + 5,
        untilMs: null,
      },
      { kind: 'killed', severity: 'page', title: 'Killed', text: 'resume', atMs: NOON, untilMs: NOON + 9 },
    ]);
    expect(history.alerts({ limit: 1 })).toMatchObject([{ kind: 'not_quoting' }]);
    expect(history.alerts({ limit: 9, toMs: NOON + 5 })).toMatchObject([{ kind: 'killed' }]);
    expect(history.alerts({ limit: 9, fromMs: NOON + 5 })).toMatchObject([{ kind: 'not_quoting' }]);
  });

  it('goes with the details of its day', () => {
    const history = historyOf(alert('killed', NOON));
    history.prune(new Date(NOON + 86_400_000).toISOString().slice(0, 10));
    expect(history.alerts({ limit: 9 })).toEqual([]);
  });
});

describe('a run', () => {
  const run = (runId: string, atMs: number) => ({ runId, version: `v${runId}`, mode: 'live', atMs });
  const started = (runId: string, atMs: number): HistoryFact => ({
    kind: 'run_started',
    run: run(runId, atMs),
  });
  const row = (runId: string, startMs: number) => ({ runId, version: `v${runId}`, mode: 'live', startMs });

  it('is shown with all that is known of it, the newest first', () => {
    const history = historyOf(
      started('1', 10),
      { kind: 'run_seen', runId: '1', atMs: 20, profitMicros: 7 },
      started('2', 30),
      { kind: 'run_ended', runId: '2', atMs: 40, profitMicros: -9 },
      // The clock has not moved since.
      started('3', 50),
      started('4', 50),
      { kind: 'run_seen', runId: '4', atMs: 60, profitMicros: 3 },
    );
    const shown = [
      { ...row('4', 50), endMs: null, how: 'running', profitMicros: 3 },
      { ...row('3', 50), endMs: 50, how: 'not clean', profitMicros: 0 },
      { ...row('2', 30), endMs: 40, how: 'clean', profitMicros: -9 },
      { ...row('1', 10), endMs: 20, how: 'not clean', profitMicros: 7 },
    ];
    expect(history.runs(9)).toEqual(shown);
    expect(history.runs(2)).toEqual(shown.slice(0, 2));
  });

  it('that has ended changes no more, and one that is reported again goes on', () => {
    const history = historyOf(started('1', 10), { kind: 'run_ended', runId: '1', atMs: 40, profitMicros: 9 });
    history.write([{ kind: 'run_seen', runId: '1', atMs: 50, profitMicros: 1 }, started('1', 60)]);
    expect(history.runs(9)).toEqual([{ ...row('1', 10), endMs: 40, how: 'clean', profitMicros: 9 }]);
    const going = historyOf(started('2', 10), { kind: 'run_seen', runId: '2', atMs: 20, profitMicros: 7 });
    going.write([started('2', 30)]);
    expect(going.runs(9)).toEqual([{ ...row('2', 10), endMs: null, how: 'running', profitMicros: 7 }]);
  });
});

describe('what is known of the money', () => {
  it('is the latest balance, whose instant is rounded', () => {
    const balanceAt = (
      atMs: number,
      balanceMicros: number,
      smartCreditMicros: number | null,
    ): HistoryFact => ({
      kind: 'balance',
      balance: { balanceMicros, openStakeMicros: 2, smartCreditMicros },
      atMs,
    });
    const history = historyOf(balanceAt(3, 5, 8), balanceAt(9.6, 6, 4), balanceAt(4, 7, 1));
    const latest = { atMs: 10, balanceMicros: 6, openStakeMicros: 2, smartCreditMicros: 4 };
    expect(history.lastBalance()).toEqual(latest);
    history.write([balanceAt(10, 8, null)]);
    expect(history.lastBalance()).toEqual({ ...latest, balanceMicros: 8, smartCreditMicros: null });
  });

  it('is each deposit as it was entered first, the newest first', () => {
    const deposit = (id: string, atMs: number, amountMicros = 3): Deposit => ({
      id,
      atMs,
      amountMicros,
      note: `note of ${id}`,
      by: `author of ${id}`,
    });
    const [first, second, third] = [deposit('b', 1), deposit('c', 2), deposit('a', 2, -4)];
    const facts = [first, third, second, deposit('b', 9, 8)];
    const history = historyOf(...facts.map((each): HistoryFact => ({ kind: 'deposit', deposit: each })));
    expect(history.deposits(9)).toEqual([second, third, first]);
    expect(history.deposits(1)).toEqual([second]);
  });

  it('is each comparison of the balance as it was made last, the newest first', () => {
    const made = (atMs: number, sinceMs: number | null, residualMicros: number): Reconciliation => ({
      atMs,
      sinceMs,
      balanceMicros: 5,
      changeMicros: 6,
      settledMicros: 7,
      commissionMicros: 8,
      depositsMicros: 9,
      residualMicros,
    });
    const facts = [made(1, null, 1), made(3, 1, 3), made(2, 1, 2), made(1, 0, 4)];
    const history = historyOf(
      ...facts.map((reconciliation): HistoryFact => ({ kind: 'reconciliation', reconciliation })),
    );
    expect(history.reconciliations(9)).toEqual([made(3, 1, 3), made(2, 1, 2), made(1, 0, 4)]);
    expect(history.reconciliations(1)).toEqual([made(3, 1, 3)]);
  });
});

describe('a sample', () => {
  const sampleOf = (atMs: number, settledMicros = 1): Sample => ({
    atMs,
    settledMicros,
    expectedMicros: 2,
    worstMicros: -3,
    grossMicros: 4,
    openStakeMicros: 5,
    ordersOpen: 6,
    wanted: 7,
    quoted: 8,
    twoSided: 9,
  });
  const sampled = (...samples: readonly Sample[]): History =>
    historyOf(...samples.map((sample): HistoryFact => ({ kind: 'sample', sample })));

  it('is replaced by a later one of its instant, and read from the start of a span to before its end', () => {
    const history = sampled(sampleOf(30), sampleOf(10), sampleOf(20), sampleOf(20, 12));
    const span = { fromMs: 10, toMs: 30, points: 20 };
    expect(history.samples(span)).toEqual([sampleOf(10), sampleOf(20, 12)]);
    expect(history.samples({ ...span, toMs: 31, points: 1_000 })).toHaveLength(3);
  });

  it('is one of at most as many as are asked for, each the last of its part of the span', () => {
    const history = sampled(...Array.from({ length: 10 }, (_, at) => sampleOf(100 + at)));
    const instantsOf = (points: number) =>
      history.samples({ fromMs: 100, toMs: 110, points }).map(({ atMs }) => atMs);
    expect(instantsOf(1)).toEqual([109]);
    expect(instantsOf(2)).toEqual([104, 109]);
    // Parts of four milliseconds.
    expect(instantsOf(3)).toEqual([103, 107, 109]);
    expect(history.samples({ fromMs: 100, toMs: 100, points: 3 })).toEqual([]);
  });

  it('that is old stays only if it is the first of its five minutes', () => {
    const first = 300_000 * 1_000;
    const instants = [first, first + 1, first + 299_999, first + 300_000, first + 300_001];
    const history = sampled(...instants.map((atMs) => sampleOf(atMs)));
    const left = () =>
      history.samples({ fromMs: 0, toMs: 2 * first, points: 1e12 }).map(({ atMs }) => atMs - first);
    history.thinSamples(first + 299_998.6);
    expect(left()).toEqual([0, 299_999, 300_000, 300_001]);
    history.thinSamples(first + 300_001);
    expect(left()).toEqual([0, 300_000, 300_001]);
  });
});

describe('a reading of a profit', () => {
  const reading = (atMs: number, name: string, profitMicros: number, of: 'event' | 'strategy' = 'event') => ({
    kind: 'profit' as const,
    profit: { atMs, of, name, profitMicros },
  });
  const readIn = (history: History, query: { fromMs: number; toMs: number; points: number }) =>
    history.profits(query).map(({ atMs, name, profitMicros }) => [atMs, name, profitMicros]);

  it('is read within a span, with the title of an event that is known', () => {
    const title: HistoryFact = {
      kind: 'event',
      event: { sport: sport('fb'), eventId: eventId('2026-01-31,1,2') },
      title: 'Northgate v Harbour',
      startMs: null,
    };
    const known = 'fb|2026-01-31,1,2';
    const history = historyOf(
      title,
      reading(9, known, 1),
      reading(10, known, 2),
      reading(10, 'fb|other', 3),
      reading(11, known, 4, 'strategy'),
      reading(12, known, 5),
    );
    expect(history.profits({ fromMs: 10, toMs: 12, points: 100 })).toEqual([
      { atMs: 10, of: 'event', name: known, profitMicros: 2, title: 'Northgate v Harbour' },
      { atMs: 10, of: 'event', name: 'fb|other', profitMicros: 3, title: null },
      { atMs: 11, of: 'strategy', name: known, profitMicros: 4, title: null },
    ]);
  });

  it('is the last of each part of the span, and of many events those that were furthest from 0', () => {
    const few = historyOf(...[10, 11, 12, 13].map((atMs) => reading(atMs, 'a', atMs)), reading(11, 'b', 1));
    expect(readIn(few, { fromMs: 10, toMs: 14, points: 2 })).toEqual([
      [11, 'a', 11],
      [11, 'b', 1],
      [13, 'a', 13],
    ]);
    const many = historyOf(
      ...Array.from({ length: 60 }, (_, at) => reading(1, `event ${at}`, at - 20)),
      reading(1, 'quiet', 0, 'strategy'),
    );
    const kept = readIn(many, { fromMs: 0, toMs: 2, points: 1 });
    expect(kept).toHaveLength(40);
    expect(kept.map(([, , profitMicros]) => profitMicros)).toEqual(expect.arrayContaining([-20, 39, 0]));
    expect(kept.filter(([, name]) => name === 'event 20')).toEqual([]);
  });

  it('that is old stays only if it is the last of its five minutes', () => {
    const first = 300_000 * 1_000;
    const history = historyOf(
      reading(first, 'a', 1),
      reading(first + 60_000, 'a', 2),
      reading(first, 'b', 3),
      reading(first + 300_000, 'a', 4),
      reading(first + 360_000, 'a', 5),
    );
    history.thinSamples(first + 300_001);
    expect(readIn(history, { fromMs: 0, toMs: 2 * first, points: 1e12 })).toEqual([
      [first, 'b', 3],
      [first + 60_000, 'a', 2],
      [first + 360_000, 'a', 5],
    ]);
    history.prune('2100-01-01');
    expect(history.profits({ fromMs: 0, toMs: 2 * first, points: 1 })).toEqual([]);
  });
});

describe('a fact that a table refuses', () => {
  it.each([
    ['no number', filled(2, { price: NaN })],
    ['no whole number', filled(2, { stakeMicros: 0.5 })],
    ['no value at all', filled(2, { strategy: undefined as never })],
  ])('because a value is %s leaves nothing of its batch, and is told from a broken file', (_, refused) => {
    const history = historyOf();
    let error: unknown;
    try {
      history.write([filled(1), refused]);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(HistoryError);
    expect((error as HistoryError).details).toEqual({ invalidFact: true });
    expect(history.fills({ limit: 9 })).toEqual([]);
    history.write([filled(1)]);
    expect(history.fills({ limit: 9 })).toHaveLength(1);
  });
});

it('a history that is closed answers no question, and may be closed again', () => {
  const history = historyOf(filled(1));
  history.close();
  history.close();
  const questions = [
    () => history.total(RATE),
    () => history.byDay(RATE),
    () => history.byEvent(RATE),
    () => history.byStrategy(RATE),
    () => history.fills({ limit: 1 }),
    () => history.runs(1),
    () => history.reconciliations(1),
    () => history.deposits(1),
    () => history.lastBalance(),
    () => history.samples({ fromMs: 0, toMs: 1, points: 1 }),
    () => history.profits({ fromMs: 0, toMs: 1, points: 1 }),
  ];
  for (const question of questions)
    expect(question).toThrow(
      expect.objectContaining({
        name: 'HistoryError',
        details: {},
        message: expect.stringMatching(/^cannot read the history: /) as string,
      }),
    );
});

describe('the fills of a paper run', () => {
  const paper = (n: number, model: string, change: Partial<HistoryPaperFill> = {}): HistoryFact => {
    const { strategy: _, role: __, fair: ___, ...bet } = fillOf(n);
    return { kind: 'paper_fill', fill: { ...bet, model, cause: 'queue ahead traded', ...change } };
  };
  const all = { limit: 100 };

  it('tell why a fill of the account was one; no other fill has a cause', () => {
    const history = historyOf(
      filled(1),
      filled(2),
      filled(3),
      { kind: 'validity', betId: betId(3), stands: false },
      paper(1, 'queue', { cause: 'book jumped' }),
      paper(3, 'queue'),
    );
    expect(history.fills(all).map((fill) => [fill.betId, fill.cause])).toEqual([
      [3, 'voided'],
      [2, null],
      [1, 'book jumped'],
    ]);
  });

  it('tell near misses: what touch filled of an order beyond queue', () => {
    const of = { orderId: orderId(7) };
    const history = historyOf(
      paper(1, 'touch', { ...of, stakeMicros: 6_000_000, cause: 'price crossed' }),
      paper(2, 'touch', { ...of, stakeMicros: 4_000_000, atMs: NOON + 5 }),
      paper(3, 'queue', { ...of, stakeMicros: 3_000_000 }),
      paper(4, 'through', { ...of, stakeMicros: 3_000_000 }),
      paper(5, 'touch', { orderId: orderId(8) }),
      paper(6, 'queue', { orderId: orderId(8) }),
      paper(7, 'queue', { orderId: orderId(9) }),
    );
    expect(history.nearMisses(all)).toMatchObject([
      { orderId: 7, missedMicros: 7_000_000, cause: 'price crossed', atMs: NOON, priceKind: 'odds-for' },
    ]);
    expect(history.nearMisses({ ...all, toMs: NOON })).toEqual([]);
  });

  it('are counted once however often they are reported, and go with their day', () => {
    const history = historyOf(paper(1, 'touch'), paper(1, 'touch'));
    expect(history.nearMisses(all)).toMatchObject([{ missedMicros: 10_000_000 }]);
    history.prune('2026-03-02');
    expect(history.nearMisses(all)).toEqual([]);
  });

  it('keep the name of their event, which may have no fill of the account', () => {
    const history = historyOf(paper(1, 'touch'));
    const [miss] = history.nearMisses(all);
    if (miss === undefined) throw new Error('no near miss');
    const event = { sport: miss.sport, eventId: miss.eventId };
    const who = { home: 'A', away: 'B', teams: [] };
    history.write([{ kind: 'event', event, title: 'A v B', startMs: NOON, who }]);
    history.prune('2026-02-01');
    expect(history.nearMisses(all)).toMatchObject([{ title: 'A v B', who }]);
    expect(history.described(event)).toEqual({ title: 'A v B', startMs: NOON });
    history.prune('2026-03-02');
    expect(history.described(event)).toBeNull();
  });
});
