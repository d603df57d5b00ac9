/**
 * Bounds the worst case of an event by at most three bets over its markets. Plain enumeration: every leg is tried, the stake of each is
 * found by bisection because the worst case is concave in it, and the best few plans are extended by every leg again.
 */
import type { Micros } from '../domain/money.ts';
import { type BookGroup, cellsOf, type OutcomeBook, worstMicros, worstOfGroup } from './book.ts';
import {
  type Counted,
  type HedgeLeg,
  inWholeCents,
  leastStake,
  payMicros,
  type PlannedLeg,
  STAKE_STEP_MICROS,
  withBet,
  withBets,
} from './legs.ts';

/** A hedge, and the worst case if all of it is matched. */
export interface HedgePlan {
  readonly legs: readonly PlannedLeg[];
  readonly worstMicros: Micros;
}

/** An event is bounded by at most so many bets. */
const MOST_LEGS = 3;
/** How many plans are extended by a further leg. */
const EXTENDED = 12;
/** How often the stakes of a plan are adjusted to each other. */
const ADJUSTMENTS = 2;

/** A plan in the making. */
interface Draft extends HedgePlan {
  /** The book with all of the plan matched. */
  readonly filled: OutcomeBook;
  /** The book with the losses of the plan alone. */
  readonly adverse: OutcomeBook;
}

/** The end of a plan. */
interface Goal {
  readonly book: OutcomeBook;
  readonly nowMicros: Micros;
  /** The worst case to be reached. */
  readonly targetMicros: Micros;
}

/**
 * The cheapest single leg that brings the worst case to `-boundMicros`, else the cheapest two, else three. If none can, the plan with the
 * best worst case. Null if no leg improves anything.
 */
export function bound(
  book: OutcomeBook,
  legs: readonly HedgeLeg[],
  boundMicros: Micros,
  mostLegs = MOST_LEGS,
): HedgePlan | null {
  const goal = { book, nowMicros: worstMicros(book), targetMicros: 0 - boundMicros };
  if (goal.nowMicros >= goal.targetMicros) return { legs: [], worstMicros: goal.nowMicros };
  let drafts: readonly Draft[] = [{ legs: [], worstMicros: goal.nowMicros, filled: book, adverse: book }];
  let best: Draft | null = null;
  for (let count = 1; count <= mostLegs; count++) {
    const extended = drafts.flatMap((draft) => extensions(draft, legs, goal)).toSorted(byMerit(goal));
    drafts = extended
      .slice(0, EXTENDED)
      .map((draft) => adjusted(draft, goal))
      .toSorted(byMerit(goal));
    const [first] = drafts;
    if (first !== undefined && first.worstMicros > (best?.worstMicros ?? goal.nowMicros)) best = first;
    if (best !== null && best.worstMicros >= goal.targetMicros) break;
  }
  return best === null ? null : { legs: best.legs, worstMicros: best.worstMicros };
}

/** Those that reach the goal first, the cheapest of them first; then by the worst case. */
const byMerit =
  ({ targetMicros }: Goal) =>
  (a: Draft, b: Draft): number => {
    const [isA, isB] = [a.worstMicros >= targetMicros, b.worstMicros >= targetMicros];
    if (isA !== isB) return isA ? -1 : 1;
    return (isA ? 0 : b.worstMicros - a.worstMicros) || compareCosts(a.legs, b.legs);
  };

/** Negative if the first hedge is cheaper. What is of unknown cost comes last, then the smaller stake is cheaper. */
export function compareCosts(a: readonly PlannedLeg[], b: readonly PlannedLeg[]): number {
  const [costA, costB] = [costOf(a), costOf(b)];
  return (
    costA.unknown - costB.unknown || costA.micros - costB.micros || costA.stakeMicros - costB.stakeMicros
  );
}

function costOf(legs: readonly PlannedLeg[]): { unknown: number; micros: number; stakeMicros: Micros } {
  const cost = { unknown: 0, micros: 0, stakeMicros: 0 };
  for (const { leg, stakeMicros } of legs) {
    if (leg.lossPerUnit === null) cost.unknown++;
    else cost.micros += stakeMicros * leg.lossPerUnit;
    cost.stakeMicros += stakeMicros;
  }
  return cost;
}

/** The plan with each further leg at each of its stakes that may serve. */
function extensions(draft: Draft, legs: readonly HedgeLeg[], goal: Goal): Draft[] {
  const used = new Set(draft.legs.map(({ leg }) => leg.selectionId));
  return legs
    .filter(({ selectionId }) => !used.has(selectionId))
    .flatMap((leg) =>
      stakesOf(draft, leg, goal).map((stakeMicros) => extendedBy(draft, { leg, stakeMicros })),
    );
}

