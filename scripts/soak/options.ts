import { parseArgs } from 'node:util';

export const PARTS = ['sockets', 'days'] as const;
export type Part = (typeof PARTS)[number];

export const FULL_MINUTES = 30;
export const FULL_DAYS = 14;

export const USAGE = `usage: npm run soak -- [${PARTS.join(' | ')}] [--minutes N] [--days N] [--seed N]
  sockets         only a daemon and an exchange over sockets, for N minutes (default ${FULL_MINUTES})
  days            only N simulated days in one process (default ${FULL_DAYS})
  --seed N        draws the markets (default 1)`;

/** Wrong use of the command line, described in one line. */
export class UsageError extends Error {}

export interface SoakOptions {
  readonly parts: readonly Part[];
  readonly minutes: number;
  readonly days: number;
  readonly seed: number;
  readonly help: boolean;
}

/** Reads the command line. Throws UsageError that names what is wrong. */
export function soakOptions(args: readonly string[]): SoakOptions {
  const { values, positionals } = parsed(args);
  const unknown = positionals.find((name) => !isPart(name));
  if (unknown !== undefined)
    throw new UsageError(`there is no part ${unknown}; choose from ${PARTS.join(' and ')}`);
  return {
    parts: positionals.length === 0 ? PARTS : PARTS.filter((part) => positionals.includes(part)),
    minutes: positive('--minutes', values.minutes),
    days: positive('--days', values.days),
    seed: seedOf(values.seed),
    help: values.help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: { type: 'string', default: String(FULL_MINUTES) },
        days: { type: 'string', default: String(FULL_DAYS) },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const isPart = (name: string): boolean => (PARTS as readonly string[]).includes(name);

function positive(option: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`${option}: ${text} is not a number above 0`);
}

function seedOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--seed: ${text} is not a whole number from 0 to 999999999`);
}
