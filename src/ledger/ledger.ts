import type { BetId, EventId, OrderId, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { OrderResult } from '../domain/settlement.ts';
import type { Attribution } from './attribution.ts';
import { AttributionBook } from './attribution.ts';
import type { Markout } from './markouts.ts';
import { Markouts } from './markouts.ts';
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
}

export interface Activity {
  readonly fills: number;
  readonly stakeMatchedMicros: Micros;
}

export interface Ledger {
  /** Books a bet once; answers whether it is new. */
  onFill(fill: Fill): boolean;
  /**
   * Takes the result of a settled order. A repetition changes nothing, a later correction replaces the earlier result.
   * Answers the bets that are settled by it.
   */
  settle(settlement: OrderResult): readonly Fill[];
  /**
   * An order that was settled is not: its bets count as before, those aside that were taken back. Answers all of them.
   */
  reopen(orderId: OrderId): readonly Fill[];
  /**
   * Whether a bet whose order is not settled stands, or was taken back and pays nothing; one that is not known yet will
   * not come into a position then. Answers whether that changed anything.
   */
  setStanding(betId: BetId, stands: boolean): boolean;
  /** The result of a settled order, null while there is none. */
  resultOf(orderId: OrderId): Micros | null;
  /** The fair probability of a selection, whenever it is known anew; instants on the clock of the fills. */
  onFair(selectionId: SelectionId, probability: number, atMs: number): void;
  /** Time has passed; from time to time, on the clock of the fills. */
  advance(nowMs: number): void;
  /** What the matched, unsettled bets of a selection pay if it wins and if it loses. */
  position(selectionId: SelectionId): Outcomes;
  /** Selections with an open position. */
  selections(): readonly SelectionId[];
  /** Those of an event, of all sports that use its id. */
  selectionsOn(eventId: EventId): readonly SelectionId[];
  profitLoss(fairOf: FairOf): ProfitLoss;
  activity(): Activity;
  /** What fills were worth 1, 10 and 60 seconds later. */
  markouts(): readonly Markout[];
  /** Where the profit of settled orders came from. */
  attribution(): Attribution;
}

export class AccountLedger implements Ledger {
  readonly #positions = new Positions();
  readonly #booked = new Map<BetId, Fill>();
  /** Taken back before their orders were settled, with their fills once those are known. */
  readonly #takenBack = new Map<BetId, Fill | null>();
  readonly #betsOfOrder = new Map<OrderId, Set<BetId>>();
  readonly #realised = new Map<OrderId, Micros>();
  readonly #markouts = new Markouts();
  readonly #attribution = new AttributionBook();
  #realisedMicros: Micros = 0;
  #activity: Activity = { fills: 0, stakeMatchedMicros: 0 };

  onFill(fill: Fill): boolean {
    if (this.#booked.has(fill.betId)) return false;
    this.#booked.set(fill.betId, fill);
    this.#betsOf(fill.orderId).add(fill.betId);
    this.#count(fill);
    this.#markouts.onFill(fill);
    this.#attribution.onFill(fill);
    if (this.#takenBack.has(fill.betId)) this.#takenBack.set(fill.betId, fill);
    else if (!this.#realised.has(fill.orderId)) this.#positions.add(fill);
    return true;
  }

  settle({ orderId, profitLossMicros }: OrderResult): readonly Fill[] {
    this.#realisedMicros += profitLossMicros - (this.#realised.get(orderId) ?? 0);
    this.#realised.set(orderId, profitLossMicros);
    this.#attribution.onSettled(orderId, profitLossMicros);
    return [...this.#betsOf(orderId)].flatMap((betId) => this.#takeOut(betId) ?? []);
  }

  reopen(orderId: OrderId): readonly Fill[] {
    this.#realisedMicros -= this.#realised.get(orderId) ?? 0;
    this.#realised.delete(orderId);
    this.#attribution.onReopened(orderId);
    const fills = [...this.#betsOf(orderId)].flatMap((betId) => this.#booked.get(betId) ?? []);
    for (const fill of fills) if (!this.#takenBack.has(fill.betId)) this.#positions.add(fill);
    return fills;
  }

  setStanding(betId: BetId, stands: boolean): boolean {
    return stands ? this.#reinstate(betId) : this.#takeBack(betId);
  }

  #takeBack(betId: BetId): boolean {
    const fill = this.#positions.remove(betId);
    if (fill !== undefined || !this.#booked.has(betId)) this.#takenBack.set(betId, fill ?? null);
    return fill !== undefined;
  }

  #reinstate(betId: BetId): boolean {
    const fill = this.#takenBack.get(betId);
    this.#takenBack.delete(betId);
    if (fill !== undefined && fill !== null) this.#positions.add(fill);
    return fill !== undefined;
  }

  /** A bet that is settled now; undefined when it was before. */
  #takeOut(betId: BetId): Fill | undefined {
    const fill = this.#positions.remove(betId) ?? this.#takenBack.get(betId) ?? undefined;
    this.#takenBack.delete(betId);
    return fill;
  }

  resultOf(orderId: OrderId): Micros | null {
    return this.#realised.get(orderId) ?? null;
  }

  onFair(selectionId: SelectionId, probability: number, atMs: number): void {
    this.#markouts.onFair(selectionId, probability, atMs);
    this.#attribution.onFair(selectionId, probability);
  }

  advance(nowMs: number): void {
    this.#markouts.advance(nowMs);
  }

  markouts(): readonly Markout[] {
    return this.#markouts.results();
  }

  attribution(): Attribution {
    return this.#attribution.total();
  }

  position(selectionId: SelectionId): Outcomes {
    return this.#positions.of(selectionId);
  }

  selectionsOn(eventId: EventId): readonly SelectionId[] {
    return [...this.#positions.on(eventId)];
  }

  selections(): readonly SelectionId[] {
    return Array.from(this.#positions.all(), ([selectionId]) => selectionId);
  }

  profitLoss(fairOf: FairOf): ProfitLoss {
    const [realisedMicros, positions] = [this.#realisedMicros, [...this.#positions.all()]];
    const marks = positions.map(([selectionId, outcomes]) => markOf(outcomes, fairOf(selectionId)));
    const openMicros = Math.round(marks.reduce((total, mark) => total + mark, 0));
    return { realisedMicros, openMicros, totalMicros: realisedMicros + openMicros };
  }

  activity(): Activity {
    return this.#activity;
  }

  #betsOf(orderId: OrderId): Set<BetId> {
    const bets = this.#betsOfOrder.get(orderId) ?? new Set();
    this.#betsOfOrder.set(orderId, bets);
    return bets;
  }

  #count({ stakeMicros }: Fill): void {
    const { fills, stakeMatchedMicros } = this.#activity;
    this.#activity = { fills: fills + 1, stakeMatchedMicros: stakeMatchedMicros + stakeMicros };
  }
}

function markOf(outcomes: Outcomes, fair: number | null): number {
  return fair === null ? 0 : expectedMicros(outcomes, fair);
}
