/**
 * `npm run bench:capacity`: how many selections can be quoted on both sides all day within the account's limits. Each row
 * is a day of virtual time on the simulated exchange, with the order manager and again with a naive bot. The bot creates
 * a new betslip whenever the last one expires.
 *
 * Usage: node scripts/capacity.ts [hours [cap [selections]]]      (default 24, and every pair of the table)
 */
import type { BetType, EventId, Sport } from '../src/domain/ids.ts';
import { toMicros } from '../src/domain/money.ts';
import { LADDER, tickOf } from '../src/domain/ladder.ts';
import type { QuoteIntent } from '../src/domain/quote-intent.ts';
import { DIRECTIONS, type Direction } from '../src/domain/selection.ts';
import { integerBetween, seededRandom } from '../src/lib/random.ts';
import { NaiveBot } from '../test/support/naive-bot.ts';
import { ACCOUNT, SimulatedRig } from '../test/support/simulated-rig.ts';

const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,2.5', 'ah,h,-4', 'ah,h,0', 'ah,h,4', 'odd', 'even'];
const SAMPLE_MS = 30_000;
const HOUR_MS = 3_600_000;
/** A selection's price moves this often on average. */
const MOVE_EVERY_MS = 600_000;
const LIFE_MS = 45_000;
const STAKE_MICROS = toMicros(10);

interface Row {
  readonly twoSided: number;
  readonly worst: number;
  readonly betslips: number;
  readonly orders: number;
  readonly throttled: number;
  /** Hours until the exchange refused a betslip for the day; null when it never did. */
  readonly exhaustedH: number | null;
}

interface Quoted {
  readonly outcome: string;
  readonly event: number;
  shift: number;
  bothMs: number;
}

interface World {
  readonly rig: SimulatedRig;
  readonly quoted: readonly Quoted[];
  readonly random: ReturnType<typeof seededRandom>;
}

/** The order manager or the bot, quoting for a day. */
interface Quoter {
  /** Asks for quotes at the present prices. */
  want(): void;
  stop(): void | Promise<void>;
  facts(): Pick<Row, 'betslips' | 'orders' | 'exhaustedH'>;
}

function worldOf(cap: number, selections: number): World {
  const events = Math.ceil(selections / OUTCOMES.length);
  const rig = new SimulatedRig({
    seed: 1,
    outcomes: OUTCOMES,
    events,
    settings: {
      openBetslipCap: cap,
      betslipLifetimeMs: LIFE_MS,
      quoteIntervalMs: 5_000,
      eventStakeLimitMicros: null,
      infoIntervalMs: 60_000,
      orderRetentionMs: 3_600_000,
    },
    options: { sweepMs: 1_000, durationS: 300, betslips: { openCap: cap + 5, lifeMs: LIFE_MS } },
  });
  const quoted = Array.from({ length: selections }, (_, at) => ({
    outcome: OUTCOMES[at % OUTCOMES.length] as string,
    event: Math.floor(at / OUTCOMES.length),
    shift: 0,
    bothMs: 0,
  }));
  return { rig, quoted, random: seededRandom(1, 'moves') };
}

const tickAt = (price: number, shift: number): number => (tickOf(price) as number) + shift;
const quoteTick = (direction: Direction, shift: number): number =>
  direction === 'for' ? tickAt(2.04, shift) : tickAt(1.96, shift);

/** Moves some prices, the same ones at the same time for both quoters. */
function move({ rig, quoted, random }: World): void {
  for (const each of quoted) {
    if (random.next() >= SAMPLE_MS / MOVE_EVERY_MS) continue;
    each.shift = integerBetween(random, -3, 3);
    const below = LADDER[tickAt(1.9, each.shift)];
    const above = LADDER[tickAt(2.1, each.shift)];
    rig.setMarket(each.outcome, below as number, above as number, each.event);
  }
}

