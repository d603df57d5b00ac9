import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../src/lib/random.ts';
import {
  type DaemonProcess,
  type SimProcess,
  startDaemon,
  startSim,
  writeConfig,
} from '../crash/processes.ts';
import { isOurs, type SimOrder } from '../support/own-orders.ts';
import { damage, type Way } from './damage.ts';
import { type Verdict, verdictOn } from './reader.ts';
import { copyFiles, filesIn, pathIn, type Specimen, specimenIn, type Target, TARGETS } from './specimen.ts';
import { patient } from '../support/patience.ts';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const LONGEST_MS = patient(60_000);
/** This exceeds the time of the undamaged control on a machine that is as busy. */
const SLOWER = 2;
const LEAST_MS = 5_000;

const DAMAGES: readonly (readonly [Target, Way])[] = [
  ['log', 'flip'],
  ['log', 'truncate'],
  ['log', 'delete'],
  ['journal', 'flip'],
  ['journal', 'delete'],
  ['mark', 'delete'],
  ['permit', 'delete'],
];

export interface ProcessTrial {
  readonly what: string;
  readonly orders: number;
  readonly reader: Verdict | null;
  /** The exit code of `touchline journal verify`. */
  readonly exitCode: number | null;
  readonly miss: string | null;
}

/**
 * Does the same with whole processes: a daemon trades with an exchange, then comes `touchline kill` and `kill -9`. It
 * restarts again and again on the files that it left, one file damaged each time. The first restart uses the files from
 * before the kill and has to trade.
 */
export async function* processTrials(folder: string, seed: number): AsyncGenerator<ProcessTrial> {
  const home = join(folder, 'processes');
  mkdirSync(home);
  const exchange = await startSim(seed);
  try {
    const stage = new Stage(home, exchange, writeConfig(home, exchange));
    const { traded, killed } = await stage.makeSpecimens();
    const watchMs = Math.max(LEAST_MS, SLOWER * (await stage.firstOrderMs(traded)));
    yield {
      ...NOTHING,
      what: `not killed, undamaged: the first order within ${watchMs / SLOWER} ms`,
      orders: 1,
    };
    const random = seededRandom(seed, 'processes');
    for (const [target, way] of DAMAGES) {
      stage.putBack(killed);
      const done = damage(home, target, way, random);
      const reader = verdictOn(killed.contents, killed.markedSeq, filesIn(home), target !== 'mark');
      const exitCode = stage.verify();
      const orders = await stage.ordersWithin(watchMs);
      yield {
        what: `killed, ${target} ${done}`,
        orders,
        reader,
        exitCode,
        miss: missOf(orders, reader, exitCode),
      };
    }
  } finally {
    await exchange.stop();
  }
}

const NOTHING = { reader: null, exitCode: null, miss: null };

function missOf(orders: number, reader: Verdict, exitCode: number | null): string | null {
  if (orders > 0) return `${orders} orders were placed`;
  const isSaid = exitCode !== 0;
  const isRight = reader === 'unsound' || reader === 'index' || isSaid === (reader === 'damaged');
  return isRight ? null : `verify exits with ${exitCode}, and the reader finds it ${reader}`;
}

/** The one path of a journal, and daemons that start on it one after another. */
class Stage {
  readonly #home: string;
  readonly #exchange: SimProcess;
  readonly #config: string;

  constructor(home: string, exchange: SimProcess, config: string) {
    [this.#home, this.#exchange, this.#config] = [home, exchange, config];
  }

  async makeSpecimens(): Promise<{ readonly traded: Specimen; readonly killed: Specimen }> {
    const daemon = startDaemon(this.#config, null);
    await daemon.until('order live');
    await this.#created(LONGEST_MS, 8);
    daemon.child.kill('SIGSTOP');
    const [traded, killed] = [join(this.#home, 'traded'), join(this.#home, 'killed')];
    copyFiles(this.#home, traded);
    daemon.child.kill('SIGCONT');
    this.#kill(daemon);
    await this.#closed();
    await die(daemon);
    copyFiles(this.#home, killed);
    return { traded: specimenIn(traded, false, Date.now()), killed: specimenIn(killed, true, Date.now()) };
  }

  /** Copies the files of a specimen to their place. The lock stays as the last daemon left it. */
  putBack({ folder }: Specimen): void {
    for (const suffix of Object.values(TARGETS)) {
      const file = `${pathIn(this.#home)}${suffix}`;
      rmSync(file, { force: true });
      if (existsSync(`${pathIn(folder)}${suffix}`)) copyFileSync(`${pathIn(folder)}${suffix}`, file);
    }
  }

  /** The time that a daemon that may trade takes to its first order. */
  async firstOrderMs(specimen: Specimen): Promise<number> {
    this.putBack(specimen);
    const startedMs = performance.now();
    const daemon = startDaemon(this.#config, null);
    await this.#created(LONGEST_MS, 1);
    const tookMs = Math.round(performance.now() - startedMs);
    await die(daemon);
    return tookMs;
  }

  async ordersWithin(ms: number): Promise<number> {
    const before = (await this.#orders()).length;
    const daemon = startDaemon(this.#config, null);
    await Promise.race([delay(ms), daemon.exited]);
    await die(daemon);
    return (await this.#orders()).length - before;
  }

  verify(): number | null {
    return spawnSync(process.execPath, [MAIN, 'journal', 'verify', pathIn(this.#home)]).status;
  }

  #kill(daemon: DaemonProcess): void {
    const url = /"url":"(http[^"]+)"/.exec(daemon.tail())?.[1];
    const where = url === undefined ? [] : ['--url', url];
    const args = [MAIN, 'kill', '--reason', 'drill', '--config', this.#config, ...where];
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, TOUCHLINE_API_KEY: 'sim-key' },
    });
    if (status !== 0) throw new Error(`the kill has failed: ${stderr.toString()}`);
  }

  /** Waits for this many more orders. */
  async #created(withinMs: number, count: number): Promise<void> {
    const before = (await this.#orders()).length;
    const enough = async (): Promise<boolean> => (await this.#orders()).length >= before + count;
    await until(enough, withinMs, `${count} orders`);
  }

  #closed(): Promise<void> {
    const areClosed = async (): Promise<boolean> => (await this.#orders()).every(({ closed }) => closed);
    return until(areClosed, LONGEST_MS, 'all orders closed');
  }

  async #orders(): Promise<readonly SimOrder[]> {
    return (await this.#exchange.truth<SimOrder[]>('orders')).filter(isOurs);
  }
}

async function die(daemon: DaemonProcess): Promise<void> {
  daemon.child.kill('SIGKILL');
  await daemon.exited;
}

const LOOK_EVERY_MS = 100;

async function until(isSo: () => Promise<boolean>, withinMs: number, what: string): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(`waited in vain: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
