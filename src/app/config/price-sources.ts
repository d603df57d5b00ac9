import { ConfigError } from '../../domain/errors.ts';
import type { ConfiguredSource } from '../../engine/sources/price-sources.ts';
import { reasonOf } from '../../lib/reason.ts';
import { type KeyOf, keysFrom, type SourceRules } from '../../market/index.ts';
import { loadPriceSource, parseOptions } from '../../strategy/loader.ts';
import { bundledPriceSourceUrl } from '../adapters/own-files.ts';
import { pluginsAt } from '../adapters/plugins.ts';
import { Faults } from './faults.ts';
import { type Config, type LoadedConfig, reworded } from './load.ts';
import { flawsReworded } from './plugin-flaws.ts';
import { type PriceSourceSettings, tableKey } from './tables.ts';

/** A price source that a configuration names: the plugin with its options, and how its prices are read. */
export interface ReadSource extends ConfiguredSource {
  readonly rules: SourceRules;
}

/** A name stands in metrics, and as a field in views. */
const NAME = /^[a-z][\w.-]{0,59}$/i;

/**
 * The price sources that a configuration names. Validates their options and keys. A process reads each file once. Throws
 * ConfigError with every fault and its key.
 */
export async function configuredPriceSources(
  { tables }: Pick<Config, 'tables'>,
  complaint: LoadedConfig['complaint'] = (key, reason) => `${key}: ${reason}`,
): Promise<readonly ReadSource[]> {
  const found = new Map<string, ReadSource>();
  const faults = new Faults();
  for (const [index, settings] of tables.priceSource.entries()) {
    const table = tableKey('priceSource', index);
    const refuse = (field: string, reason: string): never => {
      throw new ConfigError(complaint(`${table}.${field}`, reason), { key: `${table}.${field}` });
    };
    const reading = { table, settings, refuse, complaint };
    const source = await readSource(reading, faults);
    if (source !== undefined && found.has(source.name))
      faults.attempt(table, () =>
        refuse('as', `"${source.name}" is the name of another price source: give this one a name of its own`),
      );
    if (source !== undefined) found.set(source.name, source);
  }
  faults.throwIfAny();
  return [...found.values()];
}

type Refuse = (field: string, reason: string) => never;

/** One `[[priceSource]]` table as it is read. */
interface Reading {
  readonly table: string;
  readonly settings: PriceSourceSettings;
  readonly refuse: Refuse;
  readonly complaint: LoadedConfig['complaint'];
}

/** The price source of a table; undefined if it has a fault, which is collected. */
async function readSource(
  { table, settings, refuse, complaint }: Reading,
  faults: Faults,
): Promise<ReadSource | undefined> {
  const worded = (field: string) => (error: unknown) => {
    throw reworded(error, (message) => complaint(`${table}.${field}`, message));
  };
  const keyOf = faults.attempt(`${table}.key`, () => keysOf(settings, refuse));
  const source = await faults.attemptLater(`${table}.name`, () =>
    loadPriceSource(settings.name, pluginsAt(bundledPriceSourceUrl)).catch(worded('name')),
  );
  if (source === undefined) return undefined;
  const name = faults.attempt(`${table}.as`, () => nameOf(settings, source.name, refuse));
  const options = faults.attempt(`${table}.options`, () => {
    try {
      return { read: parseOptions(source, settings.options) };
    } catch (error) {
      throw flawsReworded(error, `${table}.options`, complaint);
    }
  });
  if (keyOf === undefined || name === undefined || options === undefined) return undefined;
  const { staleAfterS, match } = settings;
  return {
    name,
    source,
    options: options.read,
    rules: { name, staleAfterMs: staleAfterS * 1000, match, keyOf },
  };
}

function nameOf({ as }: PriceSourceSettings, own: string, refuse: Refuse): string {
  const name = as === '' ? own : as;
  if (NAME.test(name)) return name;
  return refuse(
    'as',
    `"${name}" must begin with a letter and have letters, digits, dots, hyphens and underscores alone`,
  );
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
