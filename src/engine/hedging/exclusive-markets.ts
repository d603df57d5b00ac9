import type { SelectionId } from '../../domain/ids.ts';
import type { PlacedBet } from '../../risk/index.ts';

/** A selection, and what a stake of 1 for it pays. */
export interface ShapedSelection {
  readonly selectionId: SelectionId;
  readonly marketType: string;
  readonly shape: PlacedBet;
}

/** Whether selections of a group of runners, which scores do not decide. */
type IsRunners = (group: number) => boolean;

/**
 * The sets of selections of which exactly one wins: the runners of a winner market, the selections of a market family of which one wins in
 * each score, and pairs of which one wins what the other loses. Single selections are no set.
 */
export function exclusiveMarkets(
  selections: readonly ShapedSelection[],
  isRunners: IsRunners,
): readonly (readonly ShapedSelection[])[] {
  const families = Map.groupBy(selections, ({ marketType, shape }) => `${shape.group} ${marketType}`);
  return [...families.values()]
    .flatMap((family) => setsOf(family, isRunners))
    .filter((market) => market.length > 1);
}

function setsOf(
  family: readonly ShapedSelection[],
  isRunners: IsRunners,
): readonly (readonly ShapedSelection[])[] {
  const [first] = family;
  if (first === undefined) return [];
  if (isRunners(first.shape.group) || isPartition(family)) return [family];
  const paired = new Set<SelectionId>();
  return family.flatMap((selection, at) => {
    const other = family
      .slice(at + 1)
      .find((each) => !paired.has(each.selectionId) && areOpposite(selection, each));
    if (paired.has(selection.selectionId) || other === undefined) return [];
    paired.add(selection.selectionId).add(other.selectionId);
    return [[selection, other]];
  });
}

/** The share of a stake that a selection wins in a state, and loses: the stake is at a price of 2, so both are amounts. */
const payIn = ({ shape }: ShapedSelection, place: number): number => shape.perUnit[place] as number;

/** Whether one of them wins whole in each score, and all others lose whole. */
function isPartition(family: readonly ShapedSelection[]): boolean {
  const places = family[0]?.shape.perUnit.length ?? 0;
  for (let place = 0; place < places; place++) {
    const winners = family.filter((each) => payIn(each, place) === 1).length;
    const losers = family.filter((each) => payIn(each, place) === -1).length;
    if (winners !== 1 || losers !== family.length - 1) return false;
  }
  return true;
}

const areOpposite = (a: ShapedSelection, b: ShapedSelection): boolean =>
  a.shape.group === b.shape.group && a.shape.perUnit.every((pays, place) => pays === 0 - payIn(b, place));
