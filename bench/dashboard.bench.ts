/**
 * Measures what the dashboard costs a daemon that quotes 100 selections under the load of a market day: processor time without pages and with
 * five of them, one of which reads nothing; the bytes that a phone and a match screen take; the time from a frame of the exchange to the pixel.
 * `node bench/dashboard.bench.ts [SECONDS]`. Needs Chromium.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { builtText } from '../src/app/pages/built-pages.ts';
import { linkOf } from '../src/ops/dashboard/links.ts';
import { parseExposition, sample } from '../scripts/soak/exposition.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { BenchDaemon, type Place } from './dashboard/daemon.ts';
import { fivePages } from './dashboard/viewers.ts';
import { figure, percentile } from './figures.ts';

const SECONDS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 30);
const SELECTIONS = 100;
const SETTLE_MS = 20_000;

/** The daemon's metrics at one instant. */
interface Sample {
  readonly cpuS: number;
  /** Cumulative counts of states by upper bound in seconds, their number, and the seconds of all of them. */
  readonly states: ReadonlyMap<number, number>;
  readonly count: number;
  readonly sumS: number;
}

const STATES = 'touchline_dashboard_seconds';

async function sampleOf({ metrics }: Place): Promise<Sample> {
  const series = parseExposition(await (await fetch(`${metrics}/metrics`)).text());
  const states = [...series].flatMap(([name, count]): [number, number][] => {
    const bound = name.startsWith(`${STATES}_bucket`) ? /le="([^"]+)"/.exec(name)?.[1] : undefined;
    return bound === undefined ? [] : [[bound === '+Inf' ? Infinity : Number(bound), count]];
  });
  return {
    cpuS: sample(series, 'process_cpu_seconds_total'),
    states: new Map(states),
    count: sample(series, `${STATES}_count`),
    sumS: sample(series, `${STATES}_sum`),
  };
}

/** A quantile of what was measured between two samples, interpolated within its bucket. */
function quantileS(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  q: number,
): number {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const counts = bounds.map((bound) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0));
  const wanted = q * (counts.at(-1) ?? 0);
  const at = counts.findIndex((count) => count >= wanted);
  const [low, high] = [bounds[at - 1] ?? 0, bounds[at] ?? 0];
  const [below, upTo] = [counts[at - 1] ?? 0, counts[at] ?? 0];
  if (high === Infinity) return low;
  return upTo === below ? high : low + ((high - low) * (wanted - below)) / (upTo - below);
}

/** Milliseconds from frames to the pixels that show them. */
async function pixelsMs(place: Place, event: string): Promise<number[]> {
  const made = await fetch(`${place.admin}/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'read' }),
  });
  const { code } = (await made.json()) as { code: string };
  const browser = await launchChromium();
  const page = await browser.newPage({ bypassCSP: true });
  await page.goto(linkOf(place.admin, code));
  await page.locator('.frame').waitFor();
  await page.evaluate(`location.hash = '#match/' + encodeURIComponent(${JSON.stringify(event)})`);
  await page.locator('.ladder').first().waitFor();
  // Two animation frames after a change, the one before has been painted.
  const seen = await page.evaluate<number[]>(`new Promise((resolve) => {
    const seen = [];
    const frame = document.querySelector('.frame');
    new MutationObserver(() => {
      const atMs = Number(frame.dataset.frameAt);
      requestAnimationFrame(() => requestAnimationFrame(() => seen.push(Date.now() - atMs)));
    }).observe(frame, { attributes: true, attributeFilter: ['data-frame-at'] });
    setTimeout(() => resolve(seen), ${SECONDS * 1_000});
  })`);
  await browser.close();
  return seen.sort((a, b) => a - b);
}

async function measure(place: Place): Promise<void> {
  const quiet = await sampleOf(place);
  await delay(SECONDS * 1_000);
  const alone = await sampleOf(place);
  const { phone, match, events, end } = await fivePages(place);
  const selections = events.reduce((sum, each) => sum + each.selections, 0);
  await delay(1_000);
  const [phoneBefore, matchBefore] = [phone.seen.bytes, match.seen.bytes];
  const busy = await sampleOf(place);
  await delay(SECONDS * 1_000);
  const watched = await sampleOf(place);
  end();
  const share = (from: Sample, to: Sample): number => (to.cpuS - from.cpuS) / SECONDS;
  const [without, with5] = [share(quiet, alone), share(busy, watched)];
  const kBS = (bytes: number): number => bytes / SECONDS / 1_000;
  const [phoneKB, matchKB] = [kBS(phone.seen.bytes - phoneBefore), kBS(match.seen.bytes - matchBefore)];
  console.log(`${events.length} events, ${selections} selections, ${SECONDS} s each`);
  console.log(
    `processor: ${(100 * without).toFixed(1)} % of a core alone, ${(100 * with5).toFixed(1)} % with five pages`,
  );
  figure('dashboard, share of a core', with5 - without, '', 'cost');
  const state = 1_000 * quantileS(busy.states, watched.states, 0.99);
  const stateMean = (1_000 * (watched.sumS - busy.sumS)) / (watched.count - busy.count);
  console.log(`a state for all pages: ${stateMean.toFixed(2)} ms, 99 % under ${state.toFixed(1)} ms`);
  figure('dashboard, a state', stateMean, 'ms', 'cost');
  console.log(`phone ${phoneKB.toFixed(1)} kB/s, match screen ${matchKB.toFixed(1)} kB/s`);
  figure('dashboard, phone', phoneKB, 'kB/s', 'cost');
  await measurePage(place, events[0]?.key ?? '');
}

/** Measures the size of the first load, and the time to the pixel. */
async function measurePage(place: Place, event: string): Promise<void> {
  const page = await builtText('dashboard.html');
  const firstLoad = 'text' in page ? gzipSync(page.text).length / 1_000 : NaN;
  console.log(`first load ${firstLoad.toFixed(1)} kB compressed`);
  const pixels = await pixelsMs(place, event);
  const pixel95 = percentile(pixels, 0.95);
  console.log(`frame to pixel, 95 % of ${pixels.length}: ${pixel95.toFixed(0)} ms`);
  figure('dashboard, frame to pixel, 95 %', pixel95, 'ms', 'tail');
}

const daemon = new BenchDaemon();
try {
  const place = await daemon.start({ selections: SELECTIONS });
  await delay(SETTLE_MS);
  await measure(place);
} finally {
  daemon.end();
}
