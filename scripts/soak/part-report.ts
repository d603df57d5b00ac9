import type { Check } from './checks.ts';

/** The result of a part of the soak. */
export interface PartReport {
  readonly checks: readonly Check[];
  /** All measured figures, by name. Plain data. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** Tells a person who waits how far the run is. */
export type Progress = (what: string, sample: unknown) => void;
