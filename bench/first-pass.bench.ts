/**
 * The first pass of `touchline backtest` over a file, beside the same pass once everything is warm: updates a second of the clock in fresh
 * processes, over all scenarios, as the command prints them. Needs `../shared/data`. `node bench/first-pass.bench.ts [STRATEGY [PROCESSES]]`.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { figure, percentile } from './figures.ts';
import { runProcess } from './run-process.ts';

const FILE = '../shared/data/betfair/1.200806927.jsonl.gz';
const PASSES = 12;

const [strategy = 'symmetric', processes = '5'] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith('-'));

async function ratesOf(): Promise<readonly number[]> {
  const args = ['bench/first-pass/passes.ts', FILE, strategy, String(PASSES)];
  return JSON.parse(await runProcess(process.execPath, args, { cwd: process.cwd(), env: process.env }));
}

const thousands = (rate: number): string => `${Math.round(rate / 1_000)} thousand updates/s`;
const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

if (existsSync(FILE)) {
  const [firsts, warmed]: [number[], number[]] = [[], []];
  for (let round = 0; round < Number(processes); round++) {
    const [first = NaN, ...later] = await ratesOf();
    firsts.push(first);
    warmed.push(median(later.slice(-5)));
  }
  const [first, warm] = [median(firsts), median(warmed)];
  console.log(`${strategy}, ${processes} processes: first ${thousands(first)}, warmed ${thousands(warm)}`);
  console.log(`the first pass runs at ${(first / warm).toFixed(2)} of the warmed rate`);
  figure('first pass', first / warm, 'of the warmed rate', 'rate');
} else console.log(`left out: ${FILE} is missing`);
