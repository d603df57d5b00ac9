/** The guide's steps for Docker, with the image of the Dockerfile and containers as Docker would make them. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Checks, expect } from './checks.ts';
import { Container, Network, type Place } from './container.ts';
import { type DockerRun, parseDockerRun } from './docker-run.ts';
import { ask, Exchange } from './exchange.ts';
import { baseImageOf, folderIn, type ImageSettings, ImageStore } from './image.ts';
import { eventually, lastLines } from './processes.ts';
import type { Installation } from './systemd-checks.ts';

const TAG = 'touchline';
const DOCKERFILE = new URL('../../Dockerfile', import.meta.url);
const METRICS_URL = 'http://127.0.0.1:9464/metrics';
const READY_URL = 'http://127.0.0.1:9464/readyz';
const FIRST_ORDER_MS = 120_000;
const HEALTHY_MS = 60_000;
const END_MS = 60_000;
const CONFIGURATION = '/etc/touchline/touchline.toml';

interface Built extends Installation {
  readonly image: ImageSettings;
  /** Makes a place for a container with a root folder and a network of its own. */
  place(name: string, environment?: Readonly<Record<string, string>>): Promise<Place>;
}

export async function tryImage(installation: Installation): Promise<void> {
  const { checks, blocks } = installation;
  const [buildCommand = '', simulated = '', configured = '', ...others] = blocks.get('docker') ?? [];
  const built = await build(installation, buildCommand);
  await trySimulated(built, simulated);
  await tryConfigured(built, configured);
  await checks.check('the guide has no other command for Docker', async () => {
    expect(others.length === 0, `not tried: ${others.join('; ')}`);
  });
}

async function build(installation: Installation, command: string): Promise<Built> {
  const { checks, cleanup, folder, npm } = installation;
  const store = new ImageStore(folder, npm, cleanup);
  const base = baseImageOf(readFileSync(DOCKERFILE, 'utf8'));
  await checks.need(`a base image ${base}`, () => store.makeBase(base));
  await checks.need(command, async () => {
    expect(command === `docker build -t ${TAG} .`, 'this is not the command that can be tried here');
    await store.build(TAG, base);
  });
  const image = await store.settings(TAG);
  const place = async (name: string, environment = {}): Promise<Place> => ({
    root: await store.mount(TAG),
    here: folderIn(folder, 'here'),
    volumes: folderIn(folder, 'volumes'),
    bundle: folderIn(folder, name),
    network: await Network.make(cleanup),
    image,
    environment,
  });
  return { ...installation, image, place };
}

/** Starts a container, runs its checks and ends it however they end. */
async function withContainer(
  { checks, cleanup }: Built,
  line: string,
  command: DockerRun,
  place: Place,
  attempt: (container: Container) => Promise<void>,
): Promise<void> {
  let container: Container | undefined;
  await checks.need(line, async () => {
    container = await Container.start(command, place, cleanup);
  });
  if (container !== undefined) await attempt(container);
}

async function trySimulated(built: Built, line: string): Promise<void> {
  const { checks } = built;
  const place = await built.place('simulated');
  await withContainer(built, line, parseDockerRun(line), place, async (container) => {
    await checks.need('it trades on the embedded exchange', () =>
      container.program.until('order live', FIRST_ORDER_MS),
    );
    await checkConfinement(checks, container);
    await checks.check('SIGTERM ends it with 0 and leaves no order', () => stop(container));
  });
}

/** What `/proc/PID/status` of a process of the container says in a line. */
const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

async function checkConfinement(checks: Checks, container: Container): Promise<void> {
  const pid = await container.pid();
  await checks.check('its first process is tini, as user 1000 without privileges', async () => {
    expect(statusOf(pid, 'Name') === 'tini', `the first process is ${statusOf(pid, 'Name')}`);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    for (const each of [pid, ...children]) {
      expect(statusOf(each, 'Uid') === '1000', `${statusOf(each, 'Name')} runs as ${statusOf(each, 'Uid')}`);
      expect(/^0+$/.test(statusOf(each, 'CapEff')), `${statusOf(each, 'Name')} has capabilities`);
    }
  });
  await checks.check('its root folder is read-only', async () => {
    const { code } = await container.exec('touch', '/opt/touchline/written', '/home/node/written');
    expect(code !== 0, 'a program in it can write there');
  });
}

/** Does what `docker stop` does. Throws an Error unless the daemon ends with 0 and says that no order is open. */
async function stop(container: Container): Promise<string> {
  const started = performance.now();
  await container.signal('TERM');
  await eventually('the container ends', END_MS, () => container.program.isOver);
  const code = await container.program.ended;
  expect(code === 0, `it ended with ${code}:\n${container.program.tail()}`);
  const summary = /^\{.*"msg":"run ended".*\}$/m.exec(container.program.stdout)?.[0] ?? '{}';
  const open = (JSON.parse(summary) as Record<string, unknown>)['exchange_orders_open_at_exit'];
  expect(open === 0, `the summary says ${String(open)} orders are open:\n${container.program.tail()}`);
  return `after ${((performance.now() - started) / 1000).toFixed(1)} s`;
}

