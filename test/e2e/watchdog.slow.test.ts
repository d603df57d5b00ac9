import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import {
  exchangeSettings,
  type ExchangeProcess,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
import { type HangingStrategy, hangingStrategy } from '../support/hanging-strategy.ts';
import { isOurs, ownOrders, type SimOrder } from '../support/own-orders.ts';
import {
  adminOf,
  endBoth,
  KEY,
  metricOf,
  metricsOf,
  nextOrder,
  operate,
  reported,
  runAt,
  turnsOn,
} from '../support/place.ts';
import { type Exit, launch, type Run } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const MAIN = 'src/cli/main.ts';
const WANTED_ORDERS = 60;
const LANDING_MS = 10_000;
/** The one create request that lands late is delayed by this. */
const LATE_BY_MS = 6_000;
/** The wall clocks of two processes on one machine are read at different moments. */
const SLACK_MS = 250;

const settingsOf = ({ rest, stream }: ExchangeProcess, { module }: HangingStrategy): string => `
${exchangeSettings(rest, stream)}
[orders]
durationS = 300
openBetslips = 400
latestLandingS = ${LANDING_MS / 1000}
[universe]
sports = ["fb"]
maxEvents = 20
maxSelections = 30
[strategy]
name = "${module}"
`;

async function makeScene(name: string) {
  const exchange = await launchExchange(['--open-betslips', '400', '--registered-events', '200']);
  const strategy = hangingStrategy(folder, name);
  const journal = join(folder.path, `${name}.sqlite`);
  const config = folder.file(`${name}.toml`, settingsOf(exchange, strategy));
  return { exchange, strategy, journal, options: ['--config', config, '--set', `journal.path=${journal}`] };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

async function control<T>({ exchange }: Scene, path: string, body?: object): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(new URL(path, exchange.control), init);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { readonly data: T }).data;
}

const orders = (scene: Scene): Promise<readonly SimOrder[]> => control(scene, 'orders');

const openOf = (all: readonly SimOrder[]): readonly SimOrder[] => all.filter(({ closed }) => !closed);

/** Another person places an order by hand, at a price that nobody takes. Resolves once it is open. */
async function placeByHand(scene: Scene): Promise<number> {
  const events = await control<readonly { sport: string; event_id: string; ir_status: string }[]>(
    scene,
    'events',
  );
  const event = events.find(({ sport, ir_status }) => sport === 'fb' && ir_status === 'pre_event');
  const { sport, event_id } = event ?? { sport: '', event_id: '' };
  const terms = { bet_type: 'for,h', price: 500, stake: 2, duration_s: 600 };
  await control(scene, 'faults', { target: 'account', fault: 'foreign_order', sport, event_id, ...terms });
  const byHand = async () => openOf(await orders(scene)).find((order) => !isOurs(order))?.order_id;
  await expect.poll(byHand, { timeout: patient(20_000) }).toBeDefined();
  return (await byHand()) ?? NaN;
}

async function ownOpen(scene: Scene): Promise<number> {
  return openOf(await ownOrders(scene.exchange)).length;
}

/** Delays the next create request on its way. Resolves once it was sent. */
async function delayOneCreate(scene: Scene): Promise<void> {
  const fault = { target: 'orders.create', fault: 'delayed', delay_ms: LATE_BY_MS, times: 1 };
  await control(scene, 'faults', fault);
  const reached = async () =>
    (await control<{ reached: { delayed?: number } }>(scene, 'faults')).reached.delayed;
  await expect.poll(reached, { timeout: patient(30_000), interval: 20 }).toBe(1);
}

interface HungRun {
  readonly exit: Exit;
  readonly endedMs: number;
  /** Wall-clock instant of the watchdog's decision. */
  readonly decidedMs: number;
  readonly byHand: number;
}

