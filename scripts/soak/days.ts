import { statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Journal } from '../../src/ports/journal.ts';
import type { DaysEnd, DaySample } from './days-checks.ts';
import { temporaryFolder } from './folder.ts';
import { residualMicros } from './money.ts';
import type { Progress } from './part-report.ts';
import { type SimulatedRun, startSimulatedRun } from './simulated-run.ts';

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
/** Results and bets that the stream missed are known after at most so long, by the account's updates. */
const KNOWN_WITHIN_MS = 600_000;
const STEP_MS = 5_000;

export interface DaysRun {
  readonly samples: readonly DaySample[];
  readonly end: DaysEnd;
}

/** Lets a daemon trade for simulated days in this process, and samples it every hour. Needs `--expose-gc`. */
export async function runDays(days: number, seed: number, progress: Progress): Promise<DaysRun> {
  const journalPath = join(temporaryFolder(), 'journal.sqlite');
  const run = await startSimulatedRun(journalPath, seed);
  const samples: DaySample[] = [];
  const hours = Math.max(1, Math.round(days * HOURS_PER_DAY));
  for (let hour = 1; hour <= hours; hour++) {
    await run.clock.advance(Math.max(0, hour * HOUR_MS - run.clock.monotonicMs()));
    samples.push(await sampleOf(run, journalPath));
    if (hour % HOURS_PER_DAY === 0) progress(`day ${hour / HOURS_PER_DAY} of ${days}`, samples.at(-1));
  }
  await run.stop();
  const { errors, warnings } = run.log;
  const ordersOpen = run.openOrders();
  return { samples, end: { errors, warnings, ordersOpen } };
}

async function sampleOf(run: SimulatedRun, journalPath: string): Promise<DaySample> {
  await agreed(run);
  const { journal, matched, log, clock } = run;
  return {
    day: clock.monotonicMs() / HOUR_MS / HOURS_PER_DAY,
    heapBytes: heapAfterCollection(),
    journalBytes: statSync(journalPath).size,
    records: journal.lastSeq() - journal.rootSeq(),
    keptRecords: keptIn(journal),
    orders: matched.orders,
    bets: matched.bets,
    betsBooked: log.fills,
    residualMicros: residualMicros(run.money()),
    reconciledMicros: run.reconciledMicros(),
  };
}

/** Moves time until the daemon knows what the exchange has paid and matched. If it never does, the sample shows it. */
async function agreed(run: SimulatedRun): Promise<void> {
  const agrees = (): boolean => residualMicros(run.money()) === 0 && run.matched.bets === run.log.fills;
  for (let waitedMs = 0; waitedMs < KNOWN_WITHIN_MS && !agrees(); waitedMs += STEP_MS)
    await run.clock.advance(STEP_MS);
}

function heapAfterCollection(): number {
  if (globalThis.gc === undefined) throw new Error('start node with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Records before the root: retention has kept them for good. */
function keptIn(journal: Journal): number {
  const rootSeq = journal.rootSeq();
  let count = 0;
  for (const { seq } of journal.read()) {
    if (seq > rootSeq) break;
    count++;
  }
  return count;
}
