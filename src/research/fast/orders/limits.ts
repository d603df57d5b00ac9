/** The limits of risk on one order of the fast engine. Limits beyond one event apply to the event alone: events run one by one. */
import { type Micros, toMicros } from '../../../domain/money.ts';
import { priceOf } from '../../../domain/ladder.ts';
import type { QuoteIntent } from '../../../domain/quote-intent.ts';
import type { RefusalCode, RiskLimits } from '../../../risk/index.ts';
import type { EventTape } from '../../tape.ts';
import type { EventExposure, Terms } from './exposure.ts';

/** What an order is judged by besides its own terms. */
export interface Circumstances {
  readonly exposure: EventExposure;
  readonly inPlay: boolean;
  readonly startsInMs: number;
  readonly openOnSelection: number;
  readonly openOnEvent: number;
  /** Stake matched, and stake that may still be matched. */
  readonly turnoverMicros: Micros;
  readonly balanceMicros: Micros;
}

/** Amounts in micros. */
interface Amounts {
  readonly stake: Micros;
  readonly liability: Micros;
  readonly selection: Micros;
  readonly event: Micros;
  readonly gross: Micros;
  readonly turnover: Micros;
  readonly reserve: Micros;
  readonly dayLoss: Micros;
  readonly fromPeak: Micros;
}

export class EventLimits {
  readonly #limits: RiskLimits;
  readonly #amounts: Amounts;
  /** Whether each market may be traded at all. */
  readonly #allowed: readonly boolean[];

  constructor(limits: RiskLimits, tape: EventTape) {
    this.#limits = limits;
    this.#amounts = amountsOf(limits);
    const { sports, competitions, marketTypes } = limits.allow;
    const isEventAllowed = isOn(sports, tape.event.sport) && isOn(competitions, tape.competitionId);
    this.#allowed = tape.markets.map(({ marketType }) => isEventAllowed && isOn(marketTypes, marketType));
  }

  /** Why an order must not be sent; null if nothing speaks against it. */
  refusal(terms: Terms, market: number, now: Circumstances): RefusalCode | null {
    return this.#ofItself(terms, market, now) ?? this.#withOthers(terms, now);
  }

  /** Whether a result stops quoting for good: the loss since the beginning, or from the highest result. */
  isLost(totalMicros: Micros, peakMicros: Micros): boolean {
    const { dayLoss, fromPeak } = this.#amounts;
    return 0 - totalMicros >= dayLoss || peakMicros - totalMicros >= fromPeak;
  }

  #ofItself(
    { direction, price, stakeMicros }: Terms,
    market: number,
    now: Circumstances,
  ): RefusalCode | null {
    if (this.#allowed[market] !== true) return 'market_not_allowed';
    if (stakeMicros > this.#amounts.stake) return 'stake_limit';
    const liabilityMicros = direction === 'for' ? stakeMicros : Math.ceil(stakeMicros * (price - 1));
    if (liabilityMicros > this.#amounts.liability) return 'liability_limit';
    const { allowed, stopBeforeStartS } = this.#limits.inPlay;
    if (allowed) return null;
    if (now.inPlay) return 'in_play';
    return now.startsInMs / 1000 > stopBeforeStartS ? null : 'past_start';
  }

  #withOthers(terms: Terms, now: Circumstances): RefusalCode | null {
    const { openOrders } = this.#limits;
    if (now.openOnSelection >= openOrders.selection) return 'selection_open_orders';
    if (now.openOnEvent >= openOrders.event) return 'event_open_orders';
    if (now.openOnEvent >= openOrders.account) return 'account_open_orders';
    const refused = this.#ofExposure(terms, now.exposure.preview(terms), now);
    return refused !== null && now.exposure.reduces(terms) ? null : refused;
  }

  #ofExposure(
    terms: Terms,
    preview: ReturnType<EventExposure['preview']>,
    now: Circumstances,
  ): RefusalCode | null {
    const { stakeMicros, direction, price } = terms;
    const { selection, event, gross, turnover, reserve } = this.#amounts;
    const { ifOpenMicros, selectionIfOpenMicros } = preview;
    if (selectionIfOpenMicros < 0 - selection && !now.exposure.reducesSelection(terms))
      return 'selection_worst_case';
    if (ifOpenMicros < 0 - event) return 'event_worst_case';
    const lossMicros = direction === 'for' ? stakeMicros : Math.round(stakeMicros * (price - 1));
    if (now.exposure.grossMicros + lossMicros > gross) return 'event_gross';
    if (now.turnoverMicros + stakeMicros > turnover) return 'day_turnover';
    return 0 - ifOpenMicros > now.balanceMicros - reserve ? 'balance' : null;
  }
}

/** The terms of an intent. */
export const termsOf = (
  { direction, tick, stakeMicros }: Pick<QuoteIntent, 'direction' | 'tick' | 'stakeMicros'>,
  selection: number,
): Terms => ({
  selection,
  direction,
  price: priceOf(tick),
  stakeMicros,
});

/** Within one event the narrowest of the wider scopes counts. */
function amountsOf({ order, worstCase, gross, turnover, balance, loss }: RiskLimits): Amounts {
  const { eventUsdt, competitionUsdt, sportUsdt, dayUsdt, accountUsdt } = worstCase;
  return {
    stake: toMicros(order.maxStakeUsdt),
    liability: toMicros(order.maxLiabilityUsdt),
    selection: toMicros(worstCase.selectionUsdt),
    event: toMicros(Math.min(eventUsdt, competitionUsdt, sportUsdt, dayUsdt, accountUsdt)),
    gross: toMicros(Math.min(gross.eventUsdt, gross.accountUsdt)),
    turnover: toMicros(turnover.dayUsdt),
    reserve: toMicros(balance.reserveUsdt),
    dayLoss: toMicros(Math.min(loss.dayUsdt, loss.strategyDayUsdt)),
    fromPeak: toMicros(Math.min(loss.fromPeakUsdt, loss.strategyFromPeakUsdt)),
  };
}

/** An empty list allows all. */
const isOn = <T>(list: readonly T[], value: T): boolean => list.length === 0 || list.includes(value);
