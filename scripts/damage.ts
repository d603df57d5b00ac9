/**
 * `npm run damage`: damages the files that a daemon has left on the disk, and starts it again.
 *
 * A daemon trades on a journal of real files, is killed (`touchline kill`) and dies (`kill -9`). A copy of each file has
 * one random byte changed, is cut at a random length, or is deleted. A start with that copy must place no order.
 * `journal verify` must agree with a reader that shares no code with it: damaged when a record at or before the mark is
 * missing or altered, and never when all records are there. The same holds with the permit granted again, where only
 * journal and mark protect; and with the files of a daemon that was not killed, where an undamaged copy, and a copy that
 * has lost nothing, must trade. A few trials run whole processes.
 *
 * Usage: node scripts/damage.ts [--each 30] [--seed 1] [--without-processes]
 *
 * Prints a table; exits 1 on any miss.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { control, makeCases, trialsOf } from '../test/damage/trials.ts';
import type { Case, Trial } from '../test/damage/trials.ts';
import { processTrials } from '../test/damage/whole-process.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'without-processes': { type: 'boolean', default: false },
  },
});
const each = Number(values.each);
const seed = Number(values.seed);
if (!Number.isSafeInteger(each) || each < 1 || !Number.isSafeInteger(seed))
  throw new Error('--each and --seed take whole numbers, --each from 1');

const misses: string[] = [];
let trials = 0;

function miss(what: string, why: string | null): void {
  trials++;
  if (why !== null) misses.push(`${what}: ${why}`);
}

const WIDTHS = [24, 9, 10, 7, 9, 10, 10, 10, 9, 7];
const line = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell, at) => String(cell).padEnd(WIDTHS[at] ?? 0)).join(''));

const count = (rows: readonly Trial[], isSo: (trial: Trial) => boolean): number => rows.filter(isSo).length;

function printRow(rows: readonly Trial[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const started = rows.filter(({ orders }) => orders !== null);
  const traded = started.length === 0 ? '-' : count(started, ({ orders }) => orders !== 0);
  const read = count(rows, ({ reader }) => reader === 'damaged');
  const unsound = count(rows, ({ reader }) => reader === 'unsound' || reader === 'index');
  const reported = count(rows, ({ verify }) => verify === 'damaged');
  const refused = count(rows, ({ verify }) => verify === 'unreadable');
  const missed = count(rows, (trial) => trial.miss !== null);
  line(first.case, first.target, first.way, rows.length, traded, read, unsound, reported, refused, missed);
}

/** Prints one line for all trials of one file and one way. */
async function runTrials(folder: string, given: Case): Promise<void> {
  let rows: Trial[] = [];
  for await (const trial of trialsOf(folder, given, each, seed)) {
    rows.push(trial);
    miss(`${trial.case}, ${trial.target} ${trial.done}`, trial.miss);
    if (rows.length < each) continue;
    printRow(rows);
    rows = [];
  }
}

async function runControl(folder: string, given: Case): Promise<void> {
  const orders = await control(folder, given);
  const mustTrade = !given.specimen.isKilled;
  console.log(`${given.name}, undamaged: ${orders} orders`);
  miss(`${given.name}, undamaged`, orders > 0 === mustTrade ? null : `${orders} orders were placed`);
}

async function run(folder: string): Promise<void> {
  const cases = await makeCases(folder, seed);
  for (const given of cases) await runControl(folder, given);
  line('files of a daemon', 'damaged', 'by', 'trials', 'traded', 'reader:', '', 'verify:', '', 'misses');
  line('', '', '', '', '', 'damaged', 'unsound', 'damaged', 'refused', '');
  for (const given of cases) await runTrials(folder, given);
  if (values['without-processes']) return;
  console.log('whole processes:');
  for await (const { what, orders, reader, exitCode, miss: why } of processTrials(folder, seed)) {
    const judged = reader === null ? '' : `; the reader reports ${reader}, verify exits with ${exitCode}`;
    console.log(`${what}: ${orders} orders${judged}`);
    miss(what, why);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'touchline-damage-'));
const startedMs = performance.now();
try {
  await run(folder);
} finally {
  rmSync(folder, { recursive: true });
}
const tookS = Math.round((performance.now() - startedMs) / 1000);
for (const text of misses) console.log(`MISS ${text}`);
console.log(`${trials} trials from seed ${seed}, ${misses.length} misses, ${tookS} s`);
process.exitCode = misses.length === 0 ? 0 : 1;
