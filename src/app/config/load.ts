import { readFileSync } from 'node:fs';
import convict from 'convict';
import { parse as parseToml, TomlError } from 'smol-toml';
import { ConfigError } from '../../domain/errors.ts';
import { isLoopback } from '../../ops/addresses.ts';
import { literal } from './formats.ts';
import { configSchema } from './schema.ts';
import { isTable, type Setting, settingsOf, type Table, valueAt, withValue } from './settings.ts';

type Convict = ReturnType<typeof makeConvict>;

/** The settings of a run, every key with a value. */
export type Config = ReturnType<Convict['getProperties']>;

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
  readonly values: Config;
  /** The whole configuration, secrets masked. */
  readonly describe: () => unknown;
  /** The fault of a key and who set it; no source is named for a default. */
  readonly complaint: (key: string, reason: string) => string;
}

/** `{ 'orders.durationS': { value, origin } }`: who set each key last, for error messages. */
type Origins = Map<string, { readonly value: unknown; readonly origin: string }>;

const SENSITIVE_KEYS = ['exchange.apiKey'];

/**
 * Loads and validates a configuration: defaults, then files in order, then environment, then flags. Throws ConfigError with key,
 * value and origin of every fault.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const config = makeConvict(sources.environment);
  const origins: Origins = new Map();
  for (const file of sources.files) loadFile(config, file, origins);
  noteEnvironment(sources.environment, origins);
  for (const [key, text] of Object.entries(sources.settings)) applyFlag(config, key, text, origins);
  check(config, origins);
  checkContradictions(config.getProperties(), (key) => origins.get(key)?.origin ?? 'defaults');
  return {
    values: config.getProperties(),
    describe: () => JSON.parse(config.toString()) as unknown,
    complaint: (key, reason) => complaint(setterOf(key, origins), key, reason),
  };
}

function loadFile(config: Convict, file: string, origins: Origins): void {
  const table = parseFile(file);
  refuseTables(table, file);
  for (const [key, value] of flatten(table)) {
    refuseSecret(key, file);
    refuseSection(key, value, file);
    noteOrigin(key, value, file, origins);
  }
  config.load(laidOver(config, table));
}

/** Within a free-form table each value has its own origin, because several files may fill the table. */
function noteOrigin(key: string, value: unknown, origin: string, origins: Origins): void {
  origins.set(key, { value, origin });
  if (!isTable(value)) return;
  for (const [name, inner] of Object.entries(value)) noteOrigin(`${key}.${name}`, inner, origin, origins);
}

/** Settings files are passed around, and other users can read a command's arguments. */
function refuseSecret(key: string, origin: string): void {
  if (!SENSITIVE_KEYS.includes(key)) return;
  throw new ConfigError(`${origin}: ${key} is a secret: put it into a file named by exchange.apiKeyFile`, {
    key,
  });
}

/** If a value replaced a whole section, the library would report every setting of it as missing. */
function refuseSection(key: string, value: unknown, file: string): void {
  if (![...SETTINGS.keys()].some((setting) => setting.startsWith(`${key}.`))) return;
  throw new ConfigError(`${file}: ${key} = ${JSON.stringify(value)}: must be a table`, { key });
}

/** The library would silently accept a table in place of a list, and throw on a list within it. */
function refuseTables(table: Table, file: string, prefix = ''): void {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name;
    if (!isTable(value) || schemaAt(key) === 'free-form') continue;
    if (schemaAt(key) !== 'leaf') refuseTables(value, file, `${key}.`);
    else refuseTable(key, value, file);
  }
}

function refuseTable(key: string, value: Table, file: string): never {
  refuseSecret(key, file);
  const allowed = SETTINGS.get(key)?.allowed;
  throw new ConfigError(`${file}: ${key} = ${JSON.stringify(value)}: must be ${allowed}`, { key });
}

