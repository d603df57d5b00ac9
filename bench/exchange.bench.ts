/**
 * The cost of the simulated exchange: 200 events of 150 offers, each event broadcast every 2 s to three clients over real
 * sockets. `npm run bench:exchange`, or `-- --minutes 10` for the long run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { figure } from './figures.ts';

interface ServerUse {
  readonly share: number;
  readonly elapsedMs: number;
  readonly rss: number;
  readonly delayP99Ms: number;
}

interface Seen {
  readonly frames: number;
  readonly offers: number;
  readonly bytes: number;
  /** Codes with which connections have ended since the start. */
  readonly closed: readonly number[];
}

/** A child that answers each line with a line. */
class Worker {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  constructor(script: string, ...args: readonly string[]) {
    const path = new URL(`./exchange/${script}`, import.meta.url).pathname;
    this.#child = spawn(process.execPath, ['--expose-gc', path, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('a worker process ended early');
    return value;
  }

  async report<T>(question = ''): Promise<T> {
    this.#child.stdin.write(`${question}\n`);
    return JSON.parse(await this.line()) as T;
  }

  async end(): Promise<void> {
    this.#child.kill();
    await once(this.#child, 'close');
  }
}

const WARM_UP_MS = 6_000;
const SAMPLE_MS = 10_000;
const MB = 1024 * 1024;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '0.5' }, json: { type: 'boolean', default: false } },
});
const samples = Math.max(1, Math.round((Number(values.minutes) * 60_000) / SAMPLE_MS));

function describe(uses: readonly ServerUse[], seen: readonly Seen[], heaps: readonly number[]): string {
  const elapsedS = uses.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000;
  const busyS = uses.reduce((sum, { share, elapsedMs }) => sum + (share * elapsedMs) / 1000, 0);
  const [offers, bytes] = (['offers', 'bytes'] as const).map((key) =>
    seen.reduce((sum, one) => sum + one[key], 0),
  );
  const rss = uses.map((use) => use.rss / MB);
  figure('exchange, processor time', (busyS / elapsedS) * 100, '% of a core');
  figure('exchange, offers delivered', (offers ?? 0) / elapsedS, 'offers/s', 'rate');
  figure('exchange, resident memory at most', Math.max(...rss), 'MB');
  figure('exchange, heap in use at the end', (heaps.at(-1) ?? 0) / MB, 'MB');
  return [
    `${elapsedS.toFixed(0)} s: ${((busyS / elapsedS) * 100).toFixed(1)} % of a core`,
    `${((offers ?? 0) / elapsedS).toFixed(0)} offers/s and ${((bytes ?? 0) / elapsedS / MB).toFixed(1)} MB/s to 3 clients`,
    `memory ${rss[0]?.toFixed(0)} MB at the start, ${Math.max(...rss).toFixed(0)} MB at most, ${rss.at(-1)?.toFixed(0)} MB at the end`,
    `heap in use ${heaps.map((heap) => (heap / MB).toFixed(0)).join(' MB, then ')} MB`,
    `event loop late by ${Math.max(...uses.map(({ delayP99Ms }) => delayP99Ms)).toFixed(1)} ms (99 %, worst 10 s)`,
    `connections lost: ${seen.at(-1)?.closed.join(', ') || 'none'}`,
  ].join('; ');
}

const server = new Worker('server.ts');
const clients = new Worker('clients.ts', await server.line());
try {
  await clients.line();
  await delay(WARM_UP_MS);
  const before = await server.report<number>('retained');
  await Promise.all([server.report(), clients.report()]);
  const uses: ServerUse[] = [];
  const seen: Seen[] = [];
  for (let i = 0; i < samples; i++) {
    await delay(SAMPLE_MS);
    const [use, counted] = await Promise.all([server.report<ServerUse>(), clients.report<Seen>()]);
    uses.push(use);
    seen.push(counted);
  }
  const after = await server.report<number>('retained');
  console.log(describe(uses, seen, [before, after]));
} finally {
  await Promise.all([clients.end(), server.end()]);
}
