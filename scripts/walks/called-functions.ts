import { Session } from 'node:inspector/promises';
import { invariant } from '../../src/lib/assert.ts';

/** The names of the functions that ran, by file. Functions without a name are `(anonymous)`, and each counts. */
export type CalledFunctions = ReadonlyMap<string, readonly string[]>;

const ROOT = new URL('../../', import.meta.url).href;
/** The folders of a daemon. The exchange that answers it is no part of it. */
const COUNTED = /^(src|strategies)\//;
const LEFT_OUT = /^src\/(simulator|fills)\//;

/** A function that ran. */
interface Called {
  readonly file: string;
  readonly name: string;
  /** File and place in it. */
  readonly key: string;
}

/**
 * The functions of the daemon that a way runs. A walk brings a daemon to where the way begins, calls `mark`, lets a while pass in
 * which nothing happens, calls `mark`, goes the way, and calls `mark` again. What runs in the quiet while is no part of the way.
 */
export async function calledFunctions(
  walk: (mark: () => Promise<void>) => Promise<void>,
): Promise<CalledFunctions> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Counts begin anew each time they are read.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const spans: (readonly Called[])[] = [];
  await walk(async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    spans.push(result.flatMap(({ url, functions }) => calledIn(url, functions)));
  });
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const [, quiet, way] = spans;
  invariant(quiet !== undefined && way !== undefined && spans.length === 3, 'the walk marked three instants');
  const ofQuiet = new Set(quiet.map(({ key }) => key));
  return byFile(way.filter(({ key }) => !ofQuiet.has(key)));
}

interface CountedFunction {
  readonly functionName: string;
  readonly ranges: readonly { readonly count: number; readonly startOffset: number }[];
}

function calledIn(url: string, functions: readonly CountedFunction[]): Called[] {
  const file = url.startsWith(ROOT) ? url.slice(ROOT.length) : '';
  if (!COUNTED.test(file) || LEFT_OUT.test(file)) return [];
  return functions.flatMap(({ functionName, ranges }) => {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return [];
    return [{ file, name: functionName || '(anonymous)', key: `${file}:${whole.startOffset}` }];
  });
}

function byFile(called: readonly Called[]): CalledFunctions {
  const files = new Map<string, string[]>();
  for (const { file, name } of called) files.set(file, [...(files.get(file) ?? []), name]);
  return files;
}
