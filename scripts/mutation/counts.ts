import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { COUNTS_VARIABLE, fileNameOf, hashOf, isStale, type RanPlaces } from './ran-places.ts';

/** Test files that judge no mutant: whole processes, and tests of minutes. */
const OTHERS = /^test\/(?:e2e|packed)\/|\.slow\.test\.ts$/;

/** Which test files run which places, kept in a folder. Counts again what has changed since. */
export async function countedPlaces(
  root: string,
  folder: string,
  sampled: ReadonlySet<string>,
): Promise<readonly RanPlaces[]> {
  const tests = globSync('test/**/*.test.ts', { cwd: root }).filter((test) => !OTHERS.test(test));
  const hashes = new Map<string, string>();
  const hashOfFile = (file: string): string => {
    const path = join(root, file);
    const hash = hashes.get(file) ?? (existsSync(path) ? hashOf(readFileSync(path, 'utf8')) : '');
    hashes.set(file, hash);
    return hash;
  };
  const known = (test: string): RanPlaces | undefined => {
    const path = join(folder, fileNameOf(test));
    if (!existsSync(path)) return undefined;
    return JSON.parse(readFileSync(path, 'utf8')) as RanPlaces;
  };
  const stale = tests.filter((test) => {
    const places = known(test);
    return places === undefined || isStale(places, sampled, hashOfFile);
  });
  if (stale.length > 0) await count(root, folder, stale);
  return tests.flatMap((test) => known(test) ?? []);
}

async function count(root: string, folder: string, tests: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, 'log.txt');
  console.log(`counts what ${tests.length} test files run; their output is in ${log}`);
  const out = openSync(log, 'w');
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutation/vitest.config.ts', ...tests],
    {
      cwd: root,
      // Code from the compile cache has no places.
      env: { ...process.env, [COUNTS_VARIABLE]: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', out, out],
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      resolve();
    });
  });
}
