/** Takes a TOML table's values into settings, and names the file, key and value of each fault. */
import { ConfigError } from '../../domain/errors.ts';
import { didYouMean, nearest } from '../../lib/nearest.ts';
import type { Faults } from './faults.ts';
import { isTable, type Setting, type Table } from './settings.ts';

/** `{ 'orders.durationS': { value, origin } }`: who set each key last, for error messages. */
export type Origins = Map<string, { readonly value: unknown; readonly origin: string }>;

/** The part of the library's configuration that is used here, without its types of keys. */
interface Values {
  get(key: never): unknown;
  load(table: Table): unknown;
  reset(key: never): unknown;
  validate(options: { readonly allowed: 'strict' }): unknown;
}

/** Where values go: the whole configuration, or one table of several. */
export interface Target {
  readonly config: Values;
  /** Every key of the target, without the prefix. */
  readonly settings: readonly Setting[];
  /** Stands before each key in messages and origins. */
  readonly prefix: string;
  readonly origins: Origins;
  readonly faults: Faults;
}

/** Lays a table over the values of the target, without what cannot be laid there: each such value is a fault. */
export function takeValues(target: Target, table: Table, file: string): void {
  const shape = new Shape(target.settings);
  const place = { ...target, shape, file };
  const loadable = loadablePart(place, table);
  for (const [key, value] of flatten(shape, loadable))
    noteOrigin(target.prefix + key, value, file, target.origins);
  target.config.load(laidOver(place, loadable));
}

/** What stands at a key. */
export class Shape {
  readonly #settings: ReadonlyMap<string, Setting>;

  constructor(settings: readonly Setting[]) {
    this.#settings = new Map(settings.map((setting) => [setting.key, setting]));
  }

  get(key: string): Setting | undefined {
    return this.#settings.get(key);
  }

  at(key: string): 'leaf' | 'free-form' | 'unknown' {
    const setting = this.#settings.get(key);
    if (setting === undefined) return 'unknown';
    return setting.isTable ? 'free-form' : 'leaf';
  }

  /** Whether settings stand below a key. */
  isSection(key: string): boolean {
    return this.names(key).length > 0;
  }

  /** The names below a key, of settings and of tables; of the whole below an empty key. */
  names(key: string): readonly string[] {
    const above = key === '' ? '' : `${key}.`;
    const below = [...this.#settings.keys()].filter((setting) => setting.startsWith(above));
    return [...new Set(below.map((setting) => setting.slice(above.length).split('.', 1)[0] as string))];
  }

  /** The setting that was probably meant by an unknown key; null if none is near. */
  meantBy(key: string): string | null {
    return this.#corrected(key) ?? this.#sameName(key);
  }

  /** The key with each name replaced by the nearest one in its table; null if a name is near none. */
  #corrected(key: string): string | null {
    let path = '';
    for (const [index, name] of key.split('.').entries()) {
      if (this.at(path) === 'free-form') return [path, ...key.split('.').slice(index)].join('.');
      const word = nearest(name, this.names(path));
      if (word === null) return null;
      path = path === '' ? word : `${path}.${word}`;
    }
    return path;
  }

  /** The setting of that name in another table; null unless there is exactly one. */
  #sameName(key: string): string | null {
    const name = key.slice(key.lastIndexOf('.') + 1);
    const named = [...this.#settings.keys()].filter((setting) => setting.endsWith(`.${name}`));
    return named.length === 1 ? (named[0] as string) : null;
  }
}

interface Place extends Target {
  readonly shape: Shape;
  readonly file: string;
}

/** Within a free-form table each value has its own origin, because several files may fill the table. */
export function noteOrigin(key: string, value: unknown, origin: string, origins: Origins): void {
  origins.set(key, { value, origin });
  if (!isTable(value)) return;
  for (const [name, inner] of Object.entries(value)) noteOrigin(`${key}.${name}`, inner, origin, origins);
}

/** Settings files are passed around, and other users can read a command's arguments. */
export function refuseSecret({ settings, prefix }: Target, key: string, origin: string): void {
  if (!settings.some((setting) => setting.isSecret && setting.key === key)) return;
  const name = prefix + key;
  throw new ConfigError(`${origin}: ${name} is a secret: put it into a file named by ${name}File`, {
    key: name,
  });
}

/**
 * The part of a file's table that the library can load. It would silently accept a table in place of a list, and throw on a list within
 * it. If a value replaced a whole section, it would report every setting of it as missing.
 */
function loadablePart(place: Place, table: Table, path = ''): Table {
  const { shape, faults, file } = place;
  const kept = Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const key = path + name;
    if (isTable(value) && shape.at(key) === 'unknown') return [[name, loadablePart(place, value, `${key}.`)]];
    const isSound = faults.attempt(place.prefix + key, () => {
      refuseSecret(place, key, file);
      refuseMisplaced(place, key, value);
      return true;
    });
    return isSound === true ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}

