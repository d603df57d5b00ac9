import { reportedTerms } from '../../domain/exchange-prices.ts';
import type { PriceConvention, PriceKind } from '../../domain/odds.ts';
import type { OfferedLevel, SimEventName } from './api.ts';
import type { Catalogue } from './catalogue.ts';
import type { Resting } from '../../fills/fill-model.ts';
import {
  type Account,
  type BetslipRecord,
  type BetslipSelection,
  type EventRecord,
  identityOf,
  type Notices,
} from './model.ts';
import { parlayLevel } from './parlays.ts';
import { invariant } from '../../lib/assert.ts';
import { failure, invalid, invalidTogether, notFound, ok, type Reply } from './replies.ts';
import type { Scheduler } from './scheduler.ts';
import type { BetslipBody } from './schemas.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';
import { type DangerList, sourceOf } from './taker.ts';
import { betslipJson, type Money, money } from './wire.ts';

export interface BetslipParts {
  readonly scheduler: Scheduler;
  readonly sequence: Sequence;
  readonly notices: Notices;
  readonly catalogue: Catalogue;
  readonly danger: DangerList;
  readonly settings: ExchangeSettings;
  /** Told before the book of a bet type is looked up. */
  readonly onAsked: (event: SimEventName, betType: string) => void;
}

type Selections = readonly BetslipSelection[] | Reply;

/** Betslips: registered interest in a market, quoted while open (specification, Betslip states). */
export class Betslips {
  readonly #parts: BetslipParts;

  constructor(parts: BetslipParts) {
    this.#parts = parts;
  }

  /** Ids of the account's open betslips. */
  list(account: Account): Reply {
    return ok([...account.betslips.values()].filter(({ open }) => open).map(({ betslipId }) => betslipId));
  }

