/** Many parameter sets of one strategy over the same tapes. The decoded tapes are shared; each set is a run of its own. */
import { FILL_MODELS } from '../../fills/scenarios.ts';
import type { RiskLimits } from '../../risk/index.ts';
import type { Strategy } from '../../strategy/contract.ts';
import { parseParameters } from '../../strategy/loader.ts';
import type { BacktestInput } from '../backtest-engine.ts';
import { explicitLevels } from '../explicit-levels.ts';
import type { Scenario } from '../../fills/fill-model.ts';
import type { EventOutcome } from '../result.ts';
import type { EventTape, Updates } from '../tape.ts';
import { runEvent } from './event-run.ts';
import { fastSettings } from './settings.ts';

/** The terms that all sets of a sweep have in common. Plain data, so that a thread can have it. */
export interface SweepTask extends Omit<
  BacktestInput,
  'tapes' | 'strategy' | 'parameters' | 'onProgress' | 'limits' | 'priceSources' | 'variants'
> {
  /** In the form of `sharedTape`. */
  readonly tapes: readonly EventTape[];
  readonly limits: RiskLimits;
}

/** One scenario of a parameter set: the outcome of each event. Fills and courses are left out; a backtest of the set has them. */
export interface SweepResult {
  readonly scenario: Scenario;
  readonly events: readonly EventOutcome[];
}

/** Runs a set. Throws ConfigError for parameters that the strategy refuses. */
export function runSet(task: SweepTask, strategy: Strategy, parameters: object): readonly SweepResult[] {
  const parsed = parseParameters(strategy, parameters);
  const settings = fastSettings();
  return task.scenarios.map((scenario) => ({
    scenario,
    events: task.tapes.map(
      (tape) =>
        runEvent({ ...task, tape, strategy, parameters: parsed, settings, model: FILL_MODELS[scenario] })
          .outcome,
    ),
  }));
}

/** The tape without clears, and with columns in memory that threads share. */
export function sharedTape(tape: EventTape): EventTape {
  const { length, atMs, op, of, tick, micros } = explicitLevels(tape.updates);
  const updates: Updates = {
    length,
    atMs: shared(atMs, new Float64Array(memory(atMs))),
    op: shared(op, new Uint8Array(memory(op))),
    of: shared(of, new Uint16Array(memory(of))),
    tick: shared(tick, new Uint16Array(memory(tick))),
    micros: shared(micros, new Float64Array(memory(micros))),
  };
  return { ...tape, updates };
}

const memory = ({ byteLength }: ArrayBufferView): SharedArrayBuffer => new SharedArrayBuffer(byteLength);

function shared<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
