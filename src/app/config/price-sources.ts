import { ConfigError } from '../../domain/errors.ts';
import type { ConfiguredSource } from '../../engine/sources/price-sources.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type KeyOf, keysFrom, type SourceRules } from '../../market/index.ts';
import { loadPriceSource, parseOptions } from '../../strategy/loader.ts';
import { bundledPriceSourceUrl } from '../adapters/own-files.ts';
import { pluginsAt } from '../adapters/plugins.ts';
import { type Config, type LoadedConfig, reworded } from './load.ts';
import { type PriceSourceSettings, tableKey } from './tables.ts';

/** A price source that a configuration names: the plugin with its options, and how its prices are read. */
export interface ReadSource extends ConfiguredSource {
  readonly rules: SourceRules;
}

/** A name stands in metrics, and as a field in views. */
const NAME = /^[a-z][\w.-]{0,59}$/i;

/**
 * The price sources that a configuration names. Validates their options and keys. A process reads each file once. Throws
 * ConfigError with the key of the fault.
 */
export async function configuredPriceSources(
  { tables }: Pick<Config, 'tables'>,
  complaint: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`,
): Promise<readonly ReadSource[]> {
  const found = new Map<string, ReadSource>();
  for (const [index, settings] of tables.priceSource.entries()) {
    const table = tableKey('priceSource', index);
    const refuse = (field: string, reason: string): never => {
      throw new ConfigError(complaint(`${table}.${field}`, reason), { key: `${table}.${field}` });
    };
    const source = await readSource(table, settings, refuse, complaint);
    if (found.has(source.name))
      refuse('as', `"${source.name}" is the name of another price source: give this one a name of its own`);
    found.set(source.name, source);
  }
  return [...found.values()];
}

type Refuse = (field: string, reason: string) => never;

async function readSource(
  table: string,
  settings: PriceSourceSettings,
  refuse: Refuse,
  complaint: LoadedConfig['complaint'],
): Promise<ReadSource> {
  const worded = (field: string) => (error: unknown) => {
    throw reworded(error, (message) => complaint(`${table}.${field}`, message));
  };
  const source = await loadPriceSource(settings.name, pluginsAt(bundledPriceSourceUrl)).catch(worded('name'));
  const name = settings.as === '' ? source.name : settings.as;
  if (!NAME.test(name))
    refuse(
      'as',
      `"${name}" must begin with a letter and have letters, digits, dots, hyphens and underscores alone`,
    );
  const { staleAfterS, match } = settings;
  const rules = { name, staleAfterMs: staleAfterS * 1000, match, keyOf: keysOf(settings, refuse) };
  try {
    return { name, source, options: parseOptions(source, settings.options), rules };
  } catch (error) {
    return worded('options')(error);
  }
}

function keysOf({ key, aliases }: PriceSourceSettings, refuse: Refuse): KeyOf {
  const names = Object.entries(aliases as Readonly<Record<string, unknown>>).map(
    ([name, alias]): [string, string] =>
      typeof alias === 'string' ? [name, alias] : refuse(`aliases.${name}`, 'must be a text'),
  );
  try {
    return keysFrom(key, Object.fromEntries(names));
  } catch (error) {
    return refuse('key', `"${key}" ${reasonOf(error)}`);
  }
}
