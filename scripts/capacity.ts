/**
 * `npm run bench:capacity`: how many selections can be quoted on both sides all day within the account's limits. One day
 * of virtual time on the simulated exchange per line, against a naive bot that makes a new betslip whenever the old one
 * expires.
 *
 * Usage: node scripts/capacity.ts [hours]      (default 24)
 */
import { toMicros } from '../src/domain/money.ts';
import { LADDER, tickOf } from '../src/domain/odds.ts';
import type { QuoteIntent } from '../src/domain/quote-intent.ts';
import { DIRECTIONS } from '../src/domain/selection.ts';
import { integerBetween } from '../src/lib/random.ts';
import { ACCOUNT, SimDesk } from '../test/support/sim-desk.ts';

const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,2.5', 'ah,h,-4', 'ah,h,0', 'ah,h,4', 'odd', 'even'];
const SAMPLE_MS = 30_000;
/** A selection's price moves this often on average. */
const MOVE_EVERY_MS = 600_000;
const LIFE_MS = 45_000;

interface Row {
  readonly cap: number;
  readonly selections: number;
  readonly twoSided: number;
  readonly worst: number;
  readonly betslips: number;
  readonly orders: number;
  readonly throttled: number;
}

interface Quoted {
  readonly outcome: string;
  readonly event: number;
  shift: number;
  bothMs: number;
}

function worldOf(cap: number, selections: number): { desk: SimDesk; quoted: Quoted[] } {
  const events = Math.ceil(selections / OUTCOMES.length);
  const desk = new SimDesk({
    ...{ seed: 1, outcomes: OUTCOMES, events },
    settings: {
      ...{ openBetslipCap: cap, betslipLifetimeMs: LIFE_MS, quoteIntervalMs: 5_000 },
      ...{ eventStakeLimitMicros: null, infoIntervalMs: 60_000, orderRetentionMs: 3_600_000 },
    },
    options: { sweepMs: 1_000, durationS: 300, betslips: { openCap: cap + 5, lifeMs: LIFE_MS } },
  });
  const quoted = Array.from({ length: selections }, (_, at) => ({
    outcome: OUTCOMES[at % OUTCOMES.length] as string,
    event: Math.floor(at / OUTCOMES.length),
    shift: 0,
    bothMs: 0,
  }));
  return { desk, quoted };
}

const tickAt = (price: number, shift: number): number => (tickOf(price) as number) + shift;

function intentsOf(desk: SimDesk, { outcome, event, shift }: Quoted): QuoteIntent[] {
  return DIRECTIONS.map((direction) => ({
    ...{ selectionId: desk.selection(outcome, event), direction, stakeMicros: toMicros(10), level: 0 },
    tick: direction === 'for' ? tickAt(2.04, shift) : tickAt(1.96, shift),
    valueMicrosPerS: 100 - event,
  }));
}

/** Some prices move, and what is wanted moves with them. */
function move(desk: SimDesk, quoted: readonly Quoted[]): void {
  for (const each of quoted) {
    if (desk.random.next() >= SAMPLE_MS / MOVE_EVERY_MS) continue;
    each.shift = integerBetween(desk.random, -3, 3);
    desk.setMarket(
      each.outcome,
      LADDER[tickAt(1.9, each.shift)] as number,
      LADDER[tickAt(2.1, each.shift)] as number,
      each.event,
    );
  }
}

function desireAll(desk: SimDesk, quoted: readonly Quoted[]): void {
  const byEvent = new Map<number, QuoteIntent[]>();
  for (const each of quoted) {
    byEvent.set(each.event, [...(byEvent.get(each.event) ?? []), ...intentsOf(desk, each)]);
  }
  for (const [event, intents] of byEvent) desk.desire(intents, event);
}

function sample(desk: SimDesk, quoted: readonly Quoted[]): void {
  const open = new Set(desk.openOrders().map(({ eventId, betType }) => `${eventId} ${betType}`));
  for (const each of quoted) {
    const eventId = desk.events[each.event] as string;
    const both = DIRECTIONS.every((direction) => open.has(`${eventId} ${direction},${each.outcome}`));
    if (both) each.bothMs += SAMPLE_MS;
  }
}

function rowOf(desk: SimDesk, cap: number, quoted: readonly Quoted[], hours: number): Row {
  const ratios = quoted.map(({ bothMs }) => bothMs / (hours * 3_600_000));
  const account = desk.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  return {
    ...{ cap, selections: quoted.length },
    twoSided: ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length,
    worst: Math.min(...ratios),
    betslips: desk.store.records.filter(({ kind }) => kind === 'betslip_requested').length,
    orders: desk.store.records.filter(({ kind }) => kind === 'order_intended').length,
    throttled: account?.throttledCount ?? 0,
  };
}

async function day(cap: number, selections: number, hours: number): Promise<Row> {
  const { desk, quoted } = worldOf(cap, selections);
  desk.begin();
  await desk.clock.advance(3_000);
  for (let atMs = 0; atMs < hours * 3_600_000; atMs += SAMPLE_MS) {
    move(desk, quoted);
    desireAll(desk, quoted);
    await desk.clock.advance(SAMPLE_MS);
    sample(desk, quoted);
    desk.changes.length = 0;
  }
  desk.kill();
  return rowOf(desk, cap, quoted, hours);
}

/** A new betslip for each side whenever the last expires, as long as the day's budget and the cap last. */
function naive(cap: number, selections: number): number {
  const sides = Math.min(2 * selections, cap);
  const perSide = 2_000 / sides;
  const covered = Math.min(1, (perSide * LIFE_MS) / 86_400_000);
  return covered * (sides / (2 * selections));
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;

const hours = Number(process.argv[2] ?? 24);
console.log(
  '| open cap | selections | two-sided | worst selection | betslips | orders | throttled | naive |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const cap of [9, 50]) {
  for (const selections of [4, 20, 50, 100]) {
    const row = await day(cap, selections, hours);
    const cells = [row.cap, row.selections, percent(row.twoSided), percent(row.worst)];
    console.log(
      `| ${[...cells, row.betslips, row.orders, row.throttled, percent(naive(cap, selections))].join(' | ')} |`,
    );
  }
}
