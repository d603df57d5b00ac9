import { existsSync } from 'node:fs';
import { JournalError } from '../../domain/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { DEFAULT_LIMITS } from '../../venue/index.ts';
import type { Config } from '../config/load.ts';
import { allottedBetslips, keepsRealBetslips, requestLimitsOf } from '../config/part-options.ts';
import { type EventRef, type ExchangeClient, VenueRejection } from '../exchange/connect.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { earlierBudgets, type LimitsRecord, rememberedLimits } from '../journal/limits-memory.ts';
import type { RunningDaemon } from './lock.ts';

/**
 * The account's caps and rates, as far as known. The exchange publishes rates but no caps, and its answers carry no quota. A cap
 * that was never met is assumed, and reported as assumed.
 */
export interface CapsKnown {
  /** As configured: the daemon assumes it until the exchange teaches another. */
  readonly openBetslips: number;
  /** Most betslips that a daemon requests in a rolling day. */
  readonly perDay: number;
  /** Betslips of the day that are reserved for orders that reduce risk. */
  readonly dailyReserve: number;
  /** The share of the account's betslips that a paper run takes; null if it takes none, and for a run that may take all. */
  readonly paperShare: number | null;
  /** The limits that a daemon of this account has learned; null if none are recorded. */
  readonly remembered: LimitsRecord | null;
  /** Wall-clock instants of the last day's betslip requests; null without a readable journal. */
  readonly betslipsAtMs: readonly number[] | null;
}

