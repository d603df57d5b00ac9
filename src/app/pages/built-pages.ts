/** The pages of `src/web`, as a browser gets them. A package brings them built; a clone builds them when their sources changed. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { PageText, Pages } from '../../ops/dashboard/page-routes.ts';
import { builtPage, ROOT_FOLDER } from '../adapters/own-files.ts';

/** Files that `scripts/page.ts` builds. */
export type BuiltFile = 'report.html' | 'dashboard.html' | 'dashboard-worker.js';

/** The folders and files that they are built from. */
const SOURCES =
  '{src/{web,research,read-model,engine,domain,lib}/**/*.{ts,tsx,css},src/ops/dashboard/links.ts,scripts/page.ts,package-lock.json}';

/** The text of a built file. Resolves to the reason if it is not there and cannot be built. */
export async function builtText(name: BuiltFile): Promise<PageText> {
  const file = builtPage(name, versionOfSources);
  const missing = existsSync(file) ? null : await build(name, file);
  return missing === null ? { text: readFileSync(file, 'utf8') } : { missing };
}

/** The dashboard's files. They are read, and in a clone built, when a browser first asks. */
export function dashboardPages(): Pages {
  const known = new Map<BuiltFile, Promise<PageText>>();
  const once = async (name: BuiltFile): Promise<PageText> => {
    const text = known.get(name) ?? builtText(name);
    known.set(name, text);
    if ('missing' in (await text)) known.delete(name);
    return text;
  };
  return { page: () => once('dashboard.html'), worker: () => once('dashboard-worker.js') };
}

function versionOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT_FOLDER }).sort())
    hash.update(file).update(readFileSync(path.join(ROOT_FOLDER, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Builds a file in a process of its own, so that nothing waits for it. Resolves to the reason if that fails; null if it is there. */
async function build(name: BuiltFile, file: string): Promise<string | null> {
  const args = [path.join(ROOT_FOLDER, 'scripts/page.ts'), name, file];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT_FOLDER });
    return null;
  } catch (error) {
    if (!existsSync(path.join(ROOT_FOLDER, 'node_modules/vite')))
      return 'the page is built with development packages, which `npm ci` installs';
    return `the page cannot be built: ${error instanceof Error ? error.message : String(error)}`;
  }
}
