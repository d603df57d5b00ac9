/**
 * The import of Betfair's files: its speed beside a bare `JSON.parse` of the same decompressed lines in the same run, and the heap that
 * it needs for a file of any length (`--expose-gc` makes the second figure exact).
 * Needs `../shared/data`. `node --expose-gc bench/import.bench.ts [REPETITIONS]`.
 */
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { BetfairImport, type ImportSink } from '../src/research/import/betfair.ts';
import { figure } from './figures.ts';

const FILES = ['1.200806927', '1.242971311'].map((name) => `../shared/data/betfair/${name}.jsonl.gz`);
const REPETITIONS = 50;
/** The files are small: with fewer rounds the compiler’s work would count more than the import’s. */
const ROUNDS = 40;
const PORTION = 200;

if (!FILES.every((file) => existsSync(file))) {
  console.log('skipped: ../shared/data is not there');
  process.exit();
}
const repetitions = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? REPETITIONS);

/** Drops what it gets, as a recording on disk does for the heap. */
const nowhere: ImportSink = { updates: async () => undefined, market: async () => undefined };

const linesIn = (file: string): string[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter((line) => line !== '');

async function* portions(lines: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let at = 0; at < lines.length; at += PORTION) yield lines.slice(at, at + PORTION);
}

async function importOf(lines: AsyncIterable<readonly string[]>): Promise<void> {
  await new BetfairImport(nowhere).read({ file: 'bench', lines });
}

/** The best of some rounds after one for warming up, milliseconds. */
async function bestMs(run: () => Promise<void> | void): Promise<number> {
  let best = Infinity;
  for (let round = 0; round <= ROUNDS; round++) {
    const began = performance.now();
    await run();
    if (round > 0) best = Math.min(best, performance.now() - began);
  }
  return best;
}

for (const file of FILES) {
  const lines = linesIn(file);
  const parseMs = await bestMs(() => {
    for (const line of lines) JSON.parse(line);
  });
  const importMs = await bestMs(() => importOf(portions(lines)));
  const share = parseMs / importMs;
  console.log(
    `${file.split('/').at(-1)}: ${lines.length} lines, bare JSON.parse ${parseMs.toFixed(0)} ms, import ${importMs.toFixed(0)} ms: ${share.toFixed(2)} of its speed`,
  );
  figure(`import ${file.split('/').at(-1)}`, share, 'of JSON.parse', 'rate');
}

/** Repeats the cricket market in one file. Each repetition is later than the one before. */
async function* repeated(lines: readonly string[]): AsyncGenerator<readonly string[]> {
  const instants = lines.map((line) => Number(/"pt":(\d+)/.exec(line)?.[1]));
  const spanMs = (instants.at(-1) ?? 0) - (instants[0] ?? 0) + 1;
  for (let round = 0; round < repetitions; round++)
    yield lines.map((line, at) => line.replace(/"pt":\d+/, `"pt":${(instants[at] ?? 0) + round * spanMs}`));
}

const lines = linesIn(FILES[0] as string);
let most = 0;
async function* watched(): AsyncGenerator<readonly string[]> {
  for await (const portion of repeated(lines)) {
    yield portion;
    globalThis.gc?.();
    most = Math.max(most, process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
  }
}
const before = process.memoryUsage();
await importOf(watched());
const grownMb = (most - before.heapUsed - before.arrayBuffers) / 1e6;
console.log(`${repetitions * lines.length} lines of one market: at most ${grownMb.toFixed(1)} MB more`);
figure('import memory', grownMb, 'MB');
