import { Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { EventView } from '../../src/domain/event-view.ts';
import { eventNameOf } from '../../src/domain/events.ts';
import { Strategies, type RunningStrategy } from '../../src/engine/strategies.ts';
import { StrategyTimers } from '../../src/engine/strategy-timers.ts';
import type { Strategy } from '../../src/strategy/contract.ts';
import { type Asked, type StrategyAnswer, StrategyHost } from '../../src/strategy/host.ts';
import { type Surroundings, UNOBSERVED } from '../../src/strategy/session.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';

/** Surroundings in which no time passes and nothing is logged. */
export const stillSurroundings = (): Surroundings => ({
  scheduler: new TestScheduler(() => undefined),
  log: () => undefined,
  otherEvent: () => new Subject(),
  wake: () => undefined,
  onHaste: () => undefined,
  observer: UNOBSERVED,
});

/** Hosts a strategy and answers one view at a time. */
export function hostedBy<P>(
  strategy: Strategy<P>,
  parameters: P,
  surroundings = stillSurroundings(),
): { readonly host: StrategyHost<P>; readonly quote: (view: EventView) => StrategyAnswer } {
  const host = new StrategyHost(strategy, parameters, surroundings);
  const asked$ = new Subject<Asked>();
  let answer: StrategyAnswer | null = null;
  host.answers(asked$).subscribe((next) => (answer = next));
  const quote = (view: EventView): StrategyAnswer => {
    answer = null;
    asked$.next({ event: eventNameOf(view), view });
    if (answer === null) throw new Error('the strategy did not answer at once');
    const { intents, problems, hedges } = answer as StrategyAnswer;
    return { intents, problems, ...(hedges && { hedges }) };
  };
  return { host, quote };
}

/** Strategies on a clock that stands still. */
export const stillStrategies = (...running: readonly [RunningStrategy, ...RunningStrategy[]]): Strategies =>
  new Strategies(running, { timers: new StrategyTimers(new VirtualClock()), log: () => undefined });
