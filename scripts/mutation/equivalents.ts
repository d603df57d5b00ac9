import { readFileSync } from 'node:fs';
import { mutated, type Mutant } from './mutants.ts';

/** A mutant that behaves like the original. Its lines name it, so it is found again after changes elsewhere in the file. */
export interface Equivalent {
  readonly file: string;
  readonly mutator: string;
  /** The first line of the change, trimmed, without and with the mistake. */
  readonly line: string;
  readonly becomes: string;
  readonly reason: string;
}

const DECLARED = new URL('equivalent-mutants.json', import.meta.url);

/** The mutants that are declared equivalent. */
export const declared = (): readonly Equivalent[] =>
  JSON.parse(readFileSync(DECLARED, 'utf8')) as readonly Equivalent[];

/** Whether a mutant is declared equivalent. `text` is the source without the mistake. */
export function isEquivalent(mutant: Mutant, text: string, all: readonly Equivalent[]): boolean {
  const lineOf = (source: string): string => source.split('\n')[mutant.line - 1]?.trim() ?? '';
  const [line, becomes] = [lineOf(text), lineOf(mutated(text, mutant))];
  return all.some(
    (each) =>
      each.file === mutant.file &&
      each.mutator === mutant.mutator &&
      each.line === line &&
      each.becomes === becomes &&
      each.reason !== '',
  );
}
