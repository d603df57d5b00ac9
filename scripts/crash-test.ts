/**
 * `npm run test:crash`: kills the daemon with SIGKILL again and again, on one journal, with the simulated exchange over
 * sockets. Kills hit named points of its recovery, its quoting and its end, and sometimes any instant. Prints one JSON
 * line with the kills at each point. Exits 1 when anything is wrong, or a point was hit too seldom.
 *
 * Usage: node scripts/crash-test.ts [kills] [seed]      (default 200 and 1)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_ORDER_OPTIONS } from '../src/orders/options.ts';
import { integerBetween, seededRandom, type Random } from '../src/lib/random.ts';
import { auditBooks, auditIdentity, readJournal } from '../test/crash/audit.ts';
import {
  DURATION_S,
  HEARTBEAT_S,
  startDaemon,
  startSim,
  writeConfig,
  type DaemonProcess,
  type SimProcess,
} from '../test/crash/processes.ts';
import { KillSchedule } from '../test/crash/schedule.ts';
import { isOurs, type SimOrder } from '../test/support/own-orders.ts';

/** Longest life of a run that is killed at any instant. */
const LONGEST_RUN_MS = 9_000;
const LATEST_LANDING_MS = DEFAULT_ORDER_OPTIONS.latestLandingMs;
/**
 * A run that does not reach its point is ended after this, however busy the machine is. Orders that earlier runs may have
 * sent block new ones until their absence is proven, so a run must live longer than that proof takes.
 */
const POINT_TIMEOUT_MS = LATEST_LANDING_MS + 20_000;
/** After this time every order of a dead run has expired, or was closed by its heartbeat. */
const LAPSED_MS = Math.min(HEARTBEAT_S, DURATION_S) * 1000 + 2_000;
/** Largest share of additional kills for points that were not reached. */
const EXTRA_KILLS = 0.5;
/** After this many kills the next run waits until every order must be closed, which is then checked. */
const ORPHAN_CHECK_EVERY = 25;

interface Tally {
  kills: number;
  byTimer: number;
  orphanChecks: number;
  problems: string[];
}

/** Runs the daemon until it kills itself at its point, or is killed when its time is over. */
async function runAndKill(
  config: string,
  random: Random,
  schedule: KillSchedule,
  kills: number,
  tally: Tally,
): Promise<void> {
  const kill = schedule.next(tally.kills, kills);
  if (kill?.point.phase === 'late') await delay(LAPSED_MS);
  const daemon = startDaemon(config, kill);
  const runMs = kill === null ? integerBetween(random, 300, LONGEST_RUN_MS) : POINT_TIMEOUT_MS;
  const clock = { isOver: false };
  const timer = setTimeout(() => {
    clock.isOver = true;
    daemon.child.kill('SIGKILL');
  }, runMs);
  if (kill?.point.phase === 'drain') askToStop(daemon);
  const { code, signal } = await daemon.exited;
  clearTimeout(timer);
  const ended = signal === 'SIGKILL' || kill?.point.phase === 'drain';
  if (!ended) tally.problems.push(`the daemon ended by itself (${code}): ${daemon.tail()}`);
  tally.kills++;
  if (kill === null) tally.byTimer++;
  else if (clock.isOver || signal !== 'SIGKILL') schedule.missed(kill.point);
  else schedule.hit(kill.point);
}

/** Asks for a stop once an order is live. A daemon without one is killed by its timer. */
function askToStop(daemon: DaemonProcess): void {
  daemon.until('order live').then(
    () => daemon.child.kill('SIGTERM'),
    () => undefined,
  );
}

async function checkOrphans(sim: SimProcess, diedMs: number, tally: Tally): Promise<void> {
  tally.orphanChecks++;
  await delay(LAPSED_MS - (Date.now() - diedMs));
  const open = (await sim.truth<SimOrder[]>('orders')).filter((order) => isOurs(order) && !order.closed);
  if (open.length > 0) tally.problems.push(`${open.length} orders outlived their daemon`);
}

/**
 * Starts a last run and leaves it alone until the absence of every order that killed runs may have sent is proven (latest
 * landing and one duration). Then asks it to stop: it must exit with code 0.
 */
async function finish(config: string, tally: Tally): Promise<void> {
  const daemon = startDaemon(config, null);
  await delay(DURATION_S * 1000 + LATEST_LANDING_MS + 15_000);
  daemon.child.kill('SIGTERM');
  const { code } = await daemon.exited;
  if (code !== 0) tally.problems.push(`the last run ended with ${code}: ${daemon.tail()}`);
}

async function main(kills: number, seed: number): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-crash-'));
  const random = seededRandom(seed, 'crash');
  const sim = await startSim(seed);
  const schedule = new KillSchedule(random);
  const tally: Tally = { kills: 0, byTimer: 0, orphanChecks: 0, problems: [] };
  const config = writeConfig(folder, sim);
  const journalPath = join(folder, 'journal.sqlite');
  try {
    const isDue = (): boolean =>
      tally.kills < kills ||
      (schedule.neglected(kills).length > 0 && tally.kills < kills * (1 + EXTRA_KILLS));
    while (isDue() && tally.problems.length === 0) {
      await runAndKill(config, random, schedule, kills, tally);
      const diedMs = Date.now();
      tally.problems.push(...auditIdentity(await sim.truth('orders'), readJournal(journalPath)));
      if (tally.kills % ORPHAN_CHECK_EVERY === 0) await checkOrphans(sim, diedMs, tally);
      if (tally.kills % 10 === 0) console.error(`${tally.kills} kills, ${tally.problems.length} problems`);
    }
    await finish(config, tally);
    const orders = await sim.truth<SimOrder[]>('orders');
    tally.problems.push(...auditBooks(orders, readJournal(journalPath)));
    const ours = orders.filter(isOurs);
    const fills = ours.reduce((sum, order) => sum + order.fills.length, 0);
    for (const name of schedule.neglected(kills)) tally.problems.push(`killed too seldom: ${name}`);
    console.log(
      JSON.stringify({
        ...tally,
        points: schedule.hits(),
        missed: schedule.misses(),
        orders: ours.length,
        fills,
      }),
    );
  } finally {
    await sim.stop();
    rmSync(folder, { recursive: true });
  }
  return tally;
}

const [kills = '200', seed = '1'] = process.argv.slice(2);
const { problems } = await main(Number(kills), Number(seed));
process.exitCode = problems.length === 0 ? 0 : 1;
