import { createHash } from 'node:crypto';
import type { Spans } from './spans.ts';

/** Tells the counting runner where to write. */
export const COUNTS_VARIABLE = 'MUTATION_COUNTS';

/** The places of the project's files that a test file ran, as the counting runner writes them. */
export interface RanPlaces {
  readonly test: string;
  /** The processor time that it took while it was counted. */
  readonly ms: number;
  /** The time that passed meanwhile, with what other processes needed. */
  readonly wallMs: number;
  readonly hasFailed: boolean;
  /** The places that its tests ran. */
  readonly ran: Readonly<Record<string, Spans>>;
  /** What ran while the file and its modules were loaded. Modules are loaded once in a process, for all its test files. */
  readonly loaded: Readonly<Record<string, Spans>>;
  /** The hash of each file at that time, the test included. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** A short name for a text. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** The name of the file for a test file's places. */
export const fileNameOf = (test: string): string => `${hashOf(test)}.json`;

/**
 * Whether the places of a test file are out of date: the test itself has changed since, or a file of the sample that it ran. A change of
 * other code hardly changes which tests reach the sample.
 */
export function isStale(
  places: RanPlaces,
  sampled: ReadonlySet<string>,
  hashOfFile: (file: string) => string,
): boolean {
  return Object.entries(places.hashes).some(
    ([file, hash]) => (file === places.test || sampled.has(file)) && hashOfFile(file) !== hash,
  );
}
