/** Parameters that a person changed while the daemon ran. They lie over the configuration until somebody drops them. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'smol-toml';
import { z } from 'zod';
import { ConfigError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';
import { giveToOwner } from '../adapters/small-file.ts';
import { overridesPath } from '../journal/account-paths.ts';
import type { Config, LoadedConfig } from './load.ts';
import type { StrategySettings } from './tables.ts';

/** Parameters by the key of their strategy. */
export type Overrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Keeps overrides. */
export interface OverridesFile {
  /** For people: where they are kept. */
  readonly where: string;
  /** Throws ConfigError if the file cannot be read. */
  read(): Overrides;
  /** Throws the disk's own errors. */
  write(overrides: Overrides): void;
}

const schema = z.record(z.string(), z.record(z.string(), z.unknown()));
const OWNER_ALONE = 0o600;
const HEAD = `# Parameters that a person changed while the daemon ran. They lie over the configuration.
# A start with --reset removes this file.
`;

/** The key of a strategy's overrides: its name in the configuration. */
export const overridesKey = ({ as, name }: Pick<StrategySettings, 'as' | 'name'>): string =>
  as === '' ? name : as;

/** The overrides beside the journal of a configuration; in memory if the journal is. */
export function overridesOf({ journal }: Pick<Config, 'journal'>): OverridesFile {
  return journal.path === '' ? inMemory() : onDisk(overridesPath(journal.path), journal.path);
}

function inMemory(): OverridesFile {
  let kept: Overrides = {};
  return { where: 'memory, until this run ends', read: () => kept, write: (next) => void (kept = next) };
}

function onDisk(path: string, like: string): OverridesFile {
  return {
    where: path,
    read() {
      if (!existsSync(path)) return {};
      try {
        return schema.parse(parse(readFileSync(path, 'utf8')));
      } catch (error) {
        throw new ConfigError(`${path}: ${reasonOf(error)}; a start with --reset removes it`, { path });
      }
    },
    write(overrides) {
      if (Object.keys(overrides).length === 0) return rmSync(path, { force: true });
      const unfinished = `${path}.new`;
      // One that is there would keep its own mode.
      rmSync(unfinished, { force: true });
      writeFileSync(unfinished, HEAD + stringify(overrides), { flag: 'wx', mode: OWNER_ALONE });
      giveToOwner(unfinished, like);
      renameSync(unfinished, path);
    },
  };
}

/** The configuration with the overrides over it. Those of strategies that it does not name change nothing. */
export function withOverrides<T extends Pick<LoadedConfig, 'values'>>(loaded: T, overrides: Overrides): T {
  const merged = (settings: StrategySettings): StrategySettings => {
    const own = overrides[overridesKey(settings)];
    if (own === undefined) return settings;
    return { ...settings, parameters: { ...(settings.parameters as object), ...own } };
  };
  const { strategy, tables } = loaded.values;
  const values = {
    ...loaded.values,
    strategy: merged(strategy),
    tables: { ...tables, strategy: tables.strategy.map(merged) },
  };
  return { ...loaded, values };
}

/** The overrides with other values for one strategy; null drops a value. */
export function changedOverrides(
  overrides: Overrides,
  key: string,
  parameters: Readonly<Record<string, unknown>>,
): Overrides {
  const own = Object.entries({ ...overrides[key], ...parameters }).filter(([, value]) => value !== null);
  const others = Object.entries(overrides).filter(([name]) => name !== key);
  return Object.fromEntries([
    ...others,
    ...(own.length === 0 ? [] : [[key, Object.fromEntries(own)] as const]),
  ]);
}
