/**
 * Runs test files as vitest does, and writes for each file which places of the project it ran, in the form of `RanPlaces`. Code that ran
 * while the file and its modules were loaded is apart: the next test file of the same process does not load them again.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { TestRunner } from 'vitest';
import { COUNTS_VARIABLE, fileNameOf, hashOf, type RanPlaces } from './ran-places.ts';
import { ranSpans, union, type Counted, type Spans } from './spans.ts';

const ROOT = new URL('../../', import.meta.url).href;
const COUNTED = /^(?:src|strategies)\//;
const PATH = fileURLToPath(ROOT);
const FOLDER = process.env[COUNTS_VARIABLE] ?? '';

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Counted[] }[];
}

const MICROS_PER_MS = 1_000;

type Places = Record<string, Spans>;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

function placesIn(scripts: readonly Script[]): Places {
  const places: Places = {};
  for (const { url, functions } of scripts) {
    const [file = ''] = url.startsWith(ROOT) ? url.slice(ROOT.length).split('?') : [];
    if (!COUNTED.test(file)) continue;
    const spans = ranSpans(functions);
    if (spans.length > 0) places[file] = union(places[file] ?? [], spans);
  }
  return places;
}

/** Reads what ran since the last reading. The profiler of this same thread answers at once. */
function counted(): Places {
  let places: Places = {};
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    places = placesIn(result);
  });
  return places;
}

/** The tests of a file start processes and threads; this reads the counts that those wrote. */
function countedByOthers(folder: string): Places {
  if (!existsSync(folder)) return {};
  const scripts = readdirSync(folder).flatMap(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly result: Script[] }).result,
  );
  rmSync(folder, { recursive: true });
  return placesIn(scripts);
}

function joined(a: Places, b: Places): Places {
  const all = { ...a };
  for (const [file, spans] of Object.entries(b)) all[file] = union(all[file] ?? [], spans);
  return all;
}

/** A runner of vitest that counts. */
export default class CountingRunner extends TestRunner {
  #loaded: Places = {};
  #others = '';
  #from = process.cpuUsage();
  #fromMs = performance.now();

  onBeforeCollect(paths: readonly string[]): void {
    this.#others = join(FOLDER, 'others', fileNameOf(paths.join()));
    mkdirSync(join(FOLDER, 'others'), { recursive: true });
    process.env['NODE_V8_COVERAGE'] = this.#others;
    counted();
    this.#from = process.cpuUsage();
    this.#fromMs = performance.now();
  }

  onBeforeRunFiles(): void {
    this.#loaded = counted();
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    const { user, system } = process.cpuUsage(this.#from);
    const ms = Math.round((user + system) / MICROS_PER_MS);
    const ran = joined(counted(), countedByOthers(this.#others));
    const [file] = files;
    if (file === undefined) return;
    const test = relative(PATH, file.filepath);
    const known = [test, ...Object.keys(ran)].map((each) => [
      each,
      hashOf(readFileSync(join(PATH, each), 'utf8')),
    ]);
    const places: RanPlaces = {
      test,
      ms,
      ran,
      wallMs: Math.round(performance.now() - this.#fromMs),
      hasFailed: file.result?.state === 'fail',
      loaded: this.#loaded,
      hashes: Object.fromEntries(known) as Record<string, string>,
    };
    writeFileSync(join(FOLDER, fileNameOf(test)), JSON.stringify(places));
  }
}
