/** A fair value over time: it stands from each step until the next. */

/** Why a selection has no fair value. */
export const REASONS = [
  'the market is not open',
  'the market is not open for long enough',
  'the runner does not take part',
  'a side is empty',
  'a side is thin',
  'the sides cross',
  'the sides are far apart',
  'other runners may win',
  'the books of the set disagree',
] as const;

export type Reason = (typeof REASONS)[number];

/** Log-odds of a selection, or why it has none. */
export type Fair =
  | { readonly logOdds: number; readonly why: null }
  | { readonly logOdds: null; readonly why: Reason };

/** Columns of the same length. Instants ascend. */
export interface Steps {
  /** Wall-clock milliseconds. */
  readonly atMs: Float64Array;
  /** NaN while there is none. */
  readonly logOdds: Float64Array;
  /** Positions in `REASONS`; of a step with a fair value -1. */
  readonly why: Int8Array;
  /** Positions of the last step with a fair value at or before each, and of the first at or after; -1 without one. */
  readonly validBefore: Int32Array;
  readonly validAfter: Int32Array;
}

/** Collects steps. Nothing is known before the first. */
export class StepColumns {
  readonly #atMs: number[] = [];
  readonly #logOdds: number[] = [];
  readonly #why: number[] = [];

  /** The fair value from an instant on. A value that stands already makes no step. */
  push(atMs: number, logOdds: number | null, why: Reason | null): void {
    const last = this.#atMs.length - 1;
    const code = why === null ? -1 : REASONS.indexOf(why);
    if (last >= 0 && this.#why[last] === code && (code !== -1 || this.#logOdds[last] === logOdds)) return;
    this.#atMs.push(atMs);
    this.#logOdds.push(logOdds ?? NaN);
    this.#why.push(code);
  }

  steps(): Steps {
    const { length } = this.#why;
    const [validBefore, validAfter] = [new Int32Array(length), new Int32Array(length)];
    for (let at = 0, valid = -1; at < length; at++)
      validBefore[at] = valid = this.#why[at] === -1 ? at : valid;
    for (let at = length - 1, valid = -1; at >= 0; at--)
      validAfter[at] = valid = this.#why[at] === -1 ? at : valid;
    return {
      atMs: Float64Array.from(this.#atMs),
      logOdds: Float64Array.from(this.#logOdds),
      why: Int8Array.from(this.#why),
      validBefore,
      validAfter,
    };
  }
}

/** How many instants of an ascending column are before an instant, or with `inclusive` at it or before it. */
export function countUntil(instants: Float64Array, atMs: number, inclusive: boolean): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = instants[middle] as number;
    if (each < atMs || (inclusive && each === atMs)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The fair value that stands at a step; before the first the market counts as not open. */
export function fairOfStep({ logOdds, why }: Steps, step: number): Fair {
  const code = step < 0 ? 0 : (why[step] as number);
  if (code !== -1) return { logOdds: null, why: REASONS[code] as Reason };
  return { logOdds: logOdds[step] as number, why: null };
}
