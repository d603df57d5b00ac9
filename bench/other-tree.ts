/** The tree of another commit, checked out into a temporary git worktree while benches run in it. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runProcess } from './run-process.ts';

const LOCK = 'package-lock.json';
const PACKAGES = 'node_modules';
/** A tree without this file has no machine-readable figures. */
const FIGURES = join('bench', 'figures.ts');

export interface TreeParts {
  /** Where this tree is. */
  readonly root: string;
  readonly commit: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface Tree {
  readonly path: string;
  /** A short hash of its commit. */
  readonly commit: string;
}

/** Checks the commit out, runs `use` in it, and always removes it. Throws for an unknown commit. */
export async function withOtherTree<T>(parts: TreeParts, use: (tree: Tree) => Promise<T>): Promise<T> {
  const { root } = parts;
  const commit = await shortHash(root, parts.commit);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  const path = join(folder, 'tree');
  try {
    await git(root, ['worktree', 'add', '--detach', path, commit]);
    try {
      await bringPackages(path, parts);
      bringBenches(path, parts);
      return await use({ path, commit });
    } finally {
      await git(root, ['worktree', 'remove', '--force', path]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The commit's short hash. Throws when the repository does not know it. */
export async function shortHash(root: string, commit: string): Promise<string> {
  const name = `${commit}^{commit}`;
  return (await git(root, ['rev-parse', '--verify', '--short', '--end-of-options', name])).trim();
}

export const hasChanges = async (root: string): Promise<boolean> =>
  (await git(root, ['status', '--porcelain'])).trim() !== '';

async function bringPackages(path: string, { root, signal, log }: TreeParts): Promise<void> {
  const [ours, theirs] = [root, path].map((tree) => readFileSync(join(tree, LOCK), 'utf8'));
  if (ours === theirs) return symlinkSync(join(root, PACKAGES), join(path, PACKAGES));
  log(`${LOCK} differs: installs the packages of the other tree`);
  await runProcess('npm', ['ci'], { cwd: path, env: process.env, signal });
}

function bringBenches(path: string, { root, log }: TreeParts): void {
  if (existsSync(join(path, FIGURES))) return;
  log('the other tree has no figures to compare: runs the benches of this tree against its source');
  const benches = join(path, 'bench');
  rmSync(benches, { recursive: true, force: true });
  cpSync(join(root, 'bench'), benches, { recursive: true });
}

/** Within a hook git names its repository in the environment. Git would take that for the temporary one. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

/** Git gets no abort signal: each step is short, and an interrupted one could leave a worktree behind. */
const git = (root: string, args: readonly string[]): Promise<string> =>
  runProcess('git', args, { cwd: root, env: environment() });
