import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { PRICE_CONVENTIONS } from '../src/domain/odds.ts';
import { ARENAS } from '../test/sim/arenas.ts';
import type { SimPlan } from '../test/sim/plan.ts';

const USAGE_ERROR = 2;

const USAGE = `usage: npm run simulate -- [options]
  --seeds N [--from N] [--jobs N] [--progress FILE]   run a campaign
  --seed N                                            run one day again and print its log
  --plan FILE                                         run a plan again and print its log
  --crash-points [--only PATTERN] [--jobs N]          kill the daemon at every crossing
  --minutes N | --hours N                             length of each day
  --arena NAME                                        run all days in one arena
  --against-prices odds|lay                           what the exchange's \`against\` prices are (default: lay)
  --awake                                             leave out days on which hardly any price moves
  --without NAME,NAME                                 leave these fields of records out of the journal's hash;
                                                      kind:NAME leaves out all records of a kind`;

/** Wrong use of the command line, described in one line. */
export class UsageError extends Error {}

/** Reads the command line. Wrong use prints one line and ends the process with exit code 2. */
export function optionsOrExit(args: readonly string[]): ReturnType<typeof simulateOptions> {
  try {
    const options = simulateOptions(args);
    if (!options.help) return options;
    console.log(USAGE);
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return process.exit(USAGE_ERROR);
  }
}

const OPTIONS = {
  seeds: { type: 'string', default: '20' },
  from: { type: 'string', default: '1' },
  seed: { type: 'string' },
  plan: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  hours: { type: 'string' },
  'crash-points': { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  arena: { type: 'string' },
  'against-prices': { type: 'string' },
  awake: { type: 'boolean', default: false },
  progress: { type: 'string' },
  without: { type: 'string', default: '' },
  jobs: { type: 'string', default: '1' },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line. Throws UsageError that names the wrong option. */
export function simulateOptions(args: readonly string[]) {
  const given = parsed(args);
  const modes = [given.seed, given.plan, given['crash-points'] || undefined];
  if (modes.filter((mode) => mode !== undefined).length > 1)
    throw new UsageError('use only one of --seed, --plan and --crash-points');
  if (given.arena !== undefined && !ARENAS.has(given.arena))
    throw new UsageError(
      `--arena: there is no arena ${given.arena}; choose from ${[...ARENAS.keys()].join(', ')}`,
    );
  const againstPrices = PRICE_CONVENTIONS.find((each) => each === given['against-prices']);
  if (given['against-prices'] !== undefined && againstPrices === undefined)
    throw new UsageError(`--against-prices: choose from ${PRICE_CONVENTIONS.join(', ')}`);
  const { minutes, hours, seed, plan } = given;
  return {
    ...given,
    againstPrices,
    seeds: whole('seeds', given.seeds, 1),
    from: whole('from', given.from, 0),
    jobs: whole('jobs', given.jobs, 1),
    without: given.without.split(',').filter((name) => name !== ''),
    seed: seed === undefined ? null : whole('seed', seed, 0),
    plan: plan === undefined ? null : planIn(plan),
    activeS: hours === undefined ? positive('minutes', minutes) * 60 : positive('hours', hours) * 3600,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n', 1)[0]);
  }
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${name}: ${text} is not a whole number of ${least} or more`);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--${name}: ${text} is not a number above 0`);
}

/** Fields that every plan has. */
const PARTS = ['seed', 'activeS', 'world', 'daemon', 'acts', 'faults'] as const;

function planIn(file: string): SimPlan {
  let plan: unknown;
  try {
    plan = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--plan: ${(error as Error).message}`);
  }
  const isPart = (part: string): boolean => typeof plan === 'object' && plan !== null && part in plan;
  const missing = PARTS.filter((part) => !isPart(part));
  if (missing.length > 0)
    throw new UsageError(`--plan: ${file} is not a plan: it has no ${missing.join(', ')}`);
  return plan as SimPlan;
}

/** The first free file name of this stem and ending. */
export function freeName(stem: string, ending: string): string {
  for (let at = 1; ; at++) {
    const name = at === 1 ? `${stem}${ending}` : `${stem}-${at}${ending}`;
    if (!existsSync(name)) return name;
  }
}
