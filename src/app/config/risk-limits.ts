import { ConfigError } from '../../domain/errors.ts';
import { readRiskLimits } from '../../risk/index.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { Config, LoadedConfig } from './load.ts';

/**
 * The limits of the configuration. Throws ConfigError naming every limit that is missing, wrong or contradictory, each in
 * the words of `complaint`.
 */
export function riskLimitsOf(
  config: Pick<Config, 'mode' | 'risk'>,
  complaint: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`,
): RiskLimits {
  const result = readRiskLimits(config.risk, config.mode);
  if (result.ok) return result.limits;
  throw new ConfigError(result.problems.map(({ key, message }) => complaint(key, message)).join('\n'));
}
