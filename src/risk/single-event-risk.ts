import type { EventName } from '../domain/events.ts';
import type { BetType } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { liabilityMicros } from '../domain/odds.ts';
import { DIRECTIONS } from '../domain/selection.ts';
import type { OrderCheck, OrderContext } from './checks/context.ts';
import { eventChecks } from './checks/index.ts';
import { type OrderPreview, previewAlone } from './exposure/book.ts';
import { EventBets } from './exposure/event-bets.ts';
import { type Bet, BetTypeGrids } from './exposure/payoffs.ts';
import type { EventFacts } from './facts.ts';
import type { RiskLimits } from './limits/limits.ts';
import { knowledgeOf } from './market-knowledge.ts';

/** An outcome of the event with its grid of final scores, as the exchange's lookup has it; null where scores do not decide it. */
export interface KnownOutcome {
  readonly outcome: string;
  readonly grid: readonly (readonly string[])[] | null;
}

/** What an order is judged by besides itself and the bets of its event. */
export type EventCircumstances = Omit<OrderContext, 'order' | 'bet' | 'liabilityMicros' | 'exposure'>;

/**
 * The exposure of one event and the limits on its orders, as if the account had nothing else: for backtests, which run event by event.
 * The narrowest of the limits on the event and on what is around it counts.
 */
export class SingleEventRisk {
  readonly #bets: EventBets;
  readonly #checks: readonly OrderCheck[];

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
    if (bet.stakeMicros > 0) this.#bets.put(`open:${key}`, bet, false);
    else this.#bets.remove(`open:${key}`);
  }

  /** Counts a bet. */
  matched(key: string, bet: Bet): void {
    this.#bets.put(`bet:${key}`, bet, true);
  }

  /** The least profit over all outcomes, "everything is void" included: at most 0. */
  worstMicros(): Micros {
    return this.#bets.worst();
  }

  /** Whether an order must not be sent. */
  refuses(bet: Bet, circumstances: EventCircumstances): boolean {
    const bets = this.#bets;
    let preview: OrderPreview | null = null;
    const { facts, openOrders, openStakeMicros, matchedTodayMicros, balanceMicros, wallMs } = circumstances;
    const context: OrderContext = {
      facts,
      openOrders,
      openStakeMicros,
      matchedTodayMicros,
      balanceMicros,
      wallMs,
      order: NO_OPTIONS,
      bet,
      liabilityMicros: liabilityMicros(bet.priceKind, bet.stakeMicros, bet.price),
      // A preview passes over every final score: an order that is refused without one is spared it.
      get exposure() {
        return (preview ??= previewAlone(bets, bet));
      },
    };
    return this.#checks.some((check) => check(context) !== null);
  }
}

const NO_OPTIONS = {};

const betTypeOf = (direction: Bet['direction'], outcome: string): BetType =>
  `${direction},${outcome}` as BetType;
