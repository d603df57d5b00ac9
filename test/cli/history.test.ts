import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderCsv } from '../../src/cli/output/output.ts';
import { betId, eventId, type OrderId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { HistoryFact } from '../../src/history/facts.ts';
import { EXIT } from '../../src/app/run/exit-codes.ts';
import { openHistory } from '../../src/history/sqlite-history.ts';
import { UTC_DAYS } from '../../src/lib/trading-day.ts';
import { commandLine } from '../support/invoked.ts';
import { commanded } from '../support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-history-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const journal = join(folder, 'journal.sqlite');
const NOON = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

function traded(n: number, strategy: string, atMs: number, profitMicros: number): HistoryFact[] {
  const event = { sport: sport('fb'), eventId: eventId(`2026-03-01,${n},9`) };
  const bet = { betId: betId(n), orderId: orderId(n), ...event, strategy, role: 'maker', fair: 0.5 } as const;
  const terms = {
    direction: 'for',
    priceKind: 'odds-for',
    price: 2.1,
    stakeMicros: 10_000_000,
    atMs,
  } as const;
  return [
    { kind: 'event', event, title: `=Home ${n} v Away, "FC"`, startMs: atMs },
    { kind: 'fill', fill: { ...bet, ...terms, selectionId: `fb|${event.eventId}|h` as SelectionId } },
    { kind: 'markout', betId: betId(n), horizonS: 1, micros: 100_000 },
    { kind: 'result', result: { orderId: orderId(n), ...event, profitMicros, atMs, lastFair: 0.5 } },
  ];
}

const NOT_QUOTING = {
  kind: 'not_quoting',
  severity: 'page',
  title: 'Nothing is quoted',
  text: 'no fresh prices',
} as const;

beforeAll(() => {
  const history = openHistory(`${journal}.history`, UTC_DAYS);
  history.write([
    ...traded(1, 'anna', NOON, 11_000_000),
    ...traded(2, 'bea', NOON + DAY_MS, -10_000_000),
    ...traded(3, 'anna', NOON + DAY_MS, 11_000_000),
    { kind: 'alert', alert: { ...NOT_QUOTING, atMs: NOON, untilMs: NOON + 60_000 } },
    { kind: 'alert', alert: { ...NOT_QUOTING, atMs: NOON + DAY_MS, untilMs: null } },
  ]);
  history.close();
});

/** A history of one settled event, one that is half settled with a fair value, and one of which nothing is known. */
const open = join(folder, 'open.sqlite');
beforeAll(() => {
  const history = openHistory(`${open}.history`, UTC_DAYS);
  const isResult = ({ kind }: HistoryFact): boolean => kind === 'result';
  const half = traded(2, 'bea', NOON + 1_000, 0);
  const reading = (n: number, atMs: number, profitMicros: number): HistoryFact => ({
    kind: 'profit',
    profit: { atMs, of: 'event', name: `fb|2026-03-01,${n},9`, profitMicros },
  });
  history.write([
    ...traded(1, 'anna', NOON, 11_000_000),
    reading(1, NOON, 11_000_000),
    ...half.filter((fact) => !isResult(fact)),
    ...half.filter(isResult).map((fact) => settledOf(fact, orderId(77), 500_000)),
    reading(2, NOON, -4_000_000),
    reading(2, NOON + 60_000, 2_000_000),
    ...traded(3, 'anna', NOON + 2_000, 0).filter((fact) => !isResult(fact)),
    { kind: 'markout', betId: betId(1), horizonS: 10, micros: 200_000 },
    { kind: 'markout', betId: betId(2), horizonS: 10, micros: -300_000 },
  ]);
  history.close();
});

/** A result of another order of the event. */
const settledOf = (fact: HistoryFact, id: OrderId, profitMicros: number): HistoryFact =>
  fact.kind === 'result' ? { kind: 'result', result: { ...fact.result, orderId: id, profitMicros } } : fact;

const SETTINGS = ['--set', `journal.path=${journal}`, '--set', 'exchange.commissionRate=0.1'];

const asked = (...args: readonly string[]) => askedOf(journal, ...args);

async function askedOf(
  path: string,
  ...args: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const settings = ['--set', `journal.path=${path}`, '--set', 'exchange.commissionRate=0.1'];
  const [code, stdout] = await commanded('history', '--json', ...args, ...settings);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

const run = commandLine();

describe('touchline history', () => {
  it('says where the results of a daemon without a journal are, and how to keep them', async () => {
    const { code, stderr } = await run(['history']);
    expect(code).toBe(EXIT.config);
    for (const words of [
      'keeps it in memory for its run',
      'touchline status',
      'touchline start --set journal.path=touchline.journal',
      'touchline history --set journal.path=touchline.journal',
    ])
      expect(stderr).toContain(words);
  });

  it('tells what alarmed, when, and until when', async () => {
    const alarm = {
      time: '2026-03-01T12:00:00Z',
      until: '2026-03-01T12:01:00Z',
      severity: 'page',
      kind: 'not_quoting',
      alert: 'Nothing is quoted',
      cause: 'no fresh prices',
    };
    expect(await asked('--alerts', '--from', '2026-03-01')).toEqual([alarm]);
    expect(await asked('--alerts', '--all')).toMatchObject([{ until: null }, alarm]);
    expect(await asked('--alerts', '--all', '--limit', '1')).toHaveLength(1);
  });

  it('shows today unless asked for other days', async () => {
    expect(await asked()).toMatchObject([{ bets: 0, profit: 0 }]);
    expect(await asked('--all')).toMatchObject([
      { days: 'all', bets: 3, stake: 30, settled: 12, commission: 2.2, profit: 9.8, markout_1s_percent: 1 },
    ]);
    expect(await asked('--from', '2026-03-02')).toMatchObject([{ bets: 2, settled: 1, profit: -0.1 }]);
    expect(await asked('--from', '2026-03-01', '--to', '2026-03-02')).toMatchObject([{ bets: 3 }]);
  });

  it('shows amounts with two decimals to people, and whole ones to programs', async () => {
    const [, stdout] = await commanded('history', '--all', ...SETTINGS);
    const [names, values] = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    const shown = (name: string): string | undefined => values?.[names?.indexOf(name) ?? -1];
    expect(['bets', 'stake', 'settled', 'commission', 'profit'].map(shown)).toEqual([
      '3',
      '30.00',
      '12.00',
      '2.20',
      '9.80',
    ]);
  });

  it('groups by day, strategy and event', async () => {
    expect(await asked('--all', '--by', 'day')).toMatchObject([
      { day: '2026-03-02', settled: 1 },
      { day: '2026-03-01', settled: 11 },
    ]);
    expect(await asked('--all', '--by', 'strategy')).toMatchObject([
      { strategy: 'anna', settled: 22 },
      { strategy: 'bea', settled: -10 },
    ]);
    expect(await asked('--all', '--by', 'event')).toHaveLength(3);
  });

  it('lists fills, the newest first, within the days asked for', async () => {
    expect((await asked('--all', '--fills')).map(({ bet_id }) => bet_id)).toEqual([3, 2, 1]);
    expect((await asked('--fills', '--from', '2026-03-01')).map(({ bet_id }) => bet_id)).toEqual([1]);
    expect(await asked('--all', '--fills', '--limit', '1')).toHaveLength(1);
  });

  it('lists the worst fill first, the one without a mark-out last, and names the unit', async () => {
    const fills = await askedOf(open, '--all', '--fills', '--worst');
    expect(fills.map(({ bet_id, markout_10s_usdt: lost }) => [bet_id, lost])).toEqual([
      [2, -0.3],
      [1, 0.2],
      [3, null],
    ]);
    expect(await askedOf(open, '--all', '--fills', '--worst', '--limit', '1')).toMatchObject([{ bet_id: 2 }]);
    const [, stdout] = await commanded('history', '--all', '--fills', '--set', `journal.path=${open}`);
    expect(stdout).toContain('markout 10s usdt');
    expect(stdout).toMatch(/ -0\.30 /);
  });

  it('shows what unsettled events are worth by the last reading', async () => {
    const events = await askedOf(open, '--all', '--by', 'event');
    expect(events.map(({ event, open: worth }) => [event, worth])).toEqual([
      ['=Home 3 v Away, "FC"', null],
      ['=Home 2 v Away, "FC"', 1.5],
      ['=Home 1 v Away, "FC"', null],
    ]);
  });

  it('says that it asks no daemon, and where the answer is', async () => {
    const { code, stderr } = await run(['history', '--url', 'http://127.0.0.1:9470']);
    expect(code).toBe(EXIT.usage);
    for (const words of ['asks no daemon', '--set journal.path=FILE', '"Over time"'])
      expect(stderr).toContain(words);
    expect((await run(['history', '--help'])).stdout).not.toContain('--url');
  });

  it('prints CSV that a spreadsheet does not compute', async () => {
    const [code, stdout] = await commanded('history', '--all', '--by', 'event', '--csv', ...SETTINGS);
    const [head, first] = stdout.split('\n');
    expect([code, head]).toEqual([0, expect.stringMatching(/^event,sport,bets,stake/)]);
    expect(first).toMatch(/^"'=Home \d v Away, ""FC""",fb,1,10,/);
  });

  it.each([
    [['--by', 'week'], 2],
    [['--from', '2026-13-01'], 2],
    [['--worst'], 2],
    [['--set', 'journal.path='], 78],
    [['--set', 'journal.path=/no/such/journal'], 78],
  ])('refuses %j with %i', async (args, expected) => {
    expect((await commanded('history', ...SETTINGS, ...args))[0]).toBe(expected);
  });
});

describe('rows as CSV', () => {
  /** Reads CSV by RFC 4180. */
  const parsed = (text: string): string[][] => {
    const cells = [...text.matchAll(/(?:^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)];
    const rows: string[][] = [];
    for (const [whole, quoted, bare = ''] of cells) {
      if (!whole.startsWith(',')) rows.push([]);
      rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    }
    return rows;
  };

  it('read back as they were, but for the mark before a formula', () => {
    const row = fc.record({ a: fc.string(), b: fc.string() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const text = (value: string) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
        expect(parsed(renderCsv(rows).join('\n'))).toEqual([
          ['a', 'b'],
          ...rows.map(({ a, b }) => [text(a), text(b)]),
        ]);
      }),
    );
  });
});

describe('touchline history --fills --explain', () => {
  const paperJournal = join(folder, 'paper.sqlite');
  const explained = async (...args: readonly string[]) => {
    const [code, stdout] = await commanded(
      'history',
      '--fills',
      '--explain',
      '--all',
      ...args,
      '--set',
      `journal.path=${paperJournal}`,
    );
    return { code, stdout };
  };

  beforeAll(() => {
    const history = openHistory(`${paperJournal}.history`, UTC_DAYS);
    const facts = [...traded(1, 'anna', NOON, 0), ...traded(2, 'bea', NOON + 1, 0)];
    const paper = facts.flatMap((fact): HistoryFact[] => {
      if (fact.kind !== 'fill') return [];
      const { strategy: _, role: __, fair: ___, ...bet } = fact.fill;
      const told = { ...bet, cause: 'queue ahead traded' } as const;
      return [
        { kind: 'paper_fill', fill: { ...told, model: 'queue' } },
        {
          kind: 'paper_fill',
          fill: { ...told, model: 'touch', betId: betId(90 + bet.betId), orderId: orderId(50) },
        },
      ];
    });
    history.write([...facts, ...paper]);
    history.close();
  });

  it('shows why each was filled, and then the near misses', async () => {
    const { code, stdout } = await explained('--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { bet_id: 2, stake: 10, cause: 'queue ahead traded', near_miss: null },
      { bet_id: 1, stake: 10, cause: 'queue ahead traded', near_miss: null },
      { bet_id: null, order_id: 50, event: '=Home 1 v Away, "FC"', stake: null, near_miss: 20 },
    ]);
    const table = await explained('--csv');
    const [head = '', ...rows] = table.stdout.trim().split('\n');
    expect(head).toMatch(/,cause,near_miss$/);
    expect(rows).toHaveLength(3);
  });

  it('is asked for with --fills alone', async () => {
    const [code] = await commanded('history', '--explain', ...SETTINGS);
    expect(code).not.toBe(0);
  });
});
