import type { Settlement } from '../../src/domain/payoff.ts';
import { profitOf } from '../../src/domain/payoff.ts';
import type {
  EventResult,
  InspectedEvent,
  InspectedOrder,
  ParsedBetType,
} from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/simulator/core/bet-types/index.ts';

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
  readonly parsed: ParsedBetType;
  readonly settlements: readonly Settlement[];
}

/** What the account could lose on an event, by the exchange's own settlement of its own orders. */
export class WorstCases {
  readonly #payoffs = new Map<string, Payoffs | null>();

  /** Profit in the worst result, in micros, over what is matched and whatever may still be; at most 0. */
  of(event: InspectedEvent, orders: readonly InspectedOrder[]): number {
    const totals = new Float64Array(RESULTS.length);
    for (const order of orders) this.#add(totals, event.sport, order);
    return Math.min(0, ...totals);
  }

  #add(totals: Float64Array, sport: string, order: InspectedOrder): void {
    const payoffs = this.#payoffsOf(sport, order.betType);
    if (payoffs === null) return;
    const openMicros = order.closed ? 0 : order.stakeMicros - order.filledMicros;
    const { direction } = payoffs.parsed;
    payoffs.settlements.forEach((settlement, at) => {
      const matched = order.fills.reduce(
        (sum, { price, stakeMicros }) => sum + profitOf(direction, stakeMicros, price, settlement),
        0,
      );
      const open = Math.min(0, profitOf(direction, openMicros, order.price, settlement));
      totals[at] = (totals[at] ?? 0) + matched + open;
    });
  }

  #payoffsOf(sport: string, betType: string): Payoffs | null {
    const key = `${sport} ${betType}`;
    const known = this.#payoffs.get(key);
    if (known !== undefined) return known;
    const parsed = parseBetType(sport, betType);
    const settlements = parsed === null ? [] : RESULTS.map((result) => parsed.settle(result));
    const payoffs =
      parsed === null || settlements.includes(null)
        ? null
        : { parsed, settlements: settlements as Settlement[] };
    this.#payoffs.set(key, payoffs);
    return payoffs;
  }
}
