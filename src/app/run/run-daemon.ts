import process from 'node:process';
import { TouchlineError } from '../../domain/errors.ts';
import type { AccountClaim, InstallationId } from '../../domain/installation.ts';
import { MODES } from '../../domain/mode.ts';
import { KeyInForce, type Secret } from '../../domain/secret.ts';
import type { HistoryFact } from '../../history/facts.ts';
import type { LogQuestion } from '../../ops/log-memory.ts';
import type { AdminControls } from '../../ops/commands/controls.ts';
import type { ParameterControls } from '../../ops/dashboard/parameter-routes.ts';
import { createPrometheusMetrics, type ExpositionFormat, type PrometheusMetrics } from '../../ops/metrics.ts';
import { statusMetrics } from '../../ops/status-metrics.ts';
import type { Journal } from '../../ports/journal.ts';
import type { RiskLimits } from '../../risk/index.ts';
import { audited } from '../admin/audit.ts';
import { serve, type Served } from '../admin/serve.ts';
import { handOverSignals } from '../adapters/early-signals.ts';
import { isFirstProcess } from '../adapters/last-resort.ts';
import { VERSION } from '../adapters/own-files.ts';
import { watchKillFile } from '../adapters/small-file.ts';
import { sourceInputs } from '../adapters/source-inputs.ts';
import { randomIds } from '../adapters/this-machine.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { signalsHeard } from '../adapters/system-process.ts';
import { compose, type Composed } from '../compose.ts';
import { presumedConvention } from '../convention.ts';
import type { Config } from '../config/load.ts';
import type { Overrides, OverridesFile } from '../config/overrides.ts';
import type { ConfiguredStrategy } from '../config/validate.ts';
import { hangBeside, killFileOf } from '../journal/account-files.ts';
import { openAccountHistory, type OpenHistory } from '../history/open-history.ts';
import { hangPath } from '../journal/account-paths.ts';
import { claimJournal } from '../journal/journal-mode.ts';
import { openJournal, type OpenJournal } from '../journal/open-journal.ts';
import { warnOfSpace } from '../journal/space.ts';
import { openRunRecording, type RunRecording } from '../record/run-recording.ts';
import { notified, type NotifiedRun } from '../notify/notified-run.ts';
import { openChannels } from '../notify/open-channels.ts';
import { latchOffline } from '../operate/offline.ts';
import { dashboardPages } from '../pages/built-pages.ts';
import { latchHang } from '../watchdog/latch-hang.ts';
import { NO_WATCHDOG, type RunningWatchdog, startWatchdog } from '../watchdog/start-watchdog.ts';
import { Daemon } from './daemon.ts';
import { openTradedExchange } from './exchange-access.ts';
import { KeyChange } from './key-change.ts';
import { parameterControls } from './parameters.ts';
import { Reloader } from './reload.ts';
import { newRunId, type RunId } from './run-id.ts';
import { runToEnd } from './run-loop.ts';
import { showRun } from './run-metrics.ts';
import { type KeyCommands, type RunConsole, RunSignals } from './run-signals.ts';

export interface DaemonRun {
  readonly config: Config;
  /**
   * Reads the configuration again from its original sources, with the kept overrides or others, and validates it as a start does. Throws
   * ConfigError.
   */
  readonly readAgain: (overrides?: Overrides) => Promise<Config>;
  /** Keeps the parameters that a person changes while it runs. */
  readonly overrides: OverridesFile;
  readonly limits: RiskLimits;
  /** The strategies that the configuration names. */
  readonly strategies: readonly ConfiguredStrategy[];
  readonly apiKey: Secret;
  /** Reads the key again from where the start read it. Throws ConfigError. */
  readonly readKey: () => Secret;
  readonly durationMs: number | null;
  /** Whether a run that quoted nothing has failed; false if omitted. */
  readonly mustQuote?: boolean;
  /** Whether no other process can have the account. */
  readonly isSoleUser: boolean;
  /** A person confirmed that the other installation no longer trades. */
  readonly takesOver: boolean;
  /** A person confirmed that the journal goes on with another account. */
  readonly acceptsAccount: boolean;
  /** Settles when an exchange within this process ends; null for any other exchange. */
  readonly exchangeEnded: Promise<TouchlineError> | null;
  /** How a person gets to the dashboard; null: by `touchline dashboard` alone. */
  readonly shows: ((link: string) => void) | null;
  readonly console: RunConsole;
  readonly force: (exitCode: number) => void;
}

