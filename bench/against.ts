/** `npm run bench -- --against COMMIT`: the same benches in this tree and in another, in interleaved rounds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { compareRuns, figuresIn, type Comparison } from './comparison.ts';
import { JSON_OPTION, type Figure } from './figures.ts';
import { hasChanges, shortHash, withOtherTree, type Tree, type TreeParts } from './other-tree.ts';
import { runProcess } from './run-process.ts';

export interface AgainstOptions extends TreeParts {
  /** Names of bench files. */
  readonly files: readonly string[];
  readonly rounds: number;
  /** The share by which a figure may be worse. */
  readonly tolerance: number;
}

interface Contestant extends Tree {
  readonly title: string;
  readonly runs: (readonly Figure[])[];
}

/** Measures both trees and compares them. Throws when a bench fails or the trees have no figure in common. */
export async function compareAgainst(options: AgainstOptions): Promise<Comparison> {
  const { root, commit, tolerance } = options;
  const isDirty = await hasChanges(root);
  const mine = `${await shortHash(root, 'HEAD')}${isDirty ? ' with uncommitted changes' : ''}`;
  return withOtherTree(options, async (other) => {
    const ours = { path: root, commit: mine, title: 'this tree', runs: [] };
    const theirs = { ...other, title: 'the other', runs: [] };
    options.log(`this tree: ${mine}; the other: ${commit}, ${other.commit}`);
    await measureInTurns(ours, theirs, options);
    const comparison = compareRuns(ours.runs, theirs.runs, tolerance);
    if (comparison.figures.length === 0) throw new Error('the two trees have no figure in common');
    return comparison;
  });
}

/** The trees alternate, and each goes first in every other round: a busy moment or a slow drift affects both. */
async function measureInTurns(ours: Contestant, theirs: Contestant, options: AgainstOptions): Promise<void> {
  const { rounds, log } = options;
  const files = filesOfBoth(theirs, options);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    for (const file of files) {
      for (const contestant of order) {
        log(`round ${round + 1} of ${rounds}: ${file}, ${contestant.title}`);
        contestant.runs.push(await measure(contestant, file, options));
      }
    }
  }
}

function filesOfBoth({ path }: Tree, { files, log }: AgainstOptions): readonly string[] {
  const isThere = (file: string): boolean => existsSync(join(path, 'bench', file));
  for (const file of files) if (!isThere(file)) log(`the other tree has no ${file}: not compared`);
  return files.filter(isThere);
}

async function measure(
  { path }: Tree,
  file: string,
  { root, signal }: AgainstOptions,
): Promise<readonly Figure[]> {
  const args = ['--expose-gc', join(path, 'bench', file), JSON_OPTION];
  // The temporary tree may lie on another disk, or in memory, so both trees write where this tree is.
  const env = { BENCH_DIR: root, ...process.env };
  return figuresIn(await runProcess(process.execPath, args, { cwd: path, env, signal }));
}
