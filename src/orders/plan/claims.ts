import { bySelection } from './pins.ts';

/** A claim that no target has stood behind for this long has been given up. */
const CLAIM_ENDS_MS = 5_000;
/**
 * The worth of a claim doubles with each wait of this length: places go to the most valuable markets, and in
 * the end to all.
 */
const DOUBLES_EVERY_MS = 600_000;
/** A claim without value counts as this part of the best claim. */
const LEAST_PART = 1 / 1_000;

/** How long a market has waited for a scarce betslip. Monotonic instants. */
export interface Claim {
  readonly sinceMs: number;
  /** When a target last stood behind it. */
  readonly lastMs: number;
}

/** The claims of the markets that wait, by market. */
export type Claims = ReadonlyMap<string, Claim>;

/** A market that waits. An order that reduces risk has infinite value. */
export interface Claimant {
  readonly key: string;
  readonly selection: string;
  readonly value: number;
}

/** The claims once these markets wait. A claim outlives its target for a few seconds, since prices come and go. Pure. */
export function renewedClaims(claims: Claims, waiting: readonly Claimant[], nowMs: number): Claims {
  const renewed = new Map<string, Claim>();
  for (const [key, claim] of claims) if (nowMs - claim.lastMs <= CLAIM_ENDS_MS) renewed.set(key, claim);
  for (const { key } of waiting)
    renewed.set(key, { sinceMs: claims.get(key)?.sinceMs ?? nowMs, lastMs: nowMs });
  return renewed;
}

/** What a claim without value is worth beside these. Pure. */
export const leastWorth = (waiting: readonly Claimant[]): number =>
  LEAST_PART * Math.max(1, ...waiting.map(({ value }) => value).filter(Number.isFinite));

/**
 * The markets that wait, in the order of their turns: by value and waiting time. A claim becomes the best after at
 * most some ten doublings. Then it waits only for claims that were the best before it. Pure.
 */
export function inTurn<T extends Claimant>(
  waiting: readonly T[],
  claims: Claims,
  nowMs: number,
): readonly T[] {
  const least = leastWorth(waiting);
  const worthOf = ({ key, value }: T): number =>
    Math.max(value, least) * 2 ** ((nowMs - (claims.get(key)?.sinceMs ?? nowMs)) / DOUBLES_EVERY_MS);
  return waiting
    .map((each) => ({ each, worth: worthOf(each) }))
    .sort((a, b) => (a.worth === b.worth ? bySelection(a.each, b.each) : b.worth - a.worth))
    .map(({ each }) => each);
}
