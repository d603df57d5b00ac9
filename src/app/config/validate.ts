import { ConfigError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { parseParameters } from '../../strategy/loader.ts';
import type { Strategy } from '../../strategy/sdk.ts';
import { strategyNamed } from '../strategies/load.ts';
import type { Config, LoadedConfig } from './load.ts';
import { riskLimitsOf } from './part-options.ts';

/** A configuration that passed every check that is possible without a start. */
export interface ValidatedConfig {
  readonly config: Config;
  readonly limits: RiskLimits;
}

/**
 * Validates what every start validates, and changes nothing: limits, the strategy and its parameters, and the presence of a
 * journal if the mode needs one. Throws ConfigError with the messages of a start.
 */
export async function validateConfig(loaded: LoadedConfig): Promise<ValidatedConfig> {
  const { values: config } = loaded;
  const limits = riskLimitsOf(config, loaded.complaint);
  judgeParameters(await pluginOf(loaded), config);
  if (config.journal.path === '' && !MODES[config.mode].journal.mayBeInMemory) {
    throw new ConfigError(
      `journal.path is mandatory in ${config.mode} mode: without it no order survives a restart`,
    );
  }
  return { config, limits };
}

async function pluginOf({ values, complaint }: LoadedConfig): Promise<Strategy> {
  try {
    return await configuredStrategy(values);
  } catch (error) {
    throw reworded(error, (message) => complaint('strategy.name', message));
  }
}

/** The strategy reports faulty parameters, several at once, so no origin is named for them. */
function judgeParameters(plugin: Strategy, { strategy }: Config): void {
  try {
    parseParameters(plugin, strategy.parameters);
  } catch (error) {
    throw reworded(error, (message) => `strategy.parameters: ${message}`);
  }
}

const reworded = (error: unknown, words: (message: string) => string): unknown =>
  error instanceof ConfigError ? new ConfigError(words(error.message), error.details) : error;

/** The strategy that a configuration names. Throws ConfigError. */
export const configuredStrategy = ({ strategy }: Pick<Config, 'strategy'>): Promise<Strategy> =>
  strategyNamed(strategy.name);