interface HeldAccount extends OpenJournal {
  readonly installation: InstallationId;
  readonly runId: RunId;
}

interface WatchedAccount extends HeldAccount {
  readonly watchdog: RunningWatchdog;
}

/** Runs a daemon on the machine's clock, sockets and disk, and serves its metrics and health. Resolves to the exit code. */
export async function runDaemon(run: DaemonRun): Promise<number> {
  const signals = new RunSignals(systemClock, run.console);
  handOverSignals();
  try {
    return await holdAccount(run, signals);
  } catch (error) {
    throw withoutDaemon(run.config, signals.untakenKill, error);
  } finally {
    signals.ignore();
  }
}

/** A kill that arrived before the daemon existed is latched for the next one. Returns the error that the run ends with. */
function withoutDaemon(config: Config, kill: string | null, error: unknown): unknown {
  if (kill === null) return error;
  const record = { by: 'signal', reason: kill, atMs: systemClock.wallMs() };
  if (latchOffline(config, record, systemClock).latchedIn !== null) return error;
  return new TouchlineError('unlatched', `killed (${kill}), and that is latched nowhere`, {}, error);
}

async function holdAccount(run: DaemonRun, signals: RunSignals): Promise<number> {
  const memory = openJournal(run.config.journal.path, systemClock);
  try {
    const { journal, markedInstallation, upgrade } = memory;
    if (upgrade !== null) run.console.logger.warn('the journal was upgraded', { ...upgrade });
    warnOfSpace([run.config, journal], run.console.logger);
    const claimed = claimJournal(journal, run.config, randomIds, markedInstallation);
    const damage = memory.damage ?? claimed.damage;
    const runId = newRunId(journal, randomIds);
    run.console.bindLog({ runId });
    const { installation } = claimed;
    return await watchDaemon(run, { ...memory, damage, installation, runId }, signals);
  } finally {
    await signalsHeard();
    memory.release();
  }
}

async function watchDaemon(run: DaemonRun, memory: HeldAccount, signals: RunSignals): Promise<number> {
  const watchdog = watchdogOf(run, memory);
  try {
    return await serveDaemon(run, { ...memory, watchdog }, signals);
  } finally {
    await watchdog.stop();
  }
}

/** For a call that belongs to no strategy of the configuration. */
const DEFAULT_HANG_S = 2;

/** As the first process of a container, the watchdog could close orders and not end the process. */
function watchdogOf(
  { config, strategies, apiKey, console }: DaemonRun,
  { installation, runId }: HeldAccount,
): RunningWatchdog {
  if (isFirstProcess()) {
    console.logger.warn(
      'process 1 of a container: nothing ends a strategy that hangs; start it under an init',
    );
    return NO_WATCHDOG;
  }
  const { orders, exchange, journal } = config;
  const settings = {
    latestLandingMs: orders.latestLandingS * 1000,
    heartbeatMs: orders.heartbeatTimeoutS * 1000,
  };
  // Paper orders end with the process. On the exchange there is none to close.
  const access = MODES[config.mode].actsOnExchange
    ? { restUrl: exchange.restUrl, apiKey: apiKey.reveal(), installation }
    : null;
  const hangFile = journal.path === '' ? null : { path: hangPath(journal.path), like: journal.path };
  const hangMsOf = (name: string): number =>
    1000 * (strategies.find((each) => each.name === name)?.settings.hangS ?? DEFAULT_HANG_S);
  return startWatchdog({ settings, exchange: access, hangFile, runId }, hangMsOf, console.logger);
}

async function serveDaemon(run: DaemonRun, memory: WatchedAccount, signals: RunSignals): Promise<number> {
  const metrics = createPrometheusMetrics({ processMetrics: true });
  showRun(metrics, run.config, run.console.logLines);
  const history = historyOf(run, memory, metrics);
  const recording = recordingOf(run, memory, metrics);
  try {
    return await serveWithHistory(run, { ...memory, history, recording }, signals, metrics);
  } finally {
    history.recorder.close();
    await recording.close();
  }
}

