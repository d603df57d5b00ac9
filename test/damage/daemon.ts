import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { compose, type Composed } from '../../src/app/compose.ts';
import { type Config, loadConfig } from '../../src/app/config/load.ts';
import { requestLimitsOf, riskLimitsOf } from '../../src/app/config/part-options.ts';
import { bundledConfig } from '../../src/app/adapters/own-files.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import { openJournal, type OpenJournal } from '../../src/app/journal/open-journal.ts';
import { Daemon } from '../../src/app/run/daemon.ts';
import { toMicros } from '../../src/domain/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { HttpTransport } from '../../src/ports/transport.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { constantLatency } from '../../src/simulator/in-process/delay-line.ts';
import { type InProcessExchange, inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { createVenue } from '../../src/venue/index.ts';

const KEY = 'key-of-the-damaged';
const LATENCY_MS = 20;

/** An exchange in this process, on a virtual clock. */
export class DamagePlace {
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly #exchange: Exchange;
  readonly #wires: InProcessExchange;

  constructor(seed: number, startWallMs: number) {
    this.seed = seed;
    this.clock = new VirtualClock(startWallMs);
    this.#exchange = createExchange({
      accounts: [{ accountId: 'account', keys: [KEY], balanceMicros: toMicros(100_000) }],
      feeds: [createModelFeed({ seed, speed: 1, startWallMs, events: 3 })],
      parseBetType,
      random: seededRandom(seed, 'exchange'),
      startMs: startWallMs,
      settings: { priceConvention: 'lay' },
    });
    this.#wires = inProcessTransports({
      core: this.#exchange,
      clock: this.clock,
      latency: constantLatency(LATENCY_MS),
    });
  }

  /** Every order that was ever placed here. */
  orders(): readonly InspectedOrder[] {
    return this.#exchange.inspect().orders;
  }

  get open(): number {
    return this.orders().filter(({ closed }) => !closed).length;
  }

  /** Each daemon has its own client: the exchange outlives them. */
  venue(config: Config, memory: OpenJournal): ReturnType<typeof createVenue> {
    const send: HttpTransport['send'] = (request) => this.#wires.http.send(request);
    const http = { send, close: () => Promise.resolve() };
    return createVenue({
      kind: 'simulated',
      apiKey: new Secret(KEY),
      requestTimeoutMs: 5_000,
      http,
      sockets: this.#wires.sockets,
      clock: this.clock,
      limits: requestLimitsOf(config),
      earlierBudgets: memory.earlierBudgets,
      random: seededRandom(this.seed, 'jitter'),
      logger: silentLogger,
      metrics: noMetrics,
    });
  }

  close(): void {
    this.#wires.host.close();
  }
}

const configOf = (path: string): Config =>
  loadConfig({
    files: [bundledConfig('simulated')],
    environment: {},
    settings: {
      'exchange.againstPrices': 'lay',
      'journal.path': path,
      'universe.maxSelections': '2',
      'orders.durationS': '60',
    },
  }).values;

/** A daemon in this process, on the real files of a journal. */
export interface DamageRun {
  readonly composed: Composed;
  readonly daemon: Daemon;
  /** Why it could not start. */
  failure: unknown;
  /** Ends without any message to the exchange. */
  end(): Promise<void>;
}

let runs = 0;

/** Starts a daemon as the command does. Rejects with ConfigError where the command would refuse. */
export async function startDaemon(place: DamagePlace, path: string): Promise<DamageRun> {
  const { clock } = place;
  const config = configOf(path);
  const random = seededRandom(place.seed, `ids ${runs++}`);
  const ids = { uuid: (): string => uuidFrom(random) };
  const memory = openJournal(path, clock);
  const claimed = claimJournal(memory.journal, config, ids, memory.markedInstallation);
  const composed = await compose(config, riskLimitsOf(config), {
    venue: place.venue(config, memory),
    journal: memory.journal,
    permit: memory.permit,
    killFile: null,
    damage: memory.damage ?? claimed.damage,
    watchJournal: memory.watch,
    // No other installation is present, so a daemon that may trade does so at once.
    claim: {
      installation: claimed.installation,
      earlierOwner: 'unknown',
      isSoleUser: true,
      takesOver: false,
    },
    clock,
    ids,
    logger: silentLogger,
    metrics: noMetrics,
  });
  const end = async (): Promise<void> => {
    await daemon.abandon();
    memory.release();
  };
  const daemon = new Daemon(composed, {
    strategies: composed.parts.core.strategies.names,
    exchange: 'in this process',
    version: '0.1.0',
    runId: '1-0a1b2c3d',
  });
  const run: DamageRun = { composed, daemon, failure: null, end };
  daemon.start().catch((error: unknown) => void (run.failure = error));
  return run;
}