/** The second command of the guide, with a configuration, a volume and the key in the environment. */
async function tryConfigured(built: Built, line: string): Promise<void> {
  const { checks, cleanup, image } = built;
  const key = `secret-${randomBytes(12).toString('hex')}`;
  const place = await built.place('configured', { TOUCHLINE_API_KEY: key });
  const exchange = await Exchange.start(key, place.network.enter, cleanup);
  writeFileSync(configurationOf(place), exchange.settings(), { mode: 0o644 });
  const command = parseDockerRun(line);
  await withContainer(built, line, command, place, async (container) => {
    await checks.need('an order stands', () => exchange.quoted());
    await checks.check('its health check passes', async () => {
      const [kind, ...test] = image.Healthcheck?.Test ?? [];
      expect(kind === 'CMD', 'the image has no health check that is a command');
      const { code, output } = await container.exec(...test);
      expect(code === 0, `it ends with ${code}: ${output}`);
      await eventually('/readyz answers 200', HEALTHY_MS, async () => {
        return (await ask(place.network.enter, READY_URL)).status === 200;
      });
    });
    await checkContainerCommands(checks, container, exchange);
    await checkSignals(checks, container, exchange, place);
    await checks.check('the log does not show the key', async () => {
      const { stdout, stderr } = container.program;
      expect(!(stdout + stderr).includes(key), 'it does');
    });
    await checks.check('SIGTERM ends it with 0 and leaves no order', async () => {
      const ended = await stop(container);
      expect((await exchange.openOrders()).size === 0, 'the exchange has open orders');
      return ended;
    });
  });
  const again = {
    ...place,
    root: (await built.place('again')).root,
    bundle: path.join(place.bundle, 'again'),
  };
  await withContainer(built, 'a second container on the same volume', command, again, async (container) => {
    await checks.check('it is still killed, and trades after a resume', async () => {
      await container.program.until('kill', FIRST_ORDER_MS);
      await ready(place);
      expect((await exchange.openOrders()).size === 0, 'it has placed an order');
      await touchline(container, ['resume', '--reason', 'the test goes on']);
      return exchange.quoted();
    });
    await checks.check('SIGTERM ends it with 0 and leaves no order', () => stop(container));
  });
}

/** The file that the guide's command mounts. */
const configurationOf = (place: Place): string => path.join(place.here, 'touchline.toml');

/** Waits until the daemon answers about its readiness. A killed daemon answers 503. */
async function ready(place: Place): Promise<void> {
  await eventually('/readyz answers', HEALTHY_MS, async () => {
    return ask(place.network.enter, READY_URL).then(
      () => true,
      () => false,
    );
  });
}

/** What `docker exec CONTAINER touchline …` does. */
async function touchline(container: Container, args: readonly string[]): Promise<string> {
  const { code, output } = await container.exec('touchline', ...args, '--config', CONFIGURATION);
  expect(code === 0, `touchline ${args.join(' ')} ended with ${code}:\n${lastLines(output)}`);
  return output;
}

async function checkContainerCommands(
  checks: Checks,
  container: Container,
  exchange: Exchange,
): Promise<void> {
  for (const command of ['risk', 'why'])
    await checks.check(`docker exec CONTAINER touchline ${command}`, async () => {
      await touchline(container, [command]);
    });
  await checks.check('docker exec CONTAINER touchline kill, and resume', async () => {
    await touchline(container, ['kill', '--reason', 'a test of the image']);
    const cleared = await exchange.cleared();
    await touchline(container, ['resume', '--reason', 'the test is over']);
    return `${cleared}; ${await exchange.quoted()}`;
  });
}

async function checkSignals(
  checks: Checks,
  container: Container,
  exchange: Exchange,
  place: Place,
): Promise<void> {
  await checks.check('docker kill -s HUP reloads', async () => {
    // The file is written in place: a new file would not be the mounted one.
    writeFileSync(configurationOf(place), exchange.settings().replace('maxEvents = 3', 'maxEvents = 2'));
    await container.signal('HUP');
    await eventually('the reload is applied', HEALTHY_MS, async () => {
      const { body } = await ask(place.network.enter, METRICS_URL);
      return /^touchline_config_reloads_total\{result="applied"\} 1$/m.test(body);
    });
  });
  await checks.check('docker kill -s USR2 kills', async () => {
    await container.signal('USR2');
    return exchange.cleared();
  });
}
