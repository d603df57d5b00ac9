/**
 * Measures what the dashboard costs a daemon that quotes 100 selections under the load of a market day: processor time without pages and with
 * five of them, one of which reads nothing; the bytes that a phone and a workspace take; the time from a frame of the exchange to the pixel.
 * `node bench/dashboard.bench.ts [SECONDS]`. Needs Chromium.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { builtText } from '../src/app/pages/built-pages.ts';
import { linkOf } from '../src/ops/dashboard/links.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { BenchDaemon, type Place } from './daemon.ts';
import { fivePages } from './dashboard/viewers.ts';
import { figure, percentile } from './figures.ts';
import { processorShare, Scrape, secondsBetween } from './scrape.ts';

const SECONDS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 30);
const SELECTIONS = 100;
const SETTLE_MS = 20_000;

const STATES = 'touchline_dashboard_seconds';

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
  await page.evaluate(`location.hash = '#events?event=' + encodeURIComponent(${JSON.stringify(event)})`);
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
  const scrape = (): Promise<Scrape> => Scrape.of(place);
  const quiet = await scrape();
  await delay(SECONDS * 1_000);
  const alone = await scrape();
  const { phone, match, events, end } = await fivePages(place);
  const selections = events.reduce((sum, each) => sum + each.selections, 0);
  await delay(1_000);
  const [phoneBefore, matchBefore] = [phone.seen.bytes, match.seen.bytes];
  const busy = await scrape();
  await delay(SECONDS * 1_000);
  const watched = await scrape();
  end();
  const [without, with5] = [processorShare(quiet, alone), processorShare(busy, watched)];
  const kBS = (bytes: number): number => bytes / SECONDS / 1_000;
  const [phoneKB, matchKB] = [kBS(phone.seen.bytes - phoneBefore), kBS(match.seen.bytes - matchBefore)];
  console.log(`${events.length} events, ${selections} selections, ${SECONDS} s each`);
  console.log(
    `processor: ${(100 * without).toFixed(1)} % of a core alone, ${(100 * with5).toFixed(1)} % with five pages`,
  );
  figure('dashboard, share of a core', with5 - without, '', 'cost');
  const state = secondsBetween(busy, watched, STATES);
  const stateMs = 1_000 * state.mean;
  console.log(
    `a state for all pages: ${stateMs.toFixed(2)} ms, 99 % under ${(1_000 * state.quantile(0.99)).toFixed(1)} ms`,
  );
  figure('dashboard, a state', stateMs, 'ms', 'cost');
  console.log(`phone ${phoneKB.toFixed(1)} kB/s, workspace ${matchKB.toFixed(1)} kB/s`);
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
