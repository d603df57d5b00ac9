import { TouchlineError } from '../../domain/errors.ts';
import type { Strategy } from '../../strategy/contract.ts';
import {
  type PlayOptions,
  playScenario,
  type Scenario,
  type ScenarioResult,
  SCENARIOS,
} from '../../testing/index.ts';

export { type Scenario, type ScenarioProblem, type ScenarioResult, SCENARIOS } from '../../testing/index.ts';

/** The scenarios with these names, or all. Throws TouchlineError `usage` for a name that is none. */
export function scenariosNamed(names: readonly string[] | undefined): readonly Scenario[] {
  const known = SCENARIOS.map(({ name }) => name);
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TouchlineError('usage', `no scenario is called ${unknown}; there are ${known.join(', ')}`);
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
