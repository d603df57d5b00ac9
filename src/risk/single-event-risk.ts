import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { liabilityMicros } from '../domain/odds.ts';
import { betTypeOf, DIRECTIONS } from '../domain/selection.ts';
import type { OrderCheck, OrderContext } from './checks/context.ts';
import { eventChecks } from './checks/index.ts';
import { type OrderPreview, previewAlone } from './exposure/book.ts';
import { EventBets } from './exposure/event-bets.ts';
import { type OutcomePositions, outcomePositions } from './exposure/outcome-positions.ts';
import { type Bet, BetTypeGrids } from './exposure/payoffs.ts';
import type { EventFacts } from './facts.ts';
import { isOfHedge } from './context-builder.ts';
import type { RiskLimits } from './limits/limits.ts';
import { knowledgeOf } from './market-knowledge.ts';
import type { Refusal } from '../domain/approval.ts';

/** An outcome of the event with its grid of final scores, as the exchange's lookup has it; null where scores do not decide it. */
export interface KnownOutcome {
  readonly outcome: string;
  readonly grid: readonly (readonly string[])[] | null;
}

/** What an order is judged by besides itself and the bets of its event. */
export type EventCircumstances = Omit<OrderContext, 'bet' | 'liabilityMicros' | 'exposure' | 'openCounts'>;

/**
 * The exposure of one event and the limits on its orders, as if the account had nothing else: for backtests, which run event by event.
 * The narrowest of the limits on the event and on what is around it counts.
 */
export class SingleEventRisk {
  readonly #bets: EventBets;
  readonly #checks: readonly OrderCheck[];
  /** The selections of the open orders, and how many orders each of them has. */
  readonly #open = new Map<string, SelectionId>();
  readonly #openOn = new Map<SelectionId, number>();

  /** `facts`: for their market types. */
  constructor(
    limits: RiskLimits,
    event: EventName,
    facts: Pick<EventFacts, 'marketTypeOf'>,
    outcomes: readonly KnownOutcome[],
  ) {
    const grids = new BetTypeGrids(limits.grids.scoreSports);
    for (const { outcome, grid } of outcomes)
      if (grid === null) for (const each of DIRECTIONS) grids.setNone(event.sport, betTypeOf(each, outcome));
      else grids.set(event.sport, betTypeOf('for', outcome), grid);
    const knowledge = knowledgeOf({ limits, eventFacts: () => facts }, grids);
    this.#bets = new EventBets(event, knowledge, new Map());
    this.#checks = eventChecks(limits);
  }

  /** Counts an order that may still be matched; without stake, it no longer counts. */
  open(key: string, bet: Bet): void {
    const isOpen = bet.stakeMicros > 0;
    if (isOpen) this.#bets.put(`open:${key}`, bet, false);
    else this.#bets.remove(`open:${key}`);
    if (isOpen === this.#open.has(key)) return;
    if (isOpen) this.#open.set(key, bet.selectionId);
    else this.#open.delete(key);
    this.#openOn.set(bet.selectionId, (this.#openOn.get(bet.selectionId) ?? 0) + (isOpen ? 1 : -1));
  }

  /** Counts a bet. */
  matched(key: string, bet: Bet): void {
    this.#bets.put(`bet:${key}`, bet, true);
  }

  /** The least profit over all outcomes, "everything is void" included: at most 0. */
  worstMicros(): Micros {
    return this.#bets.worst();
  }

  /** Whether an order certainly reduces risk, or is a bet of a hedge that worsens nothing. */
  reduces(bet: Bet, isHedge: boolean): boolean {
    return this.#bets.preview(bet, isHedge).reduces;
  }

  /** The held bets by what decides them, and what a stake on further bets would add; null if there are none. */
  outcomePositions(further: readonly Bet[]): OutcomePositions | null {
    return outcomePositions(this.#bets, further);
  }

  /** The code of the first check that refuses an order; null if it may be sent. */
  refusalOf(bet: Bet, circumstances: EventCircumstances): Refusal['code'] | null {
    const openOnSelection = this.#openOn.get(bet.selectionId) ?? 0;
    const context = new EventContext(bet, circumstances, this.#bets, [openOnSelection, this.#open.size]);
    for (const check of this.#checks) {
      const refusal = check(context);
      if (refusal !== null) return refusal.code;
    }
    return null;
  }
}

/** Made for every order of a backtest and for every refusal. */
class EventContext implements OrderContext {
  readonly order: OrderContext['order'];
  readonly bet: Bet;
  readonly liabilityMicros: Micros;
  readonly facts: OrderContext['facts'];
  readonly matchedTodayMicros: Micros;
  readonly takenMicros: OrderContext['takenMicros'];
  readonly openStakeMicros: Micros;
  readonly balanceMicros: Micros | null;
  readonly wallMs: number;
  readonly openCounts: OrderContext['openCounts'];
  readonly #bets: EventBets;
  #preview: OrderPreview | null = null;

  constructor(
    bet: Bet,
    circumstances: EventCircumstances,
    bets: EventBets,
    [onSelection, all]: readonly [onSelection: number, all: number],
  ) {
    this.bet = bet;
    this.liabilityMicros = liabilityMicros(bet.priceKind, bet.stakeMicros, bet.price);
    this.order = circumstances.order;
    this.facts = circumstances.facts;
    this.takenMicros = circumstances.takenMicros;
    this.matchedTodayMicros = circumstances.matchedTodayMicros;
    this.openStakeMicros = circumstances.openStakeMicros;
    this.balanceMicros = circumstances.balanceMicros;
    this.wallMs = circumstances.wallMs;
    this.openCounts = { selection: onSelection, event: all, account: all };
    this.#bets = bets;
  }

  /** A preview passes over every final score: an order that is refused without one is spared it. */
  get exposure(): OrderPreview {
    return (this.#preview ??= previewAlone(this.#bets, this.bet, isOfHedge(this.order)));
  }
}
