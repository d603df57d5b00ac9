/** What a run notes of one event: fills with everything that explains them, times, and the account's course. */
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { profitMicros, SELECTION_KINDS } from '../../domain/odds.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';
import { type EquityPoint, type EventOutcome, RESEARCH_HORIZONS_S, type ResearchFill } from '../result.ts';
import { priceAfterRemovals } from '../removals.ts';
import type { EventTape } from '../tape.ts';
import type { OwnOrder } from '../fast/exchange/own-order.ts';
import type { RecordedExchange } from '../fast/exchange/recorded-exchange.ts';
import type { FillCause } from '../fast/exchange/selection-book.ts';
import type { OpenTimes } from './open-times.ts';

/** The market as the recording shows it. */
export type RecordedMarket = Pick<RecordedExchange, 'books' | 'open' | 'inPlay' | 'isMarketClosed'>;

/** The order of a fill, as far as it explains the fill. */
export type FilledOrder = Pick<
  OwnOrder,
  'selection' | 'direction' | 'restedFromMs' | 'queueAheadMicros' | 'tradedMicros'
>;

/** A fill whose later marks are not known yet. */
type Draft = { -readonly [K in keyof ResearchFill]: ResearchFill[K] } & {
  fairLater: (number | null)[];
};

interface Filled {
  readonly draft: Draft;
  readonly selection: number;
  readonly price: number;
  /** How long its market had been open. Marks are due by this time. */
  readonly openMs: number;
}

/** What became of one event. */
export interface EventRunResult {
  readonly outcome: EventOutcome;
  readonly fills: readonly ResearchFill[];
  readonly equity: readonly EquityPoint[];
}

/** Counts that the order manager keeps. */
export interface Activity {
  readonly orders: number;
  readonly betslips: number;
  readonly refusals: number;
  readonly worstMicros: Micros;
}

export class EventRecords {
  readonly equity: EquityPoint[] = [];
  readonly #tape: EventTape;
  readonly #exchange: RecordedMarket;
  readonly #times: OpenTimes;
  readonly #filled: Filled[] = [];
  /** Per market, in their order. */
  readonly #filledIn: readonly Filled[][];
  /** Per market and horizon: how many fills are marked. */
  readonly #marked: number[][];
  /** No mark is due before this instant. */
  #nextMarkMs = Infinity;
  readonly #lastMids: (number | null)[];
  /** When each of them was seen. */
  readonly #lastMidMs: number[];
  /** The instant whose updates the books contain, or are about to. */
  #instantMs = -Infinity;
  readonly #closing: (number | null)[];
  #leastMicros: Micros = 0;

  constructor(tape: EventTape, exchange: RecordedMarket, times: OpenTimes) {
    this.#tape = tape;
    this.#exchange = exchange;
    this.#times = times;
    this.#filledIn = tape.markets.map(() => []);
    this.#marked = tape.markets.map(() => RESEARCH_HORIZONS_S.map(() => 0));
    this.#lastMids = tape.selections.map(() => null);
    this.#lastMidMs = tape.selections.map(() => -Infinity);
    this.#closing = tape.selections.map(() => null);
  }

  get fills(): readonly ResearchFill[] {
    return this.#filled.map(({ draft }) => draft);
  }

  lastMid(selection: number): number | null {
    return this.#lastMids[selection] ?? null;
  }

