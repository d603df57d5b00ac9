/** What a run notes of one event: fills with everything that explains them, times, and the account's course. */
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { profitMicros, SELECTION_KINDS } from '../../domain/odds.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { Direction } from '../../domain/selection.ts';
import { deviationOf, type LuckyFill } from '../../fair/luck.ts';
import { type FairSeries, fairSeries } from '../../fair/series.ts';
import { probabilityAt, signedContracts } from '../../fair/worth.ts';
import type { EquityPoint, EventOutcome, ResearchFill } from '../result.ts';
import { priceAfterRemovals } from '../removals.ts';
import type { EventTape } from '../tape.ts';
import type { OwnOrder } from '../fast/exchange/own-order.ts';
import type { FillCause } from '../fast/exchange/selection-book.ts';
import { FillJudge } from './fill-judge.ts';
import type { OpenTimes } from './open-times.ts';

/** The order of a fill, as far as it explains the fill. */
export type FilledOrder = Pick<
  OwnOrder,
  'selection' | 'direction' | 'restedFromMs' | 'queueAheadMicros' | 'tradedMicros'
>;

interface Filled {
  readonly fill: ResearchFill;
  readonly selection: number;
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
  readonly #times: OpenTimes;
  readonly #fair: FairSeries;
  readonly #judge: FillJudge;
  readonly #filled: Filled[] = [];
  #leastMicros: Micros = 0;

  constructor(tape: EventTape, times: OpenTimes) {
    this.#tape = tape;
    this.#times = times;
    this.#fair = fairSeries(tape);
    this.#judge = new FillJudge(tape, this.#fair);
  }

  get fills(): readonly ResearchFill[] {
    return this.#filled.map(({ fill }) => fill);
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
      ...this.#judge.judged({ selection, direction, tick, stakeMicros, atMs, settledMicros }),
      dataAgeMs: atMs - this.#fair.updatedBefore(selection, atMs),
      settledMicros,
    };
    this.#filled.push({ fill, selection });
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
    const settled = this.#settlement(commission);
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
      twoSidedMs: this.#times.twoSidedMs,
      openMs: this.#times.quotableMs,
      orders: activity.orders,
      betslips: activity.betslips,
      refusals: activity.refusals,
      worstMicros: Math.min(this.#leastMicros, activity.worstMicros),
    };
  }

  /** Of fills with a fair value and a result. */
  #luck(): Pick<EventOutcome, 'surpriseMicros' | 'deviationMicros'> {
    let surpriseMicros = 0;
    const fills: LuckyFill[] = [];
    for (const { fill, selection } of this.#filled) {
      const { atMs, fairAtFill, worthMicros, settledMicros, stakeMicros, direction, tick } = fill;
      if (fairAtFill === null || worthMicros === null || settledMicros === null) continue;
      surpriseMicros += settledMicros - worthMicros;
      const contracts = signedContracts({ direction, price: priceOf(tick), stakeMicros });
      const unpushed = this.#judge.unpushed(selection, atMs) ?? 1;
      fills.push({ selection, atMs, contracts, fair: fairAtFill, unpushed });
    }
    return { surpriseMicros, deviationMicros: deviationOf(this.#fair, fills) };
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
    for (const { fill, selection } of this.#filled) {
      if (fill.settledMicros === null) return null;
      const market = this.#tape.selections[selection]?.market ?? -1;
      net[market] = (net[market] ?? 0) + fill.settledMicros;
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
