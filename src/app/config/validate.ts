import { KNOWN_MARKET_TYPES, KNOWN_SPORTS, unknownCode } from '../../domain/codes.ts';
import { ConfigError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { parseParameters } from '../../strategy/loader.ts';
import type { Strategy } from '../../strategy/sdk.ts';
import { folderOfStrategy, strategyToRun } from '../strategies/load.ts';
import { type Fault, Faults } from './faults.ts';
import { type Config, type ConfigSources, type LoadedConfig, readConfig, reworded } from './load.ts';
import { flawsReworded } from './plugin-flaws.ts';
import { riskLimitsOf } from './part-options.ts';
import { configuredPriceSources } from './price-sources.ts';
import { type NamedSettings, strategyLimitsOf } from './strategy-options.ts';
import { type StrategySettings, tableKey } from './tables.ts';

/** A configuration that passed every check that is possible without a start. */
export interface ValidatedConfig {
  readonly config: Config;
  readonly limits: RiskLimits;
  /** In order of precedence. */
  readonly strategies: readonly ConfiguredStrategy[];
}

/**
 * Validates what every start validates, and changes nothing: limits, the strategies and their parameters, the price sources, and the
 * presence of a journal if the mode needs one. Throws ConfigError with the messages of a start: every mistake, those of loading
 * included. What depends on a mistake is not judged.
 */
export async function validateConfig(loaded: LoadedConfig): Promise<ValidatedConfig> {
  const { values: config, complaint } = loaded;
  const faults = new Faults(loaded.faults);
  const limits = faults.isSound('mode', 'risk')
    ? faults.attempt('risk', () => riskLimitsOf(config, complaint))
    : undefined;
  for (const fault of codeFaults(config, limits?.allow ?? NO_CODES, complaint)) faults.add(fault);
  const strategies = await strategiesOf(config, complaint, faults);
  if (limits !== undefined) faults.attempt('strategy', () => strategyLimitsOf(strategies, limits, complaint));
  if (faults.isSound('priceSource'))
    await faults.attemptLater('priceSource', () => configuredPriceSources(config, complaint));
  if (
    config.journal.path === '' &&
    !MODES[config.mode].journal.mayBeInMemory &&
    faults.isSound('journal.path')
  )
    faults.add({
      key: 'journal.path',
      message: `journal.path is mandatory in ${config.mode} mode: without it no order survives a restart`,
    });
  faults.throwIfAny();
  return { config, limits: limits as RiskLimits, strategies };
}

/** Throws ConfigError if a program that places orders on the exchange may not do so under this configuration. */
export function mustPlaceOrders({ mode }: Pick<Config, 'mode'>, isLive: boolean, what: string): void {
  const { actsOnExchange, real } = MODES[mode];
  if (!actsOnExchange)
    throw new ConfigError(
      `mode = "${mode}" sends no order to the exchange: give the configuration of a live run`,
    );
  if (real.money && !isLive)
    throw new ConfigError(`mode = "${mode}" uses real money: say --live to place ${what}`);
}

/**
 * Loads a configuration for a start. Throws ConfigError: if anything is wrong, with every mistake that `validateConfig` would name as
 * well.
 */
export async function loadForStart(sources: ConfigSources): Promise<LoadedConfig> {
  const loaded = readConfig(sources);
  if (loaded.faults.length > 0) await validateConfig(loaded);
  return loaded;
}

/** The strategies without a mistake, their parameters included. */
async function strategiesOf(
  config: Config,
  complaint: LoadedConfig['complaint'],
  faults: Faults,
): Promise<readonly ConfiguredStrategy[]> {
  const found: ConfiguredStrategy[] = [];
  for (const [key, settings] of strategyTables(config)) {
    if (!faults.isSound(`${key}.name`, `${key}.as`)) continue;
    const strategy = await faults.attemptLater(key, () => strategyOf(key, settings, found, complaint));
    if (strategy === undefined) continue;
    found.push(strategy);
    if (faults.isSound(`${key}.parameters`))
      faults.attempt(`${key}.parameters`, () => parametersOf(strategy, complaint));
  }
  return found;
}

/** A strategy that a configuration names. */
export interface ConfiguredStrategy extends NamedSettings {
  readonly plugin: Strategy;
  /** The folder of its code, as a URL that ends in `/`. */
  readonly folder: string;
}

/** The tables of the strategies, in order of precedence, with their keys in messages. */
export const strategyTables = ({
  strategy,
  tables,
}: Pick<Config, 'strategy' | 'tables'>): readonly (readonly [key: string, settings: StrategySettings])[] =>
  tables.strategy.length === 0
    ? [['strategy', strategy]]
    : tables.strategy.map((settings, index) => [tableKey('strategy', index), settings]);

/** Reports faults without their origin. */
const withoutOrigin: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`;

/**
 * The strategies that a configuration names, in order of precedence; at least one. A process reads each file once. Throws
 * ConfigError.
 */
export async function configuredStrategies(
  config: Pick<Config, 'strategy' | 'tables'>,
  complaint = withoutOrigin,
): Promise<readonly ConfiguredStrategy[]> {
  const found: ConfiguredStrategy[] = [];
  for (const [key, settings] of strategyTables(config))
    found.push(await strategyOf(key, settings, found, complaint));
  return found;
}

/** The strategy of one table. Throws ConfigError if it cannot be loaded, or if an earlier one has its name. */
async function strategyOf(
  key: string,
  settings: StrategySettings,
  earlier: readonly ConfiguredStrategy[],
  complaint: LoadedConfig['complaint'],
): Promise<ConfiguredStrategy> {
  const plugin = await pluginOf(settings.name, (message) => complaint(`${key}.name`, message));
  const name = settings.as === '' ? plugin.name : settings.as;
  const twin = earlier.find((other) => other.name === name);
  if (twin !== undefined) {
    const reason = `${name} is the name of ${twin.key}, too: give each strategy a name of its own`;
    throw new ConfigError(complaint(`${key}.as`, reason));
  }
  return { key, settings, plugin, name, folder: folderOfStrategy(settings.name) };
}

async function pluginOf(specifier: string, words: (message: string) => string): Promise<Strategy> {
  try {
    return (await strategyToRun(specifier)).strategy;
  } catch (error) {
    throw reworded(error, words);
  }
}

/** The parameters as the strategy's schema returns them. Throws ConfigError with a line for each faulty one. */
export function parametersOf(
  { key, settings, plugin }: Omit<ConfiguredStrategy, 'name' | 'folder'>,
  complaint = withoutOrigin,
): unknown {
  try {
    return parseParameters(plugin, settings.parameters);
  } catch (error) {
    throw flawsReworded(error, `${key}.parameters`, complaint);
  }
}

interface CodeLists {
  readonly sports: readonly string[];
  readonly marketTypes: readonly string[];
}

const NO_CODES: CodeLists = { sports: [], marketTypes: [] };

/**
 * Every sport and market code of a configuration that is not known: a misspelt one would quote nothing, without a word. `allowed` are
 * the lists of the table `risk.allow`.
 */
function codeFaults(
  config: Config,
  allowed: CodeLists,
  complaint: LoadedConfig['complaint'],
): readonly Fault[] {
  const { strategy, priceSource } = config.tables;
  const lists: readonly (readonly [key: string, lists: CodeLists])[] = [
    ['universe', config.universe],
    ['risk.allow', allowed],
    ['strategy.match', config.strategy.match],
    ...strategy.map(({ match }, index) => [`${tableKey('strategy', index)}.match`, match] as const),
    ...priceSource.map((source, index) => [`${tableKey('priceSource', index)}.match`, source.match] as const),
  ];
  const others = config.exchange.otherCodes;
  return lists.flatMap(([key, { sports, marketTypes }]) => [
    ...faultsIn(`${key}.sports`, sports, KNOWN_SPORTS, others, complaint),
    ...faultsIn(`${key}.marketTypes`, marketTypes, KNOWN_MARKET_TYPES, others, complaint),
  ]);
}

const faultsIn = (
  key: string,
  codes: readonly string[],
  known: readonly string[],
  others: readonly string[],
  complaint: LoadedConfig['complaint'],
): readonly Fault[] =>
  codes.flatMap((code) => {
    const reason = unknownCode(code, known, others);
    return reason === null ? [] : { key, message: complaint(key, reason) };
  });
