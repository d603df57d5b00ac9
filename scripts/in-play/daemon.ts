/** The daemon of a match: the bundled configuration of simulated mode, with or without the guards that look at the market. */
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import type { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { compose } from '../../src/app/compose.ts';
import { type Config, loadConfig } from '../../src/app/config/load.ts';
import { requestLimitsOf, riskLimitsOf } from '../../src/app/config/part-options.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import { openJournal } from '../../src/app/journal/open-journal.ts';
import { Daemon } from '../../src/app/run/daemon.ts';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { InProcessExchange } from '../../src/simulator/in-process/transports.ts';
import { createVenue } from '../../src/venue/index.ts';
import { WireScores } from './scores.ts';

export const KEY = 'in-play-key';

/** The bundled strategies that quote in play, with the settings that make them do so. */
export const STRATEGIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  symmetric: {},
  inventory: {},
  'guarded-ladder': { 'strategy.parameters.inPlay': 'true' },
};

export interface DaemonChoice {
  readonly strategy: string;
  readonly isGuarded: boolean;
}

const BACK_COOL_DOWN_S = 9;

/** Guards that look at the market or at our fills. Those that look at the daemon itself stay. */
const MARKET_GUARDS = [
  'score_change',
  'red_card',
  'score_age',
  'suspension',
  'price_jump',
  'divergence',
  'toxicity',
  'unintended_taking',
];
/** Orders that nothing shortens in play, and that no guard closes. The score that an order asserts is no setting. */
const UNGUARDED = {
  'risk.guards.disabled': JSON.stringify(MARKET_GUARDS),
  'risk.inPlay.scoreMaxAgeS': '3600',
  'orders.durationS': '300',
  'orders.inPlayDurationS': '300',
};

function configOf({ strategy, isGuarded }: DaemonChoice): Config {
  return loadConfig({
    files: [bundledConfig('simulated')],
    environment: {},
    settings: {
      'exchange.againstPrices': 'odds',
      'strategy.name': strategy,
      ...STRATEGIES[strategy],
      'universe.sports': 'fb',
      'universe.marketTypes': 'wdw,ou',
      'universe.maxEvents': '1',
      'universe.maxSelections': '5',
      // A doubtful score lasts as long as it does in a match at its own speed.
      'risk.guards.scoreChange.backCoolDownS': String(BACK_COOL_DOWN_S),
      ...(isGuarded ? {} : UNGUARDED),
    },
  }).values;
}

interface DaemonPlace {
  readonly clock: VirtualClock;
  readonly wires: InProcessExchange;
  readonly seed: number;
}

export interface RunningDaemon {
  readonly scores: WireScores;
  /** Why it cannot continue; null while it can. */
  failure(): { readonly error: unknown } | null;
  release(): void;
}

/** Starts a whole daemon on an exchange in this process. Its journal is kept in memory. */
export async function startDaemon(
  choice: DaemonChoice,
  { clock, wires, seed }: DaemonPlace,
): Promise<RunningDaemon> {
  const config = configOf(choice);
  const random = seededRandom(seed, 'ids');
  const ids = { uuid: () => uuidFrom(random) };
  const memory = openJournal('', clock);
  const { journal, permit, earlierOwner, earlierBudgets } = memory;
  const { installation, damage } = claimJournal(journal, config, ids);
  const scores = new WireScores();
  const venue = createVenue({
    kind: 'simulated',
    apiKey: new Secret(KEY),
    http: scores.through(wires.http),
    sockets: wires.sockets,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    earlierBudgets,
    random: seededRandom(seed, 'backoff'),
    requestTimeoutMs: config.exchange.requestTimeoutS * 1_000,
    limits: requestLimitsOf(config),
  });
  const composed = await compose(config, riskLimitsOf(config), {
    venue,
    journal,
    damage,
    permit,
    inMemory: true,
    killFile: null,
    claim: { installation, earlierOwner, isSoleUser: true, takesOver: false },
    clock,
    ids,
    logger: silentLogger,
    metrics: noMetrics,
    strategyCalls: scores.calls,
  });
  scores.follow(composed.core);
  const strategies = composed.parts.core.strategies.names;
  const daemon = new Daemon(composed, { strategies, exchange: 'in play', version: '0', runId: '1-00000000' });
  let failed: { readonly error: unknown } | null = null;
  void composed.fatal.then((error) => (failed = { error }));
  daemon.start().catch((error: unknown) => (failed = { error }));
  return { scores, failure: () => failed, release: () => memory.release() };
}
