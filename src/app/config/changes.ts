import type { Config } from './load.ts';
import { isTable, type Setting, settingsOf, valueAt, withValue } from './settings.ts';

/** A key whose value differs between two configurations. */
export interface Change {
  /** Dotted; reaches into free-form tables. */
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Whether the change can take effect while the daemon runs. */
  readonly live: boolean;
}

/** Sections of free-form tables that may change while the daemon runs, even if other sections may not. */
export type LiveSections = Readonly<Record<string, readonly string[]>>;

/** The differences, key by key; secrets are not compared. */
export function changesOf(before: Config, after: Config, sections: LiveSections): readonly Change[] {
  return settingsOf()
    .filter(({ isSecret }) => !isSecret)
    .flatMap((setting) => [...changesAt(setting, before, after, sections)]);
}

/** A configuration with the changed values in place of its own. */
export function withChanges(config: Config, changes: readonly Change[]): Config {
  return changes.reduce((next, { key, to }) => withValue(next, key.split('.'), to) as Config, config);
}

function* changesAt(
  setting: Setting,
  before: Config,
  after: Config,
  sections: LiveSections,
): Generator<Change> {
  const { key, live } = setting;
  const [from, to] = [valueAt(before, key), valueAt(after, key)];
  if (!setting.isTable) {
    if (!isSame(from, to)) yield { key, from, to, live };
    return;
  }
  for (const change of tableChanges(key, from, to)) {
    const section = change.key.slice(key.length + 1).split('.', 1)[0] as string;
    yield { ...change, live: live || (sections[key]?.includes(section) ?? false) };
  }
}

function* tableChanges(key: string, from: unknown, to: unknown): Generator<Omit<Change, 'live'>> {
  if (!isTable(from) || !isTable(to)) {
    if (!isSame(from, to)) yield { key, from, to };
    return;
  }
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    yield* tableChanges(`${key}.${name}`, from[name], to[name]);
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
