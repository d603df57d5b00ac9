import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { type ExchangeProcess, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { adminOf, KEY, tokenAt } from '../support/place.ts';
import { launch, type Run } from '../support/process.ts';
import { hasTool, rulesWithoutWaiting } from '../support/prometheus.ts';

const folder = temporaryFolder();
/** Breaks the journal of a daemon at SIGWINCH. */
const DISK_FAULT = new URL('../crash/disk-faults.ts', import.meta.url).href;

let exchange: ExchangeProcess;
let prometheus: Run;
let prometheusUrl: string;
let metricsPort: number;
/** The daemon that runs now; a failed test leaves it running. */
let daemon: Run | null = null;
let startedMs = 0;

/** A port that nobody uses: the daemon keeps it over restarts, so it stays one target. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** A Prometheus that scrapes the daemon each second with the project's rules. */
async function startPrometheus(): Promise<void> {
  folder.file('alerts.yml', rulesWithoutWaiting());
  const config = folder.file(
    'prometheus.yml',
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs: [{ job_name: touchline, static_configs: [{ targets: ["127.0.0.1:${metricsPort}"] }] }]
`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  prometheusUrl = `http://${address}/api/v1/`;
  prometheus = launch('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder.path, 'tsdb')}`,
    `--web.listen-address=${address}`,
  ]);
  await prometheus.until(/Server is ready to receive web requests/);
}

beforeAll(async () => {
  if (!hasTool('prometheus')) return;
  exchange = await launchExchange();
  metricsPort = await freePort();
  await startPrometheus();
});

afterEach(async () => {
  daemon?.kill('SIGKILL');
  await daemon?.exit;
  daemon = null;
});

afterAll(async () => {
  if (hasTool('prometheus')) {
    prometheus.kill('SIGTERM');
    exchange.run.kill('SIGTERM');
    await Promise.all([prometheus.exit, exchange.run.exit]);
  }
  folder.remove();
});

async function ask<T>(path: string): Promise<T> {
  const { data } = (await (await fetch(prometheusUrl + path)).json()) as { readonly data: T };
  return data;
}

interface Alert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const firing = async (): Promise<readonly Alert[]> =>
  (await ask<{ alerts: readonly Alert[] }>('alerts')).alerts.filter(({ state }) => state === 'firing');

/** Names of the alerts that would wake a person now. */
async function pages(): Promise<readonly string[]> {
  const woken = (await firing()).filter(({ labels }) => labels['severity'] === 'page');
  return [...new Set(woken.map(({ labels }) => labels['alertname'] ?? ''))];
}

/** The value of a query with one result; null if it has none. */
async function valueOf(query: string): Promise<number | null> {
  type Results = { readonly result: readonly { readonly value: readonly [number, string] }[] };
  const { result } = await ask<Results>(`query?query=${encodeURIComponent(query)}`);
  return result[0] === undefined ? null : Number(result[0].value[1]);
}

const LONG = { timeout: patient(60_000), interval: 200 };
const untilPaged = (alert: string): Promise<void> => expect.poll(pages, LONG).toContain(alert);
const untilQuiet = (): Promise<void> => expect.poll(pages, LONG).toEqual([]);
/** Waits until Prometheus sees open orders of the present daemon. */
const untilQuoting = (): Promise<void> =>
  expect
    .poll(
      () =>
        valueOf(
          `touchline_open_orders and on (instance) process_start_time_seconds > ${startedMs / 1000 - 1}`,
        ),
      LONG,
    )
    .toBeGreaterThan(0);

/** Adds faults to the exchange. Returns a function that removes them. */
async function inject(fault: object): Promise<() => Promise<void>> {
  const faults = new URL('faults', exchange.control);
  const send = async (method: 'POST' | 'DELETE', body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(faults, { method, headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { readonly data: unknown }).data;
  };
  const added = await send('POST', fault);
  return async () => {
    for (const id of (added as { readonly ids: readonly number[] }).ids) await send('DELETE', { id });
  };
}

const settings = (journal: string): string => `[exchange]
restUrl = "${exchange.rest}"
streamUrl = "${exchange.stream}"
requestTimeoutS = 2
[ops]
port = ${metricsPort}
[admin]
port = 0
[orders]
latestLandingS = 10
retryS = 1
[risk.guards]
disabled = ["order_errors"]
[journal]
path = "${journal}"
`;

/** Starts a daemon on the journal of that name. Its metrics are always served at the same port. */
function start(name: string): void {
  const journal = join(folder.path, `${name}.sqlite`);
  const config = folder.file(`${name}.toml`, settings(journal));
  // Each journal is an installation of its own on the one account.
  const command = ['src/cli/main.ts', 'run', '--json', '--take-over', '--config', config];
  const environment = { ...KEY, DISK_FAULT: 'unsyncable', DISK_FAULT_FILE: journal };
  startedMs = Date.now();
  daemon = launch(process.execPath, ['--import', DISK_FAULT, ...command], environment);
}

const running = (): Run => {
  if (daemon === null) throw new Error('no daemon runs');
  return daemon;
};

/** Ends the daemon. Returns its exit code; null after SIGKILL. */
async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  running().kill(signal);
  const { code } = await running().exit;
  daemon = null;
  return code;
}

async function order(path: 'kill' | 'resume'): Promise<void> {
  const admin = await adminOf(running());
  const headers = { authorization: `Bearer ${tokenAt(admin)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${admin}/${path}`, { method: 'POST', headers, body: '{"reason":"drill"}' });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

/** Waits until quotes rest and nobody is woken any more. */
async function untilCalm(): Promise<void> {
  await untilQuoting();
  await untilQuiet();
}

const canRun = hasTool('prometheus') && process.platform === 'linux';

describe.runIf(canRun)('a Prometheus that scrapes a daemon', () => {
  it(
    'wakes a person at each of the five faults, for as long as the fault lasts',
    async () => {
      const acceptOrders = await inject({
        target: 'orders.create',
        fault: 'rejected',
        reasons: { price: ['no'] },
      });
      start('first');
      await untilPaged('TouchlineNotQuoting');
      await acceptOrders();
      await untilCalm();

      const answerAgain = await inject(
        ['orders.create', 'orders.tracked'].map((target) => ({ target, fault: 'request_lost' })),
      );
      await untilPaged('TouchlineOrderUnknown');
      await answerAgain();
      await untilCalm();

      await order('kill');
      await untilPaged('TouchlineKilledOrNearLossLimit');
      await order('resume');
      await untilCalm();

      await end('SIGKILL');
      await untilPaged('TouchlineDownWhileExposed');
      start('first');
      await untilCalm();

      running().kill('SIGWINCH');
      await untilPaged('TouchlineJournalFailed');
      await end('SIGTERM');
      start('second');
      await untilCalm();
      expect(await end('SIGTERM')).toBe(0);
    },
    patient(400_000),
  );

  it(
    'reads every scrape as OpenMetrics, and writes the text of each alert',
    async () => {
      start('third');
      await untilQuoting();
      interface Target {
        readonly health: string;
        readonly lastError: string;
      }
      const { activeTargets } = await ask<{ activeTargets: readonly Target[] }>('targets');
      expect(activeTargets).toMatchObject([{ health: 'up', lastError: '' }]);
      const alerts = await firing();
      expect(alerts.map(({ labels }) => labels['alertname'])).toContain('TouchlineWatchdog');
      const texts = alerts.flatMap(({ annotations }) => Object.values(annotations));
      expect(texts.filter((text) => /error expanding/.test(text))).toEqual([]);
      expect(await end('SIGTERM')).toBe(0);
    },
    patient(120_000),
  );
});