/** A file's table, in which free-form tables keep values of earlier files that this file does not replace. */
function laidOver(config: Convict, table: Table, prefix = ''): Table {
  const laid = Object.entries(table).map(([name, value]) => {
    const key = prefix + name;
    if (!isTable(value)) return [name, value];
    if (schemaAt(key) !== 'free-form') return [name, laidOver(config, value, `${key}.`)];
    return [name, merged(config.get(key as never), value)];
  });
  return Object.fromEntries(laid) as Table;
}

function merged(earlier: unknown, given: unknown): unknown {
  if (!isTable(earlier) || !isTable(given)) return given;
  const both = Object.keys(given).map((key) => [key, merged(earlier[key], given[key])]);
  return { ...earlier, ...Object.fromEntries(both) };
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
    throw new ConfigError(`${file}: cannot be read: ${firstLine(String(error))}`, { file });
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;

/** Leaves of a table with dotted keys; free-form tables of the schema count as leaves. */
function* flatten(table: Table, prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = prefix + name;
    if (isTable(value) && schemaAt(key) !== 'free-form') yield* flatten(value, `${key}.`);
    else yield [key, value];
  }
}

function noteEnvironment(environment: ConfigSources['environment'], origins: Origins): void {
  for (const { key, variable } of SETTINGS.values()) {
    const value = variable === null ? undefined : environment[variable];
    if (value !== undefined && value !== '')
      origins.set(key, { value, origin: `environment variable ${variable}` });
  }
}

function applyFlag(config: Convict, key: string, text: string, origins: Origins): void {
  refuseSecret(key, '--set');
  const [table, ...inner] = freeFormOwner(key);
  if (schemaAt(key) === 'unknown' && table === undefined)
    throw new ConfigError(`--set ${key}: no such key`, { key });
  origins.set(table ?? key, { value: text, origin: '--set' });
  if (table === undefined) return void config.set(key as never, coerceFlag(key, text) as never);
  const value = valueIn(text);
  noteOrigin(key, value, '--set', origins);
  config.set(table as never, withValue(config.get(table as never), inner, value) as never);
}

/** For `strategy.parameters.stake` the free-form table `strategy.parameters` and the name inside it. */
function freeFormOwner(key: string): readonly string[] {
  const parts = key.split('.');
  for (let length = 1; length < parts.length; length++) {
    const table = parts.slice(0, length).join('.');
    if (schemaAt(table) === 'free-form') return [table, ...parts.slice(length)];
  }
  return [];
}

