import type { AccountChange, AccountProjection, ResultChange } from '../account/changes.ts';
import { type BetState, isAtStake } from '../domain/bet-lifecycle.ts';
import type { EventName } from '../domain/events.ts';
import type { OrderId, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { EventTotal } from '../domain/settlement.ts';
import { type Attribution, AttributionLedger } from './attribution.ts';
import { type Markout, Markouts, type OnMarked } from './markouts.ts';
import { expectedMicros, type Outcomes, Positions } from './positions.ts';
import { Realised } from './realised.ts';
import { type OpenEvent, SettlingEvents } from './settling.ts';

/** The fair probability of a selection now, null when not known. */
export type FairOf = (selectionId: SelectionId) => number | null;

/** Amounts in micros. `total` is realised plus open. */
export interface ProfitLoss {
  /** Profit of settled bets, as the exchange reports it. */
  readonly realisedMicros: Micros;
  /** Expected profit of open bets at the given fair probabilities; bets without one count as 0. */
  readonly openMicros: Micros;
  readonly totalMicros: Micros;
}

/** An event with settled or open bets. */
export interface EventHoldings extends EventName {
  /** Profit of its settled bets, as the exchange reports it. */
  readonly realisedMicros: Micros;
  /** Whether it has open bets, also where these cancel each other. */
  readonly isHeld: boolean;
  /** Selections with an open position. */
  readonly selections: readonly SelectionId[];
}

export interface Ledger extends AccountProjection {
  /** A new fair probability of a selection; `atMs` on the clock of the fills. */
  onFair(selectionId: SelectionId, probability: number, atMs: number): void;
  /** Marks the fills that are due. Call regularly; `nowMs` is on the clock of the fills. */
  advance(nowMs: number): void;
  /** Payoff of a selection's matched, unsettled bets if it wins and if it loses. */
  position(selectionId: SelectionId): Outcomes;
  /** Selections with an open position. */
  selections(): readonly SelectionId[];
  /** Selections of an event with an open position. */
  selectionsOn(event: EventName): readonly SelectionId[];
  /** The number of open bets on an event, also where these cancel each other. */
  openBets(event: EventName): number;
  /** Profit of the settled bets of an event, as the exchange reports it. */
  realisedOn(event: EventName): Micros;
  /** Every event with settled or open bets. Parlays belong to no event and come under an empty event id. */
  events(): readonly EventHoldings[];
  profitLoss(fairOf: FairOf): ProfitLoss;
  /**
   * The total for the loss limits, in micros: realised plus open profit. A partly settled event keeps its earlier total for a
   * while (`SettlingEvents`). Call often; `nowMs` is monotonic.
   */
  judgedMicros(fairOf: FairOf, nowMs: number): Micros;
  /** The same total for some events only, as of the last `judgedMicros`. Parlays belong to no event. */
  judgedOn(isCounted: (event: EventName) => boolean): Micros;
  /** The last judged total of each event with open bets, for a later run. */
  judgedTotals(): readonly EventTotal[];
  /** Restores an earlier run's judged totals. Call before the first bet. */
  recallTotals(totals: Iterable<EventTotal>): void;
  /** The last fair probability of a selection that was seen; null before the first. */
  fairSeen(selectionId: SelectionId): number | null;
  /** Value of fills 1, 10 and 60 seconds later. */
  markouts(): readonly Markout[];
  /** The sources of the profit of settled orders. */
  attribution(): Attribution;
}

export class AccountLedger implements Ledger {
  readonly #positions = new Positions();
  readonly #realised = new Realised();
  readonly #settling = new SettlingEvents();
  /** The totals at the last `judgedMicros`. */
  #counted: readonly EventTotal[] = [];
  readonly #markouts: Markouts;
  readonly #attribution = new AttributionLedger();

  constructor(onMarked?: OnMarked) {
    this.#markouts = new Markouts(onMarked);
  }

  onChange(change: AccountChange, nowMs: number): void {
    if (change.kind === 'booked') this.#onBooked(change.fill, change.state, nowMs);
    else if (change.kind === 'moved') this.#onMoved(change.fill, change.from, change.to);
    else if (change.kind === 'result') this.#onResult(change);
    else if (change.kind === 'reopened') this.#onReopened(change.orderId);
  }

  #onBooked(fill: Fill, state: BetState, nowMs: number): void {
    this.#realised.onBet(fill);
    this.#markouts.onFill(fill, nowMs);
    this.#attribution.onFill(fill);
    if (isAtStake(state)) this.#open(fill);
  }

  #onMoved(fill: Fill, from: BetState, to: BetState): void {
    if (isAtStake(from) && !isAtStake(to)) this.#positions.remove(fill.betId);
    else if (!isAtStake(from) && isAtStake(to)) this.#open(fill);
  }

  #onResult({ result, beforeMicros, hasBets, isRecorded }: ResultChange): void {
    // Corrections of the event's other orders may follow. What the journal holds is over.
    const isCorrected = beforeMicros !== null && beforeMicros !== result.profitLossMicros;
    if (isCorrected && !isRecorded && !this.#positions.isHeld(result))
      this.#settling.onCorrected(result, this.#realised.on(result));
    this.#realised.set(result, hasBets);
    this.#attribution.onSettled(result.orderId, result.profitLossMicros);
  }

  #onReopened(orderId: OrderId): void {
    this.#realised.drop(orderId);
    this.#attribution.onReopened(orderId);
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

  fairSeen(selectionId: SelectionId): number | null {
    return this.#attribution.fairSeen(selectionId);
  }

  position(selectionId: SelectionId): Outcomes {
    return this.#positions.of(selectionId);
  }

  selectionsOn(event: EventName): readonly SelectionId[] {
    return this.#positions.on(event);
  }

  openBets(event: EventName): number {
    return this.#positions.openBets(event);
  }

  realisedOn(event: EventName): Micros {
    return this.#realised.on(event).micros;
  }

  selections(): readonly SelectionId[] {
    return Array.from(this.#positions.all(), ([selectionId]) => selectionId);
  }

  events(): readonly EventHoldings[] {
    const settled = this.#realised
      .events()
      .map(({ sport, eventId, micros }) => ({
        sport,
        eventId,
        realisedMicros: micros,
        isHeld: this.#positions.isHeld({ sport, eventId }),
        selections: this.#positions.on({ sport, eventId }),
      }));
    const open = this.#positions.events().filter((event) => !this.#realised.has(event));
    return [
      ...settled,
      ...open.map(({ sport, eventId, selections }) => ({
        sport,
        eventId,
        realisedMicros: 0,
        isHeld: true,
        selections: [...selections],
      })),
    ];
  }

  profitLoss(fairOf: FairOf): ProfitLoss {
    const realisedMicros = this.#realised.totalMicros;
    const openMicros = this.#worthOf(
      Array.from(this.#positions.all(), ([id]) => id),
      fairOf,
    );
    return { realisedMicros, openMicros, totalMicros: realisedMicros + openMicros };
  }

  judgedMicros(fairOf: FairOf, nowMs: number): Micros {
    const corrected = this.#settling.corrected().filter((event) => !this.#positions.isHeld(event));
    const events = [...this.#positions.events(), ...corrected.map((event) => ({ ...event, selections: [] }))];
    const open = events.map((event) => this.#openEvent(event, fairOf));
    this.#counted = this.#settling.update(open, nowMs);
    return this.#realised.totalMicros + sumOf(this.#counted, (event) => this.#overRealised(event));
  }

  judgedOn(isCounted: (event: EventName) => boolean): Micros {
    const realisedMicros = sumOf(this.#realised.events().filter(isCounted), ({ micros }) => micros);
    const counted = this.#counted.filter(isCounted);
    return realisedMicros + sumOf(counted, (event) => this.#overRealised(event));
  }

  /** The part of an event's total beyond its results. */
  #overRealised(event: EventTotal): Micros {
    return event.micros - this.#realised.on(event).micros;
  }

  judgedTotals(): readonly EventTotal[] {
    return this.#settling.totals();
  }

  recallTotals(totals: Iterable<EventTotal>): void {
    this.#settling.recall(totals);
  }

  #openEvent({ sport, eventId, selections }: EventSelections, fairOf: FairOf): OpenEvent {
    const results = this.#realised.on({ sport, eventId });
    return { sport, eventId, totalMicros: results.micros + this.#worthOf([...selections], fairOf), results };
  }

  #worthOf(selectionIds: readonly SelectionId[], fairOf: FairOf): Micros {
    const marks = selectionIds.map((id) => markOf(this.#positions.of(id), fairOf(id)));
    return Math.round(marks.reduce((total, mark) => total + mark, 0));
  }

  #open(fill: Fill): void {
    this.#settling.onBets(fill, this.#realised.on(fill));
    this.#positions.add(fill);
  }
}

const sumOf = <T>(values: readonly T[], microsOf: (value: T) => Micros): Micros =>
  values.reduce((sum, value) => sum + microsOf(value), 0);

/** An event with its selections that have an open position, if any. */
type EventSelections = EventName & { readonly selections: Iterable<SelectionId> };

function markOf(outcomes: Outcomes, fair: number | null): number {
  return fair === null ? 0 : expectedMicros(outcomes, fair);
}
