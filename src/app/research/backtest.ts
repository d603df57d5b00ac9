/** A whole backtest: data, engine, statistics, and the entry in the ledger of runs. */
import { createHash } from 'node:crypto';
import process from 'node:process';
import { TouchlineError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BacktestEngine, BacktestInput, EngineName } from '../../research/backtest-engine.ts';
import { FAIR_VARIANTS } from '../../fair/options.ts';
import { runFast } from '../../research/fast/engine.ts';
import { type BacktestResult, type Coverage, RESULT_HEAD } from '../../research/result.ts';
import type { EventTape } from '../../research/tape.ts';
import { summarise } from '../../research/statistics/summarise.ts';
import { warningsOf } from '../../research/statistics/warnings.ts';
import type { BacktestReport, Speed } from '../../research/summary.ts';
import { parseParameters } from '../../strategy/loader.ts';
import { configuredPriceSources } from '../config/price-sources.ts';
import type { Config } from '../config/load.ts';
import { strategyToRun } from '../strategies/load.ts';
import { type FullChoice, fullEngine } from './full/engine.ts';
import { type MarketData, marketData } from './market-data.ts';
import { enterRun, marketNames, type RunIdentity, splitsIn, type Tries } from './run-ledger.ts';
import { asideIn } from './set-aside.ts';
import { strategyText } from './strategy-text.ts';
import type { OnRead } from './tapes.ts';

const ENGINES = {
  fast: () => runFast,
  full: fullEngine,
} as const satisfies Record<EngineName, (choice: FullChoice) => BacktestEngine>;

export interface BacktestChoice extends Omit<
  BacktestInput,
  'tapes' | 'strategy' | 'parameters' | 'onProgress' | 'priceSources' | 'variants'
> {
  /** A bundled strategy's name, or a file. */
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly data: readonly string[];
  /** Betfair's score files. */
  readonly scores?: readonly string[];
  readonly engine: EngineName;
  /** Everything else of the daemon, for the full engine. */
  readonly config: Config;
  /** The folder of the ledger of runs. */
  readonly ledger: string;
  /** Uses what is set aside, and nothing else; otherwise it is left out. */
  readonly usesSetAside: boolean;
  readonly clock: Clock;
  readonly onProgress: NonNullable<BacktestInput['onProgress']>;
  /** Learns of the files that were read, before anything runs. */
  readonly onRead?: OnRead;
}

export interface Backtest {
  readonly report: BacktestReport;
  readonly speed: Speed;
}

/** Runs a backtest. Rejects with ConfigError for strategy and parameters, with RecordingError for data. */
export async function backtest(choice: BacktestChoice): Promise<Backtest> {
  const { strategy, file } = await strategyToRun(choice.strategy);
  const parameters = parseParameters(strategy, choice.parameters);
  const data = await chosenData(choice);
  const priceSources = (await configuredPriceSources(choice.config)).map(({ rules }) => rules);
  const started = process.cpuUsage();
  const startedMs = choice.clock.monotonicMs();
  const scenarios = await ENGINES[choice.engine](choice)({
    ...choice,
    tapes: data.tapes,
    priceSources,
    variants: FAIR_VARIANTS,
    strategy,
    parameters,
  });
  const wallMs = choice.clock.monotonicMs() - startedMs;
  const used = process.cpuUsage(started);
  const result: BacktestResult = {
    ...RESULT_HEAD,
    strategy: strategy.name,
    parameters: parameters as Record<string, unknown>,
    engine: choice.engine,
    seed: choice.seed,
    latencyMs: typeof choice.requestLatencyMs === 'number' ? choice.requestLatencyMs : NaN,
    commission: choice.commission ?? 'recorded',
    coverage: data.coverage,
    scenarios,
  };
  const summaries = scenarios.map((scenario) => summarise(scenario, choice.seed));
  const tries = enterRun(
    choice.ledger,
    data.markets,
    identityOf(choice, result, file),
    choice.clock.wallMs(),
  );
  const updates = data.coverage.updates * scenarios.length;
  const marketS = (scenarios.length * marketMs(data.coverage, choice)) / 1000;
  return {
    report: {
      result,
      summaries,
      tries: tries.runs,
      warnings: [...warningsOf(scenarios, summaries, tries.runs), ...data.warningsOf(tries)],
    },
    speed: {
      updates,
      updatesPerS: Math.round(updates / (wallMs / 1000)),
      marketSPerCpuS: Math.round(marketS / ((used.user + used.system) / 1e6)),
    },
  };
}

interface ChosenData extends MarketData {
  /** Their names in the ledger. */
  readonly markets: readonly string[];
  /** A remark on the part that is set aside. */
  readonly warningsOf: (tries: Tries) => readonly string[];
}

/** The data without what is set aside, or that alone. */
async function chosenData({
  data: paths,
  scores,
  onRead,
  ledger,
  usesSetAside,
}: BacktestChoice): Promise<ChosenData> {
  const isAside = asideIn(splitsIn(ledger));
  const isWanted = (tape: EventTape): boolean => isAside(tape) === usesSetAside;
  const markets = new Set<string>();
  const others = new Set<string>();
  const choose = (tape: EventTape): boolean => {
    for (const name of marketNames(tape)) (isWanted(tape) ? markets : others).add(name);
    return isWanted(tape);
  };
  const data = await marketData(paths, { isWanted: choose, scores, onRead });
  if (data.coverage.updates === 0) throw new TouchlineError('recording', nothingToTrade(paths, others.size));
  return {
    ...data,
    markets: [...markets],
    warningsOf: ({ runs, firstMs }) => {
      if (!usesSetAside)
        return others.size === 0 ? [] : [`${others.size} markets are set aside and were left out.`];
      return [
        runs === 1
          ? 'This is the first use of what is set aside. Every later one is entered as another try.'
          : `What is set aside was used before, first at ${new Date(firstMs).toISOString()}: it judges no strategy any more.`,
      ];
    },
  };
}

const nothingToTrade = (paths: readonly string[], others: number): string =>
  others === 0
    ? `there is no market to trade in ${paths.join(', ')}`
    : `all ${others} markets of ${paths.join(', ')} are left out: data split has set days aside; see --set-aside`;

/** The market time that a run covers. */
function marketMs(coverage: Coverage, { fromMs, toMs }: Pick<BacktestInput, 'fromMs' | 'toMs'>): number {
  const endMs = Math.min(coverage.toMs, toMs ?? Infinity);
  return Math.max(0, endMs - Math.max(coverage.fromMs, fromMs ?? -Infinity));
}

/** Names what makes a run a further try. The text of the strategy is part of it: an edited file is another strategy, a renamed one is not. */
function identityOf(
  choice: BacktestChoice,
  { strategy, parameters }: BacktestResult,
  file: string,
): RunIdentity {
  const { engine, limits, balanceMicros, requestLatencyMs, feedLatencyMs, commission, fromMs, toMs, seed } =
    choice;
  const text = createHash('sha256').update(strategyText(file)).digest('hex');
  return {
    strategy,
    text,
    parameters,
    engine,
    limits,
    balanceMicros,
    requestLatencyMs,
    feedLatencyMs,
    commission,
    fromMs,
    toMs,
    seed,
  };
}