  /** The last two-sided book of an instant counts, while the market is open. */
  noteMid(selection: number): void {
    const market = this.#tape.selections[selection]?.market ?? -1;
    if (this.#exchange.open[market] !== true) return;
    const mid = this.#exchange.books[selection]?.mid() ?? null;
    if (mid === null) return;
    this.#lastMids[selection] = mid;
    this.#lastMidMs[selection] = this.#instantMs;
  }

  /** The event turns in play: the last mids are the closing line of every fill before. */
  onInPlay(): void {
    for (const [selection, mid] of this.#lastMids.entries()) this.#closing[selection] = mid;
    for (const filled of this.#filled)
      filled.draft.fairAtClose = this.#atOwnPrice(filled, this.#closing[filled.selection] ?? null);
  }

  onFill(order: FilledOrder, { tick, stakeMicros, cause, atMs, dataMs, mid, inPlay }: FillFacts): void {
    const { selection, direction } = order;
    const { selectionId, market } = this.#tape.selections[selection] as EventTape['selections'][number];
    const draft: Draft = {
      event: this.#tape.event,
      selectionId,
      marketId: this.#tape.markets[market]?.marketId ?? '',
      direction,
      tick,
      stakeMicros,
      atMs,
      startsInMs: this.#tape.startMs - atMs,
      inPlay,
      restedFromMs: order.restedFromMs ?? atMs,
      queueAheadMicros: order.queueAheadMicros,
      tradedMicros: order.tradedMicros,
      cause,
      fairAtFill: mid,
      fairLater: RESEARCH_HORIZONS_S.map(() => null),
      fairAtClose: null,
      dataAgeMs: atMs - dataMs,
      settledMicros: this.#settled(selection, direction, tick, stakeMicros, atMs),
    };
    const filled = { draft, selection, price: priceOf(tick), openMs: this.#times.openMs(market, atMs) };
    this.#filled.push(filled);
    this.#filledIn[market]?.push(filled);
    this.#nextMarkMs = Math.min(this.#nextMarkMs, atMs);
  }

  /** Marks the fills that are due by an instant, by the books as they are. Call it before the updates of the instant. */
  mark(nowMs: number): void {
    const bookMs = this.#instantMs;
    this.#instantMs = nowMs;
    if (nowMs < this.#nextMarkMs) return;
    this.#nextMarkMs = Infinity;
    for (const [market, filled] of this.#filledIn.entries()) {
      const openMs = this.#times.openMs(market, nowMs);
      for (const horizon of RESEARCH_HORIZONS_S.keys()) {
        const leftMs = this.#markThose(filled, this.#marked[market] as number[], horizon, [bookMs, openMs]);
        this.#nextMarkMs = Math.min(this.#nextMarkMs, nowMs + leftMs);
      }
    }
  }

  /** Marks at one horizon. Returns the open time until the next mark is due, at least. */
  #markThose(
    filled: readonly Filled[],
    marked: number[],
    horizon: number,
    [bookMs, nowOpenMs]: readonly [bookMs: number, nowOpenMs: number],
  ): number {
    const afterMs = (RESEARCH_HORIZONS_S[horizon] as number) * 1_000;
    for (let at = marked[horizon] as number; at < filled.length; at++) {
      const each = filled[at] as Filled;
      const { draft, selection, openMs } = each;
      if (openMs + afterMs > nowOpenMs) return openMs + afterMs - nowOpenMs;
      draft.fairLater[horizon] = this.#atOwnPrice(
        each,
        this.#exchange.books[selection]?.mid() ?? null,
        bookMs,
      );
      marked[horizon] = at + 1;
    }
    return Infinity;
  }

  /** A sample of the account. `positions` are profits of each selection if it wins and if it loses. */
  sample(nowMs: number, worstMicros: Micros, positions: Positions): void {
    this.#leastMicros = Math.min(this.#leastMicros, worstMicros);
    let inventoryMicros = 0;
    for (const selection of this.#tape.selections.keys()) {
      inventoryMicros += positions.ifWinMicros(selection) - positions.ifLoseMicros(selection);
    }
    const markedMicros = this.markedMicros(positions);
    this.equity.push({ atMs: nowMs, settledMicros: 0, markedMicros, worstMicros, inventoryMicros });
  }

  /** The positions at the last mids, or as far as none is known at their worst. */
  markedMicros(positions: Positions): Micros {
    let total = 0;
    for (const [selection, mid] of this.#lastMids.entries()) {
      const [win, lose] = [positions.ifWinMicros(selection), positions.ifLoseMicros(selection)];
      if (win === 0 && lose === 0) continue;
      total += mid === null ? Math.min(win, lose) : mid * win + (1 - mid) * lose;
    }
    return Math.round(total);
  }

  /** Ends the event. `commission` overrides the rates of the markets; null leaves them. */
  finish(endMs: number, commission: number | null, positions: Positions, activity: Activity): EventOutcome {
    this.#closeLine();
    const markedMicros = this.markedMicros(positions);
    const settled = this.#settlement(commission);
    const stakeMicros = this.#filled.reduce((sum, { draft }) => sum + draft.stakeMicros, 0);
    const closed = this.#filled.filter(({ draft }) => draft.fairAtClose !== null);
    const settledMicros = settled?.afterMicros ?? 0;
    this.equity.push({
      ...{ atMs: endMs, settledMicros, worstMicros: 0, inventoryMicros: 0 },
      markedMicros: settled === null ? markedMicros : settledMicros,
    });
    return {
      ...{ event: this.#tape.event, eventName: this.#tape.eventName, startMs: this.#tape.startMs },
      day: new Date(this.#tape.startMs).toISOString().slice(0, 10),
      ...{ fills: this.#filled.length, stakeMicros },
      settledMicros: settled?.beforeMicros ?? null,
      afterCommissionMicros: settled?.afterMicros ?? null,
      markedMicros,
      closingMicros: closed.reduce((sum, fill) => sum + closingWorth(fill), 0),
      closedFills: closed.length,
      closedStakeMicros: closed.reduce((sum, { draft }) => sum + draft.stakeMicros, 0),
      ...{ twoSidedMs: this.#times.twoSidedMs, openMs: this.#times.quotableMs },
      ...{ orders: activity.orders, betslips: activity.betslips, refusals: activity.refusals },
      worstMicros: Math.min(this.#leastMicros, activity.worstMicros),
    };
  }

  /** Fills in play have the last mid before their market closed, if it closed. */
  #closeLine(): void {
    for (const filled of this.#filled) {
      const { draft, selection } = filled;
      const market = this.#tape.selections[selection]?.market ?? -1;
      const isBefore = draft.fairAtClose !== null || (this.#exchange.inPlay && !draft.inPlay);
      if (isBefore || !this.#exchange.isMarketClosed(market)) continue;
      draft.fairAtClose = this.#atOwnPrice(filled, this.#lastMids[selection] ?? null);
    }
  }

  /**
   * A probability that the market had at `fairMs`, as the price of a fill has to be multiplied by it: removals since the fill reduced that price, and
   * the market moved by them.
   */
  #atOwnPrice(
    { draft, selection, price }: Filled,
    fair: number | null,
    fairMs = this.#lastMidMs[selection] ?? -Infinity,
  ): number | null {
    if (fair === null) return null;
    const reduced = priceAfterRemovals(this.#tape, selection, price, [draft.atMs, fairMs]);
    return reduced === price ? fair : (fair * reduced) / price;
  }

  /** By the price that the removals after the fill leave. */
  #settled(
    selection: number,
    direction: Direction,
    tick: Tick,
    stakeMicros: Micros,
    atMs: number,
  ): Micros | null {
    const settlement = this.#tape.selections[selection]?.settlement ?? null;
    if (settlement === null) return null;
    const price = priceAfterRemovals(this.#tape, selection, priceOf(tick), [atMs, Infinity]);
    return settledProfit(direction, stakeMicros, price, settlement);
  }

  /** Profit before and after commission on each market's net winnings; null while a fill has no result. */
  #settlement(commission: number | null): { beforeMicros: Micros; afterMicros: Micros } | null {
    const hasResult = this.#tape.selections.some(({ settlement }) => settlement !== null);
    if (!hasResult) return null;
    const net = this.#tape.markets.map(() => 0);
    for (const { draft, selection } of this.#filled) {
      if (draft.settledMicros === null) return null;
      const market = this.#tape.selections[selection]?.market ?? -1;
      net[market] = (net[market] ?? 0) + draft.settledMicros;
    }
    let [beforeMicros, afterMicros] = [0, 0];
    for (const [market, micros] of net.entries()) {
      const rate = commission ?? this.#tape.markets[market]?.commissionRate ?? 0;
      beforeMicros += micros;
      afterMicros += micros - Math.round(Math.max(0, micros) * rate);
    }
    return { beforeMicros, afterMicros };
  }
}

/** What is known of a fill besides its order. */
export interface FillFacts {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly cause: FillCause;
  readonly atMs: number;
  /** The last update of the selection before the instant. */
  readonly dataMs: number;
  /** The mid before the instant. */
  readonly mid: number | null;
  readonly inPlay: boolean;
}

/** Profits of matched bets by selection. */
export interface Positions {
  ifWinMicros(selection: number): Micros;
  ifLoseMicros(selection: number): Micros;
}

/** Settled profit of a bet in whole micros, as the exchange pays it: both directions mirror each other. */
export function settledProfit(
  direction: Direction,
  stakeMicros: Micros,
  price: number,
  settlement: Settlement,
): Micros {
  return profitMicros(SELECTION_KINDS[direction], stakeMicros, price, settlement);
}

/** What a fill is worth at its closing line. */
function closingWorth({ draft, price }: Filled): Micros {
  const { fairAtClose, stakeMicros, direction } = draft;
  const forMicros = Math.round(stakeMicros * ((fairAtClose ?? 0) * price - 1));
  return direction === 'for' ? forMicros : 0 - forMicros;
}
