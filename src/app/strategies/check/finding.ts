/** What one part of a check found. */
export interface CheckFinding {
  /** The part of the check. */
  readonly check: string;
  /** `warning`: perhaps meant. `skipped`: the check was not possible, which is no fault of the strategy. */
  readonly state: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly found: string;
  /** `file:line`; null if it is not known. */
  readonly where: string | null;
  /** What to do; null if nothing is to be done. */
  readonly advice: string | null;
}

export const fine = (check: string, found: string): CheckFinding => ({
  check,
  state: 'ok',
  found,
  where: null,
  advice: null,
});

export const warning = (check: string, found: string, advice: string): CheckFinding => ({
  check,
  state: 'warning',
  found,
  where: null,
  advice,
});

export const skipped = (check: string, found: string, advice: string | null = null): CheckFinding => ({
  check,
  state: 'skipped',
  found,
  where: null,
  advice,
});

export const fault = (
  check: string,
  found: string,
  advice: string,
  where: string | null = null,
): CheckFinding => ({ check, state: 'fault', found, where, advice });
