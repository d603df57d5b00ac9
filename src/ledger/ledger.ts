import type { BetId, OrderId, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { VenueOrder } from '../domain/orders.ts';
import type { Outcomes } from './positions.ts';
import { Positions, expectedMicros } from './positions.ts';

/** The fair probability of a selection now, null when not known. */
export type FairOf = (selectionId: SelectionId) => number | null;

/** Amounts in micros. `total` is realised plus open. */
export interface ProfitLoss {
  /** Of settled bets, by the exchange's word. */
  readonly realisedMicros: Micros;
  /** Expected profit of open bets at the given fair probabilities; bets without one count as 0. */
  readonly openMicros: Micros;
  readonly totalMicros: Micros;
  /** Selections with a position and without a fair probability. */
  readonly unmarkedSelections: number;
}

export interface Activity {
  readonly fills: number;
  readonly makerFills: number;
  readonly takerFills: number;
  readonly stakeMatchedMicros: Micros;
}

export interface Ledger {
  /** Books a bet once; answers whether it is new. */
  onFill(fill: Fill): boolean;
  /**
   * Takes the result of an order whose bets the exchange has settled, voids included; an order that is not final, and
   * a repetition, changes nothing. A later correction replaces the earlier result. Answers the bets that are settled.
   */
  settle(order: VenueOrder): readonly BetId[];
  /** What the matched, unsettled bets of a selection pay if it wins and if it loses. */
  position(selectionId: SelectionId): Outcomes;
  /** Selections with an open position. */
  selections(): readonly SelectionId[];
  profitLoss(fairOf: FairOf): ProfitLoss;
  activity(): Activity;
}

const SETTLED_STATUSES: readonly string[] = ['reconciled', 'full_void', 'partial_void'];

/** Whether the exchange's profit or loss of an order is final: it says so, or the event has a result. */
export function isSettled({ closed, status, result }: VenueOrder): boolean {
  return closed && (SETTLED_STATUSES.includes(status) || (status === 'done' && result !== null));
}

/** Profit of an order by the exchange's word: that of its bets where each has one, else its own. */
export function settledMicros({ bets, profitLossMicros }: VenueOrder): Micros {
  const each = bets.map((bet) => bet.profitLossMicros);
  if (profitLossMicros !== null || each.length === 0) return profitLossMicros ?? 0;
  return each.reduce<Micros>((total, micros) => total + (micros ?? 0), 0);
}

export class AccountLedger implements Ledger {
  readonly #positions = new Positions();
  readonly #booked = new Set<BetId>();
  readonly #betsOfOrder = new Map<OrderId, Set<BetId>>();
  readonly #realised = new Map<OrderId, Micros>();
  #realisedMicros: Micros = 0;
  #activity: Activity = { fills: 0, makerFills: 0, takerFills: 0, stakeMatchedMicros: 0 };

  onFill(fill: Fill): boolean {
    if (this.#booked.has(fill.betId)) return false;
    this.#booked.add(fill.betId);
    this.#betsOf(fill.orderId).add(fill.betId);
    this.#count(fill);
    if (!this.#realised.has(fill.orderId)) this.#positions.add(fill);
    return true;
  }

  settle(order: VenueOrder): readonly BetId[] {
    if (!isSettled(order)) return [];
    const micros = settledMicros(order);
    this.#realisedMicros += micros - (this.#realised.get(order.orderId) ?? 0);
    this.#realised.set(order.orderId, micros);
    const bets = [...this.#betsOf(order.orderId)];
    return bets.filter((betId) => this.#positions.remove(betId) !== undefined);
  }

  position(selectionId: SelectionId): Outcomes {
    return this.#positions.of(selectionId);
  }

  selections(): readonly SelectionId[] {
    return Array.from(this.#positions.all(), ([selectionId]) => selectionId);
  }

  profitLoss(fairOf: FairOf): ProfitLoss {
    const [realisedMicros, positions] = [this.#realisedMicros, [...this.#positions.all()]];
    const marks = positions.map(([selectionId, outcomes]) => markOf(outcomes, fairOf(selectionId)));
    const openMicros = Math.round(marks.reduce<number>((total, mark) => total + (mark ?? 0), 0));
    const unmarkedSelections = marks.filter((mark) => mark === null).length;
    return { realisedMicros, openMicros, totalMicros: realisedMicros + openMicros, unmarkedSelections };
  }

  activity(): Activity {
    return this.#activity;
  }

  #betsOf(orderId: OrderId): Set<BetId> {
    const bets = this.#betsOfOrder.get(orderId) ?? new Set();
    this.#betsOfOrder.set(orderId, bets);
    return bets;
  }

  #count({ role, stakeMicros }: Fill): void {
    const { fills, makerFills, takerFills, stakeMatchedMicros } = this.#activity;
    this.#activity = {
      fills: fills + 1,
      makerFills: makerFills + (role === 'maker' ? 1 : 0),
      takerFills: takerFills + (role === 'taker' ? 1 : 0),
      stakeMatchedMicros: stakeMatchedMicros + stakeMicros,
    };
  }
}

function markOf(outcomes: Outcomes, fair: number | null): number | null {
  return fair === null ? null : expectedMicros(outcomes, fair);
}
