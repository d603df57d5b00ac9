import { statSync } from 'node:fs';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import type { TestSequencer, TestSpecification } from 'vitest/node';
import project from '../../vitest.config.ts';
import { COUNTS_VARIABLE } from './ran-places.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const { projects = [], ...all } = project.test ?? {};

const isCounting = process.env[COUNTS_VARIABLE] !== undefined;

/** Tests in the processes of vitest alone, not of whole commands. */
const JUDGES = ['unit', 'alone'];

/** Leaves files in the order in which they are given; while counting, small ones come first, so that an early end leaves few uncounted. */
class InOrder implements TestSequencer {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  sort(files: TestSpecification[]): TestSpecification[] {
    if (!isCounting) return files;
    const size = ({ moduleId }: TestSpecification): number => statSync(moduleId).size;
    return files.toSorted((a, b) => size(a) - size(b));
  }
}

/** The unit tests. Their runner counts if somebody asks for the counts. */
export default defineConfig({
  root: ROOT,
  test: {
    ...all,
    // A mutant has one process for all its tests, and never one that another mutant has run in.
    ...(isCounting ? {} : { maxWorkers: 1 }),
    sequence: { sequencer: InOrder },
    projects: projects.flatMap((each) => {
      if (typeof each !== 'object' || !('test' in each)) return [];
      const name = each.test.name;
      if (typeof name !== 'string' || !JUDGES.includes(name)) return [];
      const runner = isCounting ? { runner: `${ROOT}scripts/mutation/counting-runner.ts` } : {};
      return [{ ...each, root: ROOT, test: { ...each.test, ...runner } }];
    }),
  },
});
