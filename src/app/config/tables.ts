import convict from 'convict';
import { ConfigError } from '../../domain/errors.ts';
import type { Faults } from './faults.ts';
import { check, type Origins, takeValues, withDots } from './file-values.ts';
import { priceSourceSchema } from './schema/price-source-schema.ts';
import { configSchema } from './schema/schema.ts';
import { isTable, type Setting, settingsOf, type Table } from './settings.ts';
import { strategySchema } from './schema/strategy-schema.ts';

/** Without the environment: a variable names no table of several. */
const SOURCELESS = { args: [], env: {} };

/** The tables that a configuration may repeat, as in `[[strategy]]`, each with a maker of its settings. */
const MAKERS = {
  strategy: () => convict(strategySchema, SOURCELESS),
  priceSource: () => convict(priceSourceSchema, SOURCELESS),
};

type RepeatedName = keyof typeof MAKERS;

type SettingsOf<N extends RepeatedName> = ReturnType<ReturnType<(typeof MAKERS)[N]>['getProperties']>;

/** The settings of one `[[strategy]]` or `[strategy]` table. */
export type StrategySettings = SettingsOf<'strategy'>;

/** The settings of one `[[priceSource]]` table. */
export type PriceSourceSettings = SettingsOf<'priceSource'>;

/** The repeated tables of a configuration, in the order of the file. A list is empty if the file has none. */
export type RepeatedTables = { readonly [N in RepeatedName]: readonly SettingsOf<N>[] };

/** A kind of repeated table. */
export interface Repeated {
  readonly name: RepeatedName;
  readonly settings: readonly Setting[];
  /** Whether a section of the same name may take its place, as `[strategy]` does. */
  readonly hasSection: boolean;
  /** Names a table. Tables are the same ones as long as their names and their order stay. */
  readonly identityOf: (table: Table) => string;
}

/** Every kind of repeated table. */
export const REPEATED: readonly Repeated[] = [
  {
    name: 'strategy',
    settings: settingsOf(strategySchema),
    hasSection: 'strategy' in configSchema,
    identityOf: ({ name, as }) => (as === '' ? String(name) : `${String(name)} as ${String(as)}`),
  },
  {
    name: 'priceSource',
    settings: settingsOf(priceSourceSchema),
    hasSection: 'priceSource' in configSchema,
    identityOf: ({ name, as }) => `${String(name)} ${String(as)}`,
  },
];

/** The key of a table in messages. Tables are counted from 1. */
export const tableKey = (name: string, index: number): string => `${name}[${index + 1}]`;

/** A table that was read. */
interface ReadTable<N extends RepeatedName = RepeatedName> {
  readonly values: SettingsOf<N>;
  /** The same values, secrets masked. */
  readonly shown: unknown;
}

/** Collects the repeated tables of a configuration's files. Tables of a later file replace those of an earlier one. */
export class TableReader {
  readonly #origins: Origins;
  readonly #faults: Faults;
  readonly #read = new Map<RepeatedName, readonly ReadTable[]>();

  constructor(origins: Origins, faults: Faults) {
    this.#origins = origins;
    this.#faults = faults;
  }

  /** Takes the repeated tables of a file and returns the rest. Each fault is noted with key, value and file. */
  take(table: Table, file: string): Table {
    const rest: Record<string, unknown> = { ...table };
    for (const repeated of REPEATED) {
      const given = table[repeated.name];
      if (given === undefined) continue;
      if (isTable(given)) {
        if (!this.#takeSection(repeated, file)) delete rest[repeated.name];
      } else if (Array.isArray(given)) {
        delete rest[repeated.name];
        this.#takeTables(repeated, given, file);
      }
    }
    return rest;
  }

  values(): RepeatedTables {
    const lists = REPEATED.map(({ name }) => [name, this.#of(name).map(({ values }) => values)] as const);
    return Object.fromEntries<unknown>(lists) as RepeatedTables;
  }

  /** The tables as they should be shown, by name. A kind with a section of its own is left out if it has no tables. */
  shown(): Readonly<Record<string, unknown>> {
    const shown = REPEATED.map(({ name, hasSection }) => {
      const tables = this.#of(name).map((table) => table.shown);
      return tables.length === 0 && hasSection ? [] : [[name, tables] as const];
    });
    return Object.fromEntries(shown.flat());
  }

  /** Throws ConfigError if the key belongs to a section that repeated tables have replaced. */
  refuseReplaced(key: string, origin: string): void {
    const name = REPEATED.find((each) => key === each.name || key.startsWith(`${each.name}.`))?.name;
    if (name === undefined || this.#of(name).length === 0) return;
    const message = `${origin}: ${key}: the configuration has [[${name}]] tables, and this names none of them: change the table in its file, or use one [${name}] table`;
    throw new ConfigError(message, { key });
  }

  #of<N extends RepeatedName>(name: N): readonly ReadTable<N>[] {
    return (this.#read.get(name) ?? []) as readonly ReadTable<N>[];
  }

  /** Whether a section of that name may stand for the tables; if not, that is noted. */
  #takeSection({ name, hasSection }: Repeated, file: string): boolean {
    this.#read.delete(name);
    if (hasSection) return true;
    const message = `${file}: ${name}: write [[${name}]], with two brackets on each side`;
    this.#faults.add({ key: name, message });
    return false;
  }

  #takeTables({ name, settings }: Repeated, given: readonly unknown[], file: string): void {
    for (const key of this.#origins.keys())
      if (key.startsWith(`${name}.`) || key.startsWith(`${name}[`)) this.#origins.delete(key);
    const tables = given.map((table, index): ReadTable => {
      const key = tableKey(name, index);
      const config = MAKERS[name]();
      const target = { config, settings, prefix: `${key}.`, origins: this.#origins, faults: this.#faults };
      if (isTable(table)) takeValues(target, table, file);
      else {
        const message = `${file}: ${key} = ${JSON.stringify(table)}: must be a table below [[${name}]]`;
        this.#faults.add({ key, message });
      }
      check(target);
      return {
        values: withDots(config.getProperties()),
        shown: withDots(JSON.parse(config.toString()) as unknown),
      };
    });
    this.#read.set(name, tables);
  }
}
