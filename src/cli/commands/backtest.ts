import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { bundledConfig } from '../../app/adapters/own-files.ts';
import { systemClock } from '../../app/adapters/system-clock.ts';
import { usualLedgerFolder } from '../../app/research/run-ledger.ts';
import { TouchlineError } from '../../domain/errors.ts';
import { toMicros } from '../../domain/money.ts';
import { ENGINE_NAMES, type EngineName, type Latency } from '../../research/backtest-engine.ts';
import { type Scenario, SCENARIOS } from '../../fills/fill-model.ts';
import {
  checkSpan,
  collectParameters,
  parseFromZero,
  parseInstantMs,
  parseInteger,
  parsePositive,
} from '../input/arguments.ts';
import { type ConfigOptions, configOf, withConfigOptions } from '../input/exchange-command.ts';
import { jsonText, printAll, tellWritten } from '../output/output.ts';
import { progressLine } from '../output/progress.ts';

interface BacktestOptions extends ConfigOptions {
  readonly strategy?: string;
  readonly data?: readonly string[];
  readonly scores?: readonly string[];
  readonly compare?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly param?: Readonly<Record<string, unknown>>;
  readonly fills: readonly Scenario[];
  /** A number of milliseconds, or a recording. */
  readonly latency: number | string;
  readonly feedLatency: number | string;
  readonly commission?: number;
  readonly engine: EngineName;
  readonly seed: number;
  readonly balance: number;
  readonly ledger: string;
  readonly setAside?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** Lies beneath the given files: what a recorded market needs to be traded, in play included. */
const RECORDED = bundledConfig('recorded');

/** The daemon's usual distance from the exchange. */
const USUAL_LATENCY_MS = 50;
const USUAL_BALANCE = 10_000;

/** `touchline backtest` */
export function backtestCommand(): Command {
  const command = new Command('backtest')
    .description('find out what a strategy would have earned in recorded markets')
    .option(
      '--strategy <name>',
      'the strategy: a file (anything with a / or a file extension), or the name of a bundled one; required without --compare',
    )
    .option('--data <file...>', 'Betfair files, or folders of them; required without --compare')
    .option('--scores <file...>', 'Betfair score files of these matches (op: ccm), or folders of them')
    .option('--from <instant>', 'quote only from this instant on', parseInstantMs)
    .option('--to <instant>', 'quote only until this instant', parseInstantMs)
    .option('--param <key=value>', 'a parameter of the strategy; repeatable', collectParameters)
    .addOption(
      new Option(
        '--fills <scenarios>',
        `fill scenarios, of ${SCENARIOS.join(', ')}; several with commas or blanks`,
      )
        .argParser(parseScenarios)
        .default(SCENARIOS),
    )
    .option(
      '--latency <ms>',
      'time from a decision to the exchange, or the recording of a run to draw it from',
      parseLatency,
      USUAL_LATENCY_MS,
    )
    .option(
      '--feed-latency <ms>',
      'time from the market to a decision, or a recording to draw it from',
      parseLatency,
      USUAL_LATENCY_MS,
    )
    .option(
      '--commission <rate>',
      'commission on the net winnings of each market, such as 0.05 (default: as recorded)',
      parseRate,
    )
    .addOption(
      new Option('--engine <name>', 'engine that runs the strategy').choices(ENGINE_NAMES).default('fast'),
    )
    .option('--seed <n>', 'seed of all random numbers', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--balance <usdt>', 'balance at the beginning', parsePositive, USUAL_BALANCE)
    .option('--ledger <folder>', 'folder that counts the tries of each data set', usualLedgerFolder())
    .option('--set-aside', 'use what `touchline data split DATA` has set aside, and nothing else')
    .option('--compare <folder...>', 'only compare the results in two folders; needs --out')
    .option('--out <folder>', 'write the whole result to this folder, with a page that shows it')
    .option('--json', 'print one JSON object as the last line');
  return withConfigOptions(command).action(run);
}

async function run(options: BacktestOptions): Promise<void> {
  if (options.compare !== undefined) {
    await compare(options, options.compare);
    return;
  }
  const { strategy, data } = options;
  if (strategy === undefined || data === undefined)
    throw new TouchlineError('usage', 'a backtest needs --strategy and --data, unless it is a --compare');
  checkSpan(options);
  const { riskLimitsOf } = await import('../../app/config/part-options.ts');
  const { backtest } = await import('../../app/research/backtest.ts');
  const { refuseUnhonoured } = await import('../../app/research/honoured.ts');
  const { backtestJson, backtestLines } = await import('../output/backtest-view.ts');
  const loaded = await configOf({ ...options, config: [RECORDED, ...(options.config ?? [])] });
  refuseUnhonoured(options.engine, loaded, RECORDED);
  const { values, complaint } = loaded;
  const progressOf = (what: string) => progressLine(process.stderr, what, () => systemClock.monotonicMs());
  const [reading, progress] = [progressOf('reading'), progressOf('backtest')];
  const done = await backtest({
    strategy,
    parameters: options.param ?? {},
    data,
    scores: options.scores ?? [],
    engine: options.engine,
    config: values,
    scenarios: SCENARIOS.filter((scenario) => options.fills.includes(scenario)),
    limits: riskLimitsOf(values, complaint),
    balanceMicros: toMicros(options.balance),
    requestLatencyMs: await latencyOf(options.latency, 'requestLatencies'),
    feedLatencyMs: await latencyOf(options.feedLatency, 'feedLatencies'),
    commission: options.commission ?? null,
    fromMs: options.from ?? null,
    toMs: options.to ?? null,
    seed: options.seed,
    ledger: options.ledger,
    usesSetAside: options.setAside === true,
    clock: systemClock,
    onRead: reading.show,
    onProgress: progress.show,
  });
  progress.end();
  const { report, speed } = done;
  if (options.out !== undefined) {
    const { writeBacktest } = await import('../../app/research/report-files.ts');
    tellWritten(await writeBacktest(options.out, report));
  }
  await printAll(
    options.json === true ? [jsonText(backtestJson(report, speed))] : backtestLines(report, speed),
  );
}

async function compare({ out, json }: BacktestOptions, [a, b, ...more]: readonly string[]): Promise<void> {
  if (out === undefined || a === undefined || b === undefined || more.length > 0)
    throw new TouchlineError('usage', '--compare needs two folders, and --out for the page');
  const { writeComparison } = await import('../../app/research/report-files.ts');
  const written = await writeComparison(out, a, b);
  tellWritten(written);
  if (json === true) await printAll([jsonText({ page: written.missing === null ? written.path : null })]);
}

function parseScenarios(text: string): readonly Scenario[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) throw new InvalidArgumentError(`known are ${SCENARIOS.join(', ')}`);
  return names.map((name) => {
    const known = SCENARIOS.find((scenario) => scenario === name);
    if (known === undefined)
      throw new InvalidArgumentError(`${name} is not known; known are ${SCENARIOS.join(', ')}`);
    return known;
  });
}

/** Anything that is no number names a recording. */
const parseLatency = (text: string): number | string =>
  Number.isNaN(Number(text)) ? text : parseFromZero(text);

async function latencyOf(
  given: number | string,
  recorded: 'requestLatencies' | 'feedLatencies',
): Promise<Latency> {
  if (typeof given === 'number') return given;
  const { diskFolder } = await import('../../app/record/disk-folder.ts');
  return (await import('../../app/research/recorded-latency.ts'))[recorded](diskFolder(given));
}

function parseRate(text: string): number {
  const rate = parseFromZero(text);
  if (rate >= 1) throw new InvalidArgumentError('expected a fraction below 1, such as 0.05 for 5 %');
  return rate;
}
