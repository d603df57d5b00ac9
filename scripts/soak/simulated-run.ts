import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { openAccountHistory } from '../../src/app/history/open-history.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import { openJournal } from '../../src/app/journal/open-journal.ts';
import type { Daemon } from '../../src/app/run/daemon.ts';
import { type Micros, toMicros } from '../../src/domain/money.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { LineLevel, LogFields } from '../../src/ports/logger.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { uniformLatency } from '../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports, type InProcessExchange } from '../../src/simulator/in-process/transports.ts';
import { composeRun, KEY } from '../../test/sim/compose-run.ts';
import { daemonConfig } from '../../test/sim/daemon-config.ts';
import { feedOptionsOf, type MarketPlan } from '../../test/sim/markets.ts';
import { processLog } from '../../test/sim/process-log.ts';
import { SimProcess } from '../../test/sim/process.ts';
import { MatchedBets } from './matched-bets.ts';
import type { AccountMoney } from './money.ts';
import { NO_LOSS_LIMITS } from './settings.ts';

/** Records leave the journal, and orders the exchange, after a day: soon there are as many as there ever will be. */
const RETENTION_DAYS = 1;

const START = Date.parse('2026-03-01T12:00:00Z');
const START_BALANCE: Micros = toMicros(100_000);
const EVENTS = 3;
const OPEN_BETSLIPS = 20;
const LATENCY_MS = [10, 60] as const;
const [START_WITHIN_MS, STOP_WITHIN_MS, STEP_MS] = [60_000, 60_000, 100];

/** Prices move every minute or two, takers come now and then, and matches keep their own pace. */
const CALM: MarketPlan = {
  name: 'calm',
  leadMinutes: 0,
  requoteMs: 120_000,
  requoteInPlayMs: 60_000,
  stepMs: 60_000,
  stepInPlayMs: 30_000,
  makers: 1,
  leastPopularity: 0.9,
  arrivalRate: 0.006,
  informedRate: 0.01,
};

/** What the daemon's log said since the start. Lines of lower levels are only counted. */
export interface LogTally {
  readonly errors: string[];
  warnings: number;
  /** Lines that tell of a booked bet. */
  fills: number;
}

/** A daemon on the simulated exchange, on one virtual clock. Both remember nothing that only a judge would need. */
export interface SimulatedRun {
  readonly clock: VirtualClock;
  readonly log: LogTally;
  readonly matched: MatchedBets;
  readonly journal: Journal;
  money(): AccountMoney;
  /** What the last of the daemon's own nightly reconciliations could not explain; null before the first. */
  reconciledMicros(): Micros | null;
  /** The daemon's orders that are open on the exchange. */
  openOrders(): number;
  /** Stops the daemon as SIGTERM does, and releases the journal. */
  stop(): Promise<void>;
}

/** Starts a daemon with a journal on disk, and moves time until it has started. Throws if it cannot start. */
export async function startSimulatedRun(journalPath: string, seed: number): Promise<SimulatedRun> {
  const clock = new VirtualClock(START);
  const matched = new MatchedBets();
  const exchange = exchangeOf(seed, (order) => matched.saw(order));
  const latency = uniformLatency(seededRandom(seed, 'latency'), ...LATENCY_MS);
  const wires = inProcessTransports({ core: exchange, clock, latency });
  const log: LogTally = { errors: [], warnings: 0, fills: 0 };
  const { composed, daemon, journal, release } = await daemonOn(wires, { clock, journalPath, seed, log });
  const { ledger } = composed.core;
  const balance = (): Micros => exchange.inspectAccounts()[0]?.balanceMicros ?? NaN;
  await started(daemon, composed.fatal, clock);
  return {
    clock,
    log,
    matched,
    journal,
    money: () => ({
      startMicros: START_BALANCE,
      balanceMicros: balance(),
      settledMicros: ledger.profitLoss(() => null).realisedMicros,
    }),
    reconciledMicros: () => {
      const last = composed.history?.report().last ?? null;
      return last === null ? null : toMicros(last.residual);
    },
    openOrders: () => exchange.inspect().orders.filter(({ closed }) => !closed).length,
    stop: async () => {
      await over(daemon.stop('the soak is over', STOP_WITHIN_MS), clock);
      wires.host.close();
      release();
    },
  };
}

