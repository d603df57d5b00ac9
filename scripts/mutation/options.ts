import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** The options name what the command judges, and for how long. */
export interface MutationOptions {
  readonly sample: number;
  readonly seed: number;
  /** Paths of files begin with one of these. */
  readonly folders: readonly string[];
  readonly minutes: number;
  readonly jobs: number;
}

/** Wrong use of the command line, described in one line. */
export class UsageError extends Error {}

/** How the command is used. */
export const USAGE = `usage: npm run mutation -- [options]
  --sample N       how many mutants to judge (default: 200)
  --seed N         draws the mutants (default: 1)
  --folders A,B    only mutants of these folders, as src/orders (default: src,strategies)
  --minutes N      stop after so many minutes of tests (default: 30)
  --jobs N         how many mutants to judge at once (default: 2)`;

const OPTIONS = {
  sample: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  folders: { type: 'string', default: 'src,strategies' },
  minutes: { type: 'string', default: '30' },
  jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
} as const;

/** Reads the command line. Throws UsageError that names the wrong option. */
export function mutationOptions(args: readonly string[]): MutationOptions {
  const given = parsed(args);
  const folders = given.folders.split(',').map((folder) => folder.trim().replace(/\/*$/, ''));
  for (const folder of folders)
    if (!/^(?:src|strategies)(?:\/|$)/.test(folder))
      throw new UsageError(`--folders: ${folder || 'nothing'} is not in src or strategies`);
  return {
    folders: folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder}/`)),
    sample: whole(given, 'sample', 1),
    seed: whole(given, 'seed', 0),
    minutes: whole(given, 'minutes', 1),
    jobs: whole(given, 'jobs', 1),
  };
}

type Given = Readonly<Record<keyof typeof OPTIONS, string>>;

function parsed(args: readonly string[]): Given {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function whole(given: Given, name: keyof Given, least: number): number {
  const value = Number(given[name]);
  if (!Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${name}: ${given[name]} is not a whole number of at least ${least}`);
  return value;
}
