/**
 * Trading on a market day, measured in the whole daemon: 200 events of 150 offers every 2 s, `symmetric` on N selections, with recording
 * and without, and on paper, beside a client that receives the same frames and drops them. Exchange, daemon and client are processes of their own.
 * `node bench/day.bench.ts [SECONDS] [N ...] [--packaged]`; with `--packaged` the daemon is the program that `npm run package` built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { BenchDaemon, type BenchOptions } from './daemon.ts';
import { figure } from './figures.ts';
import { type Observed, processorShare, Scrape, secondsBetween } from './scrape.ts';

const [SECONDS = 30, ...ASKED] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number);
const SELECTIONS = ASKED.length > 0 ? ASKED : [20, 100, 400];
const IS_PACKAGED = process.argv.includes('--packaged');
/** Until the code is compiled, the universe chosen and the betslips asked for. */
const SETTLE_MS = 30_000;

/** A row of the table. */
interface Row {
  readonly name: string;
  readonly processor: number;
  readonly lagMs: readonly [p50: number, p99: number];
  readonly turn: Observed;
  readonly intent: Observed;
  /** From a frame to a request as it enters its budget. */
  readonly request: Observed;
  readonly residentMB: number;
  readonly orders: number;
}

/** The ways in which a daemon runs, by what the table adds to their names. */
const WAYS = {
  '': { isRecording: false },
  ', paper': { isRecording: false, isPaper: true },
  ', recording': { isRecording: true },
} as const satisfies Readonly<Record<string, BenchOptions>>;

type Way = keyof typeof WAYS;

/** The limit of paper's processor time, as a multiple of that of the daemon alone. */
const MOST_ON_PAPER = 1.25;

async function rowOf(selections: number, way: Way): Promise<Row> {
  const daemon = new BenchDaemon();
  try {
    const place = await daemon.start({ selections, ...WAYS[way], isPackaged: IS_PACKAGED });
    await delay(SETTLE_MS);
    const before = await Scrape.of(place);
    await delay(SECONDS * 1_000);
    const after = await Scrape.of(place);
    // The delay of the loop is measured from one scrape to the next.
    const lagMs = (share: string): number => 1_000 * after.value(`nodejs_eventloop_lag_${share}_seconds`);
    return {
      name: `${selections} selections${way}`,
      processor: processorShare(before, after),
      lagMs: [lagMs('p50'), lagMs('p99')],
      turn: secondsBetween(before, after, 'touchline_engine_turn_seconds'),
      intent: secondsBetween(before, after, 'touchline_frame_to_intent_seconds'),
      request: secondsBetween(before, after, 'touchline_frame_to_request_seconds'),
      residentMB: after.value('process_resident_memory_bytes') / 1e6,
      orders: after.total('touchline_orders_active'),
    };
  } finally {
    daemon.end();
  }
}

/** The share of a core that a client takes which drops what it receives. */
async function receivedShare(): Promise<number> {
  const load = (name: string, ...args: readonly string[]) => {
    const script = new URL(`./load/${name}.ts`, import.meta.url).pathname;
    return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  };
  const lineOf = async ({ stdout }: ReturnType<typeof load>): Promise<string> =>
    ((await once(createInterface(stdout), 'line')) as [string])[0];
  const server = load('server');
  try {
    const port = await lineOf(server);
    const line = await lineOf(load('client', 'receive', port, String(SECONDS)));
    return (JSON.parse(line) as { share: number }).share;
  } finally {
    server.kill();
  }
}

const HEADS = [
  '',
  'cores',
  'lag p50, ms',
  'p99',
  'turn, ms',
  'p99',
  'frame to intent, ms',
  'p99',
  'to request, p50',
  'p99',
];
const LAST_HEADS = ['turns/s', 'MB', 'orders'];
const WIDTHS = [27, 7, 13, 7, 10, 7, 21, 7, 17, 7, 9, 6, 8];

const lineOf = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[at] ?? 0))).join('');

function report(row: Row): void {
  const { name, processor, lagMs, turn, intent, request, residentMB, orders } = row;
  const ms = (seconds: number): string => (1_000 * seconds).toFixed(2);
  const times = [turn.mean, turn.quantile(0.99), intent.mean, intent.quantile(0.99)].map(ms);
  const requests = [request.quantile(0.5), request.quantile(0.99)].map(ms);
  const lags = lagMs.map((lag) => lag.toFixed(1));
  const rest = [turn.count / SECONDS, residentMB, orders].map((value) => value.toFixed(0));
  console.log(lineOf([name, processor.toFixed(3), ...lags, ...times, ...requests, ...rest]));
  figure(`day, ${name}, processor`, processor, 'cores', 'cost');
  figure(`day, ${name}, turn`, 1_000 * turn.mean, 'ms', 'cost');
  figure(`day, ${name}, frame to intent`, 1_000 * intent.mean, 'ms', 'cost');
  figure(`day, ${name}, resident`, residentMB, 'MB', 'cost');
  if (request.count > 0)
    figure(`day, ${name}, frame to request p99`, 1_000 * request.quantile(0.99), 'ms', 'tail');
  figure(`day, ${name}, loop lag p99`, lagMs[1], 'ms', 'tail');
}

console.log(lineOf([...HEADS, ...LAST_HEADS]));
const received = await receivedShare();
console.log(lineOf(['receive and drop', received.toFixed(3)]));
figure('day, receive and drop', received, 'cores', 'cost');
for (const selections of SELECTIONS) {
  const processor = new Map<Way, number>();
  for (const way of Object.keys(WAYS) as Way[]) {
    const row = await rowOf(selections, way);
    processor.set(way, row.processor);
    report(row);
  }
  const ratio = (processor.get(', paper') ?? NaN) / (processor.get('') ?? NaN);
  const verdict = ratio <= MOST_ON_PAPER ? 'met' : 'missed';
  console.log(
    `${selections} selections: paper takes ${ratio.toFixed(2)} times as much as the daemon alone; at most ${MOST_ON_PAPER}: ${verdict}`,
  );
  figure(`day, ${selections} selections, paper beside alone`, ratio, 'times', 'cost');
}
