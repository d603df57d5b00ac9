import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokensPath } from '../../../src/app/journal/account-paths.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { PROJECT_ROOT } from '../../support/process.ts';
import { commanded } from '../../support/run-command.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: folder.path, encoding: 'utf8' });

/** What `git add -A` would take, after `touchline init`, a key and a run. */
async function taken(...options: readonly string[]): Promise<string> {
  const [code] = await commanded('init', ...options, '--yes', folder.path);
  const journal = join(folder.path, options.includes('--paper') ? 'paper' : '.', 'journal.sqlite');
  mkdirSync(tokensPath(journal));
  const files = [journal, `${journal}.lock`, `${journal}.history-wal`, join(tokensPath(journal), 'control')];
  for (const file of [...files, join(folder.path, 'api-key')]) writeFileSync(file, 'secret');
  expect(code).toBe(0);
  return git('status', '--porcelain', '--untracked-files=all');
}

describe.each([['--paper'], []])('git, after init %s', (...options) => {
  it('ignores key, configuration, journal and tokens in a clone', async () => {
    git('init', '--quiet');
    writeFileSync(join(folder.path, '.gitignore'), readFileSync(join(PROJECT_ROOT, '.gitignore'), 'utf8'));
    expect(await taken(...options)).toBe('?? .gitignore\n');
  });

  it('ignores key, journal and tokens in a repository without a .gitignore', async () => {
    git('init', '--quiet');
    const second = options.length === 0 ? 'live.toml' : 'paper.toml';
    expect(await taken(...options)).toBe(`?? .gitignore\n?? ${second}\n?? touchline.toml\n`);
  });
});

it('writes no .gitignore outside a repository', async () => {
  await commanded('init', '--yes', folder.path);
  expect(existsSync(join(folder.path, '.gitignore'))).toBe(false);
});

it('leaves a .gitignore of others as it is', async () => {
  git('init', '--quiet');
  writeFileSync(join(folder.path, '.gitignore'), 'mine');
  await commanded('init', '--yes', folder.path);
  expect(readFileSync(join(folder.path, '.gitignore'), 'utf8')).toBe('mine');
});
