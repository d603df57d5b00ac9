import type { SelectionId } from '../../domain/ids.ts';
import { type Micros, MICROS_PER_UNIT } from '../../domain/money.ts';
import type { EventBets } from './event-bets.ts';
import {
  type Group,
  type Pair,
  pairOf,
  payoffIn,
  ScoreGroup,
  SelectionGroup,
  WinnerGroup,
} from './groups.ts';
import { type Bet, CELL_COUNT, type OutcomeGrid, type Payoffs } from './payoffs.ts';

/**
 * Held bets whose outcomes depend on each other, as numbers to which each bet adds its own.
 * - `scores`: the profit in each final score, row by row; only the `reachable` ones can still come.
 * - `runners`: for each of the `selections` the profit if it wins, then the profit if it does not. At most one of them wins.
 */
export type OutcomeGroup =
  | { readonly kind: 'scores'; readonly micros: Float64Array; readonly reachable: readonly number[] }
  | { readonly kind: 'runners'; readonly micros: Float64Array; readonly selections: readonly SelectionId[] };

/** The amounts that a stake of 1 on a bet would add to a group. */
export interface PlacedBet {
  /** Its place among the groups. */
  readonly group: number;
  readonly perUnit: Float64Array;
  /** The pay of the stake if the selection wins, and if it does not. */
  readonly ofSelection: Pair;
}

/** The held bets of an event, and what further bets would pay. */
export interface OutcomePositions {
  readonly groups: readonly OutcomeGroup[];
  /** Of each further bet; null if nothing is held that it could offset. */
  readonly further: readonly (PlacedBet | null)[];
}

/** The groups that hold bets; null without bets and orders. Open orders are left out: they may lapse. */
export function outcomePositions(bets: EventBets | null, further: readonly Bet[]): OutcomePositions | null {
  if (bets === null) return null;
  const holding = [...bets.groups()].filter(isHolding);
  const placed = further.map((bet) => bets.placed({ ...bet, stakeMicros: MICROS_PER_UNIT }));
  const groups = holding.map((group) => {
    const joining = placed.filter((each) => each.group === group).map(({ bet }) => bet.selectionId);
    return groupOf(group, joining);
  });
  return {
    groups,
    further: placed.map(({ group, bet, payoffs, outcomes }) => {
      const at = holding.indexOf(group);
      const known = groups[at];
      if (known === undefined) return null;
      const paid = pairOf({ bet, matched: true, payoffs });
      const ofSelection = { win: paid.win / MICROS_PER_UNIT, lose: paid.lose / MICROS_PER_UNIT };
      const perUnit =
        known.kind === 'scores'
          ? inEachScore(payoffs, outcomes)
          : onRunner(known, bet.selectionId, ofSelection);
      return { group: at, perUnit, ofSelection };
    }),
  };
}

/** Filled in a loop: hedges are planned from hundreds of bets. */
function inEachScore(payoffs: Payoffs, outcomes: OutcomeGrid | null): Float64Array {
  const perUnit = new Float64Array(CELL_COUNT);
  for (let cell = 0; cell < CELL_COUNT; cell++)
    perUnit[cell] = payoffIn(cell, payoffs, outcomes) / MICROS_PER_UNIT;
  return perUnit;
}

function isHolding(group: Group): boolean {
  if (group instanceof ScoreGroup) return group.held().some((micros) => micros !== 0);
  return [...pairsOf(group).values()].some(({ win, lose }) => win !== 0 || lose !== 0);
}

function groupOf(group: Group, joining: readonly SelectionId[]): OutcomeGroup {
  if (group instanceof ScoreGroup)
    return { kind: 'scores', micros: Float64Array.from(group.held()), reachable: group.reachableCells() };
  const held = pairsOf(group);
  const selections = [...new Set([...held.keys(), ...joining])];
  const micros = selections.flatMap((id): readonly Micros[] => {
    const { win, lose } = held.get(id) ?? { win: 0, lose: 0 };
    return [win, lose];
  });
  return { kind: 'runners', micros: Float64Array.from(micros), selections };
}

const NO_PAIRS: ReadonlyMap<SelectionId, Pair> = new Map();

const pairsOf = (group: Group): ReadonlyMap<SelectionId, Pair> =>
  group instanceof WinnerGroup || group instanceof SelectionGroup ? group.held() : NO_PAIRS;

function onRunner(
  { selections }: Extract<OutcomeGroup, { kind: 'runners' }>,
  id: SelectionId,
  { win, lose }: Pair,
): Float64Array {
  const perUnit = new Float64Array(2 * selections.length);
  const at = selections.indexOf(id);
  [perUnit[2 * at], perUnit[2 * at + 1]] = [win, lose];
  return perUnit;
}
