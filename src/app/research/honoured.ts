import { ConfigError } from '../../domain/errors.ts';
import type { EngineName } from '../../research/backtest-engine.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { valueAt } from '../config/settings.ts';

/** Sections of the configuration that change what the daemon does, and that the fast engine does not read. */
const NOT_IN_FAST: readonly string[] = ['orders', 'universe', 'market', 'simulator'];

/**
 * Throws ConfigError with each setting that an engine does not honour: the result would look as if it counted. `base`: the file beneath
 * all others. A setting of the universe that is as there leaves nothing out, so it changes nothing.
 */
export function refuseUnhonoured(
  engine: EngineName,
  { setBy, values, complaint }: Pick<LoadedConfig, 'setBy' | 'values' | 'complaint'>,
  base: string,
): void {
  if (engine === 'full') return;
  const wide = loadConfig({ files: [base], environment: {}, settings: {} }).values;
  const refused = [...setBy].filter(([key, origin]) => {
    if (origin === base || !NOT_IN_FAST.includes(key.split('.')[0] ?? '')) return false;
    if (!key.startsWith('universe.')) return true;
    return JSON.stringify(valueAt(values, key)) !== JSON.stringify(valueAt(wide, key));
  });
  if (refused.length === 0) return;
  const reason =
    'the fast engine does not honour it: leave it out, or run the whole daemon with --engine full';
  throw new ConfigError(refused.map(([key]) => complaint(key, reason)).join('\n'), {
    keys: refused.map(([key]) => key),
  });
}
