/**
 * How far settled profit may stray from what fair values at the fills expected.
 *
 * A fair value moves, and what a later fill adds is uncertain by the later value alone: the variance of bets on a selection is the sum
 * over fills of `c (c + 2 C) q (1 − q)`, with `c` the fill's contracts, `C` those held before it and `q` its fair value. Selections of
 * a set of which one wins exclude each other: what is held on the others counts by `− 2 c C q p`. The deviations of positions that may
 * go together, such as several handicaps, are added, as if they always did: an upper bound, so the distance from luck is never
 * overstated.
 */
import type { Group } from './groups.ts';
import type { FairSeries } from './series.ts';
import { probabilityAt } from './worth.ts';

/** A fill with a fair value. */
export interface LuckyFill {
  readonly selection: number;
  readonly atMs: number;
  /** Contracts, negative against. */
  readonly contracts: number;
  /** Its fair value. */
  readonly fair: number;
  /** The share of the stake that is not expected to be returned. */
  readonly unpushed: number;
}

/** The standard deviation of the profit of the fills of an event, which are in the order of time. */
export function deviationOf(
  series: Pick<FairSeries, 'groups' | 'lastAt'>,
  fills: readonly LuckyFill[],
): number {
  let deviation = 0;
  for (const position of positionsOf(series.groups))
    deviation += Math.sqrt(varianceOf(series, position, fills));
  return deviation;
}

/** Selections that exclude each other, and others alone. */
const positionsOf = (groups: readonly Group[]): (readonly number[])[] =>
  groups.flatMap(({ selections, winners }) =>
    winners === 1 ? [selections] : selections.map((selection) => [selection]),
  );

function varianceOf(
  series: Pick<FairSeries, 'lastAt'>,
  position: readonly number[],
  fills: readonly LuckyFill[],
): number {
  const held = new Map<number, number>();
  let variance = 0;
  for (const { selection, atMs, contracts, fair, unpushed } of fills) {
    if (!position.includes(selection)) continue;
    const own = held.get(selection) ?? 0;
    let together = (contracts + 2 * own) * fair * (1 - fair);
    for (const [other, others] of held) {
      if (other === selection) continue;
      const logOdds = series.lastAt(other, atMs);
      together -= 2 * others * fair * (logOdds === null ? 0 : probabilityAt(logOdds));
    }
    variance += unpushed * contracts * together;
    held.set(selection, own + contracts);
  }
  return Math.max(0, variance);
}