  create(account: Account, body: BetslipBody): Reply {
    const selections =
      body.betslip_type === 'parlay' ? this.#legs(account, body) : this.#single(account, body);
    if ('status' in selections) return selections;
    if (account.openBetslipCount >= this.#parts.settings.openBetslipCap) {
      return failure(403, 'too_many_open_betslips');
    }
    const betslip = this.#open(account, body, selections);
    return ok(betslipJson(betslip, this.#parts.settings.unixTimestamps), 201);
  }

  get(account: Account, betslipId: string): Reply {
    const betslip = account.betslips.get(betslipId);
    if (betslip === undefined) return notFound();
    const facts = betslipJson(betslip, this.#parts.settings.unixTimestamps);
    const quote =
      betslip.quoted && betslip.open ? quoteOf(betslip, this.#parts.danger) : { priceList: [], total: null };
    return ok({ ...facts, price_list: quote.priceList, total: quote.total });
  }

  refresh(account: Account, betslipId: string): Reply {
    const betslip = this.findOpen(account, betslipId);
    if (betslip === null) return notFound();
    const { scheduler, settings, notices } = this.#parts;
    betslip.expiryMs = scheduler.nowMs + settings.betslipLifetimeMs;
    this.#planExpiry(betslip);
    notices.betslipChanged(betslip);
    return ok(null);
  }

  delete(account: Account, betslipId: string): Reply {
    const betslip = this.findOpen(account, betslipId);
    if (betslip === null) return notFound();
    this.close(betslip, 'closed');
    return ok(null);
  }

  /** The account's open betslip with this id, null without one. */
  findOpen(account: Account, betslipId: string): BetslipRecord | null {
    const betslip = account.betslips.get(betslipId);
    return betslip?.open === true ? betslip : null;
  }

  close(betslip: BetslipRecord, reason: string): void {
    if (!betslip.open) return;
    const { scheduler, settings, notices } = this.#parts;
    betslip.open = false;
    betslip.closeReason = reason;
    betslip.account.openBetslipCount -= 1;
    betslip.expiry?.cancel();
    betslip.quote?.cancel();
    for (const { market } of betslip.selections) market.watchers.delete(betslip);
    notices.betslipClosed(betslip);
    const forget = (): boolean => betslip.account.betslips.delete(betslip.betslipId);
    scheduler.after(settings.betslipRetentionMs, forget);
  }

  /** Closes every betslip of an event that is over. */
  closeAllOf(event: EventRecord): void {
    for (const { watchers } of event.books.values()) {
      for (const betslip of Array.from(watchers)) this.close(betslip, 'event_finished');
    }
  }

  /** Quotes the betslip again after a change of its book, at most once in `quoteOnChangeMs`. */
  bookChanged(betslip: BetslipRecord): void {
    if (!betslip.open || !betslip.quoted) return;
    const { quoteOnChangeMs } = this.#parts.settings;
    this.#planQuote(betslip, betslip.lastQuoteMs + quoteOnChangeMs);
  }

  #single(account: Account, body: BetslipBody): Selections {
    const { sport, event_id: eventId, bet_type: betType } = body;
    if (sport === undefined || eventId === undefined || betType === undefined) {
      const missing = (['sport', 'event_id', 'bet_type'] as const).filter((name) => body[name] === undefined);
      return invalid(Object.fromEntries(missing.map((name) => [name, ['This field is required.']])));
    }
    const selection = this.#selection(account, { sport, event_id: eventId, bet_type: betType });
    if (typeof selection === 'string') return refusal(selection);
    const { priceConvention } = this.#parts.settings;
    // Under the convention `lay` an `against` bet type has lay prices by itself, and a `for` bet type has no lay betslips.
    if (
      body.betslip_type === 'lay' &&
      priceConvention === 'lay' &&
      selection.parsed.direction !== 'against'
    ) {
      return refusal('invalid_bet_type');
    }
    return [{ ...selection, liveScore: scoreOf(body.live_score) }];
  }

  #legs(account: Account, body: BetslipBody): Selections {
    if (body.legs === undefined) return invalid({ legs: ['This field is required.'] });
    const legs: BetslipSelection[] = [];
    for (const [index, leg] of body.legs.entries()) {
      const selection = this.#selection(account, leg);
      if (typeof selection === 'string') return invalid({ legs: { [String(index)]: [selection] } });
      if (selection.parsed.direction !== 'for') {
        return invalid({ legs: { [String(index)]: ['invalid_bet_type'] } });
      }
      legs.push({ ...selection, liveScore: scoreOf(leg.live_score) });
    }
    // The sport does not count: a match and its first half are correlated, so their prices do not multiply.
    const events = new Set(legs.map(({ market }) => market.event.info.eventId));
    return events.size < legs.length ? invalid({ legs: ['legs must be of different events'] }) : legs;
  }

  #selection(
    account: Account,
    named: { sport: string; event_id: string; bet_type: string },
  ): Omit<BetslipSelection, 'liveScore'> | 'event_not_found' | 'invalid_bet_type' {
    const name = { sport: named.sport, eventId: named.event_id };
    const event = this.#parts.catalogue.live(name);
    if (event === null || !account.isEnabledFor(named.sport)) return 'event_not_found';
    this.#parts.onAsked(name, named.bet_type);
    const found = this.#parts.catalogue.selection(event, named.bet_type);
    return found === null ? 'invalid_bet_type' : { ...found, betType: named.bet_type };
  }

  #open(account: Account, body: BetslipBody, selections: readonly BetslipSelection[]): BetslipRecord {
    const { scheduler, sequence, settings, notices } = this.#parts;
    const betslip: BetslipRecord = {
      betslipId: sequence.nextToken(),
      account,
      type: body.betslip_type,
      priceKind: priceKindOf(body.betslip_type, selections, settings.priceConvention),
      selections,
      equivalentBets: body.equivalent_bets,
      excludeDanger: body.exclude_danger,
      userData: body.user_data ?? null,
      createdMs: scheduler.nowMs,
      expiryMs: scheduler.nowMs + settings.betslipLifetimeMs,
      open: true,
      closeReason: null,
      quoted: false,
      lastQuoteMs: scheduler.nowMs,
      quoteDueMs: 0,
      expiry: null,
      quote: null,
    };
    account.betslips.set(betslip.betslipId, betslip);
    account.openBetslipCount += 1;
    for (const { market } of selections) market.watchers.add(betslip);
    this.#planExpiry(betslip);
    this.#planQuote(betslip, scheduler.nowMs + settings.quoteDelayMs);
    notices.betslipChanged(betslip);
    return betslip;
  }

