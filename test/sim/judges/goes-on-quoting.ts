import type { SelectionId } from '../../../src/domain/ids.ts';
import { isOwn } from '../exchange-orders.ts';
import type { Run, World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** Without faults an order is open again after this long, if there is anything to quote. */
const SILENT_MS = 60_000;
/** A latch holds until somebody comes, and refusals are counted. */
const LOOK_MS = 1_000;
/** A wall clock that is further off than this keeps the daemon from quoting, and should. */
const CLOCK_OFF_MS = 1_000;
/** A burst of betslips is spent at will, and what is left of the day at an even pace: then they are what is missing. */
const BETSLIPS_USED = 0.25;
/** So many of the day are for closing out. */
const KEPT_OF_THE_DAY = 50;
const DAY_MS = 86_400_000;
/** Sides that are less far apart than this, in log-odds, are quoted between by every strategy here. */
const TIGHT = 0.3;
/** Far outside of these every strategy here leaves prices alone. */
const [SHORTEST, LONGEST] = [1.1, 25];
/** Limits of an event that little is enough to reach. */
const TIGHT_LIMIT_USDT = 400;
/** Reasons that the daemon gives for quotes that a limit of the worst case keeps back. */
const BY_WORST_CASE = /^risk\.(\w+_worst_case|liability_limit)$/;

/** 30: a daemon that nothing keeps from quoting quotes. It latches itself off for no fault that a day may have. */
export const goesOnQuoting: MakeJudgement = ({ world, plan, fail }) => {
  let [quotedMs, lookedMs] = [0, 0];
  // Orders on other terms than ours: quoting has to stop.
  const mayLatch = plan.faults.some(({ fault }) => fault === 'other_terms' || fault === 'answer');
  const { betslipsPerDay } = plan.world;
  const mostAtWill = Math.min(betslipsPerDay * BETSLIPS_USED, betslipsPerDay - KEPT_OF_THE_DAY);
  const see = (): void => {
    // Who is killed waits for a person.
    const isKilled = (world.run?.composed.risk.killed ?? null) !== null;
    if (isKilled || world.orders.open().some(isOwn)) quotedMs = world.clock.monotonicMs();
  };
  const mayBeSilent = (run: Run): boolean =>
    isClockOff(world) ||
    betslipsOfDay(world) >= mostAtWill ||
    !hasToQuote(world, run) ||
    (plan.daemon.eventLimitUsdt <= TIGHT_LIMIT_USDT && isHeldBack(world, run));
  return {
    onEvent() {
      see();
      if (world.clock.monotonicMs() < lookedMs + LOOK_MS) return;
      lookedMs = world.clock.monotonicMs();
      // Silence counts from when there is something to say.
      if (quotedMs < lookedMs && world.run !== null && !hasToQuote(world, world.run)) quotedMs = lookedMs;
      for (const [invariant, seen] of needless(world.run, mayLatch)) fail(invariant, seen);
    },
    atRest() {
      see();
      const { run } = world;
      const silentMs = world.clock.monotonicMs() - quotedMs;
      if (run === null || silentMs < SILENT_MS || mayBeSilent(run)) return;
      const waiting = run.composed.parts.orders.status().waiting.map(({ code }) => code);
      const why = [...new Set(waiting)].join(' ');
      fail('30 quotes', `no order is open for ${silentMs / 1000} s, in markets that can be quoted: ${why}`);
    },
  };
};

/** What keeps from quoting, and has no cause in anything that a day may bring. */
function* needless(
  run: Run | null,
  mayLatch: boolean,
): Generator<readonly [invariant: string, seen: string]> {
  if (run === null) return;
  const { latched } = run.composed.parts.orders.status();
  if (latched !== null && !mayLatch)
    yield ['30 latched', `nothing has happened that asks for it: ${latched}`];
  // Nothing is quoted on prices of 15 s, and orders wait for seconds: none can get as old as risk allows.
  const stale = run.composed.risk.refusals().get('stale_reference') ?? 0;
  if (stale > 0) yield ['30 refusals', `${stale} orders refused on prices that are not old`];
}

const isClockOff = ({ clock, startMs }: World): boolean =>
  Math.abs(clock.wallMs() - startMs - clock.monotonicMs()) > CLOCK_OFF_MS;

function betslipsOfDay({ requests, clock }: World): number {
  const sinceMs = clock.monotonicMs() - DAY_MS;
  return requests.filter(({ what, atMs }) => what === 'POST /v2/betslips/' && atMs > sinceMs).length;
}

const hasToQuote = (world: World, run: Run): boolean => toQuote(world, run).length > 0;

/** The chosen markets that have, at the exchange, what every strategy quotes on. */
const toQuote = (world: World, { composed }: Run): readonly SelectionId[] =>
  [...composed.engine.chosen.values()].flat().filter((id) => isTight(world, id));

function isTight({ exchange }: World, id: string): boolean {
  const [sport = '', eventId = '', outcome = ''] = id.split('|');
  if (exchange.market.isSuspended(eventId)) return false;
  const [forMost, againstMost] = (['for', 'against'] as const).map(
    (resting) => exchange.market.levels({ sport, eventId, outcome }, resting)[0]?.price,
  );
  if (!isUsual(forMost) || !isUsual(againstMost)) return false;
  // The probability of a price p has the log-odds -ln(p - 1).
  return Math.abs(Math.log(forMost - 1) - Math.log(againstMost - 1)) < TIGHT;
}

const isUsual = (price: number | undefined): price is number =>
  price !== undefined && price > SHORTEST && price < LONGEST;

/** Whether limits alone keep back what is to be quoted, over bets that the exchange has matched; others may have other reasons. */
function isHeldBack(world: World, run: Run): boolean {
  const reasons = toQuote(world, run)
    .flatMap((id) => Object.values(run.composed.risk.why(id).reason))
    .filter((reason) => reason !== null);
  const areLimits = reasons.length > 0 && reasons.every((reason) => BY_WORST_CASE.test(reason));
  return areLimits && world.orders.all().some(({ fills }) => fills.length > 0);
}
