import type { Config } from './load.ts';
import { isTable, type Setting, settingsOf, type Table, valueAtPath, withValue } from './settings.ts';
import { REPEATED, type Repeated, tableKey } from './tables.ts';

/** A key whose value differs between two configurations. */
export interface Change {
  /** Dotted; reaches into free-form tables. Repeated tables are counted from 1: `strategy[1].slowMs`. */
  readonly key: string;
  /** Leads to the value in the configuration. */
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
  /** Whether the change can take effect while the daemon runs. */
  readonly live: boolean;
}

/** Sections of free-form tables that may change while the daemon runs, even if other sections may not. */
export type LiveSections = Readonly<Record<string, readonly string[]>>;

/** The differences, key by key; secrets are not compared. */
export function changesOf(before: Config, after: Config, sections: LiveSections): readonly Change[] {
  const replaced = REPEATED.filter(({ name }) =>
    [before, after].some(({ tables }) => tables[name].length > 0),
  );
  const isInForce = ({ key }: Setting): boolean => !replaced.some(({ name }) => key.startsWith(`${name}.`));
  const whole = { key: '', path: [], settings: settingsOf().filter(isInForce) };
  return [
    ...changesAt(whole, [before, after], sections),
    ...replaced.flatMap((repeated) => tableChanges(repeated, before, after)),
  ];
}

/** A configuration with the changed values in place of its own. */
export function withChanges(config: Config, changes: readonly Change[]): Config {
  return changes.reduce((next, { path, to }) => withValue(next, path, to) as Config, config);
}

/** A part of a configuration: its key and path, and the settings in it. */
interface Part {
  readonly key: string;
  readonly path: readonly string[];
  readonly settings: readonly Setting[];
}

/** Other tables, or another order of them, are one change of the whole list, which needs a restart. */
function tableChanges(
  { name, settings, identityOf }: Repeated,
  before: Config,
  after: Config,
): readonly Change[] {
  const [from, to] = [before, after].map(({ tables }) => tables[name].map(identityOf));
  const path = ['tables', name];
  if (!isSame(from, to)) return [{ key: name, path, from, to, live: false }];
  return before.tables[name].flatMap((_, index) => {
    const part = { key: `${tableKey(name, index)}.`, path: [...path, String(index)], settings };
    return changesAt(part, [before, after], {});
  });
}

function changesAt(
  { key: prefix, path: above, settings }: Part,
  [before, after]: readonly [Config, Config],
  sections: LiveSections,
): readonly Change[] {
  return settings
    .filter(({ isSecret }) => !isSecret)
    .flatMap((setting) => {
      const path = [...above, ...setting.key.split('.')];
      const [from, to] = [valueAtPath(before, path), valueAtPath(after, path)];
      const changes = setting.isTable ? [...innerChanges(path, from, to)] : ownChanges(path, from, to);
      return changes.map((change) => {
        const section = change.path[path.length] ?? '';
        const live = setting.live || (sections[setting.key]?.includes(section) ?? false);
        return { ...change, key: prefix + change.path.slice(above.length).join('.'), live };
      });
    });
}

type Difference = Omit<Change, 'key' | 'live'>;

const ownChanges = (path: readonly string[], from: unknown, to: unknown): readonly Difference[] =>
  isSame(from, to) ? [] : [{ path, from, to }];

function* innerChanges(path: readonly string[], from: unknown, to: unknown): Generator<Difference> {
  if (!isTable(from) || !isTable(to)) return yield* ownChanges(path, from, to);
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)]))
    yield* innerChanges([...path, name], (from as Table)[name], (to as Table)[name]);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
