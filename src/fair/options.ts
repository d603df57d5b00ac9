/** The three numbers of the definition of fair values (`docs/statistics.md`), and the variants by which a verdict is tried. */
import { type Micros, toMicros } from '../domain/money.ts';

export interface FairOptions {
  /** A side must hold this risk; a thinner one does not say what the market believes. */
  readonly riskMicros: Micros;
  /** Touches further apart, in log-odds, say nothing of the middle. */
  readonly width: number;
  /** After a suspension, a removal or a gap prices settle for so long, or for the bet delay if that is longer. */
  readonly holdMs: number;
}

export const FAIR: FairOptions = { riskMicros: toMicros(20), width: 0.25, holdMs: 5_000 };

/** Each number by itself halved and doubled. */
export const FAIR_VARIANTS: readonly FairOptions[] = [0.5, 2].flatMap((factor) => [
  { ...FAIR, riskMicros: factor * FAIR.riskMicros },
  { ...FAIR, width: factor * FAIR.width },
  { ...FAIR, holdMs: factor * FAIR.holdMs },
]);