function recordingOf(
  { config, strategies, console }: DaemonRun,
  { runId, journal }: HeldAccount,
  metrics: PrometheusMetrics,
): RunRecording {
  return openRunRecording({
    config,
    runId,
    version: VERSION,
    clock: systemClock,
    logger: console.logger,
    metrics,
    strategies: strategies.map(({ name }) => name),
    convention: presumedConvention(config, journal),
  });
}

/** The history of a run that holds the account. */
function historyOf(run: DaemonRun, { journal, runId }: HeldAccount, metrics: PrometheusMetrics): OpenHistory {
  const { config, console } = run;
  const atMs = systemClock.wallMs();
  return openAccountHistory({
    config,
    journal,
    clock: systemClock,
    logger: console.logger,
    metrics,
    run: { runId, version: VERSION, mode: config.mode, atMs },
  });
}

interface RememberedAccount extends WatchedAccount {
  readonly history: OpenHistory;
  readonly recording: RunRecording;
}

async function serveWithHistory(
  run: DaemonRun,
  memory: RememberedAccount,
  signals: RunSignals,
  metrics: PrometheusMetrics,
): Promise<number> {
  const channels = openChannels(run.config.notify, process.env, systemClock);
  const { daemon, reloader, keyChange, journal } = await makeDaemon(run, memory, metrics);
  // Handles kills for as long as the account is held: a kill after all orders are closed is latched, too.
  signals.onKill((signal) => daemon.controls().kill(signal, 'signal'));
  const controls = audited(daemon.controls(), journal, run.console.logger);
  run.console.command(keyCommandsOf(controls));
  const { strategies, overrides, readAgain } = run;
  const parameters = parameterControls(strategies, overrides, readAgain, reloader, run.console.logger);
  const served = await serveDaemonAt(run, daemon, controls, parameters, metrics);
  run.console.logger.info('metrics and health are served', { url: served.metricsUrl });
  run.console.logger.info('the admin interface is served', { url: served.adminUrl });
  run.shows?.(
    served.link({ scope: 'control', ttlMs: LINK_MS, isReusable: false, note: 'printed at the start' }),
  );
  const drainTimeoutMs = run.config.orders.drainTimeoutS * 1000;
  const { killFile } = run.config.ops;
  const killByFile = (line: string): void => void daemon.controls().kill(line || killFile, 'kill file');
  const unwatch = killFile === '' ? () => undefined : watchKillFile(systemClock, killFile, killByFile);
  signals.onReload((signal) => void Promise.all([reloader.reload(signal), keyChange.change(signal)]));
  try {
    const notifying = notifiedRunOf(run, memory, { daemon, channels, metrics });
    return await notified(notifying, () =>
      runToEnd({ ...run, daemon, clock: systemClock, drainTimeoutMs, signals }),
    );
  } finally {
    unwatch();
    signals.onReload(() => undefined);
    await served.close();
  }
}

/** A person may come back to the terminal only later. */
const LINK_MS = 3_600_000;

/** The commands of a person at the daemon's own terminal. */
function keyCommandsOf(controls: AdminControls): KeyCommands {
  const [reason, by] = ['pressed on the terminal', 'terminal'];
  return {
    pause() {
      controls.pause(reason, by);
      return 'paused: r resumes';
    },
    resume() {
      controls.resume(reason, by);
      return 'resumed, unless a line above says what still stops trading';
    },
    kill() {
      controls.kill(reason, by);
      return 'killed: r resumes';
    },
  };
}

function notifiedRunOf(
  { config, console: { logger } }: DaemonRun,
  { runId }: WatchedAccount,
  parts: Pick<NotifiedRun, 'channels' | 'metrics'> & { readonly daemon: Daemon },
): NotifiedRun {
  const { daemon, channels, metrics } = parts;
  const exchange = new URL(config.exchange.restUrl).host;
  return {
    settings: config.notify,
    tradingDay: config.tradingDay,
    channels,
    metrics,
    logger,
    clock: systemClock,
    ids: randomIds,
    run: { runId, version: VERSION, mode: config.mode, exchange },
    state: () => ({ status: daemon.status(), ...daemon.failures() }),
    isAlive: () => daemon.health().ok,
  };
}

