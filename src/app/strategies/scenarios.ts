import { TouchlineError } from '../../domain/errors.ts';
import type { Strategy } from '../../strategy/contract.ts';
import {
  type PlayOptions,
  playScenario,
  type Scenario,
  type ScenarioResult,
  SCENARIOS,
} from '../../testing/index.ts';
import { SCENARIO_NAMES } from './scenario-names.ts';

export { type Scenario, type ScenarioProblem, type ScenarioResult, SCENARIOS } from '../../testing/index.ts';

/** The scenarios with these names, or all. Throws TouchlineError `usage` for a name that is none. */
export function scenariosNamed(names: readonly string[] | undefined): readonly Scenario[] {
  const unknown = names?.find((name) => !SCENARIO_NAMES.includes(name));
  if (unknown !== undefined)
    throw new TouchlineError(
      'usage',
      `no scenario is called ${unknown}; there are ${SCENARIO_NAMES.join(', ')}`,
    );
  return SCENARIOS.filter(({ name }) => names?.includes(name) ?? true);
}

/** Plays scenarios one after the other. */
export function* playEach(
  strategy: Strategy,
  scenarios: readonly Scenario[],
  options: PlayOptions,
): Generator<ScenarioResult> {
  for (const scenario of scenarios) yield playScenario(strategy, scenario, options);
}
