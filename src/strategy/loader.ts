import { ConfigError } from '../domain/errors.ts';
import { reasonOf } from '../lib/reason.ts';
import { CONTRACT, type Strategy } from './contract.ts';
import * as sdk from './sdk.ts';

/** The bundled strategies, by the names that the configuration uses. */
export const BUNDLED_STRATEGIES: readonly string[] = [
  'symmetric',
  'inventory',
  'score-grid',
  'consensus',
  'guarded-ladder',
];

export interface LoaderDeps {
  /** `(url) => import(url)`. */
  readonly importModule: (url: string) => Promise<unknown>;
  /** URL of a bundled strategy's module. */
  readonly bundledUrl: (name: string) => string;
  /** URL that paths are relative to (the working directory), ending in `/`. */
  readonly baseUrl: string;
}

/**
 * Loads a strategy: a bundled one by its name, or any file by its path (anything with a `/` or a file extension). The
 * file's default export is the strategy, or a function from the SDK to it, for files that cannot import the SDK.
 * Throws ConfigError that says what to fix.
 */
export async function loadStrategy(specifier: string, deps: LoaderDeps): Promise<Strategy> {
  const url = urlOf(specifier, deps);
  const module = await importOrExplain(specifier, url, deps);
  const exported = module['default'];
  if (exported === undefined) throw failure(specifier, 'has no default export');
  const strategy: unknown = isFactory(exported) ? callFactory(specifier, exported) : exported;
  return asStrategy(specifier, strategy);
}

/** The folder of a strategy's module, as a URL that ends in `/`. Throws ConfigError if the name is neither bundled nor a path. */
export const strategyFolder = (specifier: string, deps: Pick<LoaderDeps, 'bundledUrl' | 'baseUrl'>): string =>
  new URL('.', urlOf(specifier, deps)).href;

/** Validates a strategy's parameters and fills in defaults. Throws ConfigError with each wrong field and its value. */
export function parseParameters<P>(strategy: Strategy<P>, parameters: unknown): P {
  const result = checkedBy(strategy, parameters ?? {});
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const value = valueAt(parameters, path);
    return `${path.map(String).join('.') || 'parameters'} = ${value === undefined ? 'nothing' : JSON.stringify(value)}: ${message}`;
  });
  throw new ConfigError(`strategy ${strategy.name}: ${faults.join('; ')}`, { strategy: strategy.name });
}

/** A strategy's own check can throw on values that it does not expect. */
function checkedBy<P>({ name, parameters: schema }: Strategy<P>, parameters: unknown) {
  try {
    return schema.safeParse(parameters);
  } catch (error) {
    const message = `strategy ${name}: the schema of its parameters threw: ${reasonOf(error)}`;
    throw new ConfigError(message, { strategy: name });
  }
}

function urlOf(
  specifier: string,
  { bundledUrl, baseUrl }: Pick<LoaderDeps, 'bundledUrl' | 'baseUrl'>,
): string {
  if (BUNDLED_STRATEGIES.includes(specifier)) return bundledUrl(specifier);
  if (!/[/\\.]/.test(specifier)) {
    throw failure(specifier, `is neither bundled (${BUNDLED_STRATEGIES.join(', ')}) nor a path`);
  }
  const name = URL.canParse(specifier) ? specifier : specifier.replace(/[%?#]/g, encodeURIComponent);
  if (!URL.canParse(name, baseUrl)) throw failure(specifier, 'is not a path');
  return new URL(name, baseUrl).href;
}

async function importOrExplain(
  specifier: string,
  url: string,
  { importModule }: LoaderDeps,
): Promise<Record<string, unknown>> {
  try {
    return (await importModule(url)) as Record<string, unknown>;
  } catch (error) {
    const { code, url: missing } = error as { code?: string; url?: string };
    if (code === 'ERR_MODULE_NOT_FOUND' && missing === url) throw failure(specifier, `not found at ${url}`);
    throw failure(specifier, `cannot be loaded: ${reasonOf(error)}`);
  }
}

type PluginFactory = (toolkit: typeof sdk) => unknown;

const isFactory = (value: unknown): value is PluginFactory => typeof value === 'function';

function callFactory(specifier: string, factory: PluginFactory): unknown {
  try {
    return factory(sdk);
  } catch (error) {
    throw failure(specifier, `has a default export that threw: ${reasonOf(error)}`);
  }
}

/** Each mandatory part of a strategy, what it must be, and its check. */
const SHAPE: readonly [part: string, what: string, isRight: (value: unknown) => boolean][] = [
  ['name', 'a text that is not empty', (value) => typeof value === 'string' && value !== ''],
  ['description', 'a text', (value) => typeof value === 'string'],
  [
    'parameters',
    'a zod schema',
    (value) => typeof (value as { safeParse?: unknown } | undefined)?.safeParse === 'function',
  ],
];

function asStrategy(specifier: string, value: unknown): Strategy {
  if (typeof value !== 'object' || value === null) throw failure(specifier, 'does not export a strategy');
  const parts = value as Readonly<Record<string, unknown>>;
  const faults = SHAPE.filter(([part, , isRight]) => !isRight(parts[part])).map(
    ([part, what]) => `${part} must be ${what}`,
  );
  const forms = FORMS.filter((form) => typeof parts[form] === 'function');
  if (forms.length !== 1) faults.push('exactly one of quote and quotes must be a function');
  if (faults.length > 0) throw failure(specifier, `is not a strategy: ${faults.join(', ')}`);
  if (parts['contract'] !== CONTRACT) throw failure(specifier, contractFault(parts['contract']));
  return value as Strategy;
}

/** The method of the pure form, and that of the stream form. */
const FORMS = ['quote', 'quotes'];

const contractFault = (contract: unknown): string =>
  typeof contract !== 'number'
    ? 'names no contract: export what defineStrategy returns'
    : `is written for contract ${contract}, and this Touchline runs contract ${CONTRACT}: use a version that fits`;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

const failure = (specifier: string, what: string): ConfigError =>
  new ConfigError(`strategy "${specifier}" ${what}`, { specifier });
