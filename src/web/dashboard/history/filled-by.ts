import type { RecordedFill } from '../../../read-model/live/records.ts';

/** What a fill had gained ten seconds later, in USDT; null if that is not known, and for a void bet. */
export const gainOf = ({ markout10, stake, voided }: RecordedFill): number | null =>
  markout10 === null || voided ? null : markout10 * stake;

interface Filled {
  readonly bets: number;
  readonly stake: number;
  readonly gain: number;
  /** The gain as a share of the stake of the bets whose gain is known; null without any. */
  readonly share: number | null;
}

/** The bets of a strategy that stand, and what they had gained ten seconds later. */
export function filledBy(fills: readonly RecordedFill[], strategy: string): Filled {
  const own = fills.filter((fill) => fill.strategy === strategy && !fill.voided);
  const known = own.filter((fill) => gainOf(fill) !== null);
  const gain = known.reduce((sum, fill) => sum + (gainOf(fill) ?? 0), 0);
  const valued = stakeOf(known);
  return { bets: own.length, stake: stakeOf(own), gain, share: valued === 0 ? null : gain / valued };
}

const stakeOf = (fills: readonly RecordedFill[]): number => fills.reduce((sum, { stake }) => sum + stake, 0);
