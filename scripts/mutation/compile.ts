import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Mutant } from './mutants.ts';
import { withMistakes } from './tree.ts';

const CHECKER = 'node_modules/@typescript/native/bin/tsc';

/** The code alone: a mistake whose types only a test contradicts is one that the tests must catch. */
const CODE = 'tsconfig.mutants.json';
const PAGES = 'src/web/tsconfig.json';

/** The place of an error of types. */
export interface CheckerError {
  readonly file: string;
  readonly line: number;
}

/** The places that the type checker names. */
export function checkerErrors(output: string): readonly CheckerError[] {
  const found = output.matchAll(/^(\S[^(\n]*)\((\d+),\d+\): error /gm);
  return Array.from(found, ([, file = '', line = '']) => ({ file, line: Number(line) }));
}

/** Parts mutants into rounds, in their order. No two mutants of a round change the same characters. */
export function rounds(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const parts: Mutant[][] = [];
  for (const mutant of mutants) {
    const fits = (part: readonly Mutant[]): boolean => part.every((other) => !overlap(mutant, other));
    const part = parts.find(fits);
    if (part === undefined) parts.push([mutant]);
    else part.push(mutant);
  }
  return parts;
}

const overlap = (a: Mutant, b: Mutant): boolean => a.file === b.file && a.start <= b.end && b.start <= a.end;

/** The errors of types while all these mutants are in place. */
export type Check = (mutants: readonly Mutant[]) => Promise<readonly CheckerError[]>;

/**
 * Returns the mutants that compile. It tries them together. An error costs the nearest mutant of its file; while only files without
 * a mutant have errors, each half is tried alone. Rarely a mutant pays for its neighbour.
 */
export async function compiling(mutants: readonly Mutant[], check: Check): Promise<readonly Mutant[]> {
  if (mutants.length === 0) return [];
  const errors = await check(mutants);
  if (errors.length === 0) return mutants;
  const blamed = new Set(errors.map((error) => nearest(mutants, error)));
  const rest = mutants.filter((mutant) => !blamed.has(mutant));
  if (rest.length < mutants.length) return compiling(rest, check);
  if (rest.length === 1) return [];
  const half = Math.ceil(rest.length / 2);
  return [...(await compiling(rest.slice(0, half), check)), ...(await compiling(rest.slice(half), check))];
}

function nearest(mutants: readonly Mutant[], { file, line }: CheckerError): Mutant | undefined {
  const away = (mutant: Mutant): number => Math.abs(mutant.line - line);
  return mutants.filter((mutant) => mutant.file === file).toSorted((a, b) => away(a) - away(b))[0];
}

/** Checks the types of a copy of the project, its pages apart. */
export function checkIn(tree: string): Check {
  writeFileSync(
    join(tree, CODE),
    JSON.stringify({ extends: './tsconfig.json', include: ['src', 'strategies'] }),
  );
  return async (mutants) =>
    withMistakes(tree, mutants, async () => {
      const isPage = ({ file }: Mutant): boolean => file.startsWith('src/web/');
      const configs = [...(mutants.every(isPage) ? [] : [CODE]), ...(mutants.some(isPage) ? [PAGES] : [])];
      const errors: CheckerError[] = [];
      for (const config of configs) errors.push(...checkerErrors(await output(tree, config)));
      return errors;
    });
}

const output = async (tree: string, config: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(tree, CHECKER), '-p', config, '--pretty', 'false'],
      { cwd: tree, maxBuffer: 64 * 1024 * 1024, env: { GOGC: '400', ...process.env } },
      (_, stdout) => {
        resolve(stdout);
      },
    );
  });
