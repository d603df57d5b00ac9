import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cwd, execPath } from 'node:process';
import { type CheckFinding, fault, fine, skipped } from './finding.ts';

const CHECK = 'types';
const INSTALL = 'npm install --save-dev typescript, then check again';

/** Options of a file that stands in no project. */
const STRICT = {
  strict: true,
  target: 'es2024',
  module: 'nodenext',
  moduleResolution: 'nodenext',
};

/** Checks the types of a TypeScript file with the compiler that is installed beside it. */
export function checkTypes(file: string): CheckFinding[] {
  if (!/\.[mc]?ts$/.test(file)) return [skipped(CHECK, 'the strategy is not written in TypeScript')];
  const compiler = compilerFor(file);
  if (compiler === null)
    return [skipped(CHECK, 'no TypeScript compiler is installed beside the strategy', INSTALL)];
  const folder = mkdtempSync(path.join(tmpdir(), 'touchline-types-'));
  try {
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configFor(file)));
    const args = [compiler, '--project', folder, '--pretty', 'false'];
    const { status, stdout, stderr } = spawnSync(execPath, args, {
      cwd: path.dirname(file),
      encoding: 'utf8',
    });
    if (status === 0) return [fine(CHECK, 'the compiler finds no fault')];
    const faults = faultsIn(stdout, path.dirname(file));
    return faults.length > 0
      ? faults
      : [fault(CHECK, `the compiler failed: ${stdout}${stderr}`.trim(), INSTALL)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compilerFor(file: string): string | null {
  try {
    const manifest = createRequire(file).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> };
    const program = bin['tsc'] ?? Object.values(bin).find((name) => name.includes('tsc'));
    return program === undefined ? null : path.join(path.dirname(manifest), program);
  } catch {
    return null;
  }
}

/** The options of the project around the file, if there is one, for this file alone. */
function configFor(file: string): object {
  const folders = foldersAbove(file);
  const project = folders
    .map((folder) => path.join(folder, 'tsconfig.json'))
    .find((config) => existsSync(config));
  const compilerOptions = {
    ...(project === undefined ? STRICT : {}),
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    typeRoots: folders
      .map((folder) => path.join(folder, 'node_modules/@types'))
      .filter((root) => existsSync(root)),
  };
  return {
    ...(project === undefined ? {} : { extends: project }),
    compilerOptions,
    files: [file],
    include: [],
  };
}

/** The folder of a file and all folders around it, the nearest first. */
function foldersAbove(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

/** `strategy.ts(12,5): error TS2322: Type …` */
const ERROR = /^(.+)\((\d+),\d+\): error (TS\d+: .*)$/;

const faultsIn = (output: string, folder: string): CheckFinding[] =>
  output.split('\n').flatMap((line) => {
    const [, file, number, message] = ERROR.exec(line.trim()) ?? [];
    if (file === undefined || message === undefined) return [];
    const where = `${path.relative(cwd(), path.resolve(folder, file))}:${number}`;
    return [fault(CHECK, message, 'correct the type', where)];
  });
