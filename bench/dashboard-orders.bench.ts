/**
 * Measures what pages of the dashboard add to the time from a request for an order to its answer. A daemon places nearly as many orders as
 * the exchange allows, in turns without pages and with five of them, one of which reads nothing. The bench prints the percentiles of both, and
 * what the pages add, with an interval of 95 % from a bootstrap over the turns. The first second of each turn is left out.
 * `node bench/dashboard-orders.bench.ts [MINUTES] [EVENTS]`: so many events of load, whose selections are quoted, too.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { integerBetween, type Random, seededRandom } from '../src/lib/random.ts';
import { BenchDaemon, type OrderTime, type Place } from './daemon.ts';
import { fivePages } from './dashboard/viewers.ts';
import { figure, percentile } from './figures.ts';

const [MINUTES = 4, LOAD_EVENTS = 20] = process.argv.filter((argument) => /^\d+$/.test(argument)).map(Number);
/** So many quotes of so short a life want more orders than the exchange allows. */
const SELECTIONS = 20;
const ORDER_LIFE_S = 5;
const SETTLE_MS = 30_000;
const TURN_MS = 20_000;
const SKIPPED_MS = 1_000;
const RESAMPLES = 2_000;

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

const SHARES = [0.5, 0.9, 0.95, 0.99];

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** The percentile with pages less the one without them, in milliseconds. */
const addedMs = (alone: readonly number[], watched: readonly number[], share: number): number =>
  percentile(ascending(watched), share) - percentile(ascending(alone), share);

const drawn = (turns: readonly (readonly number[])[], random: Random): number[] =>
  turns.flatMap(() => turns[integerBetween(random, 0, turns.length - 1)] as readonly number[]);

/** The bounds of the middle 95 % of what other turns of the same kind would show. */
function intervalOf(
  alone: readonly (readonly number[])[],
  watched: readonly (readonly number[])[],
  share: number,
): readonly [number, number] {
  const random = seededRandom(1, 'turns');
  const added = Array.from({ length: RESAMPLES }, () =>
    addedMs(drawn(alone, random), drawn(watched, random), share),
  );
  const sorted = ascending(added);
  return [percentile(sorted, 0.025), percentile(sorted, 0.975)];
}

function report(turns: readonly Turn[], orders: readonly OrderTime[]): void {
  const timesOf = (kind: boolean): readonly (readonly number[])[] =>
    turns
      .filter(({ watched }) => watched === kind)
      .map(({ fromMs, toMs }) =>
        orders.flatMap(({ atMs, tookMs }) => (atMs >= fromMs && atMs < toMs ? [tookMs] : [])),
      );
  const [alone, watched] = [timesOf(false), timesOf(true)];
  const named = { 'without pages': alone.flat(), 'with five pages': watched.flat() };
  for (const [name, times] of Object.entries(named)) {
    const sorted = ascending(times);
    const texts = SHARES.map((share) => `${100 * share} % ${percentile(sorted, share).toFixed(2)} ms`);
    console.log(`${name}, ${times.length} orders: ${texts.join(', ')}`);
  }
  for (const share of SHARES) {
    const added = addedMs(alone.flat(), watched.flat(), share);
    const [low, high] = intervalOf(alone, watched, share);
    console.log(
      `added at ${100 * share} %: ${added.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`,
    );
    figure(`dashboard, order ${100 * share} %, added`, added, 'ms', 'tail');
  }
}

const daemon = new BenchDaemon();
try {
  const place = await daemon.start({
    loadEvents: LOAD_EVENTS,
    selections: SELECTIONS,
    orderLifeS: ORDER_LIFE_S,
  });
  await delay(SETTLE_MS);
  const turns = await turnsOf(place);
  report(turns, await daemon.orderTimes());
} finally {
  daemon.end();
}
