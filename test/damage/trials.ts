import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { smallFile } from '../../src/app/adapters/small-file.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { verifyJournal } from '../../src/app/journal/journal-tools.ts';
import { ConfigError, JournalError } from '../../src/domain/errors.ts';
import { Permit } from '../../src/engine/kill/permit.ts';
import { type Random, seededRandom } from '../../src/lib/random.ts';
import { DamagePlace, startDaemon } from './daemon.ts';
import { damage, type Way, WAYS } from './damage.ts';
import { type Verdict, verdictOn } from './reader.ts';
import {
  copyFiles,
  filesIn,
  makeSpecimens,
  pathIn,
  type Specimen,
  specimenIn,
  type Target,
} from './specimen.ts';

/** A daemon that may trade does so within five seconds. */
export const WATCH_MS = 20_000;

/** The files that were left, and the rules for a start on them once one file is damaged. */
export interface Case {
  readonly name: string;
  readonly specimen: Specimen;
  readonly targets: readonly Target[];
  /** Whether a start places orders: never, always, or no rule. */
  readonly trades: (target: Target) => boolean | null;
}

/** The verdict of `journal verify`. */
export type Word = 'whole' | 'index' | 'damaged' | 'unreadable';

export interface Trial {
  readonly case: string;
  readonly target: Target;
  readonly way: Way;
  readonly done: string;
  /** The number of orders that a start has placed; null when no start was tried. */
  readonly orders: number | null;
  readonly reader: Verdict;
  readonly verify: Word;
  /** The broken rule; null for none. */
  readonly miss: string | null;
}

const EVERY: readonly Target[] = ['journal', 'log', 'shm', 'mark', 'permit'];

/** Damage outside of records is no reason to stop. */
const isHarmless = (target: Target): boolean => target === 'shm' || target === 'mark';

export async function makeCases(folder: string, seed: number): Promise<readonly Case[]> {
  const { traded, killed } = await makeSpecimens(folder, seed);
  const permitted = join(folder, 'permitted');
  copyFiles(killed.folder, permitted);
  new Permit(smallFile(`${pathIn(permitted)}.permit`)).grant();
  const journalAlone = specimenIn(permitted, true, killed.wallMs);
  const never = (): boolean => false;
  return [
    { name: 'killed', specimen: killed, targets: EVERY, trades: never },
    {
      name: 'killed, permit granted',
      specimen: journalAlone,
      targets: EVERY.filter((target) => target !== 'permit'),
      trades: never,
    },
    {
      name: 'not killed',
      specimen: traded,
      targets: EVERY,
      trades: (target) => (isHarmless(target) ? true : null),
    },
  ];
}

/** Starts with undamaged files. Returns the number of placed orders. */
export async function control(folder: string, { specimen }: Case): Promise<number> {
  const copy = join(folder, 'control');
  copyFiles(specimen.folder, copy);
  const orders = await ordersPlaced(copy, specimen, 1);
  rmSync(copy, { recursive: true });
  return orders;
}

/** Damages each file in each way, `each` times, and yields each result. */
export async function* trialsOf(
  folder: string,
  given: Case,
  each: number,
  seed: number,
): AsyncGenerator<Trial> {
  for (const target of given.targets)
    for (const way of WAYS) {
      const random = seededRandom(seed, `${given.name} ${target} ${way}`);
      for (let at = 0; at < each; at++) yield await trial(folder, given, { target, way, random, number: at });
    }
}

interface Wanted {
  readonly target: Target;
  readonly way: Way;
  readonly random: Random;
  readonly number: number;
}

async function trial(folder: string, given: Case, { target, way, random, number }: Wanted): Promise<Trial> {
  const { specimen } = given;
  const [damaged, started] = [join(folder, 'damaged'), join(folder, 'started')];
  copyFiles(specimen.folder, damaged);
  const done = damage(damaged, target, way, random);
  copyFiles(damaged, started);
  const reader = verdictOn(specimen.contents, specimen.markedSeq, filesIn(damaged), target !== 'mark');
  const verify = verifyWord(damaged);
  const mayTrade = given.trades(target);
  const orders = mayTrade === null ? null : await ordersPlaced(started, specimen, number);
  for (const each of [damaged, started]) rmSync(each, { recursive: true });
  const miss = missOf({ orders, mayTrade, reader, verify });
  return { case: given.name, target, way, done, orders, reader, verify, miss };
}

function verifyWord(folder: string): Word {
  try {
    const { damage: found, index } = verifyJournal(pathIn(folder), new VirtualClock());
    if (found !== null) return 'damaged';
    return index === null ? 'whole' : 'index';
  } catch (error) {
    if (error instanceof JournalError || error instanceof ConfigError) return 'unreadable';
    throw error;
  }
}

/** A refused start places none. */
async function ordersPlaced(folder: string, { wallMs }: Specimen, seed: number): Promise<number> {
  const place = new DamagePlace(seed + 1, wallMs);
  try {
    const run = await startDaemon(place, pathIn(folder));
    await place.clock.advance(WATCH_MS);
    await run.end();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  place.close();
  return place.orders().length;
}

/** The verdicts that `verify` may give for a finding of the independent reader. */
const AGREES: Readonly<Record<Verdict, readonly Word[]>> = {
  whole: ['whole'],
  index: ['index', 'whole'],
  damaged: ['damaged', 'unreadable'],
  unsound: ['whole', 'index', 'damaged', 'unreadable'],
};

interface Seen extends Pick<Trial, 'orders' | 'reader' | 'verify'> {
  readonly mayTrade: boolean | null;
}

function missOf({ orders, mayTrade, reader, verify }: Seen): string | null {
  if (mayTrade === false && orders !== 0) return `${orders} orders were placed`;
  if (mayTrade === true && orders === 0) return 'no order was placed';
  return AGREES[reader].includes(verify) ? null : `verify says ${verify}, and the reader finds it ${reader}`;
}
