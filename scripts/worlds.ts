/**
 * `npm run worlds`: two worlds of one seed. In each, a simulated exchange in a process of its own has the same market, which no account
 * can bend. A daemon trades on it with orders in the one, and on paper in the other; both follow the same intents. Compares their fills.
 *
 * Usage: node scripts/worlds.ts [--hours 1] [--seed 7] [--recorded FILE [--from INSTANT]] [--half-spread LOG_ODDS] [--against-prices odds|lay]
 *        [--processes [--speed 1]] [--keep FOLDER]
 *
 * Prints a table and, last, one line of JSON. Exits 1 if a goal is not met.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { judge, lines } from './worlds/judge.ts';
import { runOnOneClock } from './worlds/one-clock.ts';
import { runProcesses } from './worlds/processes.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
    processes: { type: 'boolean', default: false },
    speed: { type: 'string', default: '1' },
    recorded: { type: 'string' },
    from: { type: 'string' },
    'against-prices': { type: 'string', default: 'odds' },
    'half-spread': { type: 'string' },
    keep: { type: 'string' },
  },
});
const [hours, seed, speed] = [Number(values.hours), Number(values.seed), Number(values.speed)];
if (!(hours > 0) || !Number.isSafeInteger(seed) || !(speed >= 1))
  throw new Error('--hours takes a number above 0, --seed a whole number, --speed a number from 1');

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'touchline-worlds-'));
mkdirSync(folder, { recursive: true });
if (values.keep === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const recorded =
  values.recorded === undefined
    ? null
    : { file: values.recorded, fromMs: values.from === undefined ? null : Date.parse(values.from) };
const halfSpread = values['half-spread'] === undefined ? null : Number(values['half-spread']);
const convention = recorded !== null || values['against-prices'] === 'lay' ? 'lay' : 'odds';
const options = { hours, seed, recorded, convention, halfSpread, folder } as const;
const worlds = values.processes ? await runProcesses(options, speed) : await runOnOneClock(options);
if (values.keep !== undefined) writeFileSync(join(folder, 'fills.json'), JSON.stringify(worlds));
const result = judge(worlds, seed);
for (const line of lines(result)) console.log(line);
console.log(JSON.stringify({ hours, seed, speed, recorded: values.recorded ?? null, convention, ...result }));
process.exitCode = result.ok ? 0 : 1;