function sample({ rig, quoted }: World): void {
  const open = new Set(rig.openOrders().map(({ eventId, betType }) => `${eventId} ${betType}`));
  for (const each of quoted) {
    const eventId = rig.events[each.event] as string;
    const both = DIRECTIONS.every((direction) => open.has(`${eventId} ${direction},${each.outcome}`));
    if (both) each.bothMs += SAMPLE_MS;
  }
}

function ours({ rig, quoted }: World): Quoter {
  const intentsOf = ({ outcome, event, shift }: Quoted): QuoteIntent[] =>
    DIRECTIONS.map((direction) => ({
      selectionId: rig.selection(outcome, event),
      direction,
      stakeMicros: STAKE_MICROS,
      level: 0,
      tick: quoteTick(direction, shift),
      valueMicrosPerS: 100 - event,
    }));
  const count = (wanted: string): number => rig.store.records.filter(({ kind }) => kind === wanted).length;
  rig.begin();
  return {
    want() {
      const byEvent = Map.groupBy(quoted, ({ event }) => event);
      for (const [event, each] of byEvent) rig.desire(each.flatMap(intentsOf), event);
      rig.changes.length = 0;
    },
    stop: () => rig.kill(),
    facts: () => ({
      betslips: count('betslip_requested'),
      orders: count('order_intended'),
      exhaustedH: null,
    }),
  };
}

function naive({ rig, quoted }: World): Quoter {
  const bot = new NaiveBot(rig, { lifeMs: LIFE_MS, stakeMicros: STAKE_MICROS });
  return {
    want() {
      for (const { outcome, event, shift } of quoted) {
        for (const direction of DIRECTIONS) {
          const eventId = rig.events[event] as EventId;
          const side = { sport: 'fb' as Sport, eventId, betType: `${direction},${outcome}` as BetType };
          bot.want(side, LADDER[quoteTick(direction, shift)] as number);
        }
      }
    },
    stop: () => bot.stop(),
    facts: () => ({
      ...bot.counts,
      exhaustedH: bot.exhaustedMs === null ? null : bot.exhaustedMs / HOUR_MS,
    }),
  };
}

async function day(
  cap: number,
  selections: number,
  hours: number,
  make: (world: World) => Quoter,
): Promise<Row> {
  const world = worldOf(cap, selections);
  const quoter = make(world);
  await world.rig.clock.advance(3_000);
  for (let atMs = 0; atMs < hours * HOUR_MS; atMs += SAMPLE_MS) {
    move(world);
    quoter.want();
    await world.rig.clock.advance(SAMPLE_MS);
    sample(world);
  }
  const throttled =
    world.rig.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT)?.throttledCount ?? 0;
  await quoter.stop();
  const ratios = world.quoted.map(({ bothMs }) => bothMs / (hours * HOUR_MS));
  const twoSided = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  return { twoSided, worst: Math.min(...ratios), throttled, ...quoter.facts() };
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;
const hoursOf = (exhaustedH: number | null): string =>
  exhaustedH === null ? 'never' : `${exhaustedH.toFixed(1)} h`;

const [hours = 24, onlyCap, onlySelections] = process.argv.slice(2).map(Number);
console.log(
  '| open cap | selections | two-sided | worst selection | betslips | orders | throttled | naive two-sided | naive worst | naive throttled | naive day over after |',
);
console.log(`|${' ---: |'.repeat(11)}`);
for (const cap of onlyCap === undefined ? [9, 50] : [onlyCap]) {
  for (const selections of onlySelections === undefined ? [4, 20, 50, 100] : [onlySelections]) {
    const us = await day(cap, selections, hours, ours);
    const them = await day(cap, selections, hours, naive);
    const cells = [cap, selections, percent(us.twoSided), percent(us.worst), us.betslips, us.orders];
    const theirs = [percent(them.twoSided), percent(them.worst), them.throttled, hoursOf(them.exhaustedH)];
    console.log(`| ${[...cells, us.throttled, ...theirs].join(' | ')} |`);
  }
}