function extendedBy(draft: Draft, planned: PlannedLeg): Draft {
  const filled = withBets(draft.filled, [planned], 'all');
  return {
    legs: [...draft.legs, planned],
    worstMicros: worstMicros(filled),
    filled,
    adverse: withBets(draft.adverse, [planned], 'losses'),
  };
}

/** Finds the stake of each leg again, given those of the others, while that makes the plan better. */
function adjusted(draft: Draft, goal: Goal): Draft {
  const isBetter = byMerit(goal);
  let best = draft;
  for (let round = 0; round < ADJUSTMENTS * draft.legs.length; round++) {
    const [first, ...others] = best.legs;
    if (first === undefined || others.length === 0) break;
    const filled = withBets(goal.book, others, 'all');
    const adverse = withBets(goal.book, others, 'losses');
    const without = { legs: others, worstMicros: worstMicros(filled), filled, adverse };
    const [stakeMicros = first.stakeMicros] = stakesOf(without, first.leg, goal);
    const again = extendedBy(without, { leg: first.leg, stakeMicros });
    best = isBetter(again, best) < 0 ? again : { ...best, legs: [...others, first] };
  }
  return best;
}

/**
 * The stakes of a leg that may serve: first the smallest that reaches the goal, else the smallest with the best worst case; then the
 * smallest that lifts each state that the leg lifts to the goal, which other legs may lift the rest to. None if even the least stake could
 * worsen the event. The losses grow with the stake, and the worst case is concave in it, so bisection finds all of them.
 */
function stakesOf(
  { filled, adverse }: Pick<Draft, 'filled' | 'adverse'>,
  leg: HedgeLeg,
  goal: Goal,
): Micros[] {
  const [group, losses] = [filled[leg.group], adverse[leg.group]];
  if (group === undefined || losses === undefined) return [];
  const others = worstMicros(filled) - worstOfGroup(group);
  const otherLosses = worstMicros(adverse) - worstOfGroup(losses);
  const worstAt = (steps: number): Micros => others + worstWith(group, leg, steps * STAKE_STEP_MICROS, 'all');
  const isAllowed = (steps: number): boolean =>
    otherLosses + worstWith(losses, leg, steps * STAKE_STEP_MICROS, 'losses') >= goal.nowMicros;
  const least = leastStake(leg) / STAKE_STEP_MICROS;
  const available = inWholeCents(Math.min(leg.availableMicros, MOST_STAKE_MICROS)) / STAKE_STEP_MICROS;
  if (least > available || !isAllowed(least)) return [];
  const most = lastWhere(isAllowed, least, available);
  const peak = peakOf(worstAt, least, most);
  const reached = Math.min(goal.targetMicros, worstAt(peak));
  const best = firstWhere((steps) => worstAt(steps) >= reached, least, peak);
  const lifting = liftingSteps(group, leg, goal.targetMicros - others, { least, most });
  return [...new Set([best, lifting])].map((steps) => steps * STAKE_STEP_MICROS);
}

/** The smallest stake that lifts each state which the leg lifts to `targetMicros`, else the greatest stake; in cents. */
function liftingSteps(
  group: BookGroup,
  leg: HedgeLeg,
  targetMicros: Micros,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const cellsAt = (steps: number): readonly Micros[] =>
    cellsOf(withBet(group, { leg, stakeMicros: steps * STAKE_STEP_MICROS }, 'all'));
  const before = cellsOf(group);
  const isLifted = cellsAt(most).map((micros, cell) => micros > (before[cell] as number));
  const isThere = (steps: number): boolean =>
    cellsAt(steps).every((micros, cell) => isLifted[cell] !== true || micros >= targetMicros);
  return isThere(most) ? firstWhere(isThere, least, most) : most;
}

/** An offer has no end of its own: 10 million USDT. */
const MOST_STAKE_MICROS = 1e13;

/** The worst case of a group with a further bet, without a copy of it where that is not needed. */
function worstWith(group: BookGroup, leg: HedgeLeg, stakeMicros: Micros, counted: Counted): Micros {
  if (group.kind !== 'scores') return worstOfGroup(withBet(group, { leg, stakeMicros }, counted));
  let worst = 0;
  for (const cell of group.reachable) {
    const pays = payMicros(leg, stakeMicros, cell);
    const total = (group.micros[cell] as number) + (counted === 'losses' && pays > 0 ? 0 : pays);
    if (total < worst) worst = total;
  }
  return worst;
}

/** The last number for which it holds; it holds for `from`, and for all numbers up to that one. */
function lastWhere(holds: (at: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first number for which it holds; it holds for `to`, and for all numbers from that one on. */
function firstWhere(holds: (at: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where a concave function is greatest. */
function peakOf(valueAt: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (valueAt(middle + 1) > valueAt(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
