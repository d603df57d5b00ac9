import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './process.ts';

/** What the second build adds to the journal's tables. */
const STEP =
  '`CREATE TABLE of_the_next_version (id INTEGER PRIMARY KEY) STRICT;`,\n];\n\nexport const SCHEMA_VERSION';

/**
 * Makes a build in `folder` whose journal version is one higher than this one's. Returns its program. Throws an Error if the
 * migrations have another form than expected.
 */
export function newerBuild(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ['src', 'strategies', 'config', 'package.json'])
    cpSync(join(PROJECT_ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'src/storage/migrations.ts');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(/\];\n\nexport const SCHEMA_VERSION/, STEP);
  if (changed === source) throw new Error(`${file} does not list its steps as expected`);
  writeFileSync(file, changed);
  return join(folder, 'src/cli/main.ts');
}
