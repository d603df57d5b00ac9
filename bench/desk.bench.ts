/**
 * Measures the workspace in a browser under the load of a market day: forty events or more, eight ladders of as many events, 1920 × 1080. Prints the time
 * from a frame of the exchange to the pixel, the share of a core that the page's main thread takes, how its memory and that of the daemon grow,
 * and the first load. `node bench/desk.bench.ts [SECONDS] [MEMORY_SECONDS]`; the memory is read over as many seconds as the rest unless told
 * otherwise. Needs Chromium.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { builtText } from '../src/app/pages/built-pages.ts';
import { linkOf } from '../src/ops/dashboard/links.ts';
import { addressOf, MOST_LADDERS, NO_DESK } from '../src/web/dashboard/desk.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { measureDaemon, type Place } from './daemon.ts';
import { eventsAt, selectionsAt } from './dashboard/viewers.ts';
import { figure, percentile } from './figures.ts';
import { Scrape } from './scrape.ts';

const [SECONDS = 60, MEMORY_SECONDS = SECONDS] = process.argv
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const EVENTS = 40;
/** So many that a quiet machine lists more events than that. */
const SELECTIONS = 90;
const SETTLE_MS = 20_000;
/** The memory is read at the begin, and so many times after it, at equal distances. */
const READINGS = 12;

/** The address of eight ladders: the first quoted selection of each of eight events. */
async function deskOf(place: Place, events: readonly string[]): Promise<string> {
  const shown = events.slice(0, MOST_LADDERS);
  const selections = await selectionsAt(place, shown);
  const quoted = selections.map((ofEvent) => ofEvent.find(({ quotes }) => quotes.length > 0) ?? ofEvent[0]);
  const ladders = quoted.flatMap((selection) => (selection === undefined ? [] : [selection.id]));
  return addressOf({ ...NO_DESK, event: shown[0] ?? null, ladders });
}

async function openPage(place: Place, address: string): Promise<Page> {
  const made = await fetch(`${place.admin}/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'read' }),
  });
  const { code } = (await made.json()) as { code: string };
  const browser = await launchChromium();
  const page = await browser.newPage({ bypassCSP: true, viewport: { width: 1920, height: 1080 } });
  await page.goto(linkOf(place.admin, code));
  await page.locator('.frame').waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page
    .locator('.ladder')
    .nth(MOST_LADDERS - 1)
    .waitFor();
  return page;
}

/** Milliseconds from frames to the pixels that show them, ascending. */
async function pixelsMs(page: Page): Promise<readonly number[]> {
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
  return seen.toSorted((a, b) => a - b);
}

/** Processor time of the page's main thread, in seconds. */
async function workedS(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN;
}

interface Memory {
  /** The heap that the page uses after a collection, in MB. */
  readonly pageMB: number;
  /** The resident memory of the daemon's process, in MB. */
  readonly daemonMB: number;
}

async function memoryOf(session: CDPSession, place: Place): Promise<Memory> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const daemon = (await Scrape.of(place)).value('process_resident_memory_bytes');
  return { pageMB: usedSize / 1_000_000, daemonMB: daemon / 1_000_000 };
}

/** Prints the memory at equal distances, from the begin to the end of its seconds. */
async function tellMemory(session: CDPSession, place: Place): Promise<void> {
  console.log(`memory over ${MEMORY_SECONDS} s:`);
  for (let reading = 0; reading <= READINGS; reading++) {
    if (reading > 0) await delay((MEMORY_SECONDS * 1_000) / READINGS);
    const { pageMB, daemonMB } = await memoryOf(session, place);
    const afterS = ((reading * MEMORY_SECONDS) / READINGS).toFixed(0);
    console.log(
      `after ${afterS} s: page ${pageMB.toFixed(1)} MB in use, daemon ${daemonMB.toFixed(0)} MB resident`,
    );
    if (reading < READINGS) continue;
    figure('desk, memory', pageMB, 'MB', 'cost');
    figure('desk, memory of the daemon', daemonMB, 'MB', 'cost');
  }
}

async function measure(place: Place): Promise<void> {
  const events = await eventsAt(place);
  const page = await openPage(
    place,
    await deskOf(
      place,
      events.map(({ key }) => key),
    ),
  );
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await delay(SETTLE_MS);
  const before = await workedS(session);
  const pixels = await pixelsMs(page);
  const share = ((await workedS(session)) - before) / SECONDS;
  const ladders = await page.locator('.ladder').count();
  console.log(`${events.length} events, ${ladders} ladders, ${SECONDS} s`);
  const pixel95 = percentile(pixels, 0.95);
  console.log(`frame to pixel, 95 % of ${pixels.length}: ${pixel95.toFixed(0)} ms`);
  figure('desk, frame to pixel, 95 %', pixel95, 'ms', 'tail');
  console.log(`main thread: ${(100 * share).toFixed(1)} % of a core`);
  figure('desk, share of a core', share, '', 'cost');
  await tellMemory(session, place);
  const built = await builtText('dashboard.html');
  const firstLoad = 'text' in built ? gzipSync(built.text).length / 1_000 : NaN;
  console.log(`first load: ${firstLoad.toFixed(1)} kB compressed`);
  figure('desk, first load', firstLoad, 'kB', 'cost');
  await page.context().browser()?.close();
  if (events.length < EVENTS) throw new Error(`the page has ${events.length} events instead of ${EVENTS}`);
}

await measureDaemon({ selections: SELECTIONS }, SETTLE_MS, measure);
