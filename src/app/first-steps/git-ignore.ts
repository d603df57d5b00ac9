/** Keeps the key and the journal, with the tokens beside it, out of a git repository that a configuration is written into. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Answers } from './draft-config.ts';

/**
 * Writes a `.gitignore` with the key file and the journal's files as far as they are in the folder. Returns its path; null, and nothing is written, if
 * the folder is in no git repository, has a `.gitignore`, or has none of these files.
 */
export function ignoreInGit(
  folder: string,
  { apiKeyFile, journal }: Pick<Answers, 'apiKeyFile' | 'journal'>,
): string | null {
  const path = join(resolve(folder), '.gitignore');
  const inside = [apiKeyFile, `${journal}*`].flatMap((each) => lineFor(resolve(folder), resolve(each)));
  if (!isInRepository(resolve(folder)) || existsSync(path) || inside.length === 0) return null;
  writeFileSync(path, `# The exchange's key, and the journal with its tokens\n${inside.join('\n')}\n`, {
    flag: 'wx',
  });
  return path;
}

/** The pattern of a file below a folder; none for a file elsewhere. */
function lineFor(folder: string, path: string): readonly string[] {
  const below = relative(folder, path).split(sep);
  return below[0] === '..' ? [] : [`/${below.join('/')}`];
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
