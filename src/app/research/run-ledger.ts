/**
 * The ledger of backtests: one file for each data set, one line for each run. Who tries often enough finds a strategy that looks good
 * on the past; the number of tries tells how much that means.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { foreignJson } from '../../lib/foreign-text.ts';
import process from 'node:process';

/** Data, strategy, parameters and conditions: a run that differs in one of them is another run. Plain data. */
export type RunIdentity = Readonly<Record<string, unknown>>;

export interface LedgerEntry {
  readonly run: string;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  readonly identity: RunIdentity;
}

/** `$XDG_STATE_HOME/touchline/backtests`, by default below `~/.local/state`. */
export function usualLedgerFolder(): string {
  const state = process.env['XDG_STATE_HOME'] ?? '';
  return join(state === '' ? join(homedir(), '.local', 'state') : state, 'touchline', 'backtests');
}

/** A name for the run: the same identity has the same name. */
export function runName(identity: RunIdentity): string {
  return createHash('sha256').update(canonical(identity)).digest('hex');
}

/** Enters a run. Returns how many different runs the data set has seen, this one included. Throws if the folder cannot be used. */
export function enterRun(folder: string, dataHash: string, identity: RunIdentity, atMs: number): number {
  const file = join(folder, `${dataHash}.jsonl`);
  const run = runName(identity);
  const runs = new Set(entriesOf(textOf(file)).map((entry) => entry.run));
  if (!runs.has(run)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A line that a crash has cut must not swallow this one.
    appendFileSync(file, `${needsNewline(textOf(file))}${JSON.stringify({ run, atMs, identity })}\n`, {
      mode: 0o600,
    });
    runs.add(run);
  }
  return runs.size;
}

/** The readable lines: a crash may have cut one. */
export function entriesOf(text: string): LedgerEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry = foreignJson(line) as LedgerEntry | null;
      return typeof entry?.run === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

const needsNewline = (text: string): string => (text === '' || text.endsWith('\n') ? '' : '\n');

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** JSON with the members of every object in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
