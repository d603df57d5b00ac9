/**
 * `npm run soak`: what grows while a daemon trades? Two parts, each of which can run alone and be shortened:
 *
 *     npm run soak -- sockets --minutes 5    a daemon and an exchange in processes of their own, under the load of a market day
 *     npm run soak -- days --days 2          a daemon on virtual time, with a journal on disk that retention shortens
 *
 * Slopes of memory, descriptors and journal after a warm-up must stay below bounds, and the exchange's balance must be
 * explained to the micro. Prints a line for each check and, last, one line of JSON with all figures. Exits 1 if a check
 * fails. A run of full length also fails if it leaves a check undecided.
 */
import process from 'node:process';
import { lineOf, passed } from './soak/checks.ts';
import { runDays } from './soak/days.ts';
import { judgeDays } from './soak/days-checks.ts';
import {
  FULL_DAYS,
  FULL_MINUTES,
  type Part,
  type SoakOptions,
  soakOptions,
  USAGE,
  UsageError,
} from './soak/options.ts';
import type { PartReport } from './soak/part-report.ts';
import { runSockets } from './soak/sockets.ts';
import { judgeSockets } from './soak/sockets-checks.ts';

const USAGE_ERROR = 2;

const progress = (what: string, sample: unknown): void => console.error(`${what}: ${JSON.stringify(sample)}`);

const RUN: Readonly<Record<Part, (options: SoakOptions) => Promise<PartReport>>> = {
  sockets: async ({ minutes, seed }) => {
    const { samples, end } = await runSockets(minutes, seed, progress);
    return judgeSockets(samples, end);
  },
  days: async ({ days, seed }) => {
    const { samples, end } = await runDays(days, seed, progress);
    return judgeDays(samples, end);
  },
};

async function soak(options: SoakOptions): Promise<boolean> {
  const isFull: Readonly<Record<Part, boolean>> = {
    sockets: options.minutes >= FULL_MINUTES,
    days: options.days >= FULL_DAYS,
  };
  const parts: Partial<Record<Part, PartReport & { readonly ok: boolean }>> = {};
  for (const part of options.parts) {
    const report = await RUN[part](options);
    for (const check of report.checks) console.log(`${part.padEnd(8)} ${lineOf(check)}`);
    parts[part] = { ok: passed(report.checks, isFull[part]), ...report };
  }
  const ok = Object.values(parts).every((report) => report.ok);
  console.log(JSON.stringify({ ok, seed: options.seed, ...parts }));
  return ok;
}

function optionsOrExit(): SoakOptions {
  try {
    const options = soakOptions(process.argv.slice(2));
    if (!options.help) return options;
    console.log(USAGE);
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return process.exit(USAGE_ERROR);
  }
}

// An exit, other than a signal, removes files and ends the processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (!(await soak(optionsOrExit()))) process.exitCode = 1;
