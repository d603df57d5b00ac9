/** Recorded facts beside what modelled evenings scatter over. */
import type { Fact } from './table.ts';

/** A recorded figure, and the evenings of the model that have it. */
export interface Comparison extends Pick<Fact, 'sport' | 'phase' | 'figure' | 'unit'> {
  readonly recorded: number;
  /** Between which nine of ten evenings lie; null without an evening. */
  readonly range: readonly [low: number, high: number] | null;
  readonly middle: number | null;
  readonly evenings: number;
  readonly isInside: boolean;
}

/** Share of the evenings that lie below the range, and of those above it. */
const OUTER = 0.05;
/** Figures that are counted in looks differ by less than this share. */
const EQUAL = 1e-6;

/** Compares every figure that the recordings have. */
export function compared(recorded: readonly Fact[], evenings: readonly (readonly Fact[])[]): Comparison[] {
  return recorded.flatMap(({ sport, phase, figure, unit, value }) => {
    if (value === null) return [];
    const values = evenings
      .flatMap((facts) => facts.filter((fact) => isSame(fact, { sport, phase, figure })))
      .flatMap((fact) => fact.value ?? [])
      .sort((a, b) => a - b);
    const range = rangeOf(values);
    const slack = EQUAL * Math.abs(value);
    return {
      sport,
      phase,
      figure,
      unit,
      recorded: value,
      range,
      evenings: values.length,
      middle: values[Math.floor(values.length / 2)] ?? null,
      isInside: range !== null && value >= range[0] - slack && value <= range[1] + slack,
    };
  });
}

const isSame = (a: Fact, b: Pick<Fact, 'sport' | 'phase' | 'figure'>): boolean =>
  a.sport === b.sport && a.phase === b.phase && a.figure === b.figure;

function rangeOf(sorted: readonly number[]): readonly [number, number] | null {
  const outside = Math.floor(OUTER * sorted.length);
  const [low, high] = [sorted[outside], sorted[sorted.length - 1 - outside]];
  return low === undefined || high === undefined ? null : [low, high];
}
