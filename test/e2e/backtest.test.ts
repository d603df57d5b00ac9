import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { BacktestReport } from '../../src/research/summary.ts';
import { FIRST_MS, type GivenMarket, closing, line, opening } from '../support/betfair-lines.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { type Exit, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ODDS: GivenMarket = { id: '1.1', type: 'MATCH_ODDS', sport: '2', runners: [{ id: 11 }, { id: 22 }] };

/** A quarter of an hour of a two-sided market, with trades on both sides. */
const lines = [
  opening(ODDS),
  line(1_000, { id: ODDS.id, rc: [{ id: 11, atb: [[2, 500]], atl: [[2.04, 500]] }] }),
  ...Array.from({ length: 90 }, (_, at) =>
    line(10_000 * (at + 1), {
      id: ODDS.id,
      rc: [
        {
          id: 11,
          trd: [[at % 2 === 0 ? 2 : 2.04, 4_000 * (Math.floor(at / 2) + 1)]],
          atb: [[2, 500 + (at % 7)]],
        },
      ],
    }),
  ),
  closing(ODDS, ['WINNER', 'LOSER']),
];
const file = folder.file('1.1.jsonl', lines.join('\n'));
const ledger = join(folder.path, 'ledger');

const run = (...args: readonly string[]): Promise<Exit> => touchline(args).exit;
const backtest = (...args: readonly string[]): Promise<Exit> =>
  run('backtest', '--strategy', 'symmetric', '--ledger', ledger, ...args);

const parsed = ({ stdout }: Exit): Record<string, unknown> =>
  JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

