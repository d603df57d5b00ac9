import { isDeepStrictEqual } from 'node:util';
import type { StrategyAnswer } from '../../../strategy/host.ts';
import type { Strategy } from '../../../strategy/contract.ts';
import { type PlayOptions, playScenario, repeatInputs, type ScenarioResult } from '../../../testing/index.ts';
import type { Scenario } from '../scenarios.ts';
import { type CheckFinding, fault } from './finding.ts';

const NEEDS_MEMORY =
  'quote from the view and the parameters alone; keep what must be remembered with keep, draw from context.random';

/** Whether a second run of a scenario decides as the first did. */
export function repeats(
  strategy: Strategy,
  scenario: Scenario,
  first: ScenarioResult,
  options: PlayOptions,
): CheckFinding[] {
  const second = playScenario(strategy, scenario, options);
  const at = first.turns.findIndex((turn, index) => !isDeepStrictEqual(turn, second.turns[index]));
  const turn = first.turns[at];
  if (turn === undefined && first.turns.length === second.turns.length) return [];
  const atS = (turn?.atMs ?? 0) / 1000;
  const found = `the scenario ${scenario.name} goes differently when it is played again, from second ${atS} on`;
  return [fault('determinism', found, NEEDS_MEMORY)];
}

/** A strategy that waits has this many views, a second apart, until its timers must have caught up after a restart. */
const CATCHING_UP = 60;

/** Whether a strategy that is stopped and started in the middle of a scenario decides as one that ran through. */
export function survivesRestart(
  strategy: Strategy,
  { scenario, inputs }: ScenarioResult,
  options: PlayOptions,
): CheckFinding[] {
  const views = inputs.filter(({ kind }) => kind === 'view').length;
  const restartAfterViews = Math.floor(views / 2);
  const through = repeatInputs(strategy, inputs, options);
  const restarted = repeatInputs(strategy, inputs, { ...options, restartAfterViews });
  const from = restartAfterViews + (restarted.lostTimer ? CATCHING_UP : 0);
  const at = restarted.answers.findIndex(
    (answer, index) => index >= from && !sameIntents(answer, through.answers[index]),
  );
  if (at < 0) return [];
  const found = `in the scenario ${scenario} it decides differently after a stop and a start, from view ${at + 1} on; the restart came after view ${restartAfterViews}`;
  const advice =
    'remember with keep, as plain data (JSON), so that a restart continues where the strategy was';
  return [fault('restart', found, advice)];
}

const sameIntents = (a: StrategyAnswer, b: StrategyAnswer | undefined): boolean =>
  isDeepStrictEqual([a.intents, a.hedges], [b?.intents, b?.hedges]);
