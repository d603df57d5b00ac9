import type { EventView } from '../../domain/event-view.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import type { Strategy } from '../../strategy/contract.ts';
import type { StrategyAnswer } from '../../strategy/host.ts';
import { type RunOptions, StrategyRun } from '../strategy-run.ts';

/**
 * An input that a strategy received.
 *
 * @example
 * const views = (inputs: readonly ScenarioInput[]): number => inputs.filter(({ kind }) => kind === 'view').length;
 */
export type ScenarioInput =
  | { readonly kind: 'view'; readonly view: EventView }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'order'; readonly order: LiveOrder }
  | { readonly kind: 'advance'; readonly ms: number };

/**
 * Options of `repeatInputs`.
 *
 * @example
 * const options: RepeatOptions = { restartAfterViews: 100 };
 */
export interface RepeatOptions extends RunOptions {
  /** Views after which the strategy is stopped cleanly and started again. */
  readonly restartAfterViews?: number;
}

/**
 * The answers to the views of some inputs.
 *
 * @example
 * const count = ({ answers }: RepeatedAnswers): number => answers.length;
 */
export interface RepeatedAnswers {
  readonly answers: readonly StrategyAnswer[];
  /** Whether a timer was waiting at the restart, which lost it. */
  readonly lostTimer: boolean;
}

/**
 * Gives a new run of the strategy inputs of an earlier one, so that its answers do not influence what it sees.
 *
 * @example
 * const idle = defineStrategy({ name: 'idle', description: '', parameters: z.object({}), quote: () => [] });
 * repeatInputs(idle, [{ kind: 'view', view }]).answers.length; // 1
 */
export function repeatInputs(
  strategy: Strategy,
  inputs: readonly ScenarioInput[],
  { restartAfterViews, ...options }: RepeatOptions = {},
): RepeatedAnswers {
  const run = new StrategyRun(strategy, options);
  const answers: StrategyAnswer[] = [];
  let lostTimer = false;
  for (const input of inputs) {
    if (input.kind === 'view') answers.push(run.view(input.view));
    else if (input.kind === 'fill') run.fill(input.fill);
    else if (input.kind === 'order') run.order(input.order);
    else run.advance(input.ms);
    if (input.kind !== 'view' || answers.length !== restartAfterViews) continue;
    lostTimer = run.nextTimerInMs !== null;
    run.restart();
  }
  run.stop();
  return { answers, lostTimer };
}
