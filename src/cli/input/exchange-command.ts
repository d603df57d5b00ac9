import process from 'node:process';
import { Command } from 'commander';
import { loadConfig } from '../../app/config/load.ts';
import type { ExchangeClient } from '../../app/exchange/connect.ts';
import { openExchange } from '../../app/exchange/open-exchange.ts';
import { renderTable, type Row } from '../output/table.ts';
import { type ConfigOptions, sourcesOf, withConfigOptions } from './config-options.ts';

export interface ExchangeOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** The result of a command: rows for a table; `json` if programs get more than people. */
export interface Report {
  readonly rows: readonly Row[];
  readonly json?: unknown;
  /** The text for people if there are no rows. */
  readonly none: string;
  readonly exitCode?: number;
}

/** A command that queries the configured exchange and prints the answer. */
export function exchangeCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option('--json', 'print JSON instead of a table');
  return withConfigOptions(command);
}

/** Opens the account that the options name, runs `ask` on it, prints the report, and closes the account. */
export async function report(
  options: ExchangeOptions,
  ask: (exchange: ExchangeClient) => Promise<Report>,
): Promise<void> {
  const config = loadConfig(sourcesOf(options, process.env)).values;
  await using exchange = openExchange(config, process.env);
  const { rows, json = rows, none, exitCode } = await ask(exchange);
  const lines = rows.length === 0 ? [none] : renderTable(rows);
  process.stdout.write(options.json === true ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`);
  if (exitCode !== undefined) process.exitCode = exitCode;
}
