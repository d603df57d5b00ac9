import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { Composed } from '../../src/app/compose.ts';
import type { Config } from '../../src/app/config/load.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import type { OpenHistory, OpenHistoryParts } from '../../src/app/history/open-history.ts';
import { openJournal, type OpenJournal } from '../../src/app/journal/open-journal.ts';
import type { PaperAccount } from '../../src/app/paper/paper-account.ts';
import type { Daemon } from '../../src/app/run/daemon.ts';
import { TouchlineError } from '../../src/domain/errors.ts';
import { toMicros } from '../../src/domain/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { lineOf, TurnRecorder } from '../../src/engine/turn-record.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { LogFields } from '../../src/ports/logger.ts';
import { type Metrics, noMetrics } from '../../src/ports/metrics.ts';
import type { SmallFile } from '../../src/ports/small-file.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import {
  type AnswerRecord,
  type HttpRecord,
  recordHttp,
  recordSockets,
  type RequestRecord,
  type Sink,
  type StreamRecord,
} from '../../src/ports/transport/record.ts';
import type {
  InspectedAccount,
  InspectedEvent,
  InspectedOrder,
  SimEventName,
} from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { isSameEvent } from '../../src/simulator/core/catalogue.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { DEFAULT_LIMITS } from '../../src/simulator/core/settings.ts';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { uniformLatency } from '../../src/simulator/in-process/delay-line.ts';
import { type InProcessExchange, inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import type { ChainedJournal } from '../../src/storage/chained-journal.ts';
import { memoryFile, type MemoryFileStore } from '../../src/storage/files/memory-file.ts';
import { INSTANT } from '../support/instant.ts';
import { composeRun, KEY } from './compose-run.ts';
import { daemonConfig, priceSettings } from './daemon-config.ts';
import { SimDisk } from './disk.ts';
import { ExchangeOrders, INSTALLATION } from './exchange-orders.ts';
import { feedOptionsOf } from './markets.ts';
import type { SimPlan } from './plan.ts';
import type { Planted } from './planted/planted.ts';
import { logLine, processLog } from './process-log.ts';
import { type Crossing, SimProcess } from './process.ts';
import { SecondTrader } from './second-trader.ts';
import { Received } from './received.ts';
import { Trace } from './trace.ts';
import { isCreate, sentOf, type SentRequest, uuidOf, Witness } from './witness.ts';

export { KEY } from './compose-run.ts';
const ACCOUNT = 'account-a';
/** No part requests older ones: outages take hours, tracked look-ups a day. */
const ORDERS_PER_PAGE = 1_000;
const ORDER_RETENTION_MS = 30 * 3_600_000;
const START = Date.parse('2026-03-01T12:00:00Z');

/** A run of the daemon inside the simulated day. */
export interface Run {
  readonly config: Config;
  readonly process: SimProcess;
  readonly composed: Composed;
  readonly daemon: Daemon;
  readonly witness: Witness;
  readonly received: Received;
  readonly begunMs: number;
  started: boolean;
  /** The run was asked to stop. */
  ending: boolean;
  failure: unknown;
}

/** The way of a run to the exchange, and its journal, inside the border of its process. */
export interface PaperPlace extends Pick<OpenHistoryParts, 'journal' | 'clock' | 'logger'>, Wires {
  readonly config: Config;
}

/** What a run on paper trades on instead. */
export interface PaperRun extends Wires {
  readonly account: PaperAccount;
}

interface Wires {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
}

/** The exchange, its market, the disk, and the present run of the daemon, on one virtual clock. */
export class World {
  readonly clock = new VirtualClock(START);
  /** The exchange's wall clock at the start. */
  readonly startMs = START;
  readonly disk: SimDisk;
  /** The permit to trade, on the same disk as the journal. */
  readonly permit: MemoryFileStore = { text: null };
  /** The journal's mark, on the same disk. */
  readonly mark: MemoryFileStore = { text: null };
  readonly wires: InProcessExchange;
  readonly exchange: Exchange;
  readonly orders = new ExchangeOrders();
  /** Another installation that is present for a part of the day. */
  readonly second: SecondTrader;
  readonly log: string[] = [];
  /** Covers all runs of the daemon. */
  readonly trace: Trace;
  readonly reached = new Map<string, number>();
  /** The metrics of the runs. */
  metrics: Metrics = noMetrics;
  /** Opens the history of a run; null: none is kept. */
  openHistory: ((parts: OpenHistoryParts) => OpenHistory) | null = null;
  /** Receives each turn of each run as a line; null: turns are not recorded. */
  onTurn: ((line: string) => void) | null = null;
  /** Receives each message of the stream, at the instant at which it reaches a run; null: none is kept. */
  onFrame: Sink<StreamRecord> | null = null;
  /** Puts a paper exchange between a run and the exchange; null: runs trade on the exchange itself. */
  openPaper: ((parts: PaperPlace) => PaperRun) | null = null;
  run: Run | null = null;
  /** An append has failed. From then on no write that needs space succeeds, until a person has made space. */
  #noRoom = false;
  /** The process dies after this many more crossings. */
  killAtPoint: number | null = null;
  /** The process is asked to stop after this many more crossings. */
  stopAtPoint: number | null = null;
  /** The requests of all runs. */
  readonly requests: Pick<SentRequest, 'what' | 'atMs'>[] = [];
  /** Creates that were answered "throttled", by uuid. */
  readonly throttledCreates = new Set<string>();
  /** Borders that were crossed while a death at one was due. */
  readonly crossings: { readonly crossing: Crossing; readonly atS: number }[] = [];
  /** Counts everything that can have changed the exchange; checks run when it moved. */
  activity = 0;
  onDeath: () => void = () => undefined;
  onStopSignal: () => void = () => undefined;
  onRequest: (sent: SentRequest, witness: Witness, received: Received) => void = () => undefined;
  readonly #plan: SimPlan;
  readonly #planted: Planted | null;
  readonly #ids;
  #runs = 0;

  /** `without` names fields of journal records that its hash leaves out. */
  constructor(plan: SimPlan, planted: Planted | null = null, without: readonly string[] = []) {
    this.trace = new Trace(without);
    this.#planted = planted;
    this.disk = new SimDisk(this.clock, planted?.disk);
    this.#plan = plan;
    this.#ids = seededRandom(plan.seed, 'ids');
    const startMs = this.clock.wallMs();
    const { events, speed, betslipsPerDay, market, ordersPerPage = ORDERS_PER_PAGE } = plan.world;
    const trading = market === undefined ? {} : feedOptionsOf(market);
    const feed = createModelFeed({ seed: plan.seed, speed, startWallMs: startMs, events, ...trading });
    this.exchange = createExchange({
      accounts: [{ accountId: ACCOUNT, keys: [KEY], balanceMicros: toMicros(100_000) }],
      // Without its own events, the test defines the market.
      feeds: events === 0 ? [] : [feed],
      parseBetType,
      random: seededRandom(plan.seed, 'exchange'),
      startMs,
      settings: {
        priceConvention: plan.world.againstPrices ?? 'lay',
        openBetslipCap: plan.world.openBetslips,
        limits: { ...DEFAULT_LIMITS, betslipsPerDay },
        orderRetentionMs: ORDER_RETENTION_MS,
        ...(plan.world.placement === 'at once' ? INSTANT : {}),
        mostOrdersPerPage: ordersPerPage,
      },
      onOrder: (order) => this.#saw(order),
    });
    const latency = uniformLatency(seededRandom(plan.seed, 'latency'), ...plan.world.latencyMs);
    const { faults, seed: faultSeed } = plan;
    this.wires = inProcessTransports({ core: this.exchange, clock: this.clock, latency, faults, faultSeed });
    this.second = new SecondTrader(this, plan, planted?.second);
  }

  /** The next append fails. */
  set diskFull(fails: boolean) {
    this.disk.failsNext = fails ? 'lost' : null;
  }

  inspectEvents(): readonly InspectedEvent[] {
    return this.exchange.inspectEvents();
  }

  /** The score of an event now; null if it has none. */
  scoreOf(named: SimEventName): InspectedEvent['score'] {
    return this.inspectEvents().find((event) => isSameEvent(event, named))?.score ?? null;
  }

  inspectAccounts(): readonly InspectedAccount[] {
    return this.exchange.inspectAccounts();
  }

  /** Whether an event's bets were settled or voided. A forgotten event counts as such. */
  isDecided(named: SimEventName): boolean {
    const event = this.inspectEvents().find((each) => isSameEvent(each, named));
    return event === undefined || event.phase === 'settled' || event.phase === 'void';
  }

  /** Starts a run on the disk's content. Its start goes on as time passes. */
  async begin(): Promise<void> {
    this.note('runs');
    this.#noRoom = false;
    await this.#start(this.#newProcess(), (run) => void (this.run = run));
  }

  /** A person starts another daemon on the same disk, while one is up or not. */
  async beginAnother(): Promise<void> {
    const process = this.#newProcess();
    try {
      await this.#start(process, () => undefined);
    } catch (error) {
      process.kill();
      if (!(error instanceof TouchlineError) || error.code !== 'locked') throw error;
      this.note('path: second daemon refused');
    }
  }

  #newProcess(): SimProcess {
    return new SimProcess((dying, crossing) => this.#crossed(dying, crossing));
  }

  async #start(process: SimProcess, onRun: (run: Run) => void): Promise<void> {
    this.#runs++;
    const planted = this.#planted;
    const bordered = process.clock(this.clock);
    const clock = planted?.clock?.(bordered) ?? bordered;
    const logger = processLog(process, (level, message, fields) => this.#keep(level, message, fields));
    const { daemon: drawn, world } = this.#plan;
    const nowMs = (): number => this.clock.monotonicMs();
    const witness = new Witness(nowMs, drawn.heartbeatS);
    const received = new Received(nowMs, this.startMs, () => process.stalledUntilMs);
    const settings = { ...priceSettings(this.#plan), ...planted?.settings };
    const config = daemonConfig(drawn, settings, planted?.file === undefined ? [] : [planted.file]);
    const memory = this.#openAccount(process, clock);
    const { damage } = claimJournal(memory.journal, config, { uuid: () => INSTALLATION });
    const apiKey = new Secret(KEY);
    const recorded = recordHttp(
      this.wires.http,
      (record) => this.#recorded(record, witness, received),
      this.clock,
      apiKey,
    );
    const hear = (record: StreamRecord): void => {
      witness.stream(record);
      received.stream(record);
    };
    const sockets = recordSockets(process.sockets(this.wires.sockets, this.clock), hear, this.clock, apiKey);
    const http = process.http(planted?.http?.(recorded, logger) ?? recorded, this.clock);
    const history = this.#openHistory({ config, journal: memory.journal, clock, logger });
    const journal = process.journal(memory.journal);
    const paper = this.openPaper?.({ config, http, sockets, journal, clock, logger });
    const traded = paper ?? { http, sockets };
    const { composed, daemon } = await composeRun({
      ...(history === undefined ? {} : { history }),
      ...(paper === undefined ? {} : { paper: paper.account }),
      process,
      config,
      memory,
      clock,
      logger,
      damage: memory.damage ?? damage,
      metrics: this.metrics,
      claim: {
        installation: INSTALLATION,
        earlierOwner: memory.earlierOwner,
        isSoleUser: false,
        takesOver: false,
      },
      http: traded.http,
      sockets:
        this.onFrame === null ? traded.sockets : recordSockets(traded.sockets, this.onFrame, clock, apiKey),
      random: seededRandom(this.#plan.seed, `jitter ${this.#runs}`),
      ids: { uuid: () => uuidFrom(this.#ids) },
      limits: { betslipsPerDay: world.betslipsPerDay, ...planted?.limits },
      venue: (venue) => planted?.venue?.(venue, clock) ?? venue,
      ...(planted?.sourceInputs === undefined ? {} : { sourceInputs: planted.sourceInputs(clock) }),
    });
    if (this.onTurn !== null) recordTurns(composed.engine, this.onTurn);
    const parts = { config, process, composed, daemon, witness, received };
    const run: Run = { ...parts, begunMs: nowMs(), started: false, ending: false, failure: null };
    onRun(run);
    daemon.start().then(
      // A run that was asked to stop before it began has nothing of its own except what the stop finds.
      (began) => void (run.started = began),
      (error: unknown) => void (run.failure = error),
    );
    void composed.fatal.then((error) => void (run.failure = error));
  }

  /** Ends the process as kill -9 does. */
  kill(): void {
    this.note('kills');
    this.run?.process.kill();
    this.run = null;
    [this.killAtPoint, this.stopAtPoint] = [null, null];
    if (this.disk.crash(this.#plan.unsyncedSurvive ?? 1) > 0) this.note('path: unsynced records lost');
    this.onDeath();
  }

  note(what: string): void {
    this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
  }

  #openHistory(
    parts: Pick<OpenHistoryParts, 'journal' | 'clock' | 'logger'> & { readonly config: Config },
  ): OpenHistory | undefined {
    const { mode } = parts.config;
    const run = { runId: `${this.#runs}`, version: 'test', mode, atMs: this.clock.wallMs() };
    return this.openHistory?.({ ...parts, run, metrics: this.metrics });
  }

  #openAccount(process: SimProcess, clock: Clock): OpenJournal {
    const journal = (): ChainedJournal => this.#openJournal(process);
    return openJournal('account', this.clock, {
      lock: () => this.disk.lock(process),
      journal: () => this.#planted?.journal?.(journal(), clock) ?? journal(),
      permit: () => this.#openPermit(),
      mark: () => process.file(this.#openFile(this.mark), 'mark', 'marked'),
      lost: () => null,
      backUp: () => null,
      watch: () => null,
    });
  }

  #openJournal(process: SimProcess): ChainedJournal {
    return this.disk.open({
      onWritten: () => process.written(),
      onAppended: (entries) => {
        this.activity++;
        this.trace.records(this.clock.monotonicMs(), entries);
      },
      onRefused: () => {
        this.#noRoom = true;
        this.note('act: disk_full');
      },
    });
  }

  #openPermit(): SmallFile {
    const file = this.#openFile(this.permit);
    const remove = (): void => (this.note('path: permit removed'), file.remove());
    return { ...file, remove };
  }

  /** Overwriting a file needs space on some file systems. Removing one needs none. */
  #openFile(store: MemoryFileStore): SmallFile {
    return memoryFile({
      store,
      before: (act) => {
        if (act === 'write' && this.#noRoom) throw new Error('no space left on device');
      },
    });
  }

  #recorded(record: HttpRecord, witness: Witness, received: Received): void {
    if (record.kind === 'request') this.#left(record, witness, received);
    if (record.kind === 'answer') this.#answered(record, witness, received);
  }

  #left(request: RequestRecord, witness: Witness, received: Received): void {
    const sent = sentOf(request);
    witness.request(sent);
    this.requests.push({ what: sent.what, atMs: sent.atMs });
    received.request(sent);
    this.onRequest(sent, witness, received);
    this.activity++;
    this.trace.request(request.monotonicMs, request);
  }

  #answered(answer: AnswerRecord, witness: Witness, received: Received): void {
    const sent = sentOf(answer.request);
    witness.answered(sent, answer);
    received.answered(sent, answer);
    if (answer.status === 429 && isCreate(sent)) this.throttledCreates.add(uuidOf(sent));
    this.activity++;
    this.trace.answer(answer.monotonicMs, answer);
  }

  #saw(order: InspectedOrder): void {
    this.activity++;
    this.orders.saw(order, this.clock.monotonicMs());
  }

  #crossed(process: SimProcess, crossing: Crossing): void {
    if (process !== this.run?.process) return;
    this.#signalAt(crossing);
    if (this.killAtPoint === null) return;
    this.crossings.push({ crossing, atS: this.clock.monotonicMs() / 1000 });
    if (--this.killAtPoint > 0) return;
    this.note('act: kill_at_point');
    this.note(`kill at ${crossing}`);
    this.kill();
  }

  /** A signal is handled between two turns of the loop. */
  #signalAt(crossing: Crossing): void {
    if (this.stopAtPoint === null || --this.stopAtPoint > 0) return;
    this.stopAtPoint = null;
    this.note(`stop at ${crossing}`);
    this.clock.after(0, () => this.onStopSignal());
  }

  #keep(level: string, message: string, fields: LogFields): void {
    if (level === 'warn' || level === 'error') this.note(`log: ${message}`);
    this.log.push(logLine(this.clock.monotonicMs(), level, message, fields));
  }
}

function recordTurns({ turn$, decision$ }: Engine, write: (line: string) => void): void {
  const recorder = new TurnRecorder((record) => write(lineOf(record)));
  turn$.subscribe((turn) => recorder.onTurn(turn));
  decision$.subscribe({ next: (decision) => recorder.onDecision(decision), complete: () => recorder.end() });
}
