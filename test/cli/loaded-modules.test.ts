import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/process.ts';

/** Paths of the files that a command loads, from the root of the project. */
function modulesOf(...args: readonly string[]): readonly string[] {
  const node = ['--import=./bench/starts/report-modules.ts', 'src/cli/main.ts', ...args];
  const { stdout, stderr, status } = spawnSync(process.execPath, node, {
    encoding: 'utf8',
    cwd: PROJECT_ROOT,
  });
  expect([status, stdout.length > 0]).toEqual([0, true]);
  const urls = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as readonly string[];
  return urls.map((url) => url.slice(url.indexOf(PROJECT_ROOT) + PROJECT_ROOT.length));
}

const packageOf = (file: string): string => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '';

describe('the modules that a command loads', () => {
  it('are few for --version, without any command', () => {
    const modules = modulesOf('--version');
    expect(modules.filter((file) => file.startsWith('src/cli/commands/'))).toEqual([]);
    expect(modules.length).toBeLessThan(30);
    expect(modules).toContain('src/cli/program.ts');
  });

  // The help of all lists every command, so it loads what the help of each one loads.
  const help = modulesOf('--help');

  it('are the options of every command for the help, and nothing that does the work', () => {
    expect(help.filter((file) => file.startsWith('src/cli/commands/')).length).toBeGreaterThan(20);
    expect(help.length).toBeLessThan(90);
    expect([...new Set(help.map(packageOf))].toSorted()).toEqual(['', 'commander']);
    const work = [
      'engine',
      'market',
      'orders',
      'risk',
      'venue',
      'storage',
      'strategy',
      'history',
      'recording',
    ];
    expect(help.filter((file) => work.some((folder) => file.startsWith(`src/${folder}/`)))).toEqual([]);
    expect(help.filter((file) => file.startsWith('src/cli/actions/'))).toEqual([]);
  });

  it('are those of one command for its own help', () => {
    const modules = modulesOf('status', '--help');
    expect(modules.filter((file) => file.startsWith('src/cli/commands/'))).toEqual([
      'src/cli/commands/daemon/status.ts',
      'src/cli/commands/daemon/operate.ts',
    ]);
  });
});
