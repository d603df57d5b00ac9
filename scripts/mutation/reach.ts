import { dirname, join } from 'node:path/posix';
import type { Mutant } from './mutants.ts';
import type { RanPlaces } from './ran-places.ts';
import { isIn } from './spans.ts';

/** A test file that reaches a mutant, with the processor time that it takes, and the time that passes meanwhile. */
export type ReachingTest = Pick<RanPlaces, 'test' | 'ms' | 'wallMs'>;

/** Module names in imports and exports that remain at run time. A type-only import runs nothing. */
const IMPORTS =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\s)[^;'"]*?from\s*'(\.[^']+)'|import\(\s*'(\.[^']+)'|(?:^|\n)import '(\.[^']+)'|new URL\('(\.[^']+\.ts)'/g;

/** The files of the project that a file loads. */
export function loadedBy(file: string, text: string): readonly string[] {
  const names = [...text.matchAll(IMPORTS)].flatMap(([, ...groups]: readonly (string | undefined)[]) =>
    groups.flatMap((name) => name ?? []),
  );
  return names.map((name) => join(dirname(file), name));
}

/** Everything that a file loads, by itself and through others. */
export function loadedThrough(file: string, loads: (each: string) => readonly string[]): ReadonlySet<string> {
  const all = new Set<string>([file]);
  for (const each of all) for (const next of loads(each)) all.add(next);
  return all;
}

/** The test files that reach a mutant, those first that find most in the least time. */
export function reaching(
  mutant: Mutant,
  places: readonly RanPlaces[],
  loads: (each: string) => readonly string[],
): readonly ReachingTest[] {
  const { file, start } = mutant;
  const ranAtLoad = mutant.isLoaded || places.some(({ loaded }) => isIn(loaded[file] ?? [], start));
  const hits = places.filter(
    ({ test, ran }) => isIn(ran[file] ?? [], start) || (ranAtLoad && loadedThrough(test, loads).has(file)),
  );
  return hits
    .map(({ test, ms, wallMs }) => ({ test, ms, wallMs, cost: costOf(file, test, ms) }))
    .toSorted((a, b) => a.cost - b.cost || (a.test < b.test ? -1 : 1))
    .map(({ test, ms, wallMs }) => ({ test, ms, wallMs }));
}

/** A test file takes this long before its first test. */
const START_MS = 300;

/** A test in the folder of the file finds its mistakes so many times as often as one a folder further away. */
const NEARER = 3;

/** The time of a test over its chance to fail. */
export function costOf(file: string, test: string, ms: number): number {
  const [own, other] = [
    file.replace(/^src\//, '').replace(/\.tsx?$/, ''),
    test.replace(/^test\//, '').replace(/\.test\.ts$/, ''),
  ].map((path) => path.split('/'));
  let shared = 0;
  while (own?.[shared] !== undefined && own[shared] === other?.[shared]) shared++;
  return (ms + START_MS) / NEARER ** shared;
}

/** As many of the tests as take the given time, at least one; the nearest come first. */
export function within(tests: readonly ReachingTest[], mostMs: number): readonly ReachingTest[] {
  let sum = 0;
  return tests.filter(({ ms }, at) => {
    sum += ms;
    return at === 0 || sum <= mostMs;
  });
}
