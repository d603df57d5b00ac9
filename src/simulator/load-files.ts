/** Files that describe a simulated exchange. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { foreignJson } from '../lib/foreign-text.ts';
import { ConfigError } from '../domain/errors.ts';
import { toMicros } from '../domain/money.ts';
import type { AccountSpec } from './core/settings.ts';
import { type Fault, faultsSchema } from './faults/schema.ts';

/** Loads a list of faults: `[{"at", "target", "fault", …}]`. Throws ConfigError that names the file and the problem. */
export function loadFaults(path: string): readonly Fault[] {
  return loadJson(path, 'fault', faultsSchema);
}

const account = z.strictObject({
  account_id: z.string().min(1),
  keys: z.array(z.string().min(1)).min(1),
  /** Keys that may read but not act. */
  read_only_keys: z.array(z.string().min(1)).default([]),
  /** USDT. */
  balance: z.number().min(0).max(1e9),
  /** Sports that the account may bet on; all when absent. */
  sports: z.array(z.string()).optional(),
  /** False for an account that market data does not know. */
  known_to_feed: z.boolean().default(true),
});

const accounts = z
  .array(account)
  .min(1)
  .refine((list) => allDifferent(list.map((one) => one.account_id)), 'an account_id occurs twice')
  .refine(
    (list) => allDifferent(list.flatMap((one) => [...one.keys, ...one.read_only_keys])),
    'a key occurs twice',
  );

/** Loads the exchange's accounts: `[{"account_id", "keys", "balance", …}]`. Throws ConfigError as `loadFaults` does. */
export function loadAccounts(path: string): readonly AccountSpec[] {
  return loadJson(path, 'account', accounts).map((one) => ({
    accountId: one.account_id,
    keys: one.keys,
    readOnlyKeys: one.read_only_keys,
    balanceMicros: toMicros(one.balance),
    knownToFeed: one.known_to_feed,
    ...(one.sports === undefined ? {} : { sports: one.sports }),
  }));
}

const allDifferent = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** `what` is what an entry of the list describes. */
function loadJson<T>(path: string, what: string, schema: z.ZodType<T>): T {
  const content = readJson(path);
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const missing = issue === undefined ? null : missingIn(content, issue.path);
  if (missing !== null)
    throw new ConfigError(`${path}: ${missing.name} is missing in ${what} ${missing.entry}`, { path });
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new ConfigError(`${path}${where}: ${issue?.message ?? 'not as expected'}`, { path });
}

/** The name that an entry of a list lacks, and the entry, counted from 1; null if the path leads elsewhere. */
function missingIn(list: unknown, path: readonly PropertyKey[]): { name: string; entry: number } | null {
  const [index, name, ...deeper] = path;
  if (!Array.isArray(list) || typeof index !== 'number' || typeof name !== 'string') return null;
  const entry: unknown = list[index];
  if (deeper.length > 0 || typeof entry !== 'object' || entry === null || name in entry) return null;
  return { name, entry: index + 1 };
}

function readJson(path: string): unknown {
  try {
    return foreignJson(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    // The parser's message may quote further lines of the file.
    const [firstLine] = (error as Error).message.split('\n');
    throw new ConfigError(`${path}: cannot be read as JSON: ${firstLine ?? ''}`, { path });
  }
}
