import { existsSync } from 'node:fs';
import { JournalError } from '../../domain/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { DEFAULT_LIMITS } from '../../venue/index.ts';
import type { Config } from '../config/load.ts';
import { requestLimitsOf } from '../config/part-options.ts';
import { type EventRef, type ExchangeClient, VenueRejection } from '../exchange/connect.ts';
import { readJournal } from '../journal/journal-tools.ts';
import { earlierBudgets, type LimitsRecord, rememberedLimits } from '../journal/limits-memory.ts';

/**
 * What caps and rates the account seems to have. The exchange publishes rates and no caps, and its answers carry no quota:
 * what is not met is assumed, and is told as such.
 */
export interface CapsKnown {
  /** As configured: what a daemon assumes until the exchange teaches it. */
  readonly openBetslips: number;
  /** Betslips that a daemon asks for in a rolling day, at most. */
  readonly perDay: number;
  /** Those of the day that it keeps back for what reduces risk. */
  readonly dailyReserve: number;
  /** What a daemon of this account has learned; null when nothing is written down. */
  readonly remembered: LimitsRecord | null;
  /** Wall-clock instants of the last day's betslip requests; null without a journal to count by. */
  readonly betslipsAtMs: readonly number[] | null;
}

/** Reads the configuration and its journal, which may be in use. Of a journal that cannot be read nothing is known. */
export function capsKnownTo(config: Config, clock: Clock): CapsKnown {
  const { betslipsPerDay: perDay, betslipsPerDayReserve: dailyReserve } = requestLimitsOf(config);
  const configured = { openBetslips: config.orders.openBetslips, perDay, dailyReserve };
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

/** Open betslips, and the cap on them. It is never tried out: that would cost betslips of the day. */
export async function betslipCap(exchange: ExchangeClient, known: CapsKnown): Promise<string> {
  const { length: open } = await exchange.betslips.list();
  const { openBetslips, remembered } = known;
  const learned = remembered?.openBetslips.learned === true ? remembered : null;
  const cap = learned?.openBetslips.cap ?? openBetslips;
  const source =
    learned === null
      ? 'assumed (orders.openBetslips): no refusal has told'
      : `learned from the exchange, written down ${day(learned.atMs)}`;
  const found = `${open} open; cap ${cap}, ${source}`;
  if (open >= cap) throw new Error(found);
  return found;
}

/** Betslips that may still be asked for in this rolling day. */
export function betslipsOfTheDay({ betslipsAtMs, perDay, dailyReserve }: CapsKnown): string {
  if (betslipsAtMs === null) return `${perDay} left, assumed: there is no journal to count by`;
  const left = perDay - betslipsAtMs.length;
  const found = `${left} of ${perDay} left by the journal; what other programs made is not in it`;
  const [oldestMs] = betslipsAtMs;
  if (left > dailyReserve || oldestMs === undefined) return found;
  throw new Error(`${found}; the next comes free at ${day(oldestMs + DAY_MS)}`);
}

/** Rates as published, what 429s made of them, and whether the examination itself met one. */
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

/** The cap of registered events: as learned, as found by trying, or assumed to be none. */
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

/** Each registration brings the event's offers, so there is an end to it. */
const PROBE_EVENTS = 500;
const PROBE_MS = 15_000;
const LOOK_MS = 50;

/** Registers one event after another until one is refused, then gives all back: nothing of it is left. */
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
    // Those first that have none, lest they take the places of those that give theirs back.
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