function refuseMisplaced({ shape, prefix, file }: Place, key: string, value: unknown): void {
  const isWrong = isTable(value) ? shape.at(key) === 'leaf' : shape.isSection(key);
  if (!isWrong) return;
  const allowed = isTable(value) ? shape.get(key)?.allowed : 'a table';
  throw new ConfigError(`${file}: ${prefix}${key} = ${JSON.stringify(value)}: must be ${allowed}`, {
    key: prefix + key,
  });
}

/** A file's table, in which free-form tables keep values of earlier files that this file does not replace. */
function laidOver(place: Place, table: Table, path = ''): Table {
  const laid = Object.entries(table).map(([name, value]) => {
    const key = path + name;
    if (!isTable(value)) return [name, value];
    if (place.shape.at(key) !== 'free-form') return [name, laidOver(place, value, `${key}.`)];
    return [name, merged(place.config.get(key as never), withoutDots(value))];
  });
  return Object.fromEntries(laid) as Table;
}

/** The library reads a dot as a step into a table. Names in a free-form table may have dots, so another character holds their place. */
const DOT = '\u{E000}';

const withoutDots = (value: unknown): unknown => renamed(value, (name) => name.replaceAll('.', DOT));

/** Values of the library's configuration, with the names that the file gave them. */
export const withDots = <T>(values: T): T => renamed(values, (name) => name.replaceAll(DOT, '.')) as T;

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]),
  );
}

function merged(earlier: unknown, given: unknown): unknown {
  if (!isTable(earlier) || !isTable(given)) return given;
  const both = Object.keys(given).map((key) => [key, merged(earlier[key], given[key])]);
  return { ...earlier, ...Object.fromEntries(both) };
}

/** Leaves of a table with dotted keys; free-form tables of the schema count as leaves, as do empty ones that it does not know. */
function* flatten(shape: Shape, table: Table, path = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = path + name;
    const isLeaf = !isTable(value) || shape.at(key) === 'free-form';
    const isEmpty = !isLeaf && Object.keys(value).length === 0 && !shape.isSection(key);
    if (!isLeaf && !isEmpty) yield* flatten(shape, value, `${key}.`);
    else yield [key, value];
  }
}

/** A mistyped secret name, or one in the wrong table, is an unknown key, but its value is still a secret. */
const SECRET_NAME = /(key|secret|token|password)[^.]*$/i;

const UNKNOWN_KEY = /configuration param '(.+)' not declared/;

/** Notes a fault for every key of the target that is unknown or has an invalid value, and gives it its default back. */
export function check(target: Target): void {
  try {
    target.config.validate({ allowed: 'strict' });
  } catch (error) {
    const shape = new Shape(target.settings);
    const lines = (error as Error).message.split('\n').filter((line) => line !== '');
    for (const line of lines) blame(line, target, shape);
  }
}

/** Notes a validator message as `origin: key = value: reason`. */
function blame(line: string, target: Target, shape: Shape): void {
  const unknown = UNKNOWN_KEY.exec(line)?.[1];
  if (unknown !== undefined) return blameUnknown(unknown, target, shape);
  const key = line.split(':', 1)[0] as string;
  const known = setBy(target.prefix + key, target);
  const shown = shape.get(key)?.isSecret === true ? '(hidden)' : JSON.stringify(known?.value);
  note(target, key, null, `${shown}: ${reasonIn(line.slice(key.length + 2), known?.value, shape.get(key))}`);
  target.config.reset(key as never);
}

function blameUnknown(key: string, target: Target, shape: Shape): void {
  const found = shape.meantBy(key);
  const meant = found === null ? null : target.prefix + found;
  const isHidden = SECRET_NAME.test(key) || (found !== null && shape.get(found)?.isSecret === true);
  const shown = isHidden ? '(hidden)' : JSON.stringify(setBy(target.prefix + key, target)?.value);
  note(target, key, meant, `${shown}: unknown key${inWords(meant)}`);
}

/** Who set a key, or a value below it. */
const setBy = (name: string, { origins }: Target) =>
  origins.get(name) ?? [...origins].find(([set]) => set.startsWith(`${name}.`))?.[1];

function note(target: Target, key: string, meant: string | null, what: string): void {
  const name = target.prefix + key;
  const origin = setBy(name, target)?.origin ?? 'defaults';
  target.faults.add({ key: name, meant, message: `${origin}: ${name} = ${what}` });
}

/** ` (did you mean "orders.durationS"?)`, or nothing. */
export const inWords = (meant: string | null): string =>
  meant === null ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;

const CHOICES = /^must be one of the possible values: .*/;

/** The validator's reason, in our words if the value must be one of several. */
function reasonIn(text: string, value: unknown, setting: Setting | undefined): string {
  const reason = text.replace(/: value was .*$/, '');
  if (setting === undefined || !CHOICES.test(reason)) return reason;
  return `must be one of ${setting.allowed}${didYouMean(String(value), setting.allowed.split(', '))}`;
}
