/**
 * Measures what the dashboard costs a daemon that quotes 100 selections under the load of a market day: processor time without pages and with
 * five of them, one of which reads nothing, and the bytes that a phone and a workspace take.
 * `node bench/dashboard.bench.ts [SECONDS]`.
 */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { measureDaemon, type Place } from './daemon.ts';
import { fivePages } from './dashboard/viewers.ts';
import { figure } from './figures.ts';
import { processorShare, Scrape, secondsBetween } from './scrape.ts';

const SECONDS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 30);
const SELECTIONS = 100;
const SETTLE_MS = 20_000;

const STATES = 'touchline_dashboard_seconds';

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
}

await measureDaemon({ selections: SELECTIONS }, SETTLE_MS, measure);
