import process from 'node:process';
import { ConfigError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import { debuggerOpenedBy } from '../adapters/debugger.ts';
import { isFirstProcess } from '../adapters/last-resort.ts';
import { leaveAtOnce } from '../adapters/system-process.ts';
import type { Config, LoadedConfig } from '../config/load.ts';
import { overridesOf, withOverrides } from '../config/overrides.ts';
import { validateConfig, type ValidatedConfig } from '../config/validate.ts';
import { checkExchange, checkSimulated, readApiKey } from '../exchange/open-exchange.ts';
import { mustNotBecomeReal } from './reload.ts';
import { type DaemonRun, runDaemon } from './run-daemon.ts';
import type { RunConsole } from './run-signals.ts';
import { checkStart } from './start-checks.ts';

export interface ServiceRun {
  readonly loaded: LoadedConfig;
  /** Reads the configuration again from its original sources, with its faults. */
  readonly readAgain: () => LoadedConfig;
  /** Whether to drop the parameters that a person changed while an earlier run traded. */
  readonly resets: boolean;
  /** The explicit switch that real money requires beside `mode = "live"`. */
  readonly live: boolean;
  readonly durationMs: number | null;
  /** Whether a run that quoted nothing has failed; false if omitted. */
  readonly mustQuote?: boolean;
  /** A person confirmed that the other installation no longer uses the account. */
  readonly takesOver: boolean;
  /** A person confirmed that the journal goes on with another account. */
  readonly acceptsAccount: boolean;
  /** How a person gets to the dashboard; null: by `touchline dashboard` alone. */
  readonly shows: DaemonRun['shows'];
  readonly console: RunConsole;
}

/** Runs the daemon against the configured exchange. Resolves to the exit code. Throws ConfigError. */
export async function runOnExchange(run: ServiceRun): Promise<number> {
  const { live, durationMs, mustQuote = false, console } = run;
  checkStart(run.loaded.values);
  const overrides = overridesOf(run.loaded.values);
  if (run.resets) overrides.write({});
  const judged = await judgeRun(withOverrides(run.loaded, overrides.read()), live);
  const readKey = () => readApiKey(judged.config.exchange, process.env);
  const apiKey = readKey();
  console.banner(judged.config.mode);
  const readAgain: DaemonRun['readAgain'] = (over = overrides.read()) =>
    judgeAgain(judged.config, withOverrides(run.readAgain(), over), live);
  const { takesOver, acceptsAccount, shows } = run;
  // A paper account is in this process alone.
  const isSoleUser = !MODES[judged.config.mode].actsOnExchange;
  const by = { durationMs, mustQuote, isSoleUser, takesOver, acceptsAccount, exchangeEnded: null, shows };
  return runDaemon({ ...judged, ...by, readAgain, overrides, apiKey, readKey, console, force: leaveAtOnce });
}

/**
 * Judges what a run whose configuration was `before` reads again. Throws ConfigError. A mode that is now real is refused first, because the run cannot follow
 * the advice that a start gives.
 */
export async function judgeAgain(before: Config, loaded: LoadedConfig, live: boolean): Promise<Config> {
  mustNotBecomeReal(before, loaded.values);
  return (await judgeRun(loaded, live)).config;
}

/** Real money requires both the switch and the configuration. Only one of them is a mistake, and is reported. */
async function judgeRun(loaded: LoadedConfig, live: boolean): Promise<ValidatedConfig> {
  if (loaded.faults.length > 0) return validateConfig(loaded);
  const { values: config } = loaded;
  const { explicitSwitch, real } = MODES[config.mode];
  if (explicitSwitch !== null && !live) {
    throw new ConfigError(
      `mode = "${config.mode}" trades with real money: say so on the command line too, with ${explicitSwitch}`,
    );
  }
  if (live && explicitSwitch === null)
    throw new ConfigError('--live needs a configuration with mode = "live"');
  if (real.money && isFirstProcess()) {
    throw new ConfigError(
      `mode = "${config.mode}" as process 1 of a container: the kernel ignores the signal that ends a strategy that hangs. Start it under an init, such as tini, or with docker run --init`,
    );
  }
  const opened = real.exchange ? debuggerOpenedBy() : null;
  if (opened !== null) {
    throw new ConfigError(
      `mode = "${config.mode}" with a debugger (${opened}): whoever reaches it has the API key. Start without it`,
    );
  }
  const judged = await validateConfig(loaded);
  if (!real.exchange) checkSimulated(config);
  checkExchange(config);
  return judged;
}
