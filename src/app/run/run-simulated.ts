import process from 'node:process';
import { ConfigError } from '../../domain/errors.ts';
import { MODES } from '../../domain/mode.ts';
import { Secret } from '../../domain/secret.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { leaveAtOnce, onStopSignals } from '../adapters/system-process.ts';
import type { Config, LoadedConfig } from '../config/load.ts';
import { overridesOf, withOverrides } from '../config/overrides.ts';
import { validateConfig, type ValidatedConfig } from '../config/validate.ts';
import { dashboardShown } from '../pages/open-browser.ts';
import { openEmbeddedExchange } from '../simulated/embedded-exchange.ts';
import { exchangeSettingsOf } from '../simulated/exchange-choices.ts';
import type { ExchangeChoice } from '../simulated/exchange-messages.ts';
import { limitsAt } from '../simulated/market-time.ts';
import {
  accountsOf,
  type MarketChoice,
  openSimulator,
  type SimulatorChoice,
} from '../simulated/simulation.ts';
import { runDaemon } from './run-daemon.ts';
import type { RunConsole } from './run-signals.ts';
import { checkStart } from './start-checks.ts';

export interface SimulatedRun extends MarketChoice {
  readonly loaded: LoadedConfig;
  /** Reads the configuration again from its original sources. Throws ConfigError. */
  readonly readAgain: () => LoadedConfig;
  /** Whether to drop the parameters that a person changed while an earlier run traded. */
  readonly resets: boolean;
  readonly port: number;
  readonly durationMs: number | null;
  /** Whether a run that quoted nothing has failed; false if omitted. */
  readonly mustQuote?: boolean;
  /** Whether to open the dashboard in a browser. */
  readonly opensBrowser: boolean;
  readonly console: RunConsole;
}

/** The key of the embedded exchange's only account. It is valid nowhere else. */
const SIMULATED_KEY = 'simulated-key';

/**
 * Starts the embedded exchange on its own event loop, and a daemon as an ordinary client of it. Resolves to the exit code. Throws
 * ConfigError.
 */
export async function runOnSimulator(run: SimulatedRun): Promise<number> {
  checkStart(run.loaded.values);
  const overrides = overridesOf(run.loaded.values);
  if (run.resets) overrides.write({});
  const judged = await judgeSimulated(withOverrides(run.loaded, overrides.read()));
  run.console.banner(judged.config.mode);
  const exchange = await openEmbeddedExchange({
    choice: choiceOf(run, judged.config),
    clock: systemClock,
    logger: run.console.logger.child({ part: 'exchange' }),
  });
  const addresses = { restUrl: exchange.rest, streamUrl: exchange.stream };
  const here = (config: Config): Config => ({
    ...config,
    exchange: { ...config.exchange, ...addresses, ...pricesOf(run, config) },
  });
  try {
    return await runDaemon({
      config: here(judged.config),
      strategies: judged.strategies,
      readAgain: async (over = overrides.read()) =>
        here((await judgeSimulated(withOverrides(run.readAgain(), over))).config),
      overrides,
      // Guards run in the time of the market if a recording is played faster.
      limits: run.feed.kind === 'model' ? judged.limits : limitsAt(run.speed, judged.limits),
      apiKey: new Secret(SIMULATED_KEY),
      readKey: () => new Secret(SIMULATED_KEY),
      durationMs: run.durationMs,
      mustQuote: run.mustQuote ?? false,
      console: run.console,
      isSoleUser: true,
      takesOver: false,
      acceptsAccount: false,
      exchangeEnded: exchange.ended,
      shows: dashboardShown(run.console, run.opensBrowser),
      force: leaveAtOnce,
    });
  } finally {
    await exchange.close();
  }
}

/**
 * Refuses a live journal, which belongs to a real account: simulated fills would be written to it, and its open orders looked up
 * here.
 */
async function judgeSimulated(loaded: LoadedConfig): Promise<ValidatedConfig> {
  const { mode } = loaded.values;
  if (loaded.faults.length > 0 || !MODES[mode].real.exchange) return validateConfig(loaded);
  throw new ConfigError(
    `mode = "${mode}" is not for the embedded exchange: to try these settings there, add --set mode=simulated --set journal.path=`,
  );
}

/** A recorded market has lay prices, and may have too few selections to prove it. */
const pricesOf = ({ feed }: SimulatedRun, { exchange }: Config): Partial<Config['exchange']> =>
  feed.kind === 'betfair' && exchange.againstPrices === 'auto' ? { againstPrices: 'lay' } : {};

function choiceOf(run: SimulatedRun, { simulator }: Config): ExchangeChoice {
  const { feed, feedFromMs, speed, seed, port } = run;
  const { againstPrices, balanceUsdt, makerMinimums, placementDelay, limits } = simulator;
  const { minOrderStakeUsdt: minOrderStake } = simulator;
  const accounts = accountsOf([SIMULATED_KEY], balanceUsdt);
  const settings = exchangeSettingsOf({ againstPrices, minOrderStake, placementDelay, limits });
  return { feed, feedFromMs, speed, seed, port, accounts, makerMinimums, settings };
}

export type SimulatorRun = Omit<SimulatorChoice, 'clock'>;

/** Runs the embedded exchange until a signal. `ready` gets one JSON line with its addresses. Resolves to the exit code. */
export async function runSimulator(run: SimulatorRun, ready: (line: string) => void): Promise<number> {
  const simulator = await openSimulator({ ...run, clock: systemClock });
  const { rest, stream, control } = simulator;
  const stopped = Promise.withResolvers<string>();
  onStopSignals(systemClock, ['SIGINT', 'SIGTERM'], stopped.resolve, () => process.exit(1));
  const keys = run.accounts.flatMap((account) => account.keys);
  ready(JSON.stringify({ rest, stream, control, keys }));
  await stopped.promise;
  await simulator.close();
  return 0;
}
