/**
 * Tools for the tests of strategies: builders of what a strategy sees, a strategy that runs on virtual time, and scripted matches.
 * They need no test framework and no daemon.
 *
 * @module
 */
export {
  aFill,
  anEvent,
  anOrder,
  aSelection,
  aView,
  type EventNames,
  type Levels,
  prices,
  type SelectionParts,
} from './builders.ts';
export type { Fill, LiveOrder } from '../domain/live-order.ts';
export type { TakeTerms } from '../domain/orders.ts';
export {
  problemInWords,
  type StrategyAnswer,
  type StrategyProblem,
  type StrategyProblemKind,
} from '../strategy/host.ts';
export { INTENT_RULES, type IntentRule, type RefusedIntent } from '../strategy/intents.ts';
export { frozen } from './frozen.ts';
export { type LogLine, type RunOptions, runStrategy, type StrategyRun } from './strategy-run.ts';
export { type Conditions, type Scenario, SCENARIOS, type Shown } from './scenarios/scenario.ts';
export { playScenario, type PlayOptions, type ScenarioResult } from './scenarios/play.ts';
export type { ScenarioPosition, ScenarioProblem, ScenarioTurn } from './scenarios/tally.ts';
export {
  type RepeatedAnswers,
  type RepeatOptions,
  repeatInputs,
  type ScenarioInput,
} from './scenarios/inputs.ts';
