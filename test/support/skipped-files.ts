import { globSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The command that runs a test file. */
function commandOf(file: string): string {
  if (file.startsWith('test/packed/')) return 'npm run test:package';
  return file.endsWith('.slow.test.ts') ? 'npm run test:slow' : 'npm test';
}

/** A line for the files that a command leaves to each other one, none when it ran them all. `all` are the existing test files. */
export function leftOut(ran: readonly string[], all: readonly string[]): readonly string[] {
  const commands = new Set(ran.map(commandOf));
  const others = Map.groupBy(
    all.filter((file) => !commands.has(commandOf(file))),
    commandOf,
  );
  return Array.from(
    others,
    ([command, files]) => `left out: ${files.length} test files, which \`${command}\` runs`,
  );
}

/** At the end of a run, prints which tests were skipped and which files this command leaves to another. */
export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('skipped'))
        console.log(`skipped: ${module.relativeModuleId}: ${test.fullName}`);
    const ran = modules.map(({ relativeModuleId }) => relativeModuleId);
    for (const line of leftOut(ran, globSync('test/**/*.test.ts'))) console.log(line);
  }
}