/** Flags are text: numbers and booleans are parsed if the default is one. */
function coerceFlag(key: string, text: string): unknown {
  const fallback = SETTINGS.get(key)?.fallback;
  if (typeof fallback === 'number' || typeof fallback === 'boolean') return literal(text);
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

const SETTINGS: ReadonlyMap<string, Setting> = new Map(settingsOf().map((setting) => [setting.key, setting]));

function schemaAt(key: string): 'leaf' | 'free-form' | 'unknown' {
  const setting = SETTINGS.get(key);
  if (setting === undefined) return 'unknown';
  return setting.isTable ? 'free-form' : 'leaf';
}

/** A mistyped secret name, or one in the wrong table, is an unknown key, but its value is still a secret. */
const SECRET_NAME = /(key|secret|token|password)[^.]*$/i;

const UNKNOWN_KEY = /configuration param '(.+)' not declared/;

function check(config: Convict, origins: Origins): void {
  try {
    config.validate({ allowed: 'strict' });
  } catch (error) {
    const lines = (error as Error).message.split('\n').filter((line) => line !== '');
    throw new ConfigError(lines.map((line) => blame(line, origins)).join('\n'), {});
  }
}

/** Throws ConfigError with every setting that contradicts another, and its origin. */
export function checkContradictions(values: Config, originOf: (key: string) => string): void {
  const lines = contradictionsOf(values).map(
    ([key, reason]) => `${originOf(key)}: ${key} = ${JSON.stringify(valueAt(values, key))}: ${reason}`,
  );
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}

/** The source that set a key, the list that contains it, or a value inside it. */
function setterOf(key: string, origins: Origins): string | undefined {
  const list = origins.get(key.slice(0, key.lastIndexOf('.')));
  const set = origins.get(key) ?? (Array.isArray(list?.value) ? list : undefined);
  return (set ?? [...origins].find(([inner]) => inner.startsWith(`${key}.`))?.[1])?.origin;
}

const complaint = (origin: string | undefined, key: string, reason: string): string =>
  `${origin === undefined ? '' : `${origin}: `}${key}: ${reason}`;

/** Turns a validator message into `origin: key = value: reason`. */
function blame(line: string, origins: Origins): string {
  const unknown = UNKNOWN_KEY.exec(line)?.[1];
  const key = unknown ?? (line.split(':', 1)[0] as string);
  const known = origins.get(key) ?? [...origins].find(([set]) => set.startsWith(`${key}.`))?.[1];
  const isHidden = SENSITIVE_KEYS.includes(key) || (unknown !== undefined && SECRET_NAME.test(key));
  const shown = isHidden ? '(hidden)' : JSON.stringify(known?.value);
  const reason =
    unknown === undefined ? line.slice(key.length + 2).replace(/: value was .*$/, '') : 'unknown key';
  return `${known?.origin ?? 'defaults'}: ${key} = ${shown}: ${reason}`;
}

/** Settings that are each in range and contradict each other. */
function contradictionsOf({
  orders,
  exchange,
  universe,
  admin,
}: Config): readonly (readonly [key: string, reason: string])[] {
  const { betslips, heartbeat } = orders;
  const rules: readonly Rule[] = [
    [
      orders.renewLeadS < orders.durationS,
      'orders.renewLeadS',
      `must be below orders.durationS (${orders.durationS}): every order would be renewed at once`,
    ],
    [
      orders.latestLandingS >= exchange.requestTimeoutS,
      'orders.latestLandingS',
      `must be at least exchange.requestTimeoutS (${exchange.requestTimeoutS}): a request that we still wait for can land`,
    ],
    [
      heartbeat.sendReserveS >= Math.min(exchange.requestTimeoutS, orders.heartbeatTimeoutS / 2),
      'orders.heartbeat.sendReserveS',
      `must be at least exchange.requestTimeoutS (${exchange.requestTimeoutS}) or half of orders.heartbeatTimeoutS (${orders.heartbeatTimeoutS})`,
    ],
    [
      betslips.refreshLeadS < betslips.lifeS,
      'orders.betslips.refreshLeadS',
      `must be below orders.betslips.lifeS (${betslips.lifeS}): it would be refreshed all the time`,
    ],
    [
      betslips.dailyReserve < betslips.perDay,
      'orders.betslips.dailyReserve',
      `must be below orders.betslips.perDay (${betslips.perDay}): none would be left for quotes`,
    ],
    [
      betslips.longestDurationS >= orders.durationS,
      'orders.betslips.longestDurationS',
      `must be at least orders.durationS (${orders.durationS})`,
    ],
    [
      universe.stopBeforeStartS <= universe.startWithinMinutes * 60,
      'universe.stopBeforeStartS',
      `must be within universe.startWithinMinutes (${universe.startWithinMinutes}): nothing would be quoted`,
    ],
  ];
  const all = [...rules, ...adminRules(admin)];
  return all.filter(([holds]) => !holds).map(([, key, reason]) => [key, reason]);
}

type Rule = readonly [holds: boolean, key: string, reason: string];

const adminRules = ({ host, certFile, keyFile, behindProxy }: Config['admin']): readonly Rule[] => [
  [
    isLoopback(host) || certFile !== '' || behindProxy,
    'admin.host',
    'other machines reach this address, so tokens need TLS: set admin.certFile and admin.keyFile, or admin.behindProxy',
  ],
  [certFile === '' || keyFile !== '', 'admin.keyFile', 'is mandatory beside admin.certFile'],
  [keyFile === '' || certFile !== '', 'admin.certFile', 'is mandatory beside admin.keyFile'],
];
