import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/app/run/exit-codes.ts';
import { backtestLines } from '../../src/cli/output/backtest-view.ts';
import { createProgram } from '../../src/cli/program.ts';
import { PAGE, TERMINAL } from '../../src/lib/formats.ts';
import { FIGURES, PROFITS } from '../../src/research/report/figures.ts';
import { explainResults } from '../../src/research/report/words.ts';
import { generatedReport } from '../support/backtest-report.ts';

const failureOf = async (args: readonly string[]): Promise<unknown> => {
  const program = await createProgram();
  return program.parseAsync(['node', 'touchline', 'backtest', ...args]).catch((error: unknown) => error);
};

const FILE = ['--strategy', 'symmetric', '--data', '/nowhere/1.1.bz2'];

describe('the summary of a backtest', () => {
  const report = generatedReport({ events: 5, fillsPerEvent: 8, unsettled: 3 });
  const lines = backtestLines(report, { updates: 1, updatesPerS: 1, marketSPerCpuS: 1 });
  const forTerminal = (text: string): string =>
    text.replaceAll(PAGE.nothing, TERMINAL.nothing).replaceAll('−', '-').replaceAll('\u2009', '');

  it('has the profits of the report, by the same names and with the same figures', () => {
    const names = ['events settled, of those with bets', ...PROFITS.map(([name]) => name)];
    const rows = FIGURES.filter(({ name }) => names.includes(name));
    expect(rows.map(({ name }) => name)).toEqual(names);
    for (const { name, text } of rows) {
      const row = lines.find((line) => line.startsWith(name)) ?? '';
      const figures = report.summaries.map((summary) => forTerminal(text(summary)));
      expect(row.slice(name.length).trim().split(/ {2,}/)).toEqual(figures);
    }
  });

  it('warns of bets without a result as the report does', () => {
    const warnings = report.summaries.map(
      ({ scenario, profit }) => `${scenario}: ${forTerminal(explainResults(profit, PAGE))}.`,
    );
    expect(warnings[0]).toMatch(/^touch: 2 of 5 events with bets settled, .*the other 3 \(24 fills\)/);
    expect(report.warnings).toEqual(expect.arrayContaining(warnings));
    expect(lines).toEqual(expect.arrayContaining(warnings.map((warning) => `Warning: ${warning}`)));
  });
});

describe('touchline backtest', () => {
  it.each(['orders.durationS=20', 'orders.retryS=3', 'simulator.placementDelay=2', 'market.staleAfterS=9'])(
    'refuses %s by name, because the fast engine does not honour it',
    async (setting) => {
      const failure = await failureOf([...FILE, '--set', setting]);
      const [key = ''] = setting.split('=');
      expect(String(failure)).toContain(`--set: ${key}: the fast engine does not honour it`);
      expect(String(failure)).toContain('--engine full');
      expect(exitCodeOf(failure)).toBe(78);
    },
  );

  it('refuses a universe that leaves something out, and takes one that leaves nothing out', async () => {
    const narrow = await failureOf([...FILE, '--set', 'universe.sports=fb']);
    expect(String(narrow)).toContain('--set: universe.sports: the fast engine does not honour it');
    expect(String(await failureOf([...FILE, '--set', 'universe.inPlay=true']))).toContain('/nowhere/1.1.bz2');
  });

  it('takes all of these with the full engine, and limits with both', async () => {
    const full = ['--engine', 'full', '--set', 'orders.durationS=20', '--set', 'universe.sports=fb'];
    expect(String(await failureOf([...FILE, ...full]))).toContain('cannot read /nowhere/1.1.bz2');
    const limits = ['--set', 'risk.inPlay.allowed=false'];
    expect(String(await failureOf([...FILE, ...limits]))).toContain('cannot read /nowhere/1.1.bz2');
  });

  it.each(['queue through', 'queue,through', 'queue, through'])(
    'takes the scenarios of "%s"',
    async (fills) => {
      expect(String(await failureOf([...FILE, '--fills', fills]))).toContain('cannot read /nowhere/1.1.bz2');
    },
  );

  it.each(['queue thru', ''])('refuses the scenarios of "%s"', async (fills) => {
    const failure = await failureOf([...FILE, '--fills', fills]);
    expect(String(failure)).toContain('known are touch, queue, through');
  });

  it.each([
    [[], /needs --strategy and --data/],
    [['--strategy', 'symmetric'], /needs --strategy and --data/],
    [['--compare', 'a', '--out', 'c'], /--compare needs two folders/],
    [['--compare', 'a', 'b', 'c', '--out', 'd'], /--compare needs two folders/],
    [['--compare', 'a', 'b'], /and --out for the page/],
  ])('%o is wrong usage', async (args, message) => {
    const failure = await failureOf(args);
    expect(String(failure)).toMatch(message);
    expect(exitCodeOf(failure)).toBe(2);
  });

  it('names the result that a comparison cannot read', async () => {
    const failure = await failureOf(['--compare', '/nowhere/a', '/nowhere/b', '--out', '/nowhere/c']);
    expect(String(failure)).toMatch(/\/nowhere\/a\/backtest\.json cannot be read/);
  });
});