/** A daemon that cannot be commanded must not run. It may already have begun to close orders of an earlier run. */
async function serveDaemonAt(
  { config, console }: DaemonRun,
  daemon: Daemon,
  controls: AdminControls,
  parameters: ParameterControls,
  metrics: PrometheusMetrics,
): Promise<Served> {
  const { logger } = console;
  const showStatus = statusMetrics(metrics);
  const sources = {
    health: () => daemon.health(),
    ready: () => daemon.ready(),
    metrics: (format: ExpositionFormat) => (showStatus(daemon.status()), metrics.expose(format)),
    status: () => daemon.status(),
    live: (events: ReadonlySet<string>) => daemon.live(events),
    pages: dashboardPages(),
    parameters,
    records: {
      ...daemon.records(),
      log: () => console.logTail(),
      findInLog: (question: LogQuestion) => console.findInLog(question),
    },
    controls,
    clock: systemClock,
  };
  try {
    return await serve(config, sources, logger, metrics);
  } catch (error) {
    await daemon.abandon();
    throw daemon.unlatched ?? error;
  }
}

const preparerOf =
  (composed: Composed, console: RunConsole) =>
  (next: Config): (() => void) => {
    const takeOver = composed.prepare(next);
    return () => (console.setLogLevel(next.log.level), takeOver());
  };

interface MadeDaemon {
  readonly daemon: Daemon;
  readonly reloader: Reloader;
  readonly keyChange: KeyChange;
  readonly journal: Journal;
}

async function makeDaemon(
  run: DaemonRun,
  memory: RememberedAccount,
  metrics: PrometheusMetrics,
): Promise<MadeDaemon> {
  const { config, strategies, console, readAgain, isSoleUser, takesOver, acceptsAccount } = run;
  const { logger } = console;
  const { installation, runId, earlierOwner, watchdog, recording } = memory;
  const claim: AccountClaim = { installation, earlierOwner, isSoleUser, takesOver, acceptsAccount };
  const keys = new KeyInForce(run.apiKey);
  const { earlierBudgets } = memory;
  const venueLog = logger.child({ part: 'venue' });
  const note = (fact: HistoryFact): void => memory.history.recorder.note(fact);
  const access = { logger: venueLog, metrics, earlierBudgets, journal: memory.journal, note };
  const traded = openTradedExchange(config, keys, recording, access);
  const { venue, paper } = traded;
  const composed = await compose(config, run.limits, {
    venue: watchdog.watched(venue),
    strategyCalls: watchdog.calls,
    sourceInputs: sourceInputs(systemClock),
    paper,
    onPrices: (prices) => traded.onPrices(prices),
    journal: memory.journal,
    history: memory.history,
    damage: memory.damage,
    watchJournal: memory.watch,
    permit: memory.permit,
    inMemory: memory.inMemory,
    claim,
    killFile: killFileOf(config),
    clock: systemClock,
    ids: randomIds,
    logger,
    metrics,
  });
  const { parts, core } = composed;
  recording.follow(composed.engine);
  if (!memory.inMemory) latchHang(hangBeside(config.journal.path), core, parts.riskInputs.kept, logger);
  const keyChange = new KeyChange({
    inForce: keys,
    read: run.readKey,
    journal: composed.journal,
    clock: systemClock,
    ids: randomIds,
    logger,
    metrics,
    account: () => parts.orders.account(),
    probe: (key) => traded.probe(key),
    onReplaced: (key) => (venue.onKeyReplaced(), watchdog.useKey(key)),
  });
  return {
    journal: composed.journal,
    daemon: new Daemon(composed, {
      strategies: strategies.map(({ name }) => name),
      exchange: new URL(config.exchange.restUrl).host,
      version: VERSION,
      runId,
      paper,
    }),
    reloader: new Reloader(config, {
      read: () => readAgain(),
      prepare: preparerOf(composed, console),
      journal: composed.journal,
      logger,
      metrics,
    }),
    keyChange,
  };
}
