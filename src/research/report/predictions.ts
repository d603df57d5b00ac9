/** Predicted against real fills of a live session. */
import type { Scenario } from '../../fills/fill-model.ts';
import type { ResearchFill, ScenarioResult } from '../result.ts';
import { orderOf } from './counterparts.ts';

/** The prediction of one scenario for the session's orders. Orders are counted once, however many fills they had. */
export interface Prediction {
  readonly scenario: Scenario;
  readonly predictedMicros: number;
  readonly realMicros: number;
  readonly both: number;
  readonly predictedOnly: number;
  readonly realOnly: number;
}

export function predictionsOf(
  scenarios: readonly ScenarioResult[],
  real: readonly ResearchFill[],
): Prediction[] {
  const happened = new Set(real.map(orderOf));
  return scenarios.map(({ scenario, fills }) => {
    const predicted = new Set(fills.map(orderOf));
    const both = [...predicted].filter((order) => happened.has(order)).length;
    return {
      scenario,
      predictedMicros: stakeOf(fills),
      realMicros: stakeOf(real),
      both,
      predictedOnly: predicted.size - both,
      realOnly: happened.size - both,
    };
  });
}

const stakeOf = (fills: readonly ResearchFill[]): number =>
  fills.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0);
