import type { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import type { Composed } from '../../src/app/compose.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import { openJournal, type OpenJournal } from '../../src/app/journal/open-journal.ts';
import type { Daemon } from '../../src/app/run/daemon.ts';
import type { AccountClaim, EarlierOwner } from '../../src/domain/installation.ts';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import type { Ids } from '../../src/ports/ids.ts';
import { type AnswerRecord, type HttpRecord, recordHttp } from '../../src/ports/transport/record.ts';
import type { InProcessExchange } from '../../src/simulator/in-process/transports.ts';
import { memoryFile, type MemoryFileStore } from '../../src/storage/files/memory-file.ts';
import { composeRun, KEY } from './compose-run.ts';
import { daemonConfig } from './daemon-config.ts';
import { SimDisk } from './disk.ts';
import type { DaemonPlan } from './plan.ts';
import { logLine, processLog } from './process-log.ts';
import { SimProcess } from './process.ts';
import { isCreate, sentOf, type SentRequest, uuidOf } from './witness.ts';

export interface TraderOptions {
  readonly name: string;
  readonly seed: number;
  readonly daemon: DaemonPlan;
  readonly betslipsPerDay: number;
  /** Further settings of the daemon. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** How a person starts it. */
export interface StartOptions {
  readonly takesOver?: boolean;
  /** The lock's evidence, where it differs from the disk's own lock. */
  readonly earlierOwner?: EarlierOwner;
  /** The trader assumes that no other is present, and does not check. */
  readonly isSoleUser?: boolean;
}

export interface TraderRun {
  readonly process: SimProcess;
  readonly composed: Composed;
  readonly daemon: Daemon;
  readonly claim: AccountClaim;
  readonly begunMs: number;
  started: boolean;
  failure: unknown;
}

/** The meeting place of traders: a clock, and the wires to one exchange. */
export interface Place {
  readonly clock: VirtualClock;
  readonly wires: InProcessExchange;
  /** Counts everything that can have changed the exchange. */
  activity: number;
}

const DRAIN_MS = 20_000;
/** The answer to a request that was carried out. */
const DONE: ReadonlySet<number> = new Set([200, 201]);

/** A machine with its own disk that trades an account of the world, and everything that crossed its border. */
export class Trader {
  readonly name: string;
  readonly disk: SimDisk;
  readonly permit: MemoryFileStore;
  readonly mark: MemoryFileStore;
  readonly log: string[] = [];
  readonly sent: SentRequest[] = [];
  /** The request_uuids of its creates. */
  readonly uuids = new Set<string>();
  /** Heartbeats confirmed as created, and the instant of the request. */
  readonly heartbeats = new Map<string, number>();
  run: TraderRun | null = null;
  onSent: (sent: SentRequest, by: Trader) => void = () => undefined;
  readonly #place: Place;
  readonly #options: TraderOptions;
  readonly #ids: Ids;
  #runs = 0;

  /** `copied` is a trader whose present disk is copied: journal and permit. */
  constructor(place: Place, options: TraderOptions, copied: Trader | null = null) {
    [this.#place, this.#options, this.name] = [place, options, options.name];
    const random = seededRandom(options.seed, `ids of ${options.name}`);
    this.#ids = { uuid: () => uuidFrom(random) };
    this.disk = new SimDisk(place.clock);
    this.permit = { text: copied?.permit.text ?? null };
    this.mark = { text: copied?.mark.text ?? null };
    if (copied === null) return;
    const { records, kept, rootSeq } = copied.disk.store;
    this.disk.store.records.push(...records);
    this.disk.store.kept.push(...kept);
    this.disk.store.rootSeq = rootSeq;
  }

  /** Starts a run on the disk's content. Its start goes on as time passes. Throws ConfigError. */
  async begin(options: StartOptions = {}): Promise<void> {
    const { takesOver = false, isSoleUser = false, earlierOwner } = options;
    this.#runs++;
    const { daemon: plan, settings, seed, betslipsPerDay } = this.#options;
    const config = daemonConfig(plan, settings);
    const process = new SimProcess(() => undefined);
    const clock = process.clock(this.#place.clock);
    const memory = this.#openAccount(process);
    const { installation, damage } = claimJournal(memory.journal, config, this.#ids);
    const by = { installation, earlierOwner: earlierOwner ?? memory.earlierOwner };
    const claim = { ...by, isSoleUser, takesOver };
    const { wires } = this.#place;
    const hear = (record: HttpRecord): void => this.#recorded(record);
    const http = recordHttp(wires.http, hear, this.#place.clock, new Secret(KEY));
    const { composed, daemon } = await composeRun({
      process,
      config,
      memory,
      clock,
      damage: memory.damage ?? damage,
      claim,
      ids: this.#ids,
      http: process.http(http, this.#place.clock),
      sockets: process.sockets(wires.sockets, this.#place.clock),
      random: seededRandom(seed, `jitter ${this.name} ${this.#runs}`),
      logger: processLog(process, (...line) => void this.log.push(logLine(this.#nowMs(), ...line))),
      limits: { betslipsPerDay },
    });
    const begunMs = this.#nowMs();
    const parts = { process, composed, daemon, claim, begunMs };
    const run: TraderRun = { ...parts, started: false, failure: null };
    this.run = run;
    daemon.start().then(
      (began) => void (run.started = began),
      (error: unknown) => void (run.failure = error),
    );
    void composed.fatal.then((error) => void (run.failure = error));
  }

  /** Ends the process as kill -9 does. */
  kill(): void {
    this.run?.process.kill();
    this.run = null;
    this.disk.crash(1);
  }

  /** Stops as SIGTERM does: closes its own orders and ends, while time passes. */
  stop(): void {
    const { run } = this;
    const end = (): void => {
      if (this.run === run) this.kill();
    };
    run?.daemon.stop('SIGTERM', DRAIN_MS).then(end, end);
  }

  /** Whether /readyz answers 200. */
  get isReady(): boolean {
    return this.run?.daemon.ready().ok ?? false;
  }

  /** The content of /readyz and /status. */
  get blockage(): string {
    const { daemon } = this.run ?? {};
    return JSON.stringify([daemon?.ready().reasons, daemon?.status().blocked]);
  }

  #openAccount(process: SimProcess): OpenJournal {
    return openJournal('account', this.#place.clock, {
      lock: () => this.disk.lock(process),
      journal: () =>
        this.disk.open({
          onWritten: () => process.written(),
          onAppended: () => undefined,
          onRefused: () => undefined,
        }),
      permit: () => memoryFile({ store: this.permit }),
      mark: () => memoryFile({ store: this.mark }),
      lost: () => null,
      backUp: () => null,
      watch: () => null,
    });
  }

  #recorded(record: HttpRecord): void {
    if (record.kind === 'failure') return;
    this.#place.activity++;
    if (record.kind === 'answer') return this.#answered(record);
    const sent = sentOf(record);
    this.sent.push(sent);
    if (isCreate(sent)) this.uuids.add(uuidOf(sent));
    this.onSent(sent, this);
  }

  #answered({ request, status, body }: AnswerRecord): void {
    const { what, atMs } = sentOf(request);
    if (what !== 'POST /v2/heartbeats/' || !DONE.has(status)) return;
    const { data } = JSON.parse(body) as { readonly data?: { readonly heartbeat_id?: string } };
    if (data?.heartbeat_id !== undefined) this.heartbeats.set(data.heartbeat_id, atMs);
  }

  #nowMs(): number {
    return this.#place.clock.monotonicMs();
  }
}