/** Runs a daemon until it has enough open orders, lets its strategy hang, and waits until the process is gone. */
async function hang(scene: Scene, daemon: Run): Promise<HungRun> {
  await daemon.until(/order live/);
  const byHand = await placeByHand(scene);
  await expect.poll(() => ownOpen(scene), { timeout: patient(60_000) }).toBeGreaterThanOrEqual(WANTED_ORDERS);
  await delayOneCreate(scene);
  scene.strategy.hang();
  const exit = await daemon.exit;
  const endedMs = Date.now();
  const line = exit.stderr.split('\n').find((text) => text.includes('a strategy hangs')) ?? '{}';
  const decision = JSON.parse(line) as { atMs: number; level: string; part: string; strategy: string };
  expect(decision).toMatchObject({ level: 'error', part: 'watchdog', strategy: 'hanging', hangMs: 2_000 });
  return { exit, endedMs, decidedMs: decision.atMs, byHand };
}

const createdMs = ({ created }: SimOrder): number => Date.parse(created);
const closedMs = ({ closed_at }: SimOrder): number => Date.parse(closed_at ?? '');

/** Every order of ours was closed in time, and the process ended when no other could land. */
async function expectAllClosed(scene: Scene, { decidedMs, endedMs, byHand }: HungRun): Promise<void> {
  const all = await orders(scene);
  const own = all.filter(isOurs);
  expect(openOf(own)).toEqual([]);
  const hit = own.filter((order) => createdMs(order) <= decidedMs && closedMs(order) >= decidedMs);
  const late = own.filter((order) => createdMs(order) > decidedMs);
  expect(hit.length).toBeGreaterThanOrEqual(WANTED_ORDERS);
  expect(late).toHaveLength(1);
  for (const order of hit) expect(closedMs(order) - decidedMs).toBeLessThan(2_000);
  for (const order of late) expect(closedMs(order) - createdMs(order)).toBeLessThan(2_000);
  const sentMs = own.map((order) => createdMs(order) - (late.includes(order) ? LATE_BY_MS : 0));
  const sinceLastCreateMs = endedMs - Math.max(...sentMs);
  expect(sinceLastCreateMs).toBeGreaterThan(LANDING_MS - SLACK_MS);
  expect(sinceLastCreateMs).toBeLessThan(LANDING_MS + 4_000);
  console.log(
    `${hit.length} orders closed ${Math.max(...hit.map(closedMs)) - decidedMs} ms after the decision, ` +
      `the late one ${Math.max(...late.map((order) => closedMs(order) - createdMs(order)))} ms after its landing; ` +
      `the process ended ${sinceLastCreateMs} ms after the last create`,
  );
  expect(openOf(all).map(({ order_id }) => order_id)).toEqual([byHand]);
  const accounts = await control<readonly { heartbeats: readonly unknown[] }[]>(scene, 'accounts');
  expect(accounts.flatMap(({ heartbeats }) => heartbeats)).toEqual([]);
}

/** The next start says why, calls the strategy no more, and trades after a resume. */
async function expectLatched(scene: Scene, byHand: number): Promise<void> {
  expect(existsSync(`${scene.journal}.hang`)).toBe(true);
  const before = (await ownOrders(scene.exchange)).length;
  const next = runAt(scene);
  const admin = await adminOf(next);
  await next.until(/it did not return for 2 s on fb\/.*the strategy hanging is off since an earlier run/);
  expect(existsSync(`${scene.journal}.hang`)).toBe(false);
  await next.until(/stream synced/);
  await turnsOn(await metricsOf(next), 10);
  const why = await operate(scene, ['why'], ['--url', admin]);
  expect(why.stdout).toContain('strategy.hung');
  expect(await reported(admin, '/status')).toMatchObject({
    strategiesOff: [{ strategy: 'hanging' }],
  });
  expect((await ownOrders(scene.exchange)).length).toBe(before);
  expect(openOf(await orders(scene)).map(({ order_id }) => order_id)).toEqual([byHand]);
  scene.strategy.mend();
  const trades = await nextOrder(scene);
  const resumed = await operate(scene, ['resume', '--reason', 'mended'], ['--url', admin]);
  expect(resumed.stdout).toMatch(/released: strategy hanging halted by watchdog: .*\nresumed\n/s);
  await trades();
  await endBoth(scene, next);
}

