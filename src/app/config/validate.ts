import { KNOWN_MARKET_TYPES, KNOWN_SPORTS, unknownCode } from '../../domain/codes.ts';
import { ConfigError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { parseParameters } from '../../strategy/loader.ts';
import type { Strategy } from '../../strategy/sdk.ts';
import { folderOfStrategy, strategyNamed } from '../strategies/load.ts';
import { type Config, type LoadedConfig, reworded } from './load.ts';
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
 * Validates what every start validates, and changes nothing: limits, the strategy and its parameters, the price sources, and the
 * presence of a journal if the mode needs one. Throws ConfigError with the messages of a start.
 */
export async function validateConfig(loaded: LoadedConfig): Promise<ValidatedConfig> {
  const { values: config } = loaded;
  const limits = riskLimitsOf(config, loaded.complaint);
  checkCodes(config, limits.allow, loaded.complaint);
  const strategies = await configuredStrategies(config, loaded.complaint);
  for (const strategy of strategies) parametersOf(strategy);
  strategyLimitsOf(strategies, limits, loaded.complaint);
  await configuredPriceSources(config, loaded.complaint);
  if (config.journal.path === '' && !MODES[config.mode].journal.mayBeInMemory) {
    throw new ConfigError(
      `journal.path is mandatory in ${config.mode} mode: without it no order survives a restart`,
    );
  }
  return { config, limits, strategies };
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
  for (const [key, settings] of strategyTables(config)) {
    const plugin = await pluginOf(settings.name, (message) => complaint(`${key}.name`, message));
    const name = settings.as === '' ? plugin.name : settings.as;
    const twin = found.find((other) => other.name === name);
    if (twin !== undefined) {
      const reason = `${name} is the name of ${twin.key}, too: give each strategy a name of its own`;
      throw new ConfigError(complaint(`${key}.as`, reason));
    }
    found.push({ key, settings, plugin, name, folder: folderOfStrategy(settings.name) });
  }
  return found;
}

async function pluginOf(specifier: string, words: (message: string) => string): Promise<Strategy> {
  try {
    return await strategyNamed(specifier);
  } catch (error) {
    throw reworded(error, words);
  }
}

/**
 * The parameters as the strategy's schema returns them. The strategy reports faulty parameters, several at once, so no origin is
 * named for them. Throws ConfigError.
 */
export function parametersOf({
  key,
  settings,
  plugin,
}: Omit<ConfiguredStrategy, 'name' | 'folder'>): unknown {
  try {
    return parseParameters(plugin, settings.parameters);
  } catch (error) {
    throw reworded(error, (message) => `${key}.parameters: ${message}`);
  }
}

interface CodeLists {
  readonly sports: readonly string[];
  readonly marketTypes: readonly string[];
}

/**
 * Checks every sport and market code of a configuration: a misspelt one would quote nothing, without a word. `allowed` are the
 * lists of the table `risk.allow`. Throws ConfigError with every unknown code and those that are known.
 */
function checkCodes(config: Config, allowed: CodeLists, complaint: LoadedConfig['complaint']): void {
  const { strategy, priceSource } = config.tables;
  const lists: readonly (readonly [key: string, lists: CodeLists])[] = [
    ['universe', config.universe],
    ['risk.allow', allowed],
    ['strategy.match', config.strategy.match],
    ...strategy.map(({ match }, index) => [`${tableKey('strategy', index)}.match`, match] as const),
    ...priceSource.map((source, index) => [`${tableKey('priceSource', index)}.match`, source.match] as const),
  ];
  const others = config.exchange.otherCodes;
  const faults = lists.flatMap(([key, { sports, marketTypes }]) => [
    ...faultsIn(sports, KNOWN_SPORTS, others).map((fault) => complaint(`${key}.sports`, fault)),
    ...faultsIn(marketTypes, KNOWN_MARKET_TYPES, others).map((fault) =>
      complaint(`${key}.marketTypes`, fault),
    ),
  ]);
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
}

const faultsIn = (
  codes: readonly string[],
  known: readonly string[],
  others: readonly string[],
): readonly string[] => codes.flatMap((code) => unknownCode(code, known, others) ?? []);
