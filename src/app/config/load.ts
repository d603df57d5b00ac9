import { readFileSync } from 'node:fs';
import convict from 'convict';
import { parse as parseToml, TomlError } from 'smol-toml';
import { ConfigError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { isLoopback } from '../../ops/addresses.ts';
import { literal } from './schema/formats.ts';
import { configSchema } from './schema/schema.ts';
import { type Fault, Faults } from './faults.ts';
import {
  check,
  inWords,
  noteOrigin,
  type Origins,
  refuseSecret,
  Shape,
  takeValues,
  type Target,
  withDots,
} from './file-values.ts';
import { settingsOf, type Table, valueAt, withValue } from './settings.ts';
import { type RepeatedTables, TableReader } from './tables.ts';

type Convict = ReturnType<typeof makeConvict>;

/** The settings of a run, every key with a value. */
export type Config = ReturnType<Convict['getProperties']> & {
  /** Tables that the files repeat. A `[[strategy]]` table takes the place of the section `strategy`. */
  readonly tables: RepeatedTables;
};

/** Defaults overlaid by the environment, not validated yet. */
function makeConvict(environment: Readonly<Record<string, string | undefined>>) {
  const defined = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  return convict(configSchema, { args: [], env: Object.fromEntries(defined) });
}

/** The sources of settings, in rising order of precedence. */
export interface ConfigSources {
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `key=value` flags, keys dotted. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A loaded configuration. */
export interface LoadedConfig {
  /** What is wrong so far. A key with a wrong value has its default in `values`. */
  readonly faults: readonly Fault[];
  readonly values: Config;
  /** The keys that somebody set, with who set each last: a file, an environment variable or `--set`. */
  readonly setBy: ReadonlyMap<string, string>;
  /** The whole configuration, secrets masked. */
  readonly describe: () => unknown;
  /** The fault of a key and who set it; no source is named for a default. `at`: the value that is wrong, if it lies within the key. */
  readonly complaint: (key: string, reason: string, at?: string) => string;
}

/**
 * Loads a configuration: defaults, then files in order, then environment, then flags. Throws ConfigError with key, value and origin of
 * every fault.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const loaded = readConfig(sources);
  new Faults(loaded.faults).throwIfAny();
  return loaded;
}

/** The same, but returns the faults, so that they can be reported together with those of later checks. */
export function readConfig(sources: ConfigSources): LoadedConfig {
  const config = makeConvict(sources.environment);
  const origins: Origins = new Map();
  const faults = new Faults();
  const target: Target = { config, settings: SETTINGS, prefix: '', origins, faults };
  const tables = new TableReader(origins, faults);
  for (const file of sources.files) {
    const table = faults.attempt(null, () => parseFile(file));
    if (table !== undefined) takeValues(target, tables.take(table, file), file);
  }
  noteEnvironment(sources.environment, target, tables);
  for (const [key, text] of Object.entries(sources.settings))
    faults.attempt(key, () => applyFlag({ ...target, config }, key, text, tables));
  check(target);
  const values = { ...withDots(config.getProperties()), tables: tables.values() };
  for (const fault of contradictionsIn(values, (keys) => firstSet(keys, origins), faults)) faults.add(fault);
  return {
    faults: faults.all,
    values,
    setBy: new Map([...origins].map(([key, { origin }]) => [key, origin])),
    describe: () => ({ ...withDots(JSON.parse(config.toString()) as object), ...tables.shown() }),
    complaint: (key, reason, at = key) =>
      complaint(setterOf(at, origins) ?? setterOf(key, origins), key, reason),
  };
}

function parseFile(file: string): Table {
  try {
    return parseToml(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof TomlError) {
      throw new ConfigError(
        `${file}:${error.line}:${error.column}: not valid TOML: ${firstLine(error.message)}`,
        { file },
      );
    }
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing
      ? 'there is no such file (touchline init writes a first configuration)'
      : `cannot be read: ${firstLine(reasonOf(error))}`;
    throw new ConfigError(`${file}: ${why}`, { file });
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;

function noteEnvironment(
  environment: ConfigSources['environment'],
  { origins, faults }: Target,
  tables: TableReader,
): void {
  for (const { key, variable } of SETTINGS) {
    const value = variable === null ? undefined : environment[variable];
    if (value === undefined || value === '') continue;
    const origin = `environment variable ${variable}`;
    faults.attempt(key, () => tables.refuseReplaced(key, origin));
    origins.set(key, { value, origin });
  }
}

function applyFlag(
  target: Target & { readonly config: Convict },
  key: string,
  text: string,
  tables: TableReader,
): void {
  const { config, origins } = target;
  refuseSecret(target, key, '--set');
  tables.refuseReplaced(key, '--set');
  const [table, ...inner] = freeFormOwner(key);
  if (SHAPE.at(key) === 'unknown' && table === undefined)
    throw new ConfigError(`--set ${key}: ${whyNoSetting(key)}`, { key });
  origins.set(table ?? key, { value: text, origin: '--set' });
  if (table === undefined) return void config.set(key as never, coerceFlag(key, text) as never);
  const value = valueIn(text);
  noteOrigin(key, value, '--set', origins);
  config.set(table as never, withValue(config.get(table as never), inner, value) as never);
}

const whyNoSetting = (key: string): string =>
  SHAPE.isSection(key)
    ? `is a table: name one of its settings, such as ${key}.${SHAPE.names(key)[0]}`
    : `no such key${inWords(SHAPE.meantBy(key))}`;

/** For `strategy.parameters.stake` the free-form table `strategy.parameters` and the name inside it. */
function freeFormOwner(key: string): readonly string[] {
  const parts = key.split('.');
  for (let length = 1; length < parts.length; length++) {
    const table = parts.slice(0, length).join('.');
    if (SHAPE.at(table) === 'free-form') return [table, ...parts.slice(length)];
  }
  return [];
}

/** Flags are text: numbers and booleans are parsed if the default is one, or nothing. */
function coerceFlag(key: string, text: string): unknown {
  const fallback = SHAPE.get(key)?.fallback;
  if (typeof fallback === 'number' || typeof fallback === 'boolean' || fallback === null)
    return literal(text);
  return text;
}

/** A free-form table has no schema that would show a list, so lists are written as in TOML. */
function valueIn(text: string): unknown {
  if (!text.startsWith('[')) return literal(text);
  try {
    return parseToml(`list = ${text}`)['list'];
  } catch {
    return text;
  }
}

const SETTINGS = settingsOf();
const SHAPE = new Shape(SETTINGS);

/** Who set the first of the keys that has not its default. */
const firstSet = (keys: readonly string[], origins: Origins): string =>
  keys.flatMap((key) => origins.get(key)?.origin ?? [])[0] ?? 'defaults';

/** Who is to blame for settings that contradict each other; the first of them is named. */
type OriginOf = (keys: readonly string[]) => string;

/** Throws ConfigError with every setting that contradicts another, and its origin. */
export function checkContradictions(values: Config, originOf: OriginOf): void {
  new Faults(contradictionsIn(values, originOf, new Faults())).throwIfAny();
}

/** Every setting that contradicts another, with its origin. A rule about a setting that is wrong by itself is left out. */
function contradictionsIn(values: Config, originOf: OriginOf, faults: Faults): readonly Fault[] {
  return contradictionsOf(values)
    .filter(({ keys }) => faults.isSound(...keys))
    .map(({ keys: [key, ...others], reason }) => ({
      key,
      message: `${originOf([key, ...others])}: ${key} = ${JSON.stringify(valueAt(values, key))}: ${reason}`,
    }));
}

/** The source that set a key, the list that contains it, or a value inside it. */
function setterOf(key: string, origins: Origins): string | undefined {
  const list = origins.get(key.slice(0, key.lastIndexOf('.')));
  const set = origins.get(key) ?? (Array.isArray(list?.value) ? list : undefined);
  return (set ?? [...origins].find(([inner]) => inner.startsWith(`${key}.`))?.[1])?.origin;
}

const complaint = (origin: string | undefined, key: string, reason: string): string =>
  `${origin === undefined ? '' : `${origin}: `}${key}: ${reason}`;

/** A rule about settings that are each in range. The first key is to blame. */
interface Rule {
  readonly holds: boolean;
  readonly keys: readonly [blamed: string, ...others: string[]];
  readonly reason: string;
}

/** The rules that do not hold. */
const contradictionsOf = (config: Config): readonly Rule[] =>
  [...orderRules(config), ...adminRules(config.admin), portRule(config)].filter(({ holds }) => !holds);

function orderRules({ orders, exchange, universe }: Config): readonly Rule[] {
  const { betslips, heartbeat, durationS } = orders;
  const { requestTimeoutS } = exchange;
  return [
    {
      holds: orders.renewLeadS < durationS,
      keys: ['orders.renewLeadS', 'orders.durationS'],
      reason: `must be below orders.durationS (${durationS}): every order would be renewed at once`,
    },
    {
      holds: orders.latestLandingS >= requestTimeoutS,
      keys: ['orders.latestLandingS', 'exchange.requestTimeoutS'],
      reason: `must be at least exchange.requestTimeoutS (${requestTimeoutS}): a request that we still wait for can land`,
    },
    {
      holds: heartbeat.sendReserveS >= Math.min(requestTimeoutS, orders.heartbeatTimeoutS / 2),
      keys: ['orders.heartbeat.sendReserveS', 'exchange.requestTimeoutS', 'orders.heartbeatTimeoutS'],
      reason: `must be at least exchange.requestTimeoutS (${requestTimeoutS}) or half of orders.heartbeatTimeoutS (${orders.heartbeatTimeoutS})`,
    },
    {
      holds: betslips.refreshLeadS < betslips.lifeS,
      keys: ['orders.betslips.refreshLeadS', 'orders.betslips.lifeS'],
      reason: `must be below orders.betslips.lifeS (${betslips.lifeS}): it would be refreshed all the time`,
    },
    {
      holds: betslips.dailyReserve < betslips.perDay,
      keys: ['orders.betslips.dailyReserve', 'orders.betslips.perDay'],
      reason: `must be below orders.betslips.perDay (${betslips.perDay}): none would be left for quotes`,
    },
    {
      holds: betslips.longestDurationS >= durationS,
      keys: ['orders.betslips.longestDurationS', 'orders.durationS'],
      reason: `must be at least orders.durationS (${durationS})`,
    },
    {
      holds: universe.stopBeforeStartS <= universe.startWithinMinutes * 60,
      keys: ['universe.stopBeforeStartS', 'universe.startWithinMinutes'],
      reason: `must be within universe.startWithinMinutes (${universe.startWithinMinutes}): nothing would be quoted`,
    },
  ];
}

const adminRules = ({ host, certFile, keyFile, behindProxy }: Config['admin']): readonly Rule[] => [
  {
    holds: isLoopback(host) || certFile !== '' || behindProxy,
    keys: ['admin.host', 'admin.certFile', 'admin.behindProxy'],
    reason:
      'other machines reach this address, so tokens need TLS: set admin.certFile and admin.keyFile, or admin.behindProxy',
  },
  {
    holds: certFile === '' || keyFile !== '',
    keys: ['admin.keyFile', 'admin.certFile'],
    reason: 'is mandatory beside admin.certFile',
  },
  {
    holds: keyFile === '' || certFile !== '',
    keys: ['admin.certFile', 'admin.keyFile'],
    reason: 'is mandatory beside admin.keyFile',
  },
];

/** Two servers cannot listen at one address. Port 0 takes any free one. */
const portRule = ({ admin, ops }: Pick<Config, 'admin' | 'ops'>): Rule => ({
  holds: admin.port === 0 || admin.port !== ops.port || !isSameHost(admin.host, ops.host),
  keys: ['admin.port', 'ops.port'],
  reason: `is ops.port (${ops.port}), too, at the same host: commands and metrics need a port each`,
});

const EVERY_HOST = ['0.0.0.0', '::', '[::]'];

function isSameHost(a: string, b: string): boolean {
  const [one, other] = [a, b].map((host) => host.replace(/^localhost$/, '127.0.0.1'));
  return one === other || [a, b].some((host) => EVERY_HOST.includes(host));
}

/** The same ConfigError in other words; any other error as it is. */
export const reworded = (error: unknown, words: (message: string) => string): unknown =>
  error instanceof ConfigError ? new ConfigError(words(error.message), error.details) : error;
