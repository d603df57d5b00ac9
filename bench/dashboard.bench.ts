/**
 * The dashboard beside trading: a daemon with 100 selections under the load of a market day, without pages and with five of
 * them, one of which reads nothing. Prints the processor time that pages cost, the bytes that a phone and a match screen take, the time from
 * a frame of the exchange to the pixel, and what pages add to the 99th percentile of the time to an order's answer.
 * `node bench/dashboard.bench.ts [SECONDS]`. Needs Chromium.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import { notedTokens } from '../src/app/admin/rendezvous.ts';
import { strongestToken } from '../src/app/admin/tokens.ts';
import { diskFolder } from '../src/app/record/disk-folder.ts';
import { builtText } from '../src/app/pages/built-pages.ts';
import { RecordingReader } from '../src/recording/reader.ts';
import { linkOf } from '../src/ops/dashboard/links.ts';
import type { LiveEvent, LiveMessage } from '../src/read-model/live/message.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { type Child, startChild } from '../scripts/soak/child.ts';
import { daemonSettings } from '../scripts/soak/settings.ts';
import { figure } from './figures.ts';

const SECONDS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 30);
const SELECTIONS = 100;
const SETTLE_MS = 20_000;
const EXCHANGE = new URL('../scripts/soak/exchange-process.ts', import.meta.url).pathname;
const MAIN = new URL('../src/cli/main.ts', import.meta.url).pathname;
const KEY = 'bench-key';

interface Place {
  readonly metrics: string;
  readonly admin: string;
  readonly token: string;
}

const folder = mkdtempSync(path.join(tmpdir(), 'touchline-dashboard-'));
const RECORDING = path.join(folder, 'recording');
const children: Child[] = [];

async function start(): Promise<Place> {
  const nothing = (): void => undefined;
  const exchange = startChild([EXCHANGE, KEY, '1'], {}, nothing, nothing);
  children.push(exchange);
  const { rest, stream } = await exchange.until('its addresses', (line) =>
    line.startsWith('{') ? (JSON.parse(line) as Record<'rest' | 'stream', string>) : null,
  );
  const config = path.join(folder, 'bench.toml');
  // Every market type, so that the load's events are quoted, too.
  const settings = daemonSettings(rest, stream, path.join(folder, 'journal.sqlite'))
    .replace(/^marketTypes.*$/m, '')
    .replace(/^maxSelections.*$/m, `maxSelections = ${SELECTIONS}`)
    .concat(`[record]\npath = "${RECORDING}"\n`);
  writeFileSync(config, settings);
  const daemon = startChild([MAIN, 'run', '--config', config], { TOUCHLINE_API_KEY: KEY }, nothing, nothing);
  children.push(daemon);
  const addressOf = (name: string) => (line: string) =>
    line.includes(`"${name}"`) ? (JSON.parse(line) as { url: string }).url : null;
  const [metrics, admin] = await Promise.all([
    daemon.until('the address of its metrics', addressOf('metrics_served')),
    daemon.until('the address of its admin interface', addressOf('admin_served')),
  ]);
  await daemon.until('that an order is live', (line) => (line.includes('"order_live"') ? true : null));
  const tokens = notedTokens(Number(new URL(admin).port));
  return { metrics, admin, token: (tokens === null ? null : strongestToken(tokens)) ?? '' };
}

/** The daemon's metrics at one instant. */
interface Sample {
  readonly atMs: number;
  readonly cpuS: number;
  /** Cumulative counts of states by upper bound in seconds, their number, and the seconds of all of them. */
  readonly states: ReadonlyMap<number, number>;
  readonly count: number;
  readonly sumS: number;
}

async function sampleOf({ metrics }: Place): Promise<Sample> {
  const text = await (await fetch(`${metrics}/metrics`)).text();
  const buckets = (name: string): ReadonlyMap<number, number> => {
    const found = text.matchAll(
      new RegExp(`^${name}_bucket\\{(?:[^}]*,)?le="([^"]+)"[^}]*\\} (\\S+)$`, 'gm'),
    );
    const counts = new Map<number, number>();
    for (const [, le = '', count] of found) {
      const bound = le === '+Inf' ? Infinity : Number(le);
      counts.set(bound, (counts.get(bound) ?? 0) + Number(count));
    }
    return counts;
  };
  const numberOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    atMs: systemClock.wallMs(),
    cpuS: numberOf('process_cpu_seconds_total'),
    states: buckets('touchline_dashboard_seconds'),
    count: numberOf('touchline_dashboard_seconds_count'),
    sumS: numberOf('touchline_dashboard_seconds_sum'),
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

/** Milliseconds from each request for an order to its answer, as the daemon recorded it, by the instant of the request. */
async function orderTimes(): Promise<readonly { readonly atMs: number; readonly tookMs: number }[]> {
  const reader = await RecordingReader.open(diskFolder(RECORDING));
  const asked = new Map<number, { readonly atMs: number; readonly monotonicMs: number }>();
  const times: { atMs: number; tookMs: number }[] = [];
  for await (const record of reader.records({ kinds: ['request', 'answer'] })) {
    const { kind, channel, monotonicMs, wallMs, payload } = record;
    if (kind === 'request') {
      const { method, path: at } = JSON.parse(payload.toString()) as Record<'method' | 'path', string>;
      if (method === 'POST' && at === '/v2/orders/') asked.set(channel, { atMs: wallMs, monotonicMs });
      continue;
    }
    const request = asked.get(channel);
    if (request !== undefined) times.push({ atMs: request.atMs, tookMs: monotonicMs - request.monotonicMs });
    asked.delete(channel);
  }
  return times;
}

const quantileOf = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(q * values.length)] ?? NaN;

