import type { Settlement } from '../../src/domain/payoff.ts';
import type { EventResult, InspectedOrder } from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/simulator/core/bet-types/index.ts';
import { profit, sideOf } from './order-terms.ts';
import type { Side } from './order-terms.ts';

const HIGHEST = 7;

/** Final results that differ in what football bets pay; the first half is level or already final. */
const RESULTS: readonly EventResult[] = Array.from({ length: (HIGHEST + 1) ** 2 }, (_, cell) => {
  const [home, away] = [Math.floor(cell / (HIGHEST + 1)), cell % (HIGHEST + 1)];
  return [0, 1].map((half) => ({
    ...{ kind: 'score' as const, home, away },
    ...{ halfTimeHome: half * home, halfTimeAway: half * away },
  }));
}).flat();

interface Payoffs {
  readonly side: Side;
  readonly settlements: readonly Settlement[];
}

/** What a bet type pays, result by result, worked out once each. */
class PayoffTable {
  readonly #payoffs = new Map<string, Payoffs | null>();

  /** Null for what does not parse, or is not settled by a final score. */
  of(sport: string, betType: string): Payoffs | null {
    const key = `${sport} ${betType}`;
    const known = this.#payoffs.get(key);
    if (known !== undefined) return known;
    const payoffs = payoffsOf(sport, betType);
    this.#payoffs.set(key, payoffs);
    return payoffs;
  }
}

function payoffsOf(sport: string, betType: string): Payoffs | null {
  const parsed = parseBetType(sport, betType);
  const settlements = RESULTS.map((result) => parsed?.settle(result) ?? null);
  const side = sideOf(betType);
  if (side === null || settlements.includes(null)) return null;
  return { side, settlements: settlements as Settlement[] };
}

/** What bet types pay does not change from day to day. */
const PAYOFFS = new PayoffTable();

/**
 * The worst case of one event, also while bets are taken back: until the daemon is told it takes them to stand, and what
 * they had hedged may come to more than the limit.
 */
class AfterVoids {
  readonly #real: WorstCase;
  readonly #deemed: WorstCase;
  #anyVoid = false;

  constructor(sport: string) {
    [this.#real, this.#deemed] = [new WorstCase(sport), new WorstCase(sport)];
  }

  see(order: InspectedOrder): void {
    this.#anyVoid ||= order.fills.some(({ voided }) => voided);
    this.#real.see(order);
    this.#deemed.see({ ...order, fills: order.fills.map((fill) => ({ ...fill, voided: false })) });
  }

  /** By what stands, or by what stood before any was taken back, whichever is better. */
  micros(): number {
    const realMicros = this.#real.micros();
    return this.#anyVoid ? Math.max(realMicros, this.#deemed.micros()) : realMicros;
  }
}

/** The worst case of every event. */
export class WorstCases {
  readonly #sportOf: (eventId: string) => string;
  readonly #byEvent = new Map<string, AfterVoids>();
  /** Events on which a person has placed an order: their worst case is not ours alone. */
  readonly #shared = new Set<string>();

  constructor(sportOf: (eventId: string) => string) {
    this.#sportOf = sportOf;
  }

  /** What the events of these orders can come to in micros, after the changes; those that are ours alone. */
  *after(changed: readonly InspectedOrder[]): Generator<readonly [eventId: string, worstMicros: number]> {
    for (const order of changed) {
      this.#of(order.eventId).see(order);
      if (order.requestUuid === null) this.#shared.add(order.eventId);
    }
    for (const eventId of new Set(changed.map((order) => order.eventId)))
      if (!this.#shared.has(eventId)) yield [eventId, this.#of(eventId).micros()];
  }

  #of(eventId: string): AfterVoids {
    const known = this.#byEvent.get(eventId) ?? new AfterVoids(this.#sportOf(eventId));
    this.#byEvent.set(eventId, known);
    return known;
  }
}

/** What the account could lose on one event, by the exchange's own settlement of its own orders. */
export class WorstCase {
  readonly #sport: string;
  readonly #open = new Map<number, InspectedOrder>();
  /** Orders that are over change no more: what they paid is summed once. */
  readonly #over = new Map<number, InspectedOrder>();
  #matched = new Float64Array(RESULTS.length);

  constructor(sport: string) {
    this.#sport = sport;
  }

  /** An order as it is now. */
  see(order: InspectedOrder): void {
    if (!order.closed) {
      this.#open.set(order.orderId, order);
      return;
    }
    this.#open.delete(order.orderId);
    const known = this.#over.get(order.orderId);
    this.#over.set(order.orderId, order);
    if (known === undefined) this.#add(this.#matched, order);
    else if (standingMicros(known) !== standingMicros(order)) this.#sumAnew();
  }

  /** Profit in the worst result, in micros, over what is matched and whatever may still be; at most 0. */
  micros(): number {
    const totals = this.#matched.slice();
    for (const order of this.#open.values()) this.#add(totals, order);
    return Math.min(0, ...totals);
  }

  #sumAnew(): void {
    this.#matched = new Float64Array(RESULTS.length);
    for (const order of this.#over.values()) this.#add(this.#matched, order);
  }

  #add(totals: Float64Array, order: InspectedOrder): void {
    const payoffs = PAYOFFS.of(this.#sport, order.betType);
    if (payoffs === null) return;
    const { side, settlements } = payoffs;
    const openMicros = order.closed ? 0 : order.stakeMicros - order.filledMicros;
    for (let at = 0; at < totals.length; at++) {
      const settlement = settlements[at] as Settlement;
      let total = (totals[at] as number) + Math.min(0, profit(side, openMicros, order.price, settlement));
      for (const { price, stakeMicros, voided } of order.fills)
        if (!voided) total += profit(side, stakeMicros, price, settlement);
      totals[at] = total;
    }
  }
}

/** Matched stake that was not taken back. */
const standingMicros = ({ fills }: InspectedOrder): number =>
  fills.reduce((sum, { stakeMicros, voided }) => (voided ? sum : sum + stakeMicros), 0);
