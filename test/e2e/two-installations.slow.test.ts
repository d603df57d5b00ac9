import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { markOf } from '../../src/domain/installation.ts';
import { patient } from '../support/patience.ts';
import {
  type ExchangeProcess,
  exchangeSettings,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
import { ownOrders, type SimOrder } from '../support/own-orders.ts';
import { adminOf, KEY, metricsOf, reported } from '../support/place.ts';
import { lastJson, type Run, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The shortest life that the exchange allows a heartbeat. */
const LAPSE_S = 10;
const TAKEN_OVER_MS = (LAPSE_S + 10) * 1000;
const RESTARTED_MS = 15_000;
/** A process needs this long until it is served on a busy machine. */
const LAUNCH_MS = 6_000;
/** These files beside a journal belong to the machine or to the running process. */
const NOT_COPIED = /\.lock|-shm$|\.tokens$/;
/** Several events, so that a guard on one of them does not end all quoting. */
const UNIVERSE = '[universe]\nstartWithinMinutes = 1440\nmaxEvents = 4\nmaxSelections = 8\n';

const installationOf = ({ user_data }: SimOrder): string => markOf(user_data)?.installation ?? '';

/** Two machines and a copy of the first one's journal, on one account. */
class Account {
  readonly #exchange: ExchangeProcess;
  readonly #config: string;

  constructor(exchange: ExchangeProcess) {
    this.#exchange = exchange;
    const times = `[orders]\ndurationS = ${LAPSE_S}\nheartbeatTimeoutS = ${LAPSE_S}\n`;
    const settings = exchangeSettings(exchange.rest, exchange.stream);
    this.#config = folder.file('two.toml', `${settings}${times}${UNIVERSE}`);
  }

  run(name: string, ...more: readonly string[]): Run {
    const options = ['--config', this.#config, '--set', `journal.path=${this.#journal(name)}`];
    return touchline(['run', '--json', ...options, ...more], KEY);
  }

  /** Makes the disk of another machine a copy of this one's. */
  copy(from: string, to: string): void {
    const names = readdirSync(folder.path).filter((each) => each.startsWith(`${from}.sqlite`));
    for (const each of names.filter((name) => !NOT_COPIED.test(name)))
      copyFileSync(join(folder.path, each), join(folder.path, each.replace(from, to)));
  }

  async ordersOf(installation: string): Promise<readonly SimOrder[]> {
    return (await ownOrders(this.#exchange)).filter((order) => installationOf(order) === installation);
  }

  async installations(): Promise<ReadonlySet<string>> {
    return new Set((await ownOrders(this.#exchange)).map(installationOf));
  }

  /** The time of the first order that an installation created since an instant. */
  async firstOrderMs(installations: (name: string) => boolean, sinceMs: number): Promise<number> {
    const placed = async (): Promise<readonly number[]> =>
      (await ownOrders(this.#exchange))
        .filter((order) => installations(installationOf(order)))
        .map(({ created }) => Date.parse(created))
        .filter((createdMs) => createdMs >= sinceMs);
    await expect.poll(async () => (await placed()).length, { timeout: patient(45_000) }).toBeGreaterThan(0);
    return Math.min(...(await placed()));
  }

  #journal(name: string): string {
    return join(folder.path, `${name}.sqlite`);
  }
}

/** Waits until a daemon reports that it is not ready. Returns its reason. */
async function waitsFor(run: Run, reason: RegExp): Promise<void> {
  const metrics = await metricsOf(run);
  const ready = async (): Promise<string> => {
    const answer = await fetch(`${metrics}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  await expect.poll(ready, { timeout: patient(30_000) }).toMatch(reason);
  expect(JSON.stringify(await reported(await adminOf(run), '/status'))).toMatch(/seen since 2\d{3}-/);
}

async function ends(run: Run): Promise<void> {
  run.kill('SIGTERM');
  const exit = await run.exit;
  expect([exit.code, lastJson(exit)['orders_open_at_exit']]).toEqual([0, 0]);
}

it('lets two installations use an account one at a time, and makes a copy of a journal wait', async () => {
  const exchange = await launchExchange();
  const account = new Account(exchange);
  const gone = account.run('first');
  await gone.until(/order live/);
  const [name = ''] = await account.installations();
  const isFirst = (each: string): boolean => each === name;

  // The first installation dies, and restarts on its own machine.
  gone.kill('SIGKILL');
  await gone.exit;
  const goneMs = Date.now();
  const first = account.run('first');
  await adminOf(first);
  const servedMs = Date.now();
  expect((await account.firstOrderMs(isFirst, goneMs)) - servedMs).toBeLessThan(RESTARTED_MS);

  // The second starts with its own journal, the third with a copy of the first's.
  account.copy('first', 'copy');
  const [second, copy] = [account.run('second'), account.run('copy')];
  await waitsFor(second, new RegExp(`^503 .*${name}`));
  await waitsFor(copy, /^503 .*copy of this journal/);
  await account.firstOrderMs(isFirst, Date.now());
  await ends(copy);
  await account.firstOrderMs(isFirst, Date.now());
  expect(await account.installations()).toEqual(new Set([name]));

  // The first is lost, and a person says so.
  first.kill('SIGKILL');
  await first.exit;
  const diedMs = Date.now();
  await ends(second);
  const heir = account.run('second', '--take-over');
  await adminOf(heir);
  const lateMs = Math.max(0, Date.now() - diedMs - LAUNCH_MS);
  const placedMs = await account.firstOrderMs((each) => each !== name, diedMs);
  const closedMs = (await account.ordersOf(name)).map(({ closed_at }) => Date.parse(closed_at ?? ''));
  expect(placedMs).toBeGreaterThanOrEqual(Math.max(...closedMs));
  expect(placedMs - diedMs).toBeLessThan(TAKEN_OVER_MS + lateMs);
  await ends(heir);
  exchange.run.kill('SIGTERM');
  expect((await exchange.run.exit).code).toBe(0);
});
