/**
 * `npm run test:crash`: the daemon on the simulated exchange over sockets, killed with SIGKILL again and again, at
 * random instants and at named points, on one journal. Prints one JSON line; exits 1 when anything is wrong.
 *
 * Usage: node scripts/crash-test.ts [kills] [seed]      (default 200 and 1)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_ORDER_OPTIONS } from '../src/orders/options.ts';
import { integerBetween, seededRandom, type Random } from '../src/lib/random.ts';
import { auditBooks, auditIdentity, isOurs, readJournal, type SimOrder } from '../test/crash/audit.ts';
import {
  DURATION_S,
  HEARTBEAT_S,
  startDaemon,
  startSim,
  writeConfig,
  type KillAt,
  type SimProcess,
} from '../test/crash/processes.ts';

/** Named points, and how far into a run they lie at most. */
const POINTS: readonly (readonly [string, number])[] = [
  ['before-commit', 25],
  ['after-commit', 25],
  ['before-create', 6],
  ['after-create', 6],
  ['at-answer', 10],
  ['before-close', 2],
  ['after-close', 2],
  ['before-betslip', 3],
  ['after-betslip', 3],
  ['before-heartbeat', 0],
  ['after-heartbeat', 0],
  ['before-heartbeat-list', 0],
  ['before-updates', 0],
  ['after-updates', 0],
  ['before-listing', 1],
  ['after-listing', 1],
  ['before-lookup', 1],
  ['after-lookup', 1],
];

const LONGEST_RUN_MS = 9_000;
const LATEST_LANDING_MS = DEFAULT_ORDER_OPTIONS.latestLandingMs;
/** Every so many kills the next run waits until everything must be closed, and it is looked at. */
const ORPHAN_CHECK_EVERY = 25;

interface Tally {
  kills: number;
  atPoints: Record<string, number>;
  byTimer: number;
  orphanChecks: number;
  problems: string[];
}

function choosePoint(random: Random): KillAt | null {
  if (random.next() < 0.4) return null;
  const [point, most] = POINTS[integerBetween(random, 0, POINTS.length - 1)] as readonly [string, number];
  return { point, after: integerBetween(random, 0, most) };
}

/** One life of the daemon: it kills itself at its point, or is killed when its time is over. */
async function liveAndDie(config: string, random: Random, tally: Tally): Promise<void> {
  const kill = choosePoint(random);
  const daemon = startDaemon(config, kill);
  const runMs = kill === null ? integerBetween(random, 300, LONGEST_RUN_MS) : LONGEST_RUN_MS;
  const timer = setTimeout(() => daemon.child.kill('SIGKILL'), runMs);
  const started = Date.now();
  const { code, signal } = await daemon.exited;
  clearTimeout(timer);
  if (signal !== 'SIGKILL') tally.problems.push(`the daemon ended by itself (${code}): ${daemon.tail()}`);
  tally.kills++;
  if (kill === null || Date.now() - started >= runMs) tally.byTimer++;
  else tally.atPoints[kill.point] = (tally.atPoints[kill.point] ?? 0) + 1;
}

async function checkOrphans(sim: SimProcess, diedMs: number, tally: Tally): Promise<void> {
  tally.orphanChecks++;
  await delay(Math.min(HEARTBEAT_S, DURATION_S) * 1000 + 2_000 - (Date.now() - diedMs));
  const open = (await sim.truth<SimOrder[]>('orders')).filter((order) => isOurs(order) && !order.closed);
  if (open.length > 0) tally.problems.push(`${open.length} orders outlived their daemon`);
}

/**
 * A last run is left in peace until the absence of everything that the killed ones may have sent is proven (latest
 * landing and one duration), then asked to stop: it must end clean.
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
  const tally: Tally = { kills: 0, atPoints: {}, byTimer: 0, orphanChecks: 0, problems: [] };
  const config = writeConfig(folder, sim);
  const journalPath = join(folder, 'journal.sqlite');
  try {
    while (tally.kills < kills && tally.problems.length === 0) {
      await liveAndDie(config, random, tally);
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
    console.log(JSON.stringify({ ...tally, orders: ours.length, fills }));
  } finally {
    await sim.stop();
    rmSync(folder, { recursive: true });
  }
  return tally;
}

const [kills = '200', seed = '1'] = process.argv.slice(2);
const { problems } = await main(Number(kills), Number(seed));
process.exitCode = problems.length === 0 ? 0 : 1;
