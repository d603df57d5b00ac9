/** Both worlds in processes of their own, over sockets, in hurried time. It needs a machine with time to spare. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openForCommand } from '../../src/app/journal/open-journal.ts';
import { paperFillsIn } from '../../src/app/paper/paper-fills.ts';
import type { FillCause } from '../../src/domain/fill-cause.ts';
import type { SimulatedFill } from '../../src/domain/simulated-fill.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { type Addresses, hurried, startDaemon } from './daemon.ts';
import { WARM_UP_MS, type WorldFill, type WorldFills, type WorldsOptions, worldFills } from './fills.ts';
import type { ToldQuote, WorldChoice } from './world.ts';

const KEYS = { live: 'live-key', paper: 'paper-world-key' };

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => void child.kill('SIGKILL')));

/** Throws if a daemon ends before its time. */
export async function runProcesses(
  { hours, seed, recorded, convention, halfSpread, folder }: WorldsOptions,
  speed: number,
): Promise<WorldFills> {
  mkdirSync(folder, { recursive: true });
  const quotesFile = join(folder, 'quotes.jsonl');
  writeFileSync(quotesFile, '');
  const baseMs = Date.now();
  const environment = { WORLDS_SPEED: String(speed), WORLDS_BASE_MS: String(baseMs) };
  const open = (key: string, writes: boolean): Promise<Addresses> =>
    exchangeOf(
      { key, seed, startMs: baseMs, recorded, convention, halfSpread },
      writes ? [quotesFile] : [],
      environment,
    );
  const [live, paper] = await Promise.all([open(KEYS.live, false), open(KEYS.paper, true)]);
  const common = { quotesFile, folder, convention };
  const traders = [
    startDaemon({ ...common, name: 'live', mode: 'simulated', key: KEYS.live, addresses: live }, environment),
    startDaemon({ ...common, name: 'paper', mode: 'paper', key: KEYS.paper, addresses: paper }, environment),
  ] as const;
  for (const { child } of traders) children.add(child);
  const early = Promise.race(traders.map(({ child }) => endOf(child)));
  const endMs = baseMs + hours * HOUR_MS;
  const lasts = sleep((hours * HOUR_MS) / speed);
  const ended = await Promise.race([early, lasts]);
  if (typeof ended === 'string') throw new Error(`a daemon ended early, ${ended}: see the logs in ${folder}`);
  const orders = await ordersOf(live);
  for (const { child } of traders) child.kill('SIGTERM');
  await Promise.all(traders.map(({ child }) => endOf(child)));
  return worldFills({
    live: liveFills(orders),
    paper: paperFillsOf(traders[1].journal),
    quotes: quotesIn(readFileSync(quotesFile, 'utf8')),
    trades: [],
    convention,
    fromMs: baseMs + WARM_UP_MS,
    untilMs: endMs,
  });
}

async function exchangeOf(
  choice: WorldChoice,
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Addresses> {
  const child = hurried(['scripts/worlds/exchange.ts', JSON.stringify(choice), ...files], environment);
  children.add(child);
  child.stderr?.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))) as Addresses);
    });
    child.once('exit', () => reject(new Error('an exchange ended before it served')));
  });
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve(`with ${child.exitCode}`);
    child.once('exit', (code, signal) => resolve(`with ${code ?? signal ?? 'nothing'}`));
  });

const quotesIn = (text: string): readonly ToldQuote[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as readonly ToldQuote[])));

interface ShownOrder {
  readonly sport: string;
  readonly event_id: string;
  readonly bet_type: string;
  readonly fills: readonly {
    readonly price: number;
    readonly stake: number;
    readonly at: string;
    readonly cause: FillCause;
  }[];
}

async function ordersOf({ control }: Addresses): Promise<readonly ShownOrder[]> {
  const answer = await fetch(new URL('orders', control));
  return ((await answer.json()) as { readonly data: readonly ShownOrder[] }).data;
}

const liveFills = (orders: readonly ShownOrder[]): readonly WorldFill[] =>
  orders.flatMap(({ sport, event_id: eventId, bet_type: betType, fills }) =>
    fills.map(({ price, stake, at, cause }) => ({
      event: `${sport}|${eventId}`,
      betType,
      price,
      stake,
      cause,
      atMs: Date.parse(at),
    })),
  );

function paperFillsOf(path: string): readonly SimulatedFill[] {
  const held = openForCommand(path, systemClock);
  try {
    return paperFillsIn(held.journal);
  } finally {
    held.release();
  }
}
