import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cwd, execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { thrownIn } from './stack.ts';

/** The first line of a fault that Node reports with its source: `file:///a/b.mjs:12`, or a path in its stead. */
const HEAD = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+)$/m;

/** A module that an import does not find, and the file with that import. */
const NOT_FOUND = /^Cannot find (?:module|package) '(.+)' imported from (.+)$/;

/** A module that takes longer to load does more than define a strategy. */
const LOAD_WITHIN_MS = 10_000;

/**
 * `file:line` of what keeps a strategy's file from being loaded, relative to the working directory. `cause` is what the import threw, or
 * undefined if the file was loaded and does not export a strategy. Null if the place cannot be found.
 */
export function placeOfLoadFault(file: string, cause: unknown): string | null {
  if (cause === undefined) return placeOfExport(file);
  const missing = cause instanceof Error ? placeOfImport(cause.message) : null;
  if (missing !== null) return missing;
  const stack = cause instanceof Error ? cause.stack : undefined;
  const place = headOf(stack) ?? thrownIn(path.dirname(file), cause);
  return place ?? (cause instanceof SyntaxError ? headOf(loadedAlone(file)) : null);
}

function headOf(text: string | undefined): string | null {
  const [, address = '', line = ''] = HEAD.exec(text ?? '') ?? [];
  return address === '' ? null : placed(address.startsWith('file:') ? fileURLToPath(address) : address, line);
}

const placed = (file: string, line: number | string): string => `${path.relative(cwd(), file)}:${line}`;

/** Node names the line of a JavaScript syntax error only where it ends a process. */
function loadedAlone(file: string): string {
  const load = `await import(${JSON.stringify(pathToFileURL(file).href)})`;
  const args = ['--input-type=module', '--eval', load];
  return spawnSync(execPath, args, { encoding: 'utf8', timeout: LOAD_WITHIN_MS }).stderr;
}

function placeOfImport(message: string): string | null {
  const [, missing = '', importer = ''] = NOT_FOUND.exec(message) ?? [];
  if (missing === '') return null;
  const name = path.basename(missing);
  const line = lineOf(importer, (text) => /\b(?:import|from)\b/.test(text) && text.includes(name));
  return line === null ? null : placed(importer, line);
}

/** The line of the first export, or the first line of a file without one. */
const placeOfExport = (file: string): string | null => {
  const line = lineOf(file, (text) => /^\s*export\b/.test(text));
  return file === '' ? null : placed(file, line ?? 1);
};

function lineOf(file: string, is: (line: string) => boolean): number | null {
  try {
    const at = readFileSync(file, 'utf8').split('\n').findIndex(is);
    return at < 0 ? null : at + 1;
  } catch {
    return null;
  }
}
