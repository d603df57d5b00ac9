import process from 'node:process';
import { ConfigError } from '../domain/errors.ts';
import type { RiskLimits } from '../risk/index.ts';
import { readApiKey } from './api-key.ts';
import type { Config } from './config/load.ts';
import { riskLimitsOf } from './risk-limits.ts';
import type { RunConsole } from './run-console.ts';
import { runDaemon } from './run-daemon.ts';

export interface ServiceRun {
  readonly config: Config;
  /** Reads the configuration anew, from where it first came. Throws ConfigError. */
  readonly readAgain: () => Config;
  /** The explicit switch that real money needs beside `mode = "live"`. */
  readonly live: boolean;
  readonly durationMs: number | null;
  readonly console: RunConsole;
}

/** Runs the daemon against the exchange of the configuration. Answers the exit code. Throws ConfigError. */
export async function runOnExchange(run: ServiceRun): Promise<number> {
  const { config, live } = run;
  const limits = checkedLimits(config, live);
  const apiKey = readApiKey(config.exchange, process.env);
  run.console.banner(config.mode);
  return runDaemon({ ...run, limits, apiKey, force: (exitCode) => process.exit(exitCode) });
}

/** The limits. Real money needs the switch and the configuration; each alone is a mistake that is told. */
function checkedLimits(config: Config, live: boolean): RiskLimits {
  if (config.mode === 'live' && !live) {
    throw new ConfigError(
      'mode = "live" trades with real money: say so on the command line too, with --live',
    );
  }
  if (live && config.mode !== 'live')
    throw new ConfigError('--live needs a configuration with mode = "live"');
  const limits = riskLimitsOf(config);
  checkExchange(config);
  if (config.mode === 'simulated') checkSimulated(config);
  if (config.mode === 'live' && config.journal.path === '') {
    throw new ConfigError('journal.path is mandatory in live mode: without it no order survives a restart');
  }
  return limits;
}

/** The embedded exchange is always on this machine. An address elsewhere can be that of a real account. */
function checkSimulated({ exchange }: Config): void {
  const elsewhere = (['restUrl', 'streamUrl'] as const).filter((key) => !isLoopback(exchange[key]));
  if (elsewhere.length === 0) return;
  const named = elsewhere.map((key) => `exchange.${key} = "${exchange[key]}"`).join(' and ');
  throw new ConfigError(
    `${named}: not on this machine, so it may take real money; that needs mode = "live" and --live`,
  );
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Throws ConfigError unless the addresses of an exchange are set. */
export function checkExchange({ exchange }: Config): void {
  const missing = (['restUrl', 'streamUrl'] as const).filter((key) => exchange[key] === '');
  if (missing.length === 0) return;
  const keys = missing.map((key) => `exchange.${key}`).join(' and ');
  throw new ConfigError(
    `${keys} not set: name the exchange's addresses, or use "touchline start" for the embedded one`,
  );
}
