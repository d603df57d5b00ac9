/** How many orders and betslips were refused, by the code of the reason: that of a limit, or of the exchange. */
export type Refusals = Readonly<Record<string, number>>;

/** How many were refused at all. */
export const refusalCount = (refusals: Refusals): number =>
  Object.values(refusals).reduce((sum, count) => sum + count, 0);

/** Those of all, reason by reason, the most frequent first. */
export function refusalsTogether(all: readonly Refusals[]): Refusals {
  const sums = new Map<string, number>();
  for (const refusals of all)
    for (const [reason, count] of Object.entries(refusals)) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return Object.fromEntries([...sums].toSorted(([, a], [, b]) => b - a));
}
