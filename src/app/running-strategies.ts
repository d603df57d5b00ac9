import type { Inputs } from '../engine/input.ts';
import { type RunningStrategy, Strategies } from '../engine/strategies.ts';
import { strategyFaults } from '../engine/strategy-faults.ts';
import { limitedLog } from '../engine/strategy-log.ts';
import { StrategyTimers } from '../engine/strategy-timers.ts';
import type { TurnClock } from '../engine/turn-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { LimitsOfStrategies, RiskLimits } from '../risk/index.ts';
import type { StrategyProblem } from '../strategy/host.ts';
import type { CallObserver } from '../strategy/session.ts';
import type { Config } from './config/load.ts';
import { matchRulesOf, strategyLimitsOf } from './config/strategy-options.ts';
import { type ConfiguredStrategy, parametersOf, strategyTables } from './config/validate.ts';
import { bothObserving, SlowCalls } from './watchdog/slow-calls.ts';

export interface RunningStrategiesParts {
  /** In order of precedence. */
  readonly configured: readonly ConfiguredStrategy[];
  readonly clock: TurnClock;
  /** The clock outside of turns, which measures calls. */
  readonly wallClock: Clock;
  readonly readModel: Pick<ReadModel, 'take'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Learns of each call of a strategy; undefined: nothing does. */
  readonly calls: CallObserver | undefined;
}

export interface RunningStrategies {
  /** Makes the strategies. `isOff` tells whether a strategy hung. */
  readonly make: (isOff: (name: string) => boolean) => Strategies;
  /** Counts and logs a fault in an answer. */
  readonly onProblem: (problem: StrategyProblem) => void;
}

/** The strategies of a configuration with everything that watches them. */
export function runningStrategies(parts: RunningStrategiesParts): RunningStrategies {
  const { configured, clock, readModel, logger, metrics, calls } = parts;
  const strategies = configured.map(({ name }) => name);
  const onProblem = strategyFaults(strategies, clock, logger, metrics);
  // The read model finds faults in answers in the decisions.
  const note = (problem: StrategyProblem): void =>
    readModel.take({ kind: 'fault', problem, atMs: clock.monotonicMs() });
  const onFault = (problem: StrategyProblem): void => (onProblem(problem), note(problem));
  const slowCalls = new SlowCalls({
    clock: parts.wallClock,
    logger,
    metrics,
    strategies,
    onSlow: note,
    slowMsOf: (name) => configured.find((each) => each.name === name)?.settings.slowMs ?? Infinity,
  });
  const observer = calls === undefined ? slowCalls : bothObserving(calls, slowCalls);
  const around = {
    timers: new StrategyTimers(clock),
    log: limitedLog(logger, clock, onFault),
    onFault,
    observer,
  };
  return { make: (isOff) => new Strategies(configured.map(runningOf), { ...around, isOff }), onProblem };
}

/** A configured strategy, ready to run. Throws ConfigError if its parameters are invalid. */
export const runningOf = (configured: ConfiguredStrategy): RunningStrategy => ({
  strategy: configured.plugin,
  name: configured.name,
  folder: configured.folder,
  parameters: parametersOf(configured),
  rules: matchRulesOf(configured.settings),
});

/** Changed settings of strategies that passed every check. */
export interface PreparedStrategies {
  readonly limits: LimitsOfStrategies;
  /** Cannot fail. */
  readonly apply: (core: Inputs) => void;
}

/** Validates the settings of the strategies in another configuration, which has the same tables. Throws ConfigError. */
export function preparedStrategies(
  configured: readonly ConfiguredStrategy[],
  next: Config,
  limits: RiskLimits,
): PreparedStrategies {
  const changed = strategyTables(next).map(([key, settings], index) => {
    const { plugin, name } = configured[index] as ConfiguredStrategy;
    const parameters = parametersOf({ key, settings, plugin });
    return { key, name, settings, rules: matchRulesOf(settings), parameters };
  });
  return {
    limits: strategyLimitsOf(changed, limits),
    apply(core) {
      for (const { name, parameters, rules } of changed) {
        core.apply({ kind: 'parameters', strategy: name, parameters });
        core.apply({ kind: 'rules', strategy: name, rules });
      }
    },
  };
}
