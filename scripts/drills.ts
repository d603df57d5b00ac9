/**
 * `npm run drills`: tests the emergency stops of a real daemon on a simulated exchange, over sockets, and measures them by
 * the exchange's own record of its orders:
 *
 * - kill: time from the command to the last order created, and to the last order closed, with many orders open;
 * - goal: time from a goal until the last order quoted on the old score is closed, and the stake filled meanwhile.
 *
 * Usage: node scripts/drills.ts [--rounds 5] [--orders 50]
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { notedTokens } from '../src/app/admin/rendezvous.ts';
import { strongestToken } from '../src/app/admin/tokens.ts';

interface EventName {
  readonly sport: string;
  readonly event_id: string;
}

interface ExchangeEvent extends EventName {
  readonly ir_status: string;
}

interface ExchangeOrder extends EventName {
  readonly closed: boolean;
  readonly created: string;
  readonly closed_at: string | null;
  readonly fills: readonly { readonly at: string; readonly stake: number }[];
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, orders: { type: 'string', default: '50' } },
});
const ROUNDS = Number(values.rounds);
const WANTED_ORDERS = Number(values.orders);
const TIMEOUT_MS = 120_000;
const KEY = 'drill-key';

/** Starts a command of Touchline and returns the first match of a pattern in its output. */
async function launch(args: readonly string[], pattern: RegExp): Promise<[ChildProcess, string]> {
  const env = { ...process.env, TOUCHLINE_API_KEY: KEY };
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      written += chunk.toString();
      const found = pattern.exec(written);
      if (found !== null) resolve([child, found[1] ?? found[0]]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(`${args[0]} ended too early:\n${written.slice(-2_000)}`)));
  });
}

async function json<T>(url: string, body?: object, token?: string): Promise<T> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const settingsOf = (
  rest: string,
  stream: string,
  maxEvents: number,
  maxSelections: number,
  plugin: string,
): string => `
[exchange]
restUrl = "${rest}"
streamUrl = "${stream}"
[ops]
port = 0
[admin]
port = 0
[orders]
durationS = 300
openBetslips = 400
[universe]
sports = ["fb"]
maxEvents = ${maxEvents}
maxSelections = ${maxSelections}
inPlay = true
[risk.inPlay]
allowed = true
[strategy]
name = "${plugin}"
`;

/** Quotes that rest far from the market on both sides and rarely move: many stay open on a small budget. */
const RESTING = `
import { bestLevel, defineStrategy, floorTick, z } from '${join(import.meta.dirname, '../src/strategy/sdk.ts')}';

export default defineStrategy({
  name: 'resting',
  description: 'far from the market on both sides',
  parameters: z.object({}),
  quote: ({ selections }) =>
    selections.flatMap(({ selectionId, market }) =>
      ['for', 'against'].flatMap((direction) => {
        const best = market.for && market.against ? bestLevel('for', market.for.priceList) : undefined;
        const tick = best === undefined ? null : floorTick(best.price);
        if (tick === null) return [];
        // Small moves of the market leave the quote where it is.
        const far = Math.round(tick / 20) * 20 + (direction === 'for' ? 30 : -30);
        return [0, 1]
          .map((level) => ({ selectionId, direction, level, tick: far + (direction === 'for' ? level : -level), stakeMicros: 5_000_000 }))
          .filter((quote) => quote.tick > 0 && quote.tick < 349);
      }),
    ),
});
`;

class Rig {
  readonly #control: string;
  readonly #admin: string;
  readonly #children: readonly ChildProcess[];

  private constructor(control: string, admin: string, children: readonly ChildProcess[]) {
    this.#control = control;
    this.#admin = admin;
    this.#children = children;
  }

