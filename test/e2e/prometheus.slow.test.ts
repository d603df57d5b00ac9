import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ExchangeProcess,
  exchangeSettings,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
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

const LONG = { timeout: 60_000, interval: 200 };
const untilPaged = (alert: string): Promise<void> => expect.poll(pages, LONG).toContain(alert);
const untilQuiet = (): Promise<void> => expect.poll(pages, LONG).toEqual([]);
const untilQuoting = (): Promise<void> =>
  expect.poll(() => valueOf('touchline_open_orders'), LONG).toBeGreaterThan(0);

/** Adds a fault to the exchange. Returns a function that removes it. */
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
    for (const id of added as readonly number[]) await send('DELETE', { id });
  };
}

const SETTINGS = [
  ...['exchange.requestTimeoutS=2', 'orders.latestLandingS=10', 'orders.retryS=1'],
  'risk.guards.disabled=["order_errors"]',
].flatMap((setting) => ['--set', setting]);

/** A daemon on a journal of its own name. Its metrics are always served at the same port. */
function startDaemon(name: string): Run {
  const journal = join(folder.path, `${name}.sqlite`);
  const settings = exchangeSettings(exchange.rest, exchange.stream).replace(
    'port = 0',
    `port = ${metricsPort}`,
  );
  const config = folder.file(`${name}.toml`, `${settings}[journal]\npath = "${journal}"\n`);
  const args = [
    '--import',
    DISK_FAULT,
    'src/cli/main.ts',
    'run',
    '--json',
    '--take-over',
    '--config',
    config,
  ];
  const environment = { ...KEY, DISK_FAULT: 'unsyncable', DISK_FAULT_FILE: journal };
  return launch(process.execPath, [...args, ...SETTINGS], environment);
}

async function command(daemon: Run, path: 'kill' | 'resume'): Promise<number> {
  const admin = await adminOf(daemon);
  const headers = { authorization: `Bearer ${tokenAt(admin)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${admin}/${path}`, { method: 'POST', headers, body: '{"reason":"drill"}' });
  await answer.text();
  return answer.status;
}

describe.runIf(hasTool('prometheus') && process.platform === 'linux')(
  'a Prometheus that scrapes a daemon',
  () => {
    it('wakes a person at each of the five faults, and no longer than the fault lasts', async () => {
      const acceptOrders = await inject({
        target: 'orders.create',
        fault: 'rejected',
        reasons: { price: ['no'] },
      });
      let daemon = startDaemon('first');
      await untilPaged('TouchlineNotQuoting');
      await acceptOrders();
      await untilQuoting();
      await untilQuiet();

      await inject({ target: 'orders.create', fault: 'request_lost', times: 1 });
      await untilPaged('TouchlineOrderUnknown');
      await untilQuiet();

      expect(await command(daemon, 'kill')).toBe(200);
      await untilPaged('TouchlineKilledOrNearLossLimit');
      expect(await pages()).toEqual(['TouchlineKilledOrNearLossLimit']);
      expect(await command(daemon, 'resume')).toBe(200);
      await untilQuoting();
      await untilQuiet();

      daemon.kill('SIGKILL');
      await daemon.exit;
      await untilPaged('TouchlineDownWhileExposed');
      daemon = startDaemon('first');
      await untilQuoting();
      await untilQuiet();

      daemon.kill('SIGWINCH');
      await untilPaged('TouchlineJournalFailed');
      daemon.kill('SIGTERM');
      await daemon.exit;
      daemon = startDaemon('second');
      await untilQuoting();
      await untilQuiet();
      daemon.kill('SIGTERM');
      expect((await daemon.exit).code).toBe(0);
    }, 400_000);

    it('reads every scrape as OpenMetrics, and writes every text of an alert', async () => {
      const daemon = startDaemon('third');
      await untilQuoting();
      type Targets = {
        readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
      };
      expect((await ask<Targets>('targets')).activeTargets).toMatchObject([{ health: 'up', lastError: '' }]);
      const alerts = await firing();
      expect(alerts.map(({ labels }) => labels['alertname'])).toContain('TouchlineWatchdog');
      expect(alerts.filter(({ annotations }) => /error expanding/.test(JSON.stringify(annotations)))).toEqual(
        [],
      );
      daemon.kill('SIGTERM');
      expect((await daemon.exit).code).toBe(0);
    }, 120_000);
  },
);
