import process from 'node:process';
import { ConfigError } from '../domain/errors.ts';
import { readApiKey } from './api-key.ts';
import type { Config, LoadedConfig } from './config/load.ts';
import { judge } from './judge.ts';
import type { JudgedConfig } from './judge.ts';
import type { RunConsole } from './run-console.ts';
import { runDaemon } from './run-daemon.ts';

export interface ServiceRun {
  readonly loaded: LoadedConfig;
  /** Reads the configuration anew, from where it first came. Throws ConfigError. */
  readonly readAgain: () => LoadedConfig;
  /** The explicit switch that real money needs beside `mode = "live"`. */
  readonly live: boolean;
  readonly durationMs: number | null;
  readonly console: RunConsole;
}

/** Runs the daemon against the exchange of the configuration. Answers the exit code. Throws ConfigError. */
export async function runOnExchange(run: ServiceRun): Promise<number> {
  const { live, durationMs, console } = run;
  const judged = await judgeRun(run.loaded, live);
  const apiKey = readApiKey(judged.config.exchange, process.env);
  console.banner(judged.config.mode);
  const readAgain = async (): Promise<Config> => (await judgeRun(run.readAgain(), live)).config;
  const force = (exitCode: number): void => process.exit(exitCode);
  return runDaemon({ ...judged, readAgain, apiKey, durationMs, console, force });
}

/** Real money needs the switch and the configuration; each alone is a mistake that is told. */
async function judgeRun(loaded: LoadedConfig, live: boolean): Promise<JudgedConfig> {
  const { values: config } = loaded;
  if (config.mode === 'live' && !live) {
    throw new ConfigError(
      'mode = "live" trades with real money: say so on the command line too, with --live',
    );
  }
  if (live && config.mode !== 'live')
    throw new ConfigError('--live needs a configuration with mode = "live"');
  const judged = await judge(loaded);
  checkExchange(config);
  if (config.mode === 'simulated') checkSimulated(config);
  return judged;
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
