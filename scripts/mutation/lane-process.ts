/**
 * Stays warm for one copy of the project and runs the test files that its parent names, each time in a new process, until the first
 * failure. The parent ends it when a test hangs.
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestCase, type TestModule } from 'vitest/node';
import type { LaneReport, LaneRequest } from './lane.ts';

const tell = (report: LaneReport): void => void process.send?.(report);

/** The first failure of a run. */
let failed: string | undefined;

function fail(test: string): void {
  if (failed !== undefined) return;
  failed = test;
  void vitest.cancelCurrentRun('test-failure');
}

const vitest = await createVitest('test', {
  config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
  watch: false,
  reporters: [
    {
      // Before the module is loaded: a mistake can hang there, too.
      onTestModuleQueued: ({ relativeModuleId }: TestModule) => {
        tell({ kind: 'begins', test: relativeModuleId });
      },
      onTestCaseResult: (test: TestCase) => {
        if (test.result().state === 'failed') fail(test.module.relativeModuleId);
      },
      onTestModuleEnd: (module: TestModule) => {
        if (module.state() === 'failed') fail(module.relativeModuleId);
      },
    },
  ],
});

const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification) => [
    specification.moduleId.slice(`${vitest.config.root}/`.length),
    specification,
  ]),
);

async function judge({ tests }: LaneRequest): Promise<void> {
  failed = undefined;
  const chosen = tests.flatMap((test) => specifications.get(test) ?? []);
  try {
    const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
    if (unhandledErrors.length > 0) failed ??= 'an error outside of a test';
  } catch {
    failed ??= 'the end of the tests’ process';
  }
  tell({ kind: 'done', ...(failed === undefined ? {} : { failed }) });
}

process.on('message', (request: LaneRequest) => void judge(request));
process.once('disconnect', () => process.exit(0));
tell({ kind: 'ready' });