describe('touchline backtest', () => {
  it.each(['fast', 'full'])('writes the same bytes in two processes, with the %s engine', async (engine) => {
    const [first, second] = ['first', 'second'].map((name) => join(folder.path, `${engine}-${name}`));
    for (const out of [first, second]) {
      const own = ['--out', out ?? '', '--ledger', `${out}-ledger`, '--engine', engine];
      const done = await backtest('--data', file, ...own);
      expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    }
    const names = readdirSync(first ?? '').toSorted();
    expect(names).toEqual(expect.arrayContaining(['backtest.json', 'fills.csv']));
    expect(readdirSync(second ?? '').toSorted()).toEqual(names);
    const differing = names.filter(
      (name) => !readFileSync(join(first ?? '', name)).equals(readFileSync(join(second ?? '', name))),
    );
    expect(differing).toEqual([]);
    const { result } = JSON.parse(readFileSync(join(first ?? '', 'backtest.json'), 'utf8')) as BacktestReport;
    expect([result.engine, result.scenarios.some(({ fills }) => fills.length > 0)]).toEqual([engine, true]);
  });

  it('gives the same object for files and for their import, in other processes, but for its speed', async () => {
    const recording = join(folder.path, 'recording');
    const done = await run('data', 'import', file, '--out', recording);
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringContaining('imported 1 markets of 1 files, 93 lines'),
    ]);
    const direct = parsed(await backtest('--data', file, '--json'));
    const again = parsed(await backtest('--data', file, '--json'));
    const stored = parsed(await backtest('--data', recording, '--json'));
    const { speed, ...rest } = direct;
    expect(speed).toEqual({
      updates: expect.any(Number) as number,
      updates_per_s: expect.any(Number) as number,
      market_s_per_cpu_s: expect.any(Number) as number,
    });
    expect({ ...again, speed }).toEqual({ ...rest, speed });
    expect({ ...stored, speed, data: rest['data'] }).toEqual({ ...rest, speed });
    expect(rest).toMatchObject({
      format: 'touchline-backtest',
      strategy: 'symmetric',
      engine: 'fast',
      tries: 1,
      data: { events: 1, selections: 2, trades: 90, from: new Date(FIRST_MS).toISOString() },
    });
    const scenarios = rest['scenarios'] as Record<string, { fills: number; closing_line: object }>;
    expect(Object.keys(scenarios)).toEqual(['touch', 'queue', 'through']);
    expect(scenarios['touch']?.fills).toBeGreaterThan(0);
    expect(scenarios['touch']?.closing_line).toMatchObject({
      interval: null,
      reason: '0 of 30 match days',
    });
  });

  it('shows a table within 80 columns, and counts the tries of the data', async () => {
    const { code, stdout } = await backtest('--data', file, '--param', 'halfSpread=0.02', '--fills', 'queue');
    expect(code).toBe(0);
    expect(stdout).toMatch(/try 2 of this data/);
    const table = stdout.split('\n').filter((text) => !/^(Warning|Data|Verdict|symmetric)/.test(text));
    expect(Math.max(...table.map((text) => text.length))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Warning: 1 of 30 match days: too few/m);
  });

  it('writes the whole result, and tells where it is beside its output', async () => {
    const out = join(folder.path, 'out');
    const done = await backtest('--data', file, '--out', out, '--json');
    expect(done.stderr).toContain(`touchline: wrote ${join(out, 'report.html')}\n`);
    expect(JSON.parse(done.stdout)).toMatchObject({ format: 'touchline-backtest' });
    const page = join(folder.path, 'compared', 'compare.html');
    const compare = ['backtest', '--compare', out, out, '--out', join(folder.path, 'compared')];
    const plain = await run(...compare);
    expect([plain.code, plain.stdout, plain.stderr]).toEqual([0, '', `touchline: wrote ${page}\n`]);
    const asJson = await run(...compare, '--json');
    expect([JSON.parse(asJson.stdout), asJson.stderr]).toEqual([{ page }, plain.stderr]);
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['backtest.json', 'fills.csv', 'fills.parquet', 'summary.csv']),
    );
    const { result } = JSON.parse(readFileSync(join(out, 'backtest.json'), 'utf8')) as {
      result: { scenarios: { fills: object[] }[] };
    };
    const rows = readFileSync(join(out, 'fills.csv'), 'utf8').trim().split('\n').length - 1;
    expect(rows).toBe(result.scenarios.reduce((sum, { fills }) => sum + fills.length, 0));
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['no data', ['--data', 'nowhere.bz2'], 1, /cannot read nowhere\.bz2/],
    [
      'an unknown scenario',
      ['--data', file, '--fills', 'touch,luck'],
      2,
      /luck is not known; known are touch, queue, through/,
    ],
    [
      'an empty span',
      ['--data', file, '--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z'],
      2,
      /--to must be later/,
    ],
    [
      'a negative latency',
      ['--data', file, '--latency', '-5'],
      2,
      /--latency.*expected a number from zero up/,
    ],
    ['a rate above one', ['--data', file, '--commission', '5'], 2, /--commission.*below 1/],
    ['a wrong parameter', ['--data', file, '--param', 'halfSpread=-1'], 78, /halfSpread/],
    ['an unknown parameter', ['--data', file, '--param', 'spread=1'], 78, /spread/],
    ['an unknown strategy', ['--data', file, '--strategy', 'lucky'], 78, /lucky.*symmetric/s],
    ['an unknown engine', ['--data', file, '--engine', 'warp'], 2, /--engine/],
  ])('refuses %s, and says what is wrong', async (_, args, code, message) => {
    const exit = await backtest(...args);
    expect([exit.code, exit.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(exit.stderr).not.toMatch(/\n {4}at /);
  });

  it('describes a file as it describes its import', async () => {
    const recording = join(folder.path, 'described');
    await run('data', 'import', file, '--out', recording);
    const [direct, stored] = await Promise.all(
      [file, recording].map(async (path) => parsed(await run('data', 'info', path, '--json'))),
    );
    const markets = direct?.['markets'] as { events: number; updates: number };
    expect(markets).toMatchObject({ events: 1, selections: 2, trades: 90 });
    expect(stored?.['markets']).toEqual({ ...markets, sources: [recording] });
    expect((await run('data', 'info', recording)).stdout).toMatch(/^markets +1 events, 2 selections\n/m);
  });

  it('exports what it reads', async () => {
    const out = join(folder.path, 'tables');
    const done = await run('data', 'export', file, '--out', out, '--format', 'csv');
    expect([done.code, readdirSync(out)]).toEqual([0, ['tennis-2026-01-03_11_22']]);
    const updates = readFileSync(join(out, 'tennis-2026-01-03_11_22', 'updates.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(updates.slice(0, 4)).toEqual([
      'at,update,market,outcome,price,stake_micros,state,bet_delay_ms',
      '2026-01-03T14:00:00.000Z,state,1.1,,,,0,0',
      '2026-01-03T14:00:01.000Z,restingAgainst,1.1,h,2,500000000,,',
      '2026-01-03T14:00:01.000Z,restingFor,1.1,h,2.04,500000000,,',
    ]);
  });
});
