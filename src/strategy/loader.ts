import type { z } from 'zod';
import { ConfigError } from '../domain/errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import { reasonOf } from '../lib/reason.ts';
import { CONTRACT, type Strategy } from './contract.ts';
import type { PriceSource } from './price-source.ts';
import * as sdk from './sdk.ts';

/** The bundled strategies, by the names that the configuration uses. */
export const BUNDLED_STRATEGIES: readonly string[] = [
  'symmetric',
  'inventory',
  'score-grid',
  'consensus',
  'guarded-ladder',
];

/** The bundled price sources, by the names that the configuration uses. */
export const BUNDLED_PRICE_SOURCES: readonly string[] = ['http-json', 'websocket', 'file'];

export interface LoaderDeps {
  /** `(url) => import(url)`. */
  readonly importModule: (url: string) => Promise<unknown>;
  /** URL of a bundled plugin's module. */
  readonly bundledUrl: (name: string) => string;
  /** URL that paths are relative to (the working directory), ending in `/`. */
  readonly baseUrl: string;
}

/** A part of a plugin, what it must be, and its check. */
type Part = readonly [part: string, what: string, isRight: (value: unknown) => boolean];

/** What a file may hold. */
interface PluginKind {
  /** In words. */
  readonly what: 'strategy' | 'price source';
  readonly bundled: readonly string[];
  /** The function of the SDK that makes it. */
  readonly maker: string;
  readonly parts: readonly Part[];
  /** Methods of which it has exactly one. */
  readonly forms: readonly string[];
}

const isSchema = (value: unknown): boolean =>
  typeof (value as { safeParse?: unknown } | undefined)?.safeParse === 'function';

const HEAD: readonly Part[] = [
  ['name', 'a text that is not empty', (value) => typeof value === 'string' && value !== ''],
  ['description', 'a text', (value) => typeof value === 'string'],
];

const STRATEGY: PluginKind = {
  what: 'strategy',
  bundled: BUNDLED_STRATEGIES,
  maker: 'defineStrategy',
  parts: [...HEAD, ['parameters', 'a zod schema', isSchema]],
  forms: ['quote', 'quotes'],
};

const PRICE_SOURCE: PluginKind = {
  what: 'price source',
  bundled: BUNDLED_PRICE_SOURCES,
  maker: 'definePriceSource',
  parts: [...HEAD, ['options', 'a zod schema', isSchema]],
  forms: ['connect'],
};

/**
 * Loads a strategy: a bundled one by its name, or any file by its path (anything with a `/` or a file extension). The
 * file's default export is the strategy, or a function from the SDK to it, for files that cannot import the SDK.
 * Throws ConfigError that says what to fix.
 */
export const loadStrategy = async (specifier: string, deps: LoaderDeps): Promise<Strategy> =>
  (await load(STRATEGY, specifier, deps)) as Strategy;

/** Loads a price source as `loadStrategy` loads a strategy. Throws ConfigError that says what to fix. */
export const loadPriceSource = async (specifier: string, deps: LoaderDeps): Promise<PriceSource> =>
  (await load(PRICE_SOURCE, specifier, deps)) as PriceSource;

/** The folder of a strategy's module, as a URL that ends in `/`. Throws ConfigError if the name is neither bundled nor a path. */
export const strategyFolder = (specifier: string, deps: Pick<LoaderDeps, 'bundledUrl' | 'baseUrl'>): string =>
  new URL('.', urlOf({ kind: STRATEGY, specifier }, deps)).href;

/** Validates a strategy's parameters and fills in defaults. Throws ConfigError with each wrong field and its value. */
export const parseParameters = <P>({ name, parameters: schema }: Strategy<P>, parameters: unknown): P =>
  parsed({ what: 'strategy', name, values: 'parameters' }, schema, parameters);

/** Validates a price source's options and fills in defaults. Throws ConfigError with each wrong field and its value. */
export const parseOptions = <O>({ name, options: schema }: PriceSource<O>, options: unknown): O =>
  parsed({ what: 'price source', name, values: 'options' }, schema, options);

/** The values of a configuration that a plugin checks, in words. */
interface Checked {
  readonly what: PluginKind['what'];
  readonly name: string;
  readonly values: 'parameters' | 'options';
}

function parsed<T>(checked: Checked, schema: z.ZodType<T>, given: unknown): T {
  const { what, name, values } = checked;
  const result = checkedBy(checked, schema, given ?? {});
  if (result.success) return result.data;
  const flaws = result.error.issues.flatMap((issue) =>
    flawsOf(issue, schema, valueAt(given, issue.path), values).map(({ path, message }) => ({
      path,
      message: `${what} ${name}: ${message}`,
    })),
  );
  throw new ConfigError(flaws.map(({ message }) => message).join('\n'), { plugin: name, flaws });
}

/** A value that a plugin refuses: where it lies, with dots, and why. */
export interface Flaw {
  readonly path: string;
  readonly message: string;
}

/** The flaws, one by one, of an error that `parseParameters` or `parseOptions` threw; none for any other. */
export const flawsIn = (error: unknown): readonly Flaw[] =>
  error instanceof ConfigError ? ((error.details['flaws'] as readonly Flaw[] | undefined) ?? []) : [];

function flawsOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  whole: Checked['values'],
): readonly Flaw[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(schema, issue.path);
    const at = (key: string): string => [...issue.path.map(String), key].join('.');
    return issue.keys.map((key) => ({
      path: at(key),
      message: `${path || whole}: there is no ${JSON.stringify(key)}${didYouMean(key, known)}`,
    }));
  }
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  return [{ path, message: `${path || whole} = ${shown}: ${inOurWords(issue.message)}` }];
}

