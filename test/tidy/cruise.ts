import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './project.ts';

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { name: string };
    }[];
  };
}

export interface Cruise {
  /** Modules of the project's own folders that the boundary check has read. */
  readonly modules: readonly string[];
  /** `rule: from -> to`, one for each violation. */
  readonly violations: readonly string[];
}

const CRUISER = path.join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

/** Runs the boundary check with the project's own configuration in a folder, over some of its subfolders. */
export function cruise(folder: string, subfolders: readonly string[]): Cruise {
  const options = [`--config=${path.join(ROOT, '.dependency-cruiser.cjs')}`, '--output-type=json'];
  const run = spawnSync(process.execPath, [CRUISER, ...options, ...subfolders], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (run.stdout === '') throw new Error(`the boundary check said nothing: ${run.stderr}`);
  const { modules, summary } = JSON.parse(run.stdout) as CruiseResult;
  return {
    modules: modules.map(({ source }) => source).filter((source) => /^(src|strategies)\//.test(source)),
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  };
}

/** Lays out a project of planted files in a temporary folder, cruises it, and removes it. */
export function cruisePlanted(files: Readonly<Record<string, string>>): Cruise {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'touchline-tidy-'));
  try {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    symlinkSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
    for (const [file, text] of Object.entries(files)) plant(path.join(folder, file), text);
    return cruise(folder, topFolders(Object.keys(files)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first folder of each path, once. */
export function topFolders(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => file.split('/')[0] ?? ''))];
}

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Modules that exist and were not seen. */
export function unseen(existing: readonly string[], seen: readonly string[]): string[] {
  return existing.filter((file) => !seen.includes(file));
}
