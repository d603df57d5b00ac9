import type { SelectionId } from '../domain/ids.ts';
import { priceOf } from '../domain/ladder.ts';
import type { Micros } from '../domain/money.ts';
import type { Direction } from '../domain/selection.ts';
import { type OutcomeBook, worstMicros } from './book.ts';
import { compareCosts, type HedgePlan } from './bound.ts';
import { type HedgeLeg, inWholeCents, leastStake, type PlannedLeg, withBets } from './legs.ts';
import { refusalOf } from './never-worse.ts';

/** The results of the matched bets on one selection, and the bets that may be made on it. */
export interface HedgedSelection {
  readonly selectionId: SelectionId;
  readonly ifWinMicros: Micros;
  readonly ifLoseMicros: Micros;
  /** Of both directions; of one direction the best price first. */
  readonly legs: readonly HedgeLeg[];
}

/** A hedge, or why there is none. */
export type HedgeResult =
  | ({ readonly kind: 'plan' } & HedgePlan)
  | { readonly kind: 'refused'; readonly why: string };

const refused = (why: string): HedgeResult => ({ kind: 'refused', why });

const planOf = (book: OutcomeBook, legs: readonly PlannedLeg[]): HedgeResult => ({
  kind: 'plan',
  legs,
  worstMicros: worstMicros(withBets(book, legs, 'all')),
});

/** Makes what the bets on a selection pay independent of its outcome, as far as the prices hold stake. */
export function flatten(book: OutcomeBook, selection: HedgedSelection): HedgeResult {
  const contracts = selection.ifWinMicros - selection.ifLoseMicros;
  const direction = contracts > 0 ? 'against' : 'for';
  const planned = legFor(selection, direction, Math.abs(contracts));
  if (planned === null) return refused('there is nothing to flatten, or less than a bet of it can be');
  const why = refusalOf(book, [planned]);
  return why === null ? planOf(book, [planned]) : refused(why);
}

/**
 * Makes what the bets on a market pay the same, whichever of its selections wins. Exactly one of them wins. The result may be levelled at
 * what any of them pays now: those that pay less are backed, those that pay more are laid. Of the levels that no subset of fills makes
 * worse than now, the one with the best result is taken.
 */
export function equalise(book: OutcomeBook, market: readonly HedgedSelection[]): HedgeResult {
  const results = resultsOf(market);
  const plans = [...new Set(results)]
    .map((level) => levelledAt(level, market, results))
    .filter((legs) => legs.length > 0);
  if (plans.length === 0) return refused('the market is level, or less than a bet of it can be levelled');
  const allowed = plans
    .filter((legs) => refusalOf(book, legs) === null)
    .map((legs) => ({ legs, least: Math.min(...resultsWith(market, legs)) }))
    .toSorted((a, b) => b.least - a.least || compareCosts(a.legs, b.legs));
  const [best] = allowed;
  if (best !== undefined) return planOf(book, best.legs);
  return refused(refusalOf(book, plans[0] ?? []) ?? 'no level of the market is allowed');
}

/** The results of the market's bets with each selection as the winner. */
function resultsOf(market: readonly HedgedSelection[]): readonly Micros[] {
  const allBeaten = market.reduce((sum, { ifLoseMicros }) => sum + ifLoseMicros, 0);
  return market.map(({ ifWinMicros, ifLoseMicros }) => allBeaten - ifLoseMicros + ifWinMicros);
}

/** The same, with the bets of a hedge matched. */
function resultsWith(market: readonly HedgedSelection[], legs: readonly PlannedLeg[]): readonly Micros[] {
  return resultsOf(
    market.map((selection) => {
      const bets = legs.filter(({ leg }) => leg.selectionId === selection.selectionId);
      return bets.reduce(withBetOn, selection);
    }),
  );
}

/** A bet moves both outcomes of its selection: their difference by its contracts, and one of them by its stake or liability. */
function withBetOn(selection: HedgedSelection, { leg, stakeMicros }: PlannedLeg): HedgedSelection {
  const { win, lose } = leg.ofSelection;
  return {
    ...selection,
    ifWinMicros: selection.ifWinMicros + Math.floor(stakeMicros * win),
    ifLoseMicros: selection.ifLoseMicros + Math.floor(stakeMicros * lose),
  };
}

function levelledAt(
  level: Micros,
  market: readonly HedgedSelection[],
  results: readonly Micros[],
): readonly PlannedLeg[] {
  return market.flatMap((selection, at) => {
    const missing = level - (results[at] as number);
    const planned = legFor(selection, missing > 0 ? 'for' : 'against', Math.abs(missing));
    return planned === null ? [] : [planned];
  });
}

/**
 * The bet of a direction that moves the difference between winning and losing by so many contracts, at the best price that holds them
 * all; else at the price that holds most of them. Null if no bet can be so small or so large.
 */
function legFor({ legs }: HedgedSelection, direction: Direction, contracts: number): PlannedLeg | null {
  let most: { readonly planned: PlannedLeg; readonly contracts: number } | null = null;
  for (const leg of legs) {
    if (leg.direction !== direction) continue;
    const price = priceOf(leg.tick);
    const wanted = inWholeCents(contracts / price);
    const stakeMicros = Math.min(wanted, inWholeCents(leg.availableMicros));
    if (stakeMicros < leastStake(leg)) continue;
    const planned = { leg, stakeMicros };
    if (stakeMicros === wanted) return planned;
    if (most === null || stakeMicros * price > most.contracts)
      most = { planned, contracts: stakeMicros * price };
  }
  return most?.planned ?? null;
}
