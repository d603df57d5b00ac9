/** The records of one event in a run: fills with everything that explains them, times, and the account's course. */
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { probabilityOf, profitMicros, SELECTION_KINDS } from '../../domain/odds.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';
import { deviationOf, type LuckyFill } from '../../fair/luck.ts';
import type { FairOptions } from '../../fair/options.ts';
import { type FairSeries, fairSeries } from '../../fair/series.ts';
import { probabilityAt, signedContracts } from '../../fair/worth.ts';
import {
  type EquityPoint,
  type EventOutcome,
  phaseOf,
  type ResearchFill,
  type WorthByPhase,
} from '../result.ts';
import { priceAfterRemovals } from '../removals.ts';
import type { EventTape } from '../tape.ts';
import type { OwnOrder } from '../fast/exchange/own-order.ts';
import type { FillCause } from '../fast/exchange/selection-book.ts';
import { FillJudge } from './fill-judge.ts';
import type { OpenTimes } from './open-times.ts';
import type { Refusals } from '../refusals.ts';

/** The order of a fill, as far as it explains the fill. */
export type FilledOrder = Pick<
  OwnOrder,
  'selection' | 'direction' | 'restedFromMs' | 'queueAheadMicros' | 'tradedMicros' | 'take'
>;

interface Filled {
  readonly fill: ResearchFill;
  readonly selection: number;
  readonly order: FilledOrder;
}

/** The outcome of one event. */
export interface EventRunResult {
  readonly outcome: EventOutcome;
  readonly fills: readonly ResearchFill[];
  readonly equity: readonly EquityPoint[];
}

/** Counts that the order manager keeps. */
export interface Activity {
  readonly orders: number;
  readonly betslips: number;
  readonly refusals: Refusals;
  readonly worstMicros: Micros;
  readonly besidesMicros: Micros;
}

export class EventRecords {
  readonly equity: EquityPoint[] = [];
  readonly #tape: EventTape;
  readonly #times: OpenTimes;
  readonly #fair: FairSeries;
  readonly #judge: FillJudge;
  readonly #filled: Filled[] = [];
  readonly #variants: readonly FairOptions[];
  #leastMicros: Micros = 0;

