/**
 * What pages of the dashboard add to the time from a request for an order to its answer: a daemon that places nearly
 * as many orders as the exchange allows, in turns without pages and with five of them, one of which reads nothing. Prints the quantiles of both, and
 * what the pages add, with an interval of 95 % from a bootstrap over the turns. The first second of each turn is left out.
 * `node bench/dashboard-orders.bench.ts [MINUTES]`.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { integerBetween, type Random, seededRandom } from '../src/lib/random.ts';
import { BenchDaemon, type OrderTime, type Place } from './dashboard/daemon.ts';
import { fivePages } from './dashboard/viewers.ts';
import { figure } from './figures.ts';

const MINUTES = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 4);
const SETTLE_MS = 30_000;
const TURN_MS = 20_000;
const SKIPPED_MS = 1_000;
const RESAMPLES = 2_000;
/** More load comes in bursts that delay every order, with pages and without. */
const OPTIONS = { loadEvents: 2 };

/** A part of the run with pages, or without. */
interface Turn {
  readonly watched: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

async function turnOf(place: Place, watched: boolean): Promise<Turn> {
  const pages = watched ? await fivePages(place) : null;
  await delay(SKIPPED_MS);
  const fromMs = systemClock.wallMs();
  await delay(TURN_MS);
  const toMs = systemClock.wallMs();
  pages?.end();
  return { watched, fromMs, toMs };
}

async function turnsOf(place: Place): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  const pairs = Math.max(1, Math.round((MINUTES * 60_000) / (2 * (TURN_MS + SKIPPED_MS))));
  for (let pair = 0; pair < pairs; pair++) {
    // Each kind comes first as often as second.
    const first = pair % 2 === 1;
    turns.push(await turnOf(place, first), await turnOf(place, !first));
  }
  return turns;
}

const quantileOf = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(q * values.length)] ?? NaN;

/** What pages add to a quantile, in milliseconds. */
const addedMs = (alone: readonly number[], watched: readonly number[], q: number): number =>
  quantileOf(watched, q) - quantileOf(alone, q);

const drawn = (turns: readonly (readonly number[])[], random: Random): number[] =>
  turns.flatMap(() => turns[integerBetween(random, 0, turns.length - 1)] as readonly number[]);

/** The middle 95 % of what other turns of the same kind would show. */
function intervalOf(
  alone: readonly (readonly number[])[],
  watched: readonly (readonly number[])[],
  q: number,
): readonly [number, number] {
  const random = seededRandom(1, 'turns');
  const added = Array.from({ length: RESAMPLES }, () =>
    addedMs(drawn(alone, random), drawn(watched, random), q),
  );
  return [quantileOf(added, 0.025), quantileOf(added, 0.975)];
}

function report(turns: readonly Turn[], orders: readonly OrderTime[]): void {
  const timesOf = (kind: boolean): readonly (readonly number[])[] =>
    turns
      .filter(({ watched }) => watched === kind)
      .map(({ fromMs, toMs }) =>
        orders.flatMap(({ atMs, tookMs }) => (atMs >= fromMs && atMs < toMs ? [tookMs] : [])),
      );
  const [alone, watched] = [timesOf(false), timesOf(true)];
  for (const [name, times] of [
    ['without pages', alone.flat()],
    ['with five pages', watched.flat()],
  ] as const) {
    const quantiles = [0.5, 0.9, 0.95, 0.99].map((q) => `${100 * q} % ${quantileOf(times, q).toFixed(2)} ms`);
    console.log(`${name}, ${times.length} orders: ${quantiles.join(', ')}`);
  }
  for (const q of [0.5, 0.9, 0.95, 0.99]) {
    const added = addedMs(alone.flat(), watched.flat(), q);
    const [low, high] = intervalOf(alone, watched, q);
    console.log(`added at ${100 * q} %: ${added.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`);
    figure(`dashboard, order ${100 * q} %, added`, added, 'ms', 'tail');
  }
}

const daemon = new BenchDaemon();
try {
  const place = await daemon.start(OPTIONS);
  await delay(SETTLE_MS);
  const turns = await turnsOf(place);
  report(turns, await daemon.orderTimes());
} finally {
  daemon.end();
}