/** Reads the configuration and its journal, which may be in use. An unreadable journal leaves the rest unknown. */
export function capsKnownTo(config: Config, clock: Clock): CapsKnown {
  const { betslipsPerDay: perDay, betslipsPerDayReserve: dailyReserve } = requestLimitsOf(config);
  const { openCap: openBetslips } = allottedBetslips(config);
  const paperShare = keepsRealBetslips(config) ? config.paper.share : null;
  const configured = { openBetslips, perDay, dailyReserve, paperShare };
  const { path } = config.journal;
  const nothing = { ...configured, remembered: null, betslipsAtMs: null };
  if (path === '' || !existsSync(path)) return nothing;
  try {
    return readJournal(path, clock, (journal) => {
      const { betslipsAtMs = null } = earlierBudgets(journal, clock);
      return { ...configured, remembered: rememberedLimits(journal), betslipsAtMs };
    });
  } catch (error) {
    if (error instanceof JournalError) return nothing;
    throw error;
  }
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/**
 * Open betslips and their cap. The cap is never probed, because that would cost betslips of the day. A running daemon uses as many as it
 * can, which is no fault.
 */
export async function betslipCap(
  exchange: ExchangeClient,
  known: CapsKnown,
  daemon: RunningDaemon | null,
): Promise<string> {
  const { length: open } = await exchange.betslips.list();
  const { openBetslips, remembered } = known;
  const learned = remembered?.openBetslips.learned === true ? remembered : null;
  const cap = learned?.openBetslips.cap ?? openBetslips;
  const source =
    learned === null
      ? 'assumed (orders.openBetslips): no refusal has shown the cap'
      : `learned from the exchange, written down ${day(learned.atMs)}`;
  const found = `${open} open; cap ${cap}, ${source}`;
  if (daemon !== null) return `${found}; the running daemon uses them`;
  if (open >= cap) throw new Error(found);
  return found;
}

/** Betslips left in this rolling day. A running daemon shares them out over the day, and may have used most of them. */
export function betslipsOfTheDay(
  { betslipsAtMs, perDay, dailyReserve }: CapsKnown,
  daemon: RunningDaemon | null,
): string {
  if (betslipsAtMs === null) return `${perDay} left, assumed: there is no journal to count by`;
  const left = perDay - betslipsAtMs.length;
  const found = `${left} of ${perDay} left by the journal; what other programs made is not in it`;
  const [oldestMs] = betslipsAtMs;
  if (left > dailyReserve || oldestMs === undefined) return found;
  const next = `${found}; the next comes free at ${day(oldestMs + DAY_MS)}`;
  if (daemon !== null) return next;
  throw new Error(next);
}

/** What the betslips of a paper run cost the account; `paper.betslips` decides whether they do. */
export const paperCost = ({ openBetslips, perDay }: CapsKnown, share: number): string =>
  `paper.betslips = "real" takes up to ${perDay} of the account's ${DEFAULT_LIMITS.betslipsPerDay} betslips a day, ${openBetslips} of them open at a time (paper.share = ${share})`;

/** Published rates, the lower ones that 429 answers taught, and whether this examination met a 429. */
export function requestRates(exchange: ExchangeClient, { remembered }: CapsKnown): string {
  const { orders, betslips, general } = DEFAULT_LIMITS;
  const rates = `orders ${orders.perSecond}/s, betslips ${betslips.perSecond}/s, others ${general.perSecond}/s`;
  if (exchange.throttledCount > 0) {
    throw new Error(
      `${rates}, and still ${countOf(exchange.throttledCount, 'answer')} 429 during this examination`,
    );
  }
  if (remembered === null) return `${rates}: as published less a margin, assumed: nothing was written down`;
  const lessons = remembered.throttled === 0 ? 'no 429' : `${countOf(remembered.throttled, 'answer')} 429`;
  return `${rates} as published less a margin; ${lessons} in the run that ended or wrote ${day(remembered.atMs)}`;
}

/** The cap of registered events: learned, found by probing, or assumed not to exist. */
export async function eventCap(
  exchange: ExchangeClient,
  clock: Clock,
  known: CapsKnown,
  probe: boolean,
): Promise<string> {
  const before = await listed(exchange);
  if (probe) return `${await probedCap(exchange, clock)}; ${before}`;
  const cap = known.remembered?.registeredEvents ?? null;
  if (cap === null)
    return `no cap met, none assumed (--probe tries, and starves a running daemon meanwhile); ${before}`;
  return `cap ${cap}, learned from a refusal, written down ${day(known.remembered?.atMs ?? 0)}; ${before}`;
}

async function listed(exchange: ExchangeClient): Promise<string> {
  try {
    return `${(await exchange.registeredEvents()).length} registered here`;
  } catch (error) {
    if (error instanceof VenueRejection) return `the exchange lists no registrations (${error.code})`;
    throw error;
  }
}

/** Each registration makes the exchange send the event's offers, so probing has a limit. */
const PROBE_EVENTS = 500;
const PROBE_MS = 15_000;
const LOOK_MS = 50;

/** Registers events one by one until one is refused, then unregisters all of them. */
async function probedCap(exchange: ExchangeClient, clock: Clock): Promise<string> {
  const events = await someEvents(exchange);
  for (const { sport, eventId } of events) exchange.registerEvent(sport, eventId);
  try {
    const answered = await untilTrue(clock, PROBE_MS, () => {
      const { registered, wanted, cap } = exchange.registrations();
      return registered >= Math.min(wanted, cap);
    });
    if (!answered) throw new Error(`not all of ${countOf(events.length, 'registration')} were answered`);
    const { registered, cap } = exchange.registrations();
    return cap === Infinity
      ? `tried: ${countOf(registered, 'event')} registered and no cap met`
      : `tried: cap ${registered}, the next one was refused`;
  } finally {
    // Unregister first the events that have no registration yet, or they would take the places of those that are freed.
    for (const { sport, eventId } of events.toReversed()) exchange.unregisterEvent(sport, eventId);
    await untilTrue(clock, PROBE_MS, () => exchange.registrations().registered === 0);
  }
}

async function someEvents(exchange: ExchangeClient): Promise<readonly EventRef[]> {
  const events: EventRef[] = [];
  for await (const { sport, eventId } of exchange.allEvents()) {
    if (events.push({ sport, eventId }) >= PROBE_EVENTS) break;
  }
  return events;
}

async function untilTrue(clock: Clock, withinMs: number, isTrue: () => boolean): Promise<boolean> {
  const untilMs = clock.monotonicMs() + withinMs;
  while (!isTrue() && clock.monotonicMs() < untilMs) await sleep(clock, LOOK_MS);
  return isTrue();
}
