import type { RiskRead, StateRecord } from '../risk/index.ts';

/** The author of the state of a strategy that hung. */
export const WATCHDOG = 'watchdog';

/** A strategy that hung, and its state until a person resumes. */
export interface LatchedStrategy {
  readonly strategy: string;
  readonly record: StateRecord;
}

/**
 * The strategies that hung, in this run's memory. They are not called: another call would hang the process again. A strategy that
 * a limit has halted is called, because its answers show what it would quote.
 */
export function latchedStrategies({ states }: Pick<RiskRead, 'states'>): readonly LatchedStrategy[] {
  return states.flatMap((record) => {
    const { scope, state, by } = record;
    return scope.kind === 'strategy' && state === 'halted' && by === WATCHDOG
      ? [{ strategy: scope.strategy, record }]
      : [];
  });
}

/** The state of a strategy that hung; null if it may be called. */
export const latchOf = (risk: Pick<RiskRead, 'states'>, name: string): StateRecord | null =>
  latchedStrategies(risk).find(({ strategy }) => strategy === name)?.record ?? null;

/** Names when and where the strategy hung, and how it can quote again. */
export const latchInWords = ({ why }: StateRecord): string =>
  `the strategy hung: ${why}; it is not called until touchline resume --reason TEXT`;
