import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { metricsOf } from '../support/place.ts';
import { lastJson, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Nothing listens on this port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Started {
  readonly daemon: Run;
  readonly port: number;
  /** Asks the embedded exchange as any other client does. */
  readonly ask: () => Promise<Response>;
}

async function start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<Started> {
  const port = await freePort();
  const daemon = touchline(['start', '--json', '--port', String(port), ...args], environment);
  const headers = { 'X-Api-Key': 'simulated-key' };
  const ask = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/v2/xrates/`, { headers });
  return { daemon, port, ask };
}

/** How long an answer takes, in milliseconds. */
async function tookMs(answer: () => Promise<Response>): Promise<number> {
  const startedMs = performance.now();
  expect((await answer()).status).toBe(200);
  return performance.now() - startedMs;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const BLOCK_MS = 300;
const ASKED_TIMES = 9;

const SLOW = `export default ({ defineStrategy, z }) => defineStrategy({
  name: 'slow', description: 'blocks the loop', parameters: z.object({}),
  quote() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${BLOCK_MS}); return []; },
});`;

describe('a strategy that blocks the event loop', () => {
  it('does not slow the answers of the embedded exchange', async () => {
    const { daemon, ask } = await start(['--set', `strategy.name=${folder.file('slow.mjs', SLOW)}`]);
    const metrics = await metricsOf(daemon);
    await daemon.until(/stream synced/);
    const [ofDaemon, ofExchange]: [number[], number[]] = [[], []];
    for (let i = 0; i < ASKED_TIMES; i++) {
      const both = [tookMs(() => fetch(`${metrics}/healthz`)), tookMs(ask)] as const;
      ofDaemon.push(await both[0]);
      ofExchange.push(await both[1]);
    }
    // The daemon's own answers wait for the strategy, which proves that it blocked meanwhile.
    expect(median(ofDaemon)).toBeGreaterThan(BLOCK_MS / 2);
    expect(median(ofExchange)).toBeLessThan(BLOCK_MS / 3);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
  });
});

/** Ends only the thread of the exchange, once the file exists. */
function dyingOnceThere(path: string): string {
  const poll = `setInterval(() => { if (existsSync(${JSON.stringify(path)})) throw new Error('planted'); }, 50)`;
  const code = `import { existsSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads'; if (!isMainThread) ${poll};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

describe('an embedded exchange that dies', () => {
  it('ends the run at once, with a line that says so, and exit code 1', async () => {
    const death = `${folder.path}/death`;
    const { daemon } = await start([], { NODE_OPTIONS: dyingOnceThere(death) });
    await daemon.until(/order live/);
    folder.file('death', '');
    const diedMs = performance.now();
    const exit = await daemon.exit;
    expect(performance.now() - diedMs).toBeLessThan(15_000);
    expect([exit.code, exit.signal]).toEqual([1, null]);
    expect(exit.stderr).toMatch(/^touchline: the embedded exchange ended: planted$/m);
    expect(lastJson(exit)).toMatchObject({ exchange_orders_open_at_exit: null });
  });
});

/** The process ids of all descendants of a process. */
function descendantsOf(pid: number | undefined): readonly number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parentOf = (child: string): number => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'utf8'))?.[1]);
    } catch {
      return NaN;
    }
  };
  const children = numbers.filter((child) => parentOf(child) === pid).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

describe('the embedded exchange ends with the daemon', () => {
  const isGone = ({ ask }: Started): Promise<boolean> =>
    ask().then(
      () => false,
      (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    );

  it.runIf(process.platform === 'linux').each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'by %s: no process and no port is left',
    async (signal) => {
      const started = await start();
      const { daemon } = started;
      await daemon.until(/stream synced/);
      expect(await isGone(started)).toBe(false);
      const descendants = descendantsOf(daemon.child.pid);
      daemon.kill(signal);
      const exit = await daemon.exit;
      expect([exit.code, exit.signal]).toEqual(signal === 'SIGKILL' ? [null, signal] : [0, null]);
      expect(await isGone(started)).toBe(true);
      expect(descendants.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    },
  );

  it('by a second signal, though orders are open', async () => {
    const started = await start();
    const { daemon } = started;
    await daemon.until(/order live/);
    daemon.kill('SIGINT');
    await daemon.until(/stopping/);
    // Two signals within less time count as one.
    await new Promise((resolve) => setTimeout(resolve, 450));
    daemon.kill('SIGINT');
    await daemon.exit;
    expect(await isGone(started)).toBe(true);
  });
});

describe('a start that the exchange cannot join', () => {
  it('names the port that is in use: 69', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await touchline(['start', '--json', '--port', String(port)]).exit;
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      69,
      expect.stringMatching(new RegExp(`^touchline: .*\\b${port}\\b.*in use`)),
    ]);
    other.close();
  });
});