/** Follows the stream as a page does. Without `reads` it takes nothing. */
async function follow(place: Place, events: readonly string[], reads = true) {
  const query = new URLSearchParams(events.map((event): [string, string] => ['event', event]));
  // As the page asks for its two screens.
  query.append('everyMs', events.length === 0 ? '500' : '100');
  const url = new URL(`/live?${query.toString()}`, place.admin);
  const headers = { authorization: `Bearer ${place.token}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers }, resolve).on('error', reject).end();
  });
  const seen = { bytes: 0, first: null as LiveMessage | null };
  if (!reads) return { seen, end: () => response.destroy() };
  let text = '';
  response.on('data', (chunk: Buffer) => {
    seen.bytes += chunk.length;
    if (seen.first !== null) return;
    text += chunk.toString();
    const end = text.indexOf('\n\n');
    if (end >= 0) seen.first = JSON.parse(text.slice('data: '.length, end)) as LiveMessage;
  });
  response.on('error', () => undefined);
  while (seen.first === null) await delay(10);
  return { seen, end: () => response.destroy() };
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

/** Returns the spans without pages and with them. */
async function measure(place: Place): Promise<readonly (readonly [Sample, Sample])[]> {
  const quiet = await sampleOf(place);
  await delay(SECONDS * 1_000);
  const alone = await sampleOf(place);
  const phone = await follow(place, []);
  const events = Object.entries(phone.seen.first?.set ?? {})
    .filter(([name]) => name.startsWith('event '))
    .map(([, value]) => value as LiveEvent)
    .sort((a, b) => b.selections - a.selections);
  const selections = events.reduce((sum, each) => sum + each.selections, 0);
  const event = events[0]?.key ?? '';
  const others = [await follow(place, [event]), await follow(place, []), await follow(place, [])];
  const stalled = await follow(place, [event], false);
  await delay(1_000);
  const phoneBefore = phone.seen.bytes;
  const [match] = others;
  const matchBefore = match?.seen.bytes ?? 0;
  const busy = await sampleOf(place);
  await delay(SECONDS * 1_000);
  const watched = await sampleOf(place);
  for (const viewer of [phone, ...others, stalled]) viewer.end();
  const share = (from: Sample, to: Sample): number => (to.cpuS - from.cpuS) / SECONDS;
  const [without, with5] = [share(quiet, alone), share(busy, watched)];
  const kBS = (bytes: number): number => bytes / SECONDS / 1_000;
  const state = 1_000 * quantileS(busy.states, watched.states, 0.99);
  const stateMean = (1_000 * (watched.sumS - busy.sumS)) / (watched.count - busy.count);
  const pixels = await pixelsMs(place, event);
  const pixel95 = pixels[Math.floor(0.95 * pixels.length)] ?? NaN;
  const page = await builtText('dashboard.html');
  const firstLoad = 'text' in page ? gzipSync(page.text).length / 1_000 : NaN;
  const phoneKB = kBS(phone.seen.bytes - phoneBefore);
  const matchKB = kBS((match?.seen.bytes ?? 0) - matchBefore);
  console.log(`${events.length} events, ${selections} selections, ${SECONDS} s each`);
  console.log(
    `processor: ${(100 * without).toFixed(1)} % of a core alone, ${(100 * with5).toFixed(1)} % with five pages`,
  );
  console.log(`a state for all pages: ${stateMean.toFixed(2)} ms, 99 % under ${state.toFixed(1)} ms`);
  const spans = [
    [quiet, alone],
    [busy, watched],
  ] as const;
  console.log(
    `phone ${phoneKB.toFixed(1)} kB/s, match screen ${matchKB.toFixed(1)} kB/s, first load ${firstLoad.toFixed(1)} kB compressed`,
  );
  console.log(`frame to pixel, 95 % of ${pixels.length}: ${pixel95.toFixed(0)} ms`);
  figure('dashboard, share of a core', with5 - without, '', 'cost');
  figure('dashboard, a state', stateMean, 'ms', 'cost');
  figure('dashboard, frame to pixel, 95 %', pixel95, 'ms', 'tail');
  figure('dashboard, phone', phoneKB, 'kB/s', 'cost');
  return spans;
}

try {
  const place = await start();
  await delay(SETTLE_MS);
  const spans = await measure(place);
  await children[1]?.stop();
  const times = await orderTimes();
  const [alone, watched] = spans.map(([from, to]) =>
    times.flatMap(({ atMs, tookMs }) => (atMs >= from.atMs && atMs < to.atMs ? [tookMs] : [])),
  ) as [number[], number[]];
  const text = [alone, watched].map(
    (each) =>
      `${quantileOf(each, 0.5).toFixed(1)} and ${quantileOf(each, 0.99).toFixed(1)} ms (${each.length} orders)`,
  );
  console.log(`order to its answer, 50 % and 99 %: alone ${text[0]}, with five pages ${text[1]}`);
  figure('dashboard, order 99 %, added', quantileOf(watched, 0.99) - quantileOf(alone, 0.99), 'ms', 'tail');
} finally {
  for (const child of children) child.end();
  rmSync(folder, { recursive: true });
}
