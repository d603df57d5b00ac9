/**
 * Plants random mistakes into the code, one at a time, and runs the unit tests that reach them:
 *
 *     npm run mutation -- --sample 200 --seed 7 [--folders src/orders,src/risk] [--minutes 30] [--jobs 2]
 *
 * Prints which share the tests caught, by folder. Writes the survivors to var/mutation/survivors.patch. Exits with 1 if the share is
 * below a bound, with 2 on wrong use. The first run counts which tests run which code; later runs count only what has changed.
 */
import { readdirSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkIn, compiling, rounds, type Check } from './mutation/compile.ts';
import { countedPlaces } from './mutation/counts.ts';
import { drawn } from './mutation/draw.ts';
import { declared, isEquivalent } from './mutation/equivalents.ts';
import { Judge } from './mutation/judge.ts';
import { mutantsOf, type Mutant } from './mutation/mutants.ts';
import { mutationOptions, UsageError, USAGE, type MutationOptions } from './mutation/options.ts';
import { hunk, missed, table, type Judged } from './mutation/report.ts';
import { copyTree } from './mutation/tree.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url)).replace(/\/$/, '');
const PLACE = join(ROOT, 'var/mutation');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Pages of a browser have no unit tests. */
const CODE = ['src/**/*.ts', 'strategies/**/*.ts'];

const MS_PER_MINUTE = 60_000;

/** More mutants than the sample needs are tried at once, because about half of them do not compile. */
const SPARE = 2;

interface Sample {
  readonly mutants: readonly Mutant[];
  readonly notCompiling: number;
}

/** Draws mutants that compile. */
async function sampleOf({ folders, sample, seed }: MutationOptions, check: Check): Promise<Sample> {
  const files = globSync(CODE, { cwd: ROOT }).filter((file) =>
    folders.some((folder) => file.startsWith(folder)),
  );
  const all = drawn(
    files.toSorted().flatMap((file) => mutantsOf(file, textOf(file))),
    seed,
  );
  console.log(`${all.length} mutants in ${files.length} files`);
  const mutants: Mutant[] = [];
  let tried = 0;
  while (mutants.length < sample && tried < all.length) {
    const some = all.slice(tried, tried + SPARE * (sample - mutants.length));
    const good = new Set<Mutant>();
    for (const round of rounds(some)) for (const each of await compiling(round, check)) good.add(each);
    for (const mutant of some) {
      if (mutants.length === sample) break;
      tried++;
      if (good.has(mutant)) mutants.push(mutant);
    }
  }
  return { mutants, notCompiling: tried - mutants.length };
}

/** Judges mutants in the order of the draw, until the time is over. */
async function judgeAll(
  judge: Judge,
  mutants: readonly Mutant[],
  options: MutationOptions,
): Promise<Judged[]> {
  const untilMs = performance.now() + options.minutes * MS_PER_MINUTE;
  const queue = [...mutants];
  const judged: Judged[] = [];
  const work = async (lane: number): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      if (performance.now() > untilMs) return;
      const { fate, remark } = await judge.fateOf(mutant, lane);
      judged.push({ mutant, fate });
      console.log(`${fate.padEnd(11)} ${mutant.file}:${mutant.line} ${mutant.mutator}: ${remark}`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, async (_, lane) => work(lane)));
  return judged;
}

async function main(options: MutationOptions): Promise<void> {
  const fromMs = performance.now();
  mkdirSync(PLACE, { recursive: true });
  const trees = Array.from({ length: options.jobs }, (_, lane) => join(PLACE, `tree-${lane + 1}`));
  for (const tree of trees) copyTree(ROOT, tree);
  const { mutants, notCompiling } = await sampleOf(options, checkIn(trees[0] ?? ''));
  console.log(`${mutants.length} mutants drawn; ${notCompiling} others do not compile`);
  const equivalents = declared();
  const isSame = (mutant: Mutant): boolean => isEquivalent(mutant, textOf(mutant.file), equivalents);
  const dir = join(PLACE, 'counts');
  const places = readdirSync(dir)
    .filter((f) => f.endsWith('.json'))
    .map((f) => {
      const p = JSON.parse(readFileSync(join(dir, f), 'utf8'));
      return { ...p, ms: p.ms };
    });
  const judge = new Judge(ROOT, trees, places);
  const started = performance.now();
  let judged: Judged[];
  try {
    judged = await judgeAll(
      judge,
      mutants.filter((mutant) => !isSame(mutant)),
      options,
    );
  } finally {
    judge.close();
  }
  judged.push(...mutants.filter(isSame).map((mutant): Judged => ({ mutant, fate: 'equivalent' })));
  const survivors = judged.filter(({ fate }) => fate === 'survived' || fate === 'not reached');
  const patch = join(PLACE, 'survivors.patch');
  writeFileSync(patch, survivors.map(({ mutant }) => hunk(mutant, textOf(mutant.file))).join('\n'));
  const minutes = (since: number): string => ((performance.now() - since) / MS_PER_MINUTE).toFixed(1);
  console.log(`\n${table(judged)}\n`);
  for (const test of judge.broken) console.log(`left out: ${test}, which fails without a mistake`);
  if (judged.length < mutants.length)
    console.log(`the time was over before ${mutants.length - judged.length} of the mutants`);
  console.log(`${minutes(started)} min of tests, ${minutes(fromMs)} min in all; survivors in ${patch}`);
  const failures = missed(judged);
  for (const line of failures) console.log(line);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

try {
  await main(mutationOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 2;
}
