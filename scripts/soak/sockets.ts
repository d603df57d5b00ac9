import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { ChainedJournal } from '../../src/storage/chained-journal.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { auditBooks, auditIdentity, readJournal } from '../../test/crash/audit.ts';
import { isOurs, type SimOrder } from '../../test/support/own-orders.ts';
import { type Child, startChild } from './child.ts';
import { parseExposition, sample, total } from './exposition.ts';
import { temporaryFolder } from './folder.ts';
import { LogLines } from './log-tally.ts';
import { residualMicros, settledIn } from './money.ts';
import type { Progress } from './part-report.ts';
import { BALANCE_USDT, daemonSettings } from './settings.ts';
import type { SocketsEnd, SocketSample } from './sockets-checks.ts';

const KEY = 'soak-key';
const SAMPLE_MS = 5_000;
const SAMPLES_PER_PROGRESS = 12;
/** What the stream missed is known after at most so long, by the account's updates. */
const KNOWN_WITHIN_MS = 240_000;
const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const COLLECT = new URL('./collect.ts', import.meta.url).href;
const COLLECTING = ['--expose-gc', '--import', COLLECT];
/** As the unit and the image set it. */
const AS_INSTALLED = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=4' };
const EXCHANGE = new URL('./exchange-process.ts', import.meta.url).pathname;

export interface SocketsRun {
  readonly samples: readonly SocketSample[];
  readonly end: SocketsEnd;
}

/** The processes of the run, and where they are reached. */
interface Place {
  readonly exchange: Child;
  readonly daemon: Child;
  readonly control: string;
  readonly metrics: string;
  readonly admin: string;
  readonly journalPath: string;
  /** Bytes of the heap after its last collection. */
  readonly collectedPath: string;
  readonly log: LogLines;
  readonly exchangeErrors: string[];
}

/** Lets a daemon trade on an exchange over sockets for minutes, each in a process of its own, and samples it. */
export async function runSockets(minutes: number, seed: number, progress: Progress): Promise<SocketsRun> {
  const children: Child[] = [];
  try {
    const place = await start(temporaryFolder(), seed, children);
    const samples: SocketSample[] = [];
    const startMs = systemClock.monotonicMs();
    const count = Math.max(1, Math.round((minutes * 60_000) / SAMPLE_MS));
    for (let i = 1; i <= count; i++) {
      await pause(Math.max(0, startMs + i * SAMPLE_MS - systemClock.monotonicMs()));
      samples.push(await sampleOf(place, startMs));
      if (i % SAMPLES_PER_PROGRESS === 0) progress(`minute ${i / SAMPLES_PER_PROGRESS}`, samples.at(-1));
    }
    return { samples, end: await endOf(place) };
  } finally {
    for (const child of children) child.end();
  }
}

async function start(folder: string, seed: number, children: Child[]): Promise<Place> {
  const journalPath = join(folder, 'journal.sqlite');
  const collectedPath = join(folder, 'collected');
  const exchangeErrors: string[] = [];
  const nothing = (): void => undefined;
  const exchange = startChild([EXCHANGE, KEY, String(seed)], {}, nothing, (line) =>
    exchangeErrors.push(line),
  );
  children.push(exchange);
  const addresses = await exchange.until('its addresses', (line) =>
    line.startsWith('{') ? (JSON.parse(line) as Record<'rest' | 'stream' | 'control', string>) : null,
  );
  const config = join(folder, 'soak.toml');
  writeFileSync(config, daemonSettings(addresses.rest, addresses.stream, journalPath));
  const log = new LogLines();
  const take = (line: string): void => log.take(line);
  const daemon = startChild(
    [...COLLECTING, MAIN, 'run', '--config', config],
    { TOUCHLINE_API_KEY: KEY, SOAK_COLLECTED: collectedPath, ...AS_INSTALLED },
    take,
    take,
  );
  children.push(daemon);
  const [metrics, admin] = await Promise.all([
    daemon.until('the address of its metrics', (line) => addressIn(line, 'metrics_served')),
    daemon.until('the address of its admin interface', (line) => addressIn(line, 'admin_served')),
  ]);
  await daemon.until('that an order is live', (line) => (line.includes('"order_live"') ? true : null));
  return {
    exchange,
    daemon,
    metrics,
    admin,
    journalPath,
    collectedPath,
    log,
    exchangeErrors,
    control: addresses.control,
  };
}

/** Null before the first collection. */
const collectedBytes = (path: string): number | null =>
  existsSync(path) ? Number(readFileSync(path, 'utf8')) : null;

