/**
 * The cost of the journal: an order's records beside a bare fdatasync of as many bytes, and the recovery of a million
 * records. Runs in the folder that `BENCH_DIR` names, else in the present one; a disk in memory would show nothing.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import {
  betslipId,
  betType,
  eventId,
  orderId,
  requestUuid,
  sport,
  type SelectionId,
} from '../src/domain/ids.ts';
import type { PlaceOrder } from '../src/domain/orders.ts';
import { CHECKPOINT, checkpointOf, foldJournal, prune } from '../src/orders/journal/checkpoint.ts';
import { fold } from '../src/orders/journal/fold.ts';
import { entryOf, type Fact } from '../src/orders/journal/records.ts';
import type { JournalEntry } from '../src/ports/journal.ts';
import { openSqliteJournal } from '../src/storage/sqlite-journal.ts';
import { figure, percentile } from './figures.ts';

const ROUNDS = 2_000;
const RECORDS = 1_000_000;
const BATCH = 10_000;

const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? '.', 'journal-bench-'));

/** The records of an order's life: intent, live, closed. */
function lifeOf(n: number): readonly JournalEntry[] {
  const uuid = requestUuid(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  const selectionId = 'fb|2026-03-01,1,2|h' as SelectionId;
  const place: PlaceOrder = {
    requestUuid: uuid,
    betslipId: betslipId(`b${n}`),
    sport: sport('fb'),
    betType: betType('for,h'),
    eventId: eventId('2026-03-01,1,2'),
    priceKind: 'odds-for',
    price: 2.04,
    stakeMicros: 10_000_000,
    durationS: 60,
    userData: `touchline/1/${uuid}`,
  };
  const intended: Fact = {
    kind: 'order_intended',
    uuid,
    place,
    key: `${selectionId}#for#0`,
    selectionId,
    direction: 'for',
    tick: 101,
    mode: 'make_and_take',
    bodyHash: '0123456789abcdef',
    repeat: false,
    owner: 'symmetric',
  };
  const change = { uuid, orderId: orderId(n), expiryMs: 1_800_000_000_000, filledMicros: 0 };
  const live: Fact = { kind: 'order_changed', ...change, state: 'live', closeReason: null, source: 'answer' };
  const closed: Fact = { ...live, state: 'closed', closeReason: 'cancelled', source: 'stream' };
  return [intended, live, closed].map(entryOf);
}

interface Percentiles {
  readonly p50Us: number;
  readonly p99Us: number;
}

function percentiles(timesMs: number[]): Percentiles {
  timesMs.sort((a, b) => a - b);
  return { p50Us: 1000 * percentile(timesMs, 0.5), p99Us: 1000 * percentile(timesMs, 0.99) };
}

const textOf = ({ p50Us, p99Us }: Percentiles): string =>
  `p50 ${p50Us.toFixed(0)} µs, p99 ${p99Us.toFixed(0)} µs`;

function timed(rounds: number, work: (round: number) => void): Percentiles {
  const timesMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    work(round);
    timesMs.push(performance.now() - started);
  }
  return percentiles(timesMs);
}

function bareSync(): string {
  const file = openSync(join(folder, 'bare'), 'w');
  const bytes = Buffer.alloc(600, 'x');
  const result = timed(ROUNDS, () => {
    writeSync(file, bytes);
    fdatasyncSync(file);
  });
  closeSync(file);
  return textOf(result);
}

function appends(): string {
  const journal = openSqliteJournal(join(folder, 'orders.sqlite'), systemClock);
  const result = timed(ROUNDS, (round) => journal.append(lifeOf(round).slice(0, 1)));
  journal.close();
  figure('durable intent, p50', result.p50Us, 'µs');
  figure('durable intent, p99', result.p99Us, 'µs', 'tail');
  return textOf(result);
}

function recovery(): string {
  const path = join(folder, 'million.sqlite');
  const journal = openSqliteJournal(path, systemClock);
  for (let n = 0; n < RECORDS / 3; n += BATCH) {
    journal.append(Array.from({ length: BATCH }, (_, at) => lifeOf(n + at)).flat());
  }
  const whole = seconds(() => fold(journal.read()));
  // A daemon leaves its journal like this: the last checkpoint lies at most BATCH records back.
  const state = fold(journal.read());
  prune(state, () => 0);
  journal.append([{ kind: CHECKPOINT, uuid: null, data: checkpointOf(state) }]);
  for (let n = 0; n < BATCH; n += 3) journal.append(lifeOf(RECORDS + n));
  journal.close();
  const again = openSqliteJournal(path, systemClock);
  const recovered = seconds(() => foldJournal(again));
  const records = again.lastSeq();
  again.close();
  figure('recovery from the last checkpoint', recovered, 's');
  figure('recovery from the beginning', whole, 's');
  const [short, long] = [recovered, whole].map((s) => `${s.toFixed(2)} s`);
  return `${records} records in ${short} from the last checkpoint, ${long} from the beginning`;
}

function seconds(work: () => unknown): number {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
}

try {
  console.log(`bare fdatasync of 600 bytes      ${bareSync()}`);
  console.log(`one order's intent, durable      ${appends()}`);
  console.log(`recovery                         ${recovery()}`);
} finally {
  rmSync(folder, { recursive: true });
}
