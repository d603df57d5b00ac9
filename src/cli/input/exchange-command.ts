import process from 'node:process';
import { Command, Option } from 'commander';
import type { Config, ConfigSources, LoadedConfig } from '../../app/config/load.ts';
import type { ExchangeClient } from '../../app/exchange/connect.ts';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../domain/odds.ts';
import { jsonText, renderTable, type Row } from '../output/output.ts';
import { collectSettings } from './arguments.ts';

export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
}

const gather = (file: string, earlier: readonly string[] = []): readonly string[] => [...earlier, file];

/** Adds the options that choose a configuration to a command. */
export function withConfigOptions(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'TOML file of settings; repeatable, and a later file overrides an earlier one',
      gather,
    )
    .option(
      '-s, --set <key=value>',
      'one setting, which overrides files and environment; repeatable',
      collectSettings,
    );
}

/** The sources that the options name; `fallbackFiles` apply if no file was given. */
export function sourcesOf(
  options: ConfigOptions,
  environment: ConfigSources['environment'],
  fallbackFiles: readonly string[] = [],
): ConfigSources {
  return { files: options.config ?? fallbackFiles, environment, settings: options.set ?? {} };
}

/** For those who need more than names. */
export const IDS = 'also show ids';

/** Reads the configuration that the options name. Rejects with ConfigError. Its schema takes long to load, so nothing loads it earlier. */
export async function configOf(
  options: ConfigOptions,
  fallbackFiles: readonly string[] = [],
): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../app/config/load.ts');
  return loadConfig(sourcesOf(options, process.env, fallbackFiles));
}

/** The same, but with the faults: `validateConfig` names them together with those that it finds. */
export async function configRead(options: ConfigOptions): Promise<LoadedConfig> {
  const { readConfig } = await import('../../app/config/load.ts');
  return readConfig(sourcesOf(options, process.env));
}

/** The configuration of a start. Rejects with ConfigError, which names every mistake. */
export async function configForStart(
  options: ConfigOptions,
  fallbackFiles: readonly string[] = [],
): Promise<LoadedConfig> {
  const { loadForStart } = await import('../../app/config/validate.ts');
  return loadForStart(sourcesOf(options, process.env, fallbackFiles));
}

export interface ExchangeOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** The result of a command: rows for a table; `json` if programs get more than people. */
export interface Report {
  readonly rows: readonly Row[];
  readonly json?: unknown;
  /** The text for people if there are no rows. */
  readonly none: string;
  /** Lines for people below the table. */
  readonly notes?: readonly string[];
  readonly exitCode?: number;
}

/** A command that queries the configured exchange and prints the answer. */
export function exchangeCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option('--json', 'print JSON instead of a table');
  return withConfigOptions(command);
}

export interface PriceOptions {
  readonly againstPrices?: PriceConvention;
}

/** Adds the option that says what the prices of `against` markets are. */
export const withPriceOption = (command: Command): Command =>
  command.addOption(
    new Option(
      '--against-prices <what>',
      'what the prices of "against" markets are (default: as configured)',
    ).choices(PRICE_CONVENTIONS),
  );

/** Opens the account that the options name, runs `ask` on it, prints the report, and closes the account. */
export async function report(
  options: ExchangeOptions,
  ask: (exchange: ExchangeClient, config: Config) => Promise<Report>,
): Promise<void> {
  const config = (await configOf(options)).values;
  // The client of the exchange takes long to load, and other commands have no need of it.
  const { openExchange } = await import('../../app/exchange/open-exchange.ts');
  await using exchange = openExchange(config, process.env);
  const { rows, json = rows, none, notes = [], exitCode } = await ask(exchange, config);
  const lines = rows.length === 0 ? [none] : [...renderTable(rows), ...notes];
  process.stdout.write(options.json === true ? `${jsonText(json)}\n` : `${lines.join('\n')}\n`);
  if (exitCode !== undefined) process.exitCode = exitCode;
}
