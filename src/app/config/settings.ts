import { configSchema } from './schema/schema.ts';

/** A key of the configuration, as the schema defines it. */
export interface Setting {
  /** Dotted. */
  readonly key: string;
  readonly doc: string;
  readonly fallback: unknown;
  /** The valid values, in words. */
  readonly allowed: string;
  /** Whether it may change while the daemon runs. */
  readonly live: boolean;
  /** The environment variable that sets it; null if there is none. */
  readonly variable: string | null;
  /** A free-form table: its consumer defines the keys inside. */
  readonly isTable: boolean;
  readonly isSecret: boolean;
}

interface Leaf {
  readonly default: unknown;
  readonly format: unknown;
  readonly doc?: string;
  readonly env?: string;
  readonly live?: boolean;
  readonly sensitive?: boolean;
}

const isLeaf = (node: unknown): node is Leaf =>
  typeof node === 'object' && node !== null && 'default' in node && 'format' in node;

/** Every key of a schema, in its order. Default: the schema of the whole configuration. */
export function settingsOf(schema: object = configSchema): readonly Setting[] {
  return [...leaves(schema, '')];
}

function* leaves(node: object, prefix: string): Generator<Setting> {
  for (const [name, child] of Object.entries(node) as [string, object][]) {
    if (isLeaf(child)) yield settingOf(prefix + name, child);
    else yield* leaves(child, `${prefix}${name}.`);
  }
}

function settingOf(key: string, leaf: Leaf): Setting {
  return {
    key,
    doc: leaf.doc ?? '',
    fallback: leaf.default,
    allowed: allowedBy(leaf.format),
    live: leaf.live === true,
    variable: leaf.env ?? null,
    isTable: leaf.format === 'object',
    isSecret: leaf.sensitive === true,
  };
}

function allowedBy(format: unknown): string {
  if (Array.isArray(format)) return format.join(', ');
  if (format === 'texts') return 'a list of texts';
  if (format === 'object') return 'a table';
  if (format === Boolean) return 'true, false';
  if (format === String) return 'a text';
  return (format as { readonly allowed: string }).allowed;
}

export type Table = Readonly<Record<string, unknown>>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted key of any depth; undefined if there is none. */
export const valueAt = (table: object, key: string): unknown => valueAtPath(table, key.split('.'));

/** The value at a path through tables and lists; undefined if there is none. */
export const valueAtPath = (table: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (isTable(at) || Array.isArray(at) ? (at as Table)[name] : undefined),
    table,
  );

/** A copy of a table with one value replaced, at any depth; an undefined value is left out. */
export function withValue(table: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(table)) return table.with(Number(name), withValue(table[Number(name)], rest, value));
  const fields = isTable(table) ? table : {};
  const copy = { ...fields, [name]: withValue(fields[name], rest, value) };
  if (copy[name] === undefined) delete copy[name];
  return copy;
}
