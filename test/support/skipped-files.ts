import { globSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');

/**
 * A line for the files that a command leaves to the other one, none when it ran them all. `all` are the existing test
 * files.
 */
export function leftOut(ran: readonly string[], all: readonly string[]): readonly string[] {
  const command = ran.some(isSlow) ? 'npm test' : 'npm run test:slow';
  const others = all.filter((file) => isSlow(file) !== ran.some(isSlow));
  return others.length === 0 ? [] : [`left out: ${others.length} test files, which \`${command}\` runs`];
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