  static async start(
    speed: number,
    maxEvents: number,
    maxSelections: number,
    strategy: string | null,
  ): Promise<Rig> {
    const [exchange, line] = await launch(
      ['sim', '--key', KEY, '--open-betslips', '400', '--registered-events', '200', '--speed', `${speed}`],
      /^(\{.*\})$/m,
    );
    const { rest, stream, control } = JSON.parse(line) as Record<'rest' | 'stream' | 'control', string>;
    const folder = mkdtempSync(join(tmpdir(), 'touchline-drill-'));
    const config = join(folder, 'drill.toml');
    const plugin = join(folder, 'resting.ts');
    if (strategy === null) writeFileSync(plugin, RESTING);
    writeFileSync(config, settingsOf(rest, stream, maxEvents, maxSelections, strategy ?? plugin));
    const [daemon, admin] = await launch(
      ['run', '--json', '--config', config],
      /"url":"(http:[^"]+)","msg":"the admin interface is served"/,
    );
    return new Rig(control, admin, [exchange, daemon]);
  }

  async orders(): Promise<readonly ExchangeOrder[]> {
    return (await json<{ data: readonly ExchangeOrder[] }>(new URL('orders', this.#control).href)).data;
  }

  async events(): Promise<readonly ExchangeEvent[]> {
    return (await json<{ data: readonly ExchangeEvent[] }>(new URL('events', this.#control).href)).data;
  }

  async command(name: 'kill' | 'resume'): Promise<void> {
    const tokens = notedTokens(Number(new URL(this.#admin).port));
    const token = tokens === null ? null : strongestToken(tokens);
    await json(`${this.#admin}/${name}`, { reason: 'drill', by: 'drill' }, token ?? '');
  }

  async goal({ sport, event_id }: EventName): Promise<void> {
    await json(new URL('goal', this.#control).href, { sport, event_id, side: 'home' });
  }

  async until(
    what: string,
    isSo: (orders: readonly ExchangeOrder[]) => boolean,
  ): Promise<readonly ExchangeOrder[]> {
    const untilMs = Date.now() + TIMEOUT_MS;
    for (;;) {
      const orders = await this.orders();
      if (isSo(orders)) return orders;
      if (Date.now() > untilMs)
        throw new Error(`timed out waiting for ${what}; open orders: ${openOf(orders).length}`);
      await pause(20);
    }
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

const isSameEvent = (one: EventName, other: EventName): boolean =>
  one.sport === other.sport && one.event_id === other.event_id;
const openOf = (orders: readonly ExchangeOrder[]): readonly ExchangeOrder[] =>
  orders.filter(({ closed }) => !closed);
const lastOf = (instants: readonly (string | null)[]): number =>
  Math.max(0, ...instants.map((instant) => (instant === null ? 0 : Date.parse(instant))));

async function killDrill(rig: Rig): Promise<string> {
  const before = await rig.until('enough open orders', (orders) => openOf(orders).length >= WANTED_ORDERS);
  const open = openOf(before).length;
  const startMs = Date.now();
  await rig.command('kill');
  await rig.until('all orders closed', (orders) => openOf(orders).length === 0);
  await pause(3_000);
  const after = (await rig.orders()).filter((order) => lastOf([order.created, order.closed_at]) >= startMs);
  const created = lastOf(after.map(({ created: instant }) => instant));
  const closed = lastOf(after.map(({ closed_at }) => closed_at));
  await rig.command('resume');
  const lastCreate =
    created < startMs ? 'none created afterwards' : `last created after ${created - startMs} ms`;
  return `kill: ${open} open, ${lastCreate}, last closed after ${closed - startMs} ms`;
}

/** An event in play on which orders of ours are open. */
async function playedEvent(rig: Rig): Promise<EventName> {
  const untilMs = Date.now() + TIMEOUT_MS;
  while (Date.now() < untilMs) {
    const playing = (await rig.events()).filter(({ ir_status }) => ir_status === 'in_running');
    const quoted = openOf(await rig.orders());
    const found = playing.find((event) => quoted.some((order) => isSameEvent(order, event)));
    if (found !== undefined) return found;
    await pause(100);
  }
  throw new Error(`no event in play was quoted within ${TIMEOUT_MS / 1000} s`);
}

async function goalDrill(rig: Rig): Promise<string> {
  const event = await playedEvent(rig);
  const isOld = (order: ExchangeOrder): boolean =>
    isSameEvent(order, event) && Date.parse(order.created) < startMs;
  const startMs = Date.now();
  await rig.goal(event);
  const after = await rig.until('old orders closed', (orders) => openOf(orders.filter(isOld)).length === 0);
  const old = after.filter(isOld).filter(({ closed_at }) => lastOf([closed_at]) >= startMs);
  const closed = lastOf(old.map(({ closed_at }) => closed_at));
  const stale = old.flatMap(({ fills }) => fills).filter(({ at }) => Date.parse(at) >= startMs);
  const stake = stale.reduce((total, fill) => total + fill.stake, 0);
  return `goal: ${old.length} orders on the old score, last closed after ${closed - startMs} ms, ${stake} USDT filled meanwhile`;
}

/** A day's betslips suffice for no more rounds: each round needs new ones. */
const ROUNDS_PER_RIG = 5;

/** Runs a drill `ROUNDS` times, with a new rig every `ROUNDS_PER_RIG`. */
async function repeat(
  start: () => Promise<Rig>,
  drill: (rig: Rig) => Promise<string>,
  pauseMs: number,
): Promise<void> {
  for (let left = ROUNDS; left > 0; left -= ROUNDS_PER_RIG) {
    const rig = await start();
    try {
      for (let round = 0; round < Math.min(left, ROUNDS_PER_RIG); round++) {
        console.log(await drill(rig));
        await pause(pauseMs);
      }
    } finally {
      rig.stop();
    }
  }
}

// The market is quiet, so that the order budget suffices for many open orders at once.
await repeat(() => Rig.start(1, 20, 30, null), killDrill, 0);
// The market is fast, so that matches are in play.
await repeat(() => Rig.start(10, 1, 6, 'symmetric'), goalDrill, 15_000);