  /** `variants` of the fair value judge the fills besides. */
  constructor(tape: EventTape, times: OpenTimes, variants: readonly FairOptions[] = []) {
    [this.#tape, this.#times, this.#variants] = [tape, times, variants];
    this.#fair = fairSeries(tape);
    this.#judge = new FillJudge(tape, this.#fair);
  }

  get fills(): readonly ResearchFill[] {
    // In a full backtest the daemon names the hedges of its orders in the end.
    return this.#filled.map(({ fill, order }) => {
      const hedge = order.take?.hedge ?? null;
      return fill.hedge === hedge ? fill : { ...fill, hedge };
    });
  }

  onFill(order: FilledOrder, { tick, stakeMicros, cause, atMs, inPlay }: FillFacts): void {
    const { selection, direction } = order;
    const { selectionId, market } = this.#tape.selections[selection] as EventTape['selections'][number];
    const settledMicros = this.#settled(selection, direction, tick, stakeMicros, atMs);
    const fill: ResearchFill = {
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
      hedge: order.take?.hedge ?? null,
      ...this.#judge.judged({ selection, direction, tick, stakeMicros, atMs, settledMicros }),
      dataAgeMs: atMs - this.#fair.updatedBefore(selection, atMs),
      settledMicros,
    };
    this.#filled.push({ fill, selection, order });
  }

  /** A sample of the account. `positions` are profits of each selection if it wins and if it loses. */
  sample(nowMs: number, worstMicros: Micros, positions: Positions): void {
    this.#leastMicros = Math.min(this.#leastMicros, worstMicros);
    let inventoryMicros = 0;
    for (const selection of this.#tape.selections.keys()) {
      inventoryMicros += positions.ifWinMicros(selection) - positions.ifLoseMicros(selection);
    }
    const markedMicros = this.markedMicros(nowMs, positions);
    this.equity.push({ atMs: nowMs, settledMicros: 0, markedMicros, worstMicros, inventoryMicros });
  }

  /** The positions at the last fair values, or as far as none is known at their worst. */
  markedMicros(nowMs: number, positions: Positions): Micros {
    let total = 0;
    for (const selection of this.#tape.selections.keys()) {
      const [win, lose] = [positions.ifWinMicros(selection), positions.ifLoseMicros(selection)];
      if (win === 0 && lose === 0) continue;
      const logOdds = this.#fair.lastAt(selection, nowMs);
      const fair = logOdds === null ? null : probabilityAt(logOdds);
      total += fair === null ? Math.min(win, lose) : fair * win + (1 - fair) * lose;
    }
    return Math.round(total);
  }

  /** Ends the event. `commission` overrides the rates of the markets; null leaves them. */
  finish(endMs: number, commission: number | null, positions: Positions, activity: Activity): EventOutcome {
    const markedMicros = this.markedMicros(endMs, positions);
    const rates = this.#tape.markets.map(({ commissionRate }) => commission ?? commissionRate ?? 0);
    const settled = this.#settlement(rates);
    const fills = this.fills;
    const stakeMicros = fills.reduce((sum, fill) => sum + fill.stakeMicros, 0);
    const closed = fills.filter(({ closingMicros }) => closingMicros !== null);
    const settledMicros = settled?.afterMicros ?? 0;
    this.equity.push({
      atMs: endMs,
      settledMicros,
      worstMicros: 0,
      inventoryMicros: 0,
      markedMicros: settled === null ? markedMicros : settledMicros,
    });
    return {
      event: this.#tape.event,
      eventName: this.#tape.eventName,
      startMs: this.#tape.startMs,
      day: new Date(this.#tape.startMs).toISOString().slice(0, 10),
      fills: fills.length,
      stakeMicros,
      settledMicros: settled?.beforeMicros ?? null,
      afterCommissionMicros: settled?.afterMicros ?? null,
      markedMicros,
      closingMicros: closed.reduce((sum, { closingMicros }) => sum + (closingMicros ?? 0), 0),
      closedFills: closed.length,
      closedStakeMicros: closed.reduce((sum, fill) => sum + fill.stakeMicros, 0),
      ...this.#luck(),
      chanceCommissionMicros: this.#chanceCommission(rates),
      twoSidedMs: this.#times.twoSidedMs,
      openMs: this.#times.quotableMs,
      orders: activity.orders,
      betslips: activity.betslips,
      refusals: activity.refusals,
      besidesMicros: activity.besidesMicros,
      byVariant: this.#byVariant(),
      worstMicros: Math.min(this.#leastMicros, activity.worstMicros),
    };
  }

  /** Without a fill nothing asks for another pass over the tape. */
  #byVariant(): WorthByPhase[] {
    if (this.#filled.length === 0) return [];
    return this.#variants.map((options) => {
      const judge = new FillJudge(this.#tape, fairSeries(this.#tape, options));
      const sums = { 'before play': { worth: 0, stake: 0 }, 'in play': { worth: 0, stake: 0 } };
      for (const { fill, selection } of this.#filled) {
        const worth = judge.verdictMicros({ ...fill, selection });
        if (worth === null) continue;
        const sum = sums[phaseOf(fill.inPlay)];
        sum.worth += worth;
        sum.stake += fill.stakeMicros;
      }
      return sums;
    });
  }

  /** Of fills with a fair value and a result. */
  #luck(): Pick<EventOutcome, 'surpriseMicros' | 'deviationMicros'> {
    let surpriseMicros = 0;
    const fills: LuckyFill[] = [];
    for (const { fill, selection } of this.#filled) {
      const { fairAtFill, worthMicros, settledMicros } = fill;
      if (fairAtFill === null || worthMicros === null || settledMicros === null) continue;
      surpriseMicros += settledMicros - worthMicros;
      fills.push(this.#lucky(fill, selection));
    }
    return { surpriseMicros, deviationMicros: deviationOf(this.#fair, fills) };
  }

  /**
   * What commission takes at most, on average, of bets without an edge. Of a market's profit that is zero on average, the mean gain is half of
   * the mean distance from zero, and that is at most the standard deviation.
   */
  #chanceCommission(rates: readonly number[]): number {
    let micros = 0;
    for (const [market, rate] of rates.entries()) {
      if (rate === 0) continue;
      const fills = this.#filled
        .filter(({ selection }) => this.#tape.selections[selection]?.market === market)
        .map(({ fill, selection }) => this.#lucky(fill, selection));
      micros += (rate * deviationOf(this.#fair, fills)) / 2;
    }
    return micros;
  }

  /** A fill without a fair value counts as a fair bet. */
  #lucky({ atMs, fairAtFill, stakeMicros, direction, tick }: ResearchFill, selection: number): LuckyFill {
    const price = priceOf(tick);
    return {
      selection,
      atMs,
      contracts: signedContracts({ direction, price, stakeMicros }),
      fair: fairAtFill ?? probabilityOf(price),
      unpushed: this.#judge.unpushed(selection, atMs) ?? 1,
    };
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
  #settlement(rates: readonly number[]): { beforeMicros: Micros; afterMicros: Micros } | null {
    const hasResult = this.#tape.selections.some(({ settlement }) => settlement !== null);
    if (!hasResult) return null;
    const net = this.#tape.markets.map(() => 0);
    for (const { fill, selection } of this.#filled) {
      if (fill.settledMicros === null) return null;
      const market = this.#tape.selections[selection]?.market ?? -1;
      net[market] = (net[market] ?? 0) + fill.settledMicros;
    }
    let [beforeMicros, afterMicros] = [0, 0];
    for (const [market, micros] of net.entries()) {
      const rate = rates[market] ?? 0;
      beforeMicros += micros;
      afterMicros += micros - Math.round(Math.max(0, micros) * rate);
    }
    return { beforeMicros, afterMicros };
  }
}

/** The facts of a fill besides its order. */
export interface FillFacts {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly cause: FillCause;
  readonly atMs: number;
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