  #planExpiry(betslip: BetslipRecord): void {
    betslip.expiry?.cancel();
    betslip.expiry = this.#parts.scheduler.at(betslip.expiryMs, () => this.close(betslip, 'expired'));
  }

  /** Plans the next quote, unless an earlier one is planned. */
  #planQuote(betslip: BetslipRecord, dueMs: number): void {
    if (betslip.quote !== null && betslip.quoteDueMs <= dueMs) return;
    betslip.quote?.cancel();
    betslip.quoteDueMs = dueMs;
    betslip.quote = this.#parts.scheduler.at(dueMs, () => this.#quote(betslip));
  }

  #quote(betslip: BetslipRecord): void {
    const { scheduler, settings, notices } = this.#parts;
    betslip.quote = null;
    betslip.quoted = true;
    betslip.lastQuoteMs = scheduler.nowMs;
    this.#planQuote(betslip, scheduler.nowMs + settings.quoteIntervalMs);
    notices.quoted(betslip, JSON.stringify(pmmJson(betslip, this.#parts.danger)));
  }
}

/** What the prices of a betslip are. The legs of a parlay are all `for`. */
function priceKindOf(
  type: BetslipRecord['type'],
  [first]: readonly BetslipSelection[],
  convention: PriceConvention,
): PriceKind {
  if (type === 'parlay' || first === undefined) return 'odds-for';
  const terms = reportedTerms(first.betType, type, { convention, secondSide: 'against' });
  invariant(terms !== null, 'a bet type has no direction', { betType: first.betType });
  return terms.priceKind;
}

/** The `pmm` payload. */
function pmmJson(betslip: BetslipRecord, danger: DangerList): Record<string, unknown> {
  const { sport, eventId, betType } = identityOf(betslip);
  const quote = quoteOf(betslip, danger);
  return {
    betslip_id: betslip.betslipId,
    sport,
    event_id: eventId,
    bet_type: betType,
    status: { code: 'success' },
    price_list: quote.priceList,
    total: quote.total,
  };
}

const refusal = (reason: string): Reply =>
  reason === 'invalid_bet_type' ? invalid({ bet_type: [reason] }) : invalidTogether(reason);

const scoreOf = (
  score: { home: number; away: number } | null | undefined,
): readonly [number, number] | null =>
  score === null || score === undefined ? null : [score.home, score.away];

export interface QuoteJson {
  readonly priceList: readonly unknown[];
  readonly total: Money | null;
}

/** The current quote of a betslip: the book as everyone sees it, or the product of a parlay's legs. With `exclude_danger` it leaves out the stake of sources in danger. */
export function quoteOf(betslip: BetslipRecord, danger: DangerList): QuoteJson {
  const accepts = (entry: Resting): boolean => !danger.has(sourceOf(entry));
  const levels = quotedLevels(betslip, betslip.excludeDanger ? accepts : undefined);
  const total = levels.reduce((sum, level) => sum + level.stakeMicros, 0);
  return { priceList: levels.map(levelJson), total: money(total) };
}

/** The levels of a quote, the highest price first. */
function quotedLevels(
  betslip: BetslipRecord,
  accepts?: (entry: Resting) => boolean,
): readonly OfferedLevel[] {
  const [first] = betslip.selections;
  if (betslip.type !== 'parlay') return first?.market.shownLevels(betslip.priceKind, accepts) ?? [];
  const combined = parlayLevel(betslip.selections.map(({ market }) => market));
  return combined === null ? [] : [combined];
}

const levelJson = ({ price, stakeMicros, minBetMicros }: OfferedLevel): unknown => ({
  effective: { price, min: minBetMicros === 0 ? null : money(minBetMicros), max: money(stakeMicros) },
});
