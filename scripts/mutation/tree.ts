import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, type Mutant } from './mutants.ts';

/** What a copy of the project does not need. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', 'var', 'coverage', 'reports', 'dist']);

/** A new copy of the project, whose packages are those of the project. */
export function copyTree(root: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(root))
    if (!LEFT_OUT.has(name)) cpSync(join(root, name), join(to, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
}

/** A file with all its mistakes. Each line keeps its number. */
function withAll(text: string, mutants: readonly Mutant[]): string {
  let all = text;
  for (const mutant of mutants.toSorted((a, b) => b.start - a.start)) {
    const lines = (part: string): number => part.split('\n').length;
    const lost = lines(text.slice(mutant.start, mutant.end)) - lines(mutant.text);
    all = mutated(all, { ...mutant, text: mutant.text + '\n'.repeat(Math.max(0, lost)) });
  }
  return all;
}

/** Does something while a copy of the project has mistakes in it that do not overlap, and takes them out again. */
export async function withMistakes<T>(
  tree: string,
  mutants: readonly Mutant[],
  act: () => Promise<T>,
): Promise<T> {
  const byFile = Map.groupBy(mutants, ({ file }) => join(tree, file));
  const texts = new Map(Array.from(byFile.keys(), (path) => [path, readFileSync(path, 'utf8')]));
  try {
    for (const [path, some] of byFile) writeFileSync(path, withAll(texts.get(path) ?? '', some));
    return await act();
  } finally {
    for (const [path, text] of texts) writeFileSync(path, text);
  }
}
