import type { Settlement } from '../../src/domain/payoff.ts';
import type { InspectedOrder, SimEventName } from '../../src/simulator/core/api.ts';
import type { EventResult } from '../../src/domain/bet-types/result.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';
import { kindOf, profit } from './order-terms.ts';

const HIGHEST = 7;

type ScoreResult = Extract<EventResult, { kind: 'score' }>;

/** Final results with different payoffs of football bets. The first half is level or already final. */
const RESULTS: readonly ScoreResult[] = Array.from({ length: (HIGHEST + 1) ** 2 }, (_, cell) => {
  const [home, away] = [Math.floor(cell / (HIGHEST + 1)), cell % (HIGHEST + 1)];
  return [0, 1].map((half) => ({
    kind: 'score' as const,
    home,
    away,
    halfTimeHome: half * home,
    halfTimeAway: half * away,
  }));
}).flat();

/** The payoff of a bet type, result by result, computed once each. */
class PayoffTable {
  readonly #payoffs = new Map<string, readonly Settlement[] | null>();

  /** Null for a bet type that does not parse, or is not settled by a final score. */
  of(sport: string, betType: string): readonly Settlement[] | null {
    const key = `${sport} ${betType}`;
    const known = this.#payoffs.get(key);
    if (known !== undefined) return known;
    const payoffs = payoffsOf(sport, betType);
    this.#payoffs.set(key, payoffs);
    return payoffs;
  }
}

/** How each result settles the selection. */
function payoffsOf(sport: string, betType: string): readonly Settlement[] | null {
  const parsed = parseBetType(sport, betType);
  const settlements = RESULTS.map((result) => parsed?.settle(result) ?? null);
  return settlements.includes(null) ? null : (settlements as Settlement[]);
}

/** The payoff of a bet type is the same every day. */
const PAYOFFS = new PayoffTable();

/** The possible results of an event, and whether the same changes voided bets on it. */
export interface EventWorst {
  readonly event: SimEventName;
  readonly worstMicros: number;
  readonly takenBack: boolean;
}

/** The score of an event now; null if it has none. */
export type ScoreOf = (event: SimEventName) => readonly [home: number, away: number] | null;

/** Sports whose score settles their bets: from then on only final scores from it on are possible. */
const SCORED = 'fb';

/** The worst case of every event, over the results that are possible from its score on. */
export class WorstCases {
  readonly #byEvent = new Map<string, WorstCase>();
  readonly #scoreOf: ScoreOf;
  /** Events with a manual order: their worst case is not ours alone. */
  readonly #shared = new Set<string>();

  constructor(scoreOf: ScoreOf = () => null) {
    this.#scoreOf = scoreOf;
  }

  /** The worst case of an event now, in micros. */
  of(event: SimEventName): number {
    return this.#of(event).micros(event.sport === SCORED ? this.#scoreOf(event) : null);
  }

  /** The possible results of these orders' events in micros, after the changes; only events that are ours alone. */
  *after(changed: readonly InspectedOrder[]): Generator<EventWorst> {
    const takenBackOn = new Set<string>();
    for (const order of changed) {
      if (this.#of(order).see(order)) takenBackOn.add(eventKey(order));
      if (order.requestUuid === null) this.#shared.add(eventKey(order));
    }
    for (const [key, event] of new Map(changed.map((order) => [eventKey(order), order])))
      if (!this.#shared.has(key))
        yield { event, worstMicros: this.of(event), takenBack: takenBackOn.has(key) };
  }

  #of(event: SimEventName): WorstCase {
    const key = eventKey(event);
    const known = this.#byEvent.get(key) ?? new WorstCase(event.sport);
    this.#byEvent.set(key, known);
    return known;
  }
}

/** The greatest loss of the account on one event, by the exchange's own settlement of its own orders. */
export class WorstCase {
  readonly #sport: string;
  readonly #open = new Map<number, InspectedOrder>();
  /** Ended orders do not change: their payment is summed once. */
  readonly #over = new Map<number, InspectedOrder>();
  #matched = new Float64Array(RESULTS.length);
  /** The highest score so far. */
  readonly #least: [home: number, away: number] = [0, 0];

  constructor(sport: string) {
    this.#sport = sport;
  }

  /** The present state of an order. Returns whether bets of it were voided. */
  see(order: InspectedOrder): boolean {
    if (!order.closed) {
      this.#open.set(order.orderId, order);
      return false;
    }
    const known = this.#over.get(order.orderId) ?? this.#open.get(order.orderId);
    const isNew = !this.#over.has(order.orderId);
    this.#open.delete(order.orderId);
    this.#over.set(order.orderId, order);
    const hasChanged = known !== undefined && standingMicros(known) !== standingMicros(order);
    if (isNew) this.#add(this.#matched, order);
    else if (hasChanged) this.#sumAnew();
    return order.fills.some(({ voided }) => voided) && (isNew || hasChanged);
  }

  /**
   * Profit in the worst result that can follow a score, or in any if it is null, in micros, over matched stake and stake that may still match;
   * at most 0. A score that goes back leaves out no less.
   */
  micros(score: ReturnType<ScoreOf>): number {
    const totals = this.#matched.slice();
    for (const order of this.#open.values()) this.#add(totals, order);
    for (const at of [0, 1] as const) this.#least[at] = Math.max(this.#least[at], score?.[at] ?? 0);
    const [home, away] = this.#least;
    return Math.min(0, ...totals.filter((_, at) => isFrom(RESULTS[at] as ScoreResult, home, away)));
  }

  #sumAnew(): void {
    this.#matched = new Float64Array(RESULTS.length);
    for (const order of this.#over.values()) this.#add(this.#matched, order);
  }

  #add(totals: Float64Array, order: InspectedOrder): void {
    const settlements = PAYOFFS.of(this.#sport, order.betType);
    const kind = kindOf(order);
    if (settlements === null || kind === null) return;
    const openMicros = order.closed ? 0 : order.stakeMicros - order.filledMicros;
    for (let at = 0; at < totals.length; at++) {
      const settlement = settlements[at] as Settlement;
      let total = (totals[at] as number) + Math.min(0, profit(kind, openMicros, order.price, settlement));
      for (const { price, stakeMicros, voided } of order.fills)
        if (!(voided && order.closed)) total += profit(kind, stakeMicros, price, settlement);
      totals[at] = total;
    }
  }
}

/** Matched stake that was not voided. While an order is open, voided stake may be matched again. */
const standingMicros = ({ fills, closed }: InspectedOrder): number =>
  fills.reduce((sum, { stakeMicros, voided }) => (voided && closed ? sum : sum + stakeMicros), 0);

const isFrom = (result: ScoreResult, home: number, away: number): boolean =>
  result.home >= home && result.away >= away;
