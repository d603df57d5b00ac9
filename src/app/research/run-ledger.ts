/**
 * The ledger of backtests: which markets were tried, and how often. Who tries often enough finds a strategy that looks good on the past;
 * the number of tries tells how much that means.
 *
 * A try counts for every data set that shares a market with its own. So a renamed or copied file, a file that lacks a line or an event,
 * and another folder are the same data. For each set of markets the folder holds `NAME.markets`, with the markets, and `NAME.jsonl`, with
 * a line for each run. `splits.jsonl` holds what is set aside.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { foreignJson } from '../../lib/foreign-text.ts';
import type { EventTape } from '../../research/tape.ts';

/** Data, strategy, parameters and conditions: a run that differs in one of them is another run. Plain data. */
export type RunIdentity = Readonly<Record<string, unknown>>;

export interface LedgerEntry {
  readonly run: string;
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  readonly identity: RunIdentity;
}

/** The entries of the ledger on some markets. */
export interface Tries {
  /** Different runs that tried any of them. */
  readonly runs: number;
  /** The first of them, wall-clock milliseconds. */
  readonly firstMs: number;
}

/** Whole match days that backtests leave out until they are asked for. */
export interface Split {
  readonly atMs: number;
  /** Markets that are set aside, and the others of the same data. */
  readonly aside: readonly string[];
  readonly kept: readonly string[];
}

const SPLITS = 'splits.jsonl';
const MARKETS = '.markets';

/** `$XDG_STATE_HOME/touchline/backtests`, by default below `~/.local/state`. */
export function usualLedgerFolder(): string {
  const state = process.env['XDG_STATE_HOME'] ?? '';
  return join(state === '' ? join(homedir(), '.local', 'state') : state, 'touchline', 'backtests');
}

/** Names for the markets of a tape, which every copy of them has. An exchange's own markets are known by their event. */
export const marketNames = ({ event, markets }: Pick<EventTape, 'event' | 'markets'>): readonly string[] =>
  markets.map(({ marketId, marketType }) =>
    marketId === marketType ? `${event.sport}|${event.eventId}|${marketId}` : marketId,
  );

/** A name for the run: the same identity has the same name. */
export function runName(identity: RunIdentity): string {
  return createHash('sha256').update(canonical(identity)).digest('hex');
}

/** Enters a run over markets, and returns all tries of them, this one included. Throws if the folder cannot be used. */
export function enterRun(
  folder: string,
  markets: readonly string[],
  identity: RunIdentity,
  atMs: number,
): Tries {
  const all = [...new Set(markets)].sort();
  const name = createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 32);
  const run = runName(identity);
  const file = join(folder, `${name}.jsonl`);
  if (!entriesOf(textOf(file)).some((entry) => entry.run === run)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(join(folder, name + MARKETS), all.join('\n'));
    append(file, { run, atMs, identity });
  }
  return triesOf(folder, all);
}

/** All tries of any of the markets. */
function triesOf(folder: string, markets: readonly string[]): Tries {
  const wanted = new Set(markets);
  const runs = new Set<string>();
  let firstMs = Infinity;
  for (const name of namesIn(folder)) {
    if (!name.endsWith(MARKETS)) continue;
    if (!linesOf(textOf(join(folder, name))).some((market) => wanted.has(market))) continue;
    const entries = entriesOf(textOf(join(folder, `${name.slice(0, -MARKETS.length)}.jsonl`)));
    for (const { run, atMs } of entries) {
      runs.add(run);
      firstMs = Math.min(firstMs, atMs);
    }
  }
  return { runs: runs.size, firstMs };
}

/** Everything that was ever set aside. */
export const splitsIn = (folder: string): readonly Split[] =>
  linesOf(textOf(join(folder, SPLITS))).flatMap((line) => {
    const split = readOrNull<Split>(line);
    return split !== null && Array.isArray(split.aside) && Array.isArray(split.kept) ? [split] : [];
  });

/** Sets markets aside for good. */
export function enterSplit(folder: string, split: Split): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  append(join(folder, SPLITS), split);
}

/** The readable lines: a crash may have cut one. */
export const entriesOf = (text: string): LedgerEntry[] =>
  linesOf(text).flatMap((line) => {
    const entry = readOrNull<LedgerEntry>(line);
    return typeof entry?.run === 'string' && typeof entry.atMs === 'number' ? [entry] : [];
  });

function readOrNull<T>(line: string): T | null {
  try {
    return foreignJson(line) as T | null;
  } catch {
    return null;
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** A line that a crash has cut must not swallow this one. */
function append(file: string, line: object): void {
  const text = textOf(file);
  const before = text === '' || text.endsWith('\n') ? '' : '\n';
  appendFileSync(file, `${before}${JSON.stringify(line)}\n`, { mode: 0o600 });
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const namesIn = (folder: string): readonly string[] => orIfAbsent(() => readdirSync(folder), []);

const textOf = (file: string): string => orIfAbsent(() => readFileSync(file, 'utf8'), '');

function orIfAbsent<T>(read: () => T, absent: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
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