function exchangeOf(seed: number, onOrder: (order: InspectedOrder) => void): Exchange {
  const feed = createModelFeed({ seed, startWallMs: START, events: EVENTS, ...feedOptionsOf(CALM) });
  const kept = { orderRetentionMs: RETENTION_DAYS * DAY_MS, trackedLookupMs: RETENTION_DAYS * DAY_MS };
  return createExchange({
    accounts: [{ accountId: 'account-a', keys: [KEY], balanceMicros: START_BALANCE }],
    feeds: [feed],
    parseBetType,
    random: seededRandom(seed, 'exchange'),
    startMs: START,
    onOrder,
    // Private quotes of unchanged prices come less often, which halves the work of a quiet market.
    settings: { openBetslipCap: OPEN_BETSLIPS, quoteIntervalMs: 5_000, ...kept },
  });
}

interface Place {
  readonly clock: VirtualClock;
  readonly journalPath: string;
  readonly seed: number;
  readonly log: LogTally;
}

async function daemonOn({ http, sockets }: InProcessExchange, { clock, journalPath, seed, log }: Place) {
  const process = new SimProcess(() => undefined);
  const ids = seededRandom(seed, 'ids');
  const uuid = (): string => uuidFrom(ids);
  const config = daemonConfig(
    {
      strategy: 'symmetric',
      durationS: 300,
      heartbeatS: 60,
      maxSelections: 4,
      inPlay: false,
      eventLimitUsdt: 4_000,
    },
    {
      'journal.path': journalPath,
      'journal.retentionDays': `${RETENTION_DAYS}`,
      ...Object.fromEntries(
        Object.entries(NO_LOSS_LIMITS).map(([key, usdt]) => [`risk.loss.${key}`, `${usdt}`]),
      ),
    },
  );
  const memory = openJournal(journalPath, clock);
  const { installation, damage } = claimJournal(memory.journal, config, { uuid });
  const { earlierOwner } = memory;
  const logger = processLog(process, (level, message, fields) => note(log, level, message, fields));
  const { journal } = memory;
  const run = { runId: '1', version: 'soak', mode: config.mode, atMs: clock.wallMs() };
  const history = openAccountHistory({ config, run, journal, clock, logger, metrics: noMetrics });
  const made = await composeRun({
    process,
    config,
    memory,
    clock,
    damage: memory.damage ?? damage,
    ids: { uuid },
    claim: { installation, earlierOwner, isSoleUser: false, takesOver: false },
    logger,
    history,
    http: process.http(http, clock),
    sockets: process.sockets(sockets, clock),
    random: seededRandom(seed, 'jitter'),
    limits: {},
  });
  const release = (): void => {
    history.recorder.close();
    memory.release();
  };
  return { ...made, journal, release };
}

function note(log: LogTally, level: LineLevel, message: string, fields: LogFields): void {
  if (level === 'warn') log.warnings++;
  if (level === 'error' || level === 'fatal') log.errors.push(`${message} ${JSON.stringify(fields)}`);
  if (level === 'info' && message === 'fill') log.fills++;
}

async function started(daemon: Daemon, fatal: Promise<unknown>, clock: VirtualClock): Promise<void> {
  const failed = fatal.then((error) => {
    throw new Error('the daemon cannot continue', { cause: error });
  });
  // A failure later in the run shows as an error in the log and as a run that does nothing.
  failed.catch(() => undefined);
  const has = await over(Promise.race([daemon.start(), failed]), clock, START_WITHIN_MS);
  if (!has) throw new Error('the daemon did not start');
}

/** Moves time until the work is done. Throws if it takes longer than `withinMs`. */
async function over<T>(work: Promise<T>, clock: VirtualClock, withinMs = 2 * STOP_WITHIN_MS): Promise<T> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  work.then(end, end);
  for (let waitedMs = 0; !state.isOver; waitedMs += STEP_MS) {
    if (waitedMs > withinMs) throw new Error(`not over within ${withinMs / 1000} s`);
    await clock.advance(STEP_MS);
  }
  return work;
}
