/** Judges hedges by exhaustive search: for properties, and for `npm run oracle`. */
import { type OutcomeBook, worstMicros } from '../../../src/hedge/book.ts';
import { bound } from '../../../src/hedge/bound.ts';
import { type HedgeLeg, leastStake, type PlannedLeg, withBets } from '../../../src/hedge/legs.ts';
import { leastOverFills } from '../../../src/hedge/never-worse.ts';
import { CENT, fillsOf, type SmallCase } from './books.ts';

/** Every stake of a leg, in cents. */
const stakesOf = (leg: HedgeLeg): PlannedLeg[] => {
  const all: PlannedLeg[] = [];
  for (let micros = leastStake(leg); micros <= leg.availableMicros; micros += CENT)
    all.push({ leg, stakeMicros: micros });
  return all;
};

export const filledWorst = (book: OutcomeBook, legs: readonly PlannedLeg[]): number =>
  worstMicros(withBets(book, legs, 'all'));

/** What bets cost at fair prices; Infinity if that of one is not known. */
const costOf = (legs: readonly PlannedLeg[]): number =>
  legs.reduce((sum, { leg, stakeMicros }) => sum + stakeMicros * (leg.lossPerUnit ?? Infinity), 0);

const stakeOf = (legs: readonly PlannedLeg[]): number =>
  legs.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);

/** How some subset of the fills of a hedge, whole and half, leaves the event worse than before; null if none does. */
export function worseningOf({ book, legs, boundMicros }: SmallCase): string | null {
  const plan = bound(book, legs, boundMicros);
  const before = worstMicros(book);
  const worse = fillsOf(plan?.legs ?? []).find((fills) => filledWorst(book, fills) < before);
  if (worse !== undefined) return `${worse.length} fills leave ${filledWorst(book, worse)}, below ${before}`;
  if ((plan?.legs.length ?? 0) > 3) return `${plan?.legs.length} bets`;
  if (plan !== null && plan.worstMicros !== filledWorst(book, plan.legs))
    return `it says ${plan.worstMicros}, and leaves ${filledWorst(book, plan.legs)}`;
  return null;
}

/** How a hedge is worse or dearer than the best single bet that an exhaustive search finds; null if it is not. */
export function missedSingleOf({ book, legs, boundMicros }: SmallCase): string | null {
  const before = worstMicros(book);
  if (before >= -boundMicros) return null;
  const single = legs
    .flatMap(stakesOf)
    .map((planned) => [planned])
    .filter((each) => leastOverFills(book, each) >= before);
  const best = Math.max(before, ...single.map((each) => filledWorst(book, each)));
  const reaching = single.filter((each) => filledWorst(book, each) >= -boundMicros);
  const plan = bound(book, legs, boundMicros);
  const leaves = plan?.worstMicros ?? before;
  if (leaves < Math.min(best, -boundMicros)) return `it leaves ${leaves}, a single bet ${best}`;
  if (reaching.length === 0) return null;
  if (plan?.legs.length !== 1) return `${plan?.legs.length} bets where one reaches the bound`;
  const cheapest = Math.min(...reaching.map(costOf));
  if (costOf(plan.legs) > cheapest + 1e-6) return `it costs ${costOf(plan.legs)}, the cheapest ${cheapest}`;
  if (cheapest < Infinity) return null;
  const [stake, least] = [stakeOf(plan.legs), Math.min(...reaching.map(stakeOf))];
  return stake <= least ? null : `at unknown cost it stakes ${stake}, the smallest ${least}`;
}

/** Whether an exhaustive search over two bets reaches the bound, and whether the hedge does. */
export function pairOf({ book, legs, boundMicros }: SmallCase): {
  readonly isReachable: boolean;
  readonly isReached: boolean;
} {
  const before = worstMicros(book);
  const isPlan = (each: readonly PlannedLeg[]): boolean =>
    leastOverFills(book, each) >= before && filledWorst(book, each) >= -boundMicros;
  const isReachable =
    before < -boundMicros &&
    legs.some((leg, index) =>
      legs
        .slice(index + 1)
        .some((other) => stakesOf(leg).some((a) => stakesOf(other).some((b) => isPlan([a, b])))),
    );
  const isReached = isReachable && (bound(book, legs, boundMicros)?.worstMicros ?? before) >= -boundMicros;
  return { isReachable, isReached };
}