function addressIn(line: string, logEvent: string): string | null {
  if (!line.includes(`"${logEvent}"`)) return null;
  return (JSON.parse(line) as { readonly url: string }).url;
}

async function sampleOf(
  { metrics, journalPath, collectedPath, daemon: { pid } }: Place,
  startMs: number,
): Promise<SocketSample> {
  const answer = await fetch(new URL('/metrics', metrics));
  const series = parseExposition(await answer.text());
  const { lastSeq, rootSeq } = reading(journalPath, (journal) => ({
    lastSeq: journal.lastSeq(),
    rootSeq: journal.rootSeq(),
  }));
  return {
    hours: (systemClock.monotonicMs() - startMs) / 3_600_000,
    residentBytes: sample(series, 'process_resident_memory_bytes'),
    heapBytes: collectedBytes(collectedPath) ?? sample(series, 'nodejs_heap_size_used_bytes'),
    descriptors: sample(series, 'process_open_fds'),
    processorS: sample(series, 'process_cpu_seconds_total'),
    lagP99S: sample(series, 'nodejs_eventloop_lag_p99_seconds'),
    journalBytes: sizeOf(journalPath),
    logBytes: sizeOf(`${journalPath}-wal`),
    lastSeq,
    records: lastSeq - rootSeq,
    turns: sample(series, 'touchline_engine_turns_total'),
    fills: total(series, 'touchline_orders_fills_total'),
    requests: total(series, 'touchline_venue_requests_total'),
    ready: sample(series, 'touchline_ready'),
    readBytes: bytesRead(pid),
  };
}

/** Reads the journal beside the daemon that writes it. */
function reading<T>(path: string, read: (journal: ChainedJournal) => T): T {
  const journal = openSqliteJournal(path, systemClock, { readOnly: true });
  try {
    return read(journal);
  } finally {
    journal.close();
  }
}

/** What a process has read from files and sockets, as Linux counts it. */
function bytesRead(pid: number): number {
  const match = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'));
  if (match === null) throw new Error(`/proc/${pid}/io does not tell what the daemon has read`);
  return Number(match[1]);
}

/** 0 for a file that is not there: SQLite may remove its log. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function endOf(place: Place): Promise<SocketsEnd> {
  const { exchange, daemon, journalPath, log, exchangeErrors } = place;
  const held = exchange.until('that its market is held', (line) => (line === 'held' ? true : null));
  exchange.say('hold');
  await held;
  const residual = await residualAtRest(place);
  const reconcileCode = await reconciled(place);
  const exitCode = await daemon.stop();
  const orders = (await asked<readonly SimOrder[]>(place, 'orders')).filter(isOurs);
  const journal = readJournal(journalPath);
  const settled = reading(journalPath, settledIn);
  return {
    exitCode,
    ordersOpen: orders.filter(({ closed }) => !closed).length,
    orders: orders.length,
    bets: orders.reduce((sum, { fills }) => sum + fills.length, 0),
    settledOrders: settled.orders,
    settledMicros: settled.micros,
    residualMicros: residual,
    reconcileCode,
    problems: [...auditIdentity(orders, journal), ...auditBooks(orders, journal)],
    errors: [...log.errors, ...exchangeErrors],
    warnings: Object.fromEntries(log.warnings),
  };
}

/** The exchange pays nothing any more. Waits until the journal explains the balance; returns what it does not explain. */
async function residualAtRest(place: Place): Promise<number> {
  const untilMs = systemClock.monotonicMs() + KNOWN_WITHIN_MS;
  for (;;) {
    const [account] = await asked<readonly { readonly balance: number }[]>(place, 'accounts');
    const residual = residualMicros({
      startMicros: toMicros(BALANCE_USDT),
      balanceMicros: toMicros(account?.balance ?? NaN),
      settledMicros: reading(place.journalPath, settledIn).micros,
    });
    if (residual === 0 || systemClock.monotonicMs() > untilMs) return residual;
    await pause(SAMPLE_MS);
  }
}

/** The exit code of the daemon's own reconciliation; what it prints goes to the log of the run if it fails. */
async function reconciled({ admin, log }: Place): Promise<number | null> {
  const written: string[] = [];
  const keep = (line: string): void => void written.push(line);
  const code = await startChild([MAIN, 'reconcile', '--url', admin], {}, keep, keep).exited();
  if (code !== 0) log.errors.push(...written);
  return code;
}

/** A view of the exchange's control interface. */
async function asked<T>({ control }: Place, what: string): Promise<T> {
  const answer = await fetch(new URL(what, control));
  return ((await answer.json()) as { readonly data: T }).data;
}