describe('a strategy that hangs', () => {
  it(
    'loses its orders and its process, and is off at the next start',
    { timeout: patient(240_000) },
    async () => {
      const scene = await makeScene('alone');
      const hung = await hang(scene, runAt(scene));
      expect([hung.exit.code, hung.exit.signal]).toEqual([null, 'SIGKILL']);
      await expectAllClosed(scene, hung);
      await expectLatched(scene, hung.byHand);
    },
  );
});

describe('a strategy that is slow', () => {
  const SLOW = `export default ({ defineStrategy, z }) => defineStrategy({
    name: 'slow', description: 'blocks the loop', parameters: z.object({}),
    quote() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600); return []; },
  });`;

  it('is counted and named, and lives on, also when its process is stopped and continued', async () => {
    const strategy = `strategy.name=${folder.file('slow.mjs', SLOW)}`;
    const options = ['--set', strategy, '--set', 'strategy.hangS=1', '--set', 'universe.maxEvents=1'];
    const daemon = launch(process.execPath, [MAIN, 'start', '--json', ...options]);
    const metrics = await metricsOf(daemon);
    await daemon.until(/a strategy is slow: every quote waits for it/);
    for (let stop = 0; stop < 4; stop++) {
      await pause(700);
      daemon.kill('SIGSTOP');
      await pause(2_500);
      daemon.kill('SIGCONT');
    }
    await turnsOn(metrics, 3);
    expect(
      await metricOf(metrics, /^touchline_strategy_slow_calls_total\{strategy="slow"\} (\d+)$/m),
    ).toBeGreaterThan(3);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
  });
});

const isThere = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;

const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child'] as const;
const CAN_UNSHARE = isThere('unshare', ...NAMESPACE, 'true');
if (!CAN_UNSHARE) console.log('left out: this machine permits no PID namespace (unshare --pid)');
const HAS_TINI = isThere('tini', '--version');
if (!HAS_TINI) console.log('tini is not installed: a shell stands in for the init of a container');

/** Another first process than the daemon. Its exit code is that of the daemon, and 128 more than the signal that ended it. */
const INIT = HAS_TINI ? ['tini', '--'] : ['sh', '-c', '"$0" "$@"; exit $?'];

describe.runIf(CAN_UNSHARE)('in a PID namespace, as in a container,', () => {
  const inNamespace = (command: readonly string[], environment: NodeJS.ProcessEnv = {}): Run =>
    launch('unshare', [...NAMESPACE, ...command], environment);

  it(
    'a strategy that hangs ends the process under an init, with exit code 137',
    { timeout: patient(240_000) },
    async () => {
      const scene = await makeScene('contained');
      const run = [process.execPath, MAIN, 'run', '--json', ...scene.options];
      const hung = await hang(scene, inNamespace([...INIT, ...run], KEY));
      expect([hung.exit.code, hung.exit.signal]).toEqual([137, null]);
      await expectAllClosed(scene, hung);
      await expectLatched(scene, hung.byHand);
    },
  );

  it('real money is refused to the first process, because nothing could end it', async () => {
    const example = readFileSync('config/live.example.toml', 'utf8');
    const config = folder.file('live.toml', example);
    const exit = await inNamespace([process.execPath, MAIN, 'run', '--live', '--config', config], KEY).exit;
    expect([exit.code, exit.stderr]).toEqual([
      78,
      expect.stringContaining('Start it under an init, such as tini'),
    ]);
  });

  it('simulated money runs as the first process, with a warning', async () => {
    const exit = await inNamespace([process.execPath, MAIN, 'start', '--for', '2s']).exit;
    expect([exit.code, exit.stdout]).toEqual([
      0,
      expect.stringContaining('nothing ends a strategy that hangs'),
    ]);
  });
});
