/**
 * The events and selections that a strategy is for. Everything is read from the view, so a recorded turn gives the same answer.
 */
import type { EventView, SelectionView } from '../domain/event-view.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { totalMaxMicros } from '../domain/price-list.ts';
import { DIRECTIONS } from '../domain/selection.ts';
import { KEEP_LIQUIDITY } from '../market/index.ts';

/** An empty list, null and 0 allow everything; every bound is inclusive. */
export interface MatchRules {
  readonly sports: readonly string[];
  /** Competition names or ids. */
  readonly competitions: readonly string[];
  readonly marketTypes: readonly string[];
  /** Events that start within this time, or are in play. An event with an unknown start does not match. */
  readonly startsWithinMs: number | null;
  /** Events that start no sooner than this. */
  readonly startsAfterMs: number | null;
  /** True: events in play alone. False: only before the start. */
  readonly inPlay: boolean | null;
  /** Stake available to takers in each direction. */
  readonly minLiquidityMicros: Micros;
}

export const MATCHES_ALL: MatchRules = {
  sports: [],
  competitions: [],
  marketTypes: [],
  startsWithinMs: null,
  startsAfterMs: null,
  inPlay: null,
  minLiquidityMicros: 0,
};

/** Whether the rules allow every event and every selection, whatever a view shows. */
export const isForAll = (rules: MatchRules): boolean =>
  JSON.stringify({ ...MATCHES_ALL, ...rules }) === JSON.stringify(MATCHES_ALL);

/** The part of a view that the rules allow, or why they allow none of it. */
export type Match =
  | { readonly view: EventView; readonly leftOut: ReadonlyMap<SelectionId, string> }
  | { readonly view: null; readonly reason: string };

/**
 * Applies the rules to a view. `shown`: the selections that the strategy saw last; these need less liquidity to stay than others
 * need to enter.
 */
export function match(rules: MatchRules, view: EventView, shown: ReadonlySet<SelectionId>): Match {
  const reason = mismatchOf(rules, view);
  if (reason !== null) return { view: null, reason };
  const leftOut = new Map<SelectionId, string>();
  for (const selection of view.selections) {
    const why = omissionOf(rules, selection, shown.has(selection.selectionId));
    if (why !== null) leftOut.set(selection.selectionId, why);
  }
  if (leftOut.size === 0) return { view, leftOut };
  const selections = view.selections.filter(({ selectionId }) => !leftOut.has(selectionId));
  const [first] = leftOut.values();
  if (selections.length === 0) return { view: null, reason: first ?? '' };
  return { view: { ...view, selections }, leftOut };
}

const isListed = (list: readonly string[], ...names: readonly (string | null)[]): boolean =>
  list.length === 0 || names.some((name) => name !== null && list.includes(name));

/** Why the rules exclude the event as a whole; null if they do not. */
function mismatchOf(rules: MatchRules, view: EventView): string | null {
  const { sport, competitionName, competitionId } = view;
  if (!isListed(rules.sports, sport)) return `its sport is ${sport}`;
  const id = competitionId === null ? null : String(competitionId);
  if (!isListed(rules.competitions, competitionName, id))
    return `its competition is ${competitionName ?? id ?? 'not known'}`;
  return mistimed(rules, view);
}

function mistimed(rules: MatchRules, { inRunning, startsInMs }: EventView): string | null {
  const isInPlay = inRunning || (startsInMs ?? 0) < 0;
  if ((rules.inPlay ?? isInPlay) !== isInPlay) return isInPlay ? 'it is in play' : 'it is not in play';
  if (isInPlay) return rules.startsAfterMs === null ? null : 'it is in play';
  return startsOutside(rules, startsInMs);
}

/** For an event before its start. */
function startsOutside(
  { startsWithinMs, startsAfterMs }: MatchRules,
  startsInMs: number | null,
): string | null {
  if (startsWithinMs === null && startsAfterMs === null) return null;
  if (startsInMs === null) return 'its start is not known';
  if (startsInMs > (startsWithinMs ?? Infinity)) return 'it starts too late';
  return startsInMs < (startsAfterMs ?? -Infinity) ? 'it starts too soon' : null;
}

/** Why the rules exclude a selection; null if they do not. While its prices are stale, a shown one stays. */
function omissionOf(rules: MatchRules, selection: SelectionView, isShown: boolean): string | null {
  const { marketType, market } = selection;
  if (!isListed(rules.marketTypes, marketType)) return `its market family is ${marketType}`;
  if (rules.minLiquidityMicros === 0) return null;
  const offered = DIRECTIONS.map((direction) => market[direction]).filter((side) => side !== null);
  if (offered.length < DIRECTIONS.length) return isShown ? null : 'its liquidity is not known';
  const leastMicros = rules.minLiquidityMicros * (isShown ? KEEP_LIQUIDITY : 1);
  const isLiquid = offered.every(({ priceList }) => totalMaxMicros(priceList) >= leastMicros);
  return isLiquid ? null : 'too little is offered';
}
