/**
 * `npm run independent`: is a fill judged as the docs say?
 *
 *     npm run independent -- --events 200 1.200806927.jsonl.gz 1.185781277.bz2
 *     npm run independent -- --from 50 --events 50            modelled events 50 to 99 alone
 *
 * Draws fills on every event of the files, and on so many events of the modelled market, and compares fair values, marks, closing lines,
 * attribution and settlement with a second computation that was written from the docs alone (`test/fair/naive-fair.ts`). Prints a line of
 * JSON last; exits 1 if any value differs.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { tapesOfFiles } from '../src/app/research/tapes.ts';
import { wholeNumbers } from './pieces.ts';
import { type Compared, compareEvent, modelledEvent, nothingCompared } from '../test/fair/independent.ts';

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    events: { type: 'string', default: '200' },
    fills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const { from, events, fills, seed } = wholeNumbers('independent', {
  from: options.from,
  events: options.events,
  fills: options.fills,
  seed: options.seed,
});

const all = nothingCompared();

function report(name: string, { fills: judged, values, known, differences }: Compared): void {
  process.stdout.write(`${name}: ${judged} fills, ${values} values, ${differences.length} differ\n`);
  for (const difference of differences.slice(0, 5)) process.stdout.write(`  ${difference}\n`);
  all.fills += judged;
  all.values += values;
  all.known += known;
  all.differences.push(...differences);
}

for (const file of files) {
  const compared = nothingCompared();
  const { tapes } = await tapesOfFiles([file]);
  for (const tape of tapes) compareEvent(tape, fills, seed, compared);
  report(file, compared);
}
const modelled = nothingCompared();
for (let number = from; number < from + events; number++)
  for (const tape of modelledEvent(number, seed)) compareEvent(tape, fills, seed, modelled);
if (events > 0) report(`${events} modelled events`, modelled);
const { differences, ...counted } = all;
process.stdout.write(`${JSON.stringify({ seed, ...counted, differences: differences.length })}\n`);
process.exitCode = differences.length === 0 ? 0 : 1;
