/** What is left of the day's betslips now. */
export interface BudgetLevels {
  /** How many the pace of the day allows at once; may be below 0. */
  readonly pace: number;
  /** The most that the pace allows at once after a long pause. */
  readonly burst: number;
  /** How many the reserve for orders that reduce risk allows at once. */
  readonly reserve: number;
  /** Whether the client would send a request of this priority soon. */
  readonly goesSoon: Readonly<Record<'normal' | 'reducing', boolean>>;
}

/** The budget that one more betslip would use. */
export interface BudgetChoice {
  /** The budget is the reserve for orders that reduce risk. */
  readonly isReserve: boolean;
  /** How many betslips the budget has left. */
  readonly left: number;
}

/** Part of the burst that only pinned markets may use. */
const KEPT_FOR_PINNED = 0.2;

/** Returns the budget that a betslip would use, or why it may use none. Pure. */
export function budgetFor(
  { pace, burst, reserve, goesSoon }: BudgetLevels,
  isPinned: boolean,
  reduces: boolean,
): BudgetChoice | 'betslip_pace' | 'betslip_budget' {
  const left = Math.floor(pace - (isPinned ? 0 : burst * KEPT_FOR_PINNED - 1));
  if (goesSoon.normal && left >= 1) return { isReserve: false, left };
  const kept = Math.floor(reserve);
  if (kept >= 1 && reduces && goesSoon.reducing) return { isReserve: true, left: kept };
  return goesSoon.normal ? 'betslip_pace' : 'betslip_budget';
}

/** The levels once a betslip has used the budget. Pure. */
export const spent = (levels: BudgetLevels, { isReserve }: BudgetChoice): BudgetLevels =>
  isReserve ? { ...levels, reserve: levels.reserve - 1 } : { ...levels, pace: levels.pace - 1 };

/**
 * Whether pinned markets are using up the part kept for them, which only they can. Refreshed betslips cost
 * nothing, so this shows that refreshes do not keep them alive. Rotating markets alone never cause this, however
 * many wait. Pure.
 */
export const isPinnedSpending = ({ pace, burst }: BudgetLevels): boolean =>
  pace < burst * KEPT_FOR_PINNED - 1;