/** What a schema expects, as people call it. */
const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

const BOUNDS: Readonly<Record<string, string>> = {
  '<=': 'at most',
  '<': 'below',
  '>=': 'at least',
  '>': 'above',
};

/** A message of the library in the words of the other errors. A message that the plugin's author wrote stays. */
function inOurWords(message: string): string {
  const [, what] = /^(?:Invalid (?:input|option)|Too (?:small|big)): expected (.+)$/.exec(message) ?? [];
  if (what === undefined) return message;
  const [, kind] = /^(\w+), received \S+$/.exec(what) ?? [];
  if (kind !== undefined) return `must be ${KINDS[kind] ?? kind}`;
  const [, verb, sign = '', bound] = /^\w+ to (be|have) ([<>]=?)(.+)$/.exec(what) ?? [];
  if (verb !== undefined) return `must ${verb} ${BOUNDS[sign]} ${bound}`;
  const [, choices] = /^one of (.+)$/.exec(what) ?? [];
  return choices === undefined ? `must be ${what}` : `must be one of ${choices.split('|').join(', ')}`;
}

/** The names that a schema has at a path, as far as it is made of plain objects. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = path.reduce<unknown>((at, key) => shapeOf(at)?.[String(key)], schema);
  return Object.keys(shapeOf(inner) ?? {});
}

/** The fields of an object's schema, also of one with a default. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const { shape, def } = (schema ?? {}) as {
    shape?: Readonly<Record<string, unknown>>;
    def?: { readonly innerType?: unknown };
  };
  return shape ?? (def?.innerType === undefined ? undefined : shapeOf(def.innerType));
}

/** A plugin's own check can throw on values that it does not expect. */
function checkedBy<T>({ what, name, values }: Checked, schema: z.ZodType<T>, given: unknown) {
  try {
    return schema.safeParse(given);
  } catch (error) {
    const message = `${what} ${name}: the schema of its ${values} threw: ${reasonOf(error)}`;
    throw new ConfigError(message, { plugin: name });
  }
}

/** A plugin that is being loaded. */
interface Loading {
  readonly kind: PluginKind;
  readonly specifier: string;
}

async function load(kind: PluginKind, specifier: string, deps: LoaderDeps): Promise<unknown> {
  const loading = { kind, specifier };
  const url = urlOf(loading, deps);
  const module = await importOrExplain(loading, url, deps);
  const exported = module['default'];
  if (exported === undefined) throw failure(loading, 'has no default export');
  const plugin: unknown = isFactory(exported) ? callFactory(loading, exported) : exported;
  return checkedPlugin(loading, plugin);
}

function urlOf(
  loading: Loading,
  { bundledUrl, baseUrl }: Pick<LoaderDeps, 'bundledUrl' | 'baseUrl'>,
): string {
  const { specifier, kind } = loading;
  if (kind.bundled.includes(specifier)) return bundledUrl(specifier);
  if (!/[/\\.]/.test(specifier)) {
    const meant = didYouMean(specifier, kind.bundled);
    throw failure(loading, `is neither bundled (${kind.bundled.join(', ')}) nor a path${meant}`);
  }
  const name = URL.canParse(specifier) ? specifier : specifier.replace(/[%?#]/g, encodeURIComponent);
  if (!URL.canParse(name, baseUrl)) throw failure(loading, 'is not a path');
  return new URL(name, baseUrl).href;
}

async function importOrExplain(
  loading: Loading,
  url: string,
  { importModule }: LoaderDeps,
): Promise<Record<string, unknown>> {
  try {
    return (await importModule(url)) as Record<string, unknown>;
  } catch (error) {
    const { code, url: missing } = error as { code?: string; url?: string };
    if (code === 'ERR_MODULE_NOT_FOUND' && missing === url) throw failure(loading, `not found at ${url}`);
    throw failure(loading, `cannot be loaded: ${reasonOf(error)}`, error);
  }
}

type PluginFactory = (toolkit: typeof sdk) => unknown;

const isFactory = (value: unknown): value is PluginFactory => typeof value === 'function';

function callFactory(loading: Loading, factory: PluginFactory): unknown {
  try {
    return factory(sdk);
  } catch (error) {
    throw failure(loading, `has a default export that threw: ${reasonOf(error)}`, error);
  }
}

function checkedPlugin(loading: Loading, value: unknown): unknown {
  const { what, parts, forms, maker } = loading.kind;
  if (typeof value !== 'object' || value === null) throw failure(loading, `does not export a ${what}`);
  const given = value as Readonly<Record<string, unknown>>;
  const faults = parts
    .filter(([part, , isRight]) => !isRight(given[part]))
    .map(([part, meaning]) => `${part} must be ${meaning}`);
  if (forms.filter((form) => typeof given[form] === 'function').length !== 1)
    faults.push(
      forms.length > 1
        ? `exactly one of ${forms.join(' and ')} must be a function`
        : `${forms.join()} must be a function`,
    );
  if (faults.length > 0) throw failure(loading, `is not a ${what}: ${faults.join(', ')}`);
  if (given['contract'] !== CONTRACT) throw failure(loading, contractFault(maker, given['contract']));
  return value;
}

const contractFault = (maker: string, contract: unknown): string =>
  typeof contract !== 'number'
    ? `names no contract: export what ${maker} returns`
    : `is written for contract ${contract}, and this Touchline runs contract ${CONTRACT}: use a version that fits`;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

const failure = ({ kind, specifier }: Loading, what: string, cause?: unknown): ConfigError =>
  new ConfigError(`${kind.what} "${specifier}" ${what}`, { specifier }, cause);
