import type { SelectionId } from '../../../src/domain/ids.ts';
import { isOwn } from '../exchange-orders.ts';
import { traitsOf } from '../traits.ts';
import { UnclearCreates } from '../unclear-creates.ts';
import type { Run, World } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

const KEY_REFUSED = 401;
const CREATE_BETSLIP = 'POST /v2/betslips/';
/** Without faults an order is open again after this long, if there is anything to quote. */
const SILENT_MS = 60_000;
/** A latch holds until somebody comes, and refusals are counted. */
const LOOK_MS = 1_000;
/** A wall clock that is further off than this keeps the daemon from quoting, and should. */
const CLOCK_OFF_MS = 1_000;
const DAY_MS = 86_400_000;
/** A burst of betslips is spent at will, and what the day has besides at an even pace; so many of it are for closing out. */
const [BURST, OF_THE_DAY, KEPT_OF_THE_DAY] = [400, 2_000, 50];
const BETSLIPS_PER_MS = (OF_THE_DAY - KEPT_OF_THE_DAY - BURST) / DAY_MS;
/** Markets that take turns leave so many of the burst to others, which there need not be. */
const KEPT_OF_THE_BURST = 80;
/** Some are counted that never left; and a start while the clock is behind takes those of the last hour for new. */
const [MISCOUNTED, REFILLED_IN_AN_HOUR] = [10, 65];
/** Sides that are less far apart than this, in log-odds, are quoted between by every strategy here. */
const TIGHT = 0.3;
/** Far outside of these every strategy here leaves prices alone. */
const [SHORTEST, LONGEST] = [1.1, 25];
/** Limits of an event that little is enough to reach. */
const TIGHT_LIMIT_USDT = 400;
/** Reasons that the daemon gives for quotes that a limit of the worst case keeps back. */
const BY_WORST_CASE = /^risk\.(\w+_worst_case|liability_limit)$/;

/** 30: a daemon that nothing keeps from quoting quotes. It latches itself off for no fault that a day may have. */
export const goesOnQuoting: MakeJudgement = ({ world, plan, journal, fail }) => {
  let [quotedMs, lookedMs] = [0, 0];
  let started: Run | null = null;
  // Orders on other terms, or a refused key: quoting has to stop.
  const mayLatch = plan.faults.some(
    (each) => each.fault === 'other_terms' || (each.fault === 'answer' && each.status === KEY_REFUSED),
  );
  const mostOfDay = plan.world.betslipsPerDay - KEPT_OF_THE_DAY - MISCOUNTED;
  const { jumpsWall } = traitsOf(plan);
  const betslips = new Pace(KEPT_OF_THE_BURST + MISCOUNTED + (jumpsWall ? REFILLED_IN_AN_HOUR : 0));
  const unclear = new UnclearCreates(journal);
  const toQuote = (run: Run): readonly SelectionId[] => {
    const selections = unclear.selections(world.clock.monotonicMs());
    return quotable(world, run).filter((id) => !selections.has(id));
  };
  const followCreates = (): void => {
    unclear.look(world.clock.monotonicMs());
    if (jumpsWall && world.run !== started) unclear.startOver(world.clock.monotonicMs());
    started = world.run;
  };
  const see = (): void => {
    // A killed daemon waits for a person.
    const isKilled = (world.run?.composed.core.risk.killed ?? null) !== null;
    if (isKilled || world.orders.open().some(isOwn)) quotedMs = world.clock.monotonicMs();
  };
  const mayBeSilent = (run: Run): boolean =>
    isClockOff(world) ||
    betslips.areFew(world.clock.monotonicMs()) ||
    betslipsOfDay(world) >= mostOfDay ||
    toQuote(run).length === 0 ||
    (plan.daemon.eventLimitUsdt <= TIGHT_LIMIT_USDT && isHeldBack(world, run, toQuote(run)));
  return {
    onSent(sent) {
      if (sent.what === CREATE_BETSLIP) betslips.spend(sent.atMs);
      unclear.sent(sent);
    },
    onEvent(changed) {
      unclear.see(changed);
      see();
      if (world.clock.monotonicMs() < lookedMs + LOOK_MS) return;
      lookedMs = world.clock.monotonicMs();
      followCreates();
      // Silence counts from the moment when there is something to quote.
      if (quotedMs < lookedMs && world.run !== null && toQuote(world.run).length === 0) quotedMs = lookedMs;
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

/** The rest of the burst that the daemon spends at will, computed from its sent requests. */
class Pace {
  readonly #few: number;
  #left = BURST;
  #atMs = 0;

  /** With fewer than `few`, missing betslips may be the cause. */
  constructor(few: number) {
    this.#few = few;
  }

  spend(atMs: number): void {
    this.#refill(atMs);
    this.#left--;
  }

  areFew(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#left < this.#few;
  }

  #refill(nowMs: number): void {
    this.#left = Math.min(BURST, this.#left + (nowMs - this.#atMs) * BETSLIPS_PER_MS);
    this.#atMs = nowMs;
  }
}

/** Reasons against quoting that no event of a day may cause. */
function* needless(
  run: Run | null,
  mayLatch: boolean,
): Generator<readonly [invariant: string, seen: string]> {
  if (run === null) return;
  const { latched } = run.composed.parts.orders.status();
  if (latched !== null && !mayLatch)
    yield ['30 latched', `nothing has happened that asks for it: ${latched}`];
  // No quote rests on prices older than 15 s, and orders wait for seconds: no prices get as old as risk allows.
  const stale = run.composed.core.risk.refusals().get('stale_reference') ?? 0;
  if (stale > 0) yield ['30 refusals', `${stale} orders refused on prices that are not old`];
}

const isClockOff = ({ clock, startMs }: World): boolean =>
  Math.abs(clock.wallMs() - startMs - clock.monotonicMs()) > CLOCK_OFF_MS;

function betslipsOfDay({ requests, clock }: World): number {
  const sinceMs = clock.monotonicMs() - DAY_MS;
  return requests.filter(({ what, atMs }) => what === CREATE_BETSLIP && atMs > sinceMs).length;
}

/** The chosen markets that have, at the exchange, everything that every strategy needs to quote. */
const quotable = (world: World, { composed }: Run): readonly SelectionId[] =>
  [...composed.engine.chosen.values()].flat().filter((id) => isTight(world, id));

function isTight({ exchange }: World, id: string): boolean {
  const [sport = '', eventId = '', outcome = ''] = id.split('|');
  if (exchange.market.isSuspended({ sport, eventId })) return false;
  const [forMost, againstMost] = (['for', 'against'] as const).map(
    (resting) => exchange.market.levels({ sport, eventId, outcome }, resting)[0]?.price,
  );
  if (!isUsual(forMost) || !isUsual(againstMost)) return false;
  // The probability of a price p has the log-odds -ln(p - 1).
  return Math.abs(Math.log(forMost - 1) - Math.log(againstMost - 1)) < TIGHT;
}

const isUsual = (price: number | undefined): price is number =>
  price !== undefined && price > SHORTEST && price < LONGEST;

/**
 * Whether only limits block the wanted quotes, by bets that the exchange has matched. Other markets may have other
 * reasons.
 */
function isHeldBack(world: World, run: Run, toQuote: readonly SelectionId[]): boolean {
  const reasons = toQuote
    .flatMap((id) => Object.values(run.composed.core.risk.why(id).reason))
    .filter((reason) => reason !== null);
  const areLimits = reasons.length > 0 && reasons.every((reason) => BY_WORST_CASE.test(reason));
  return areLimits && world.orders.all().some(({ fills }) => fills.length > 0);
}
