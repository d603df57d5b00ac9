import { type Observable, Subject } from 'rxjs';
import type { TurnClock } from './turn-clock.ts';

/** A decider: an object that holds state behind decisions. */
export type Decider = 'prices' | 'market' | 'risk' | 'guards' | 'strategies';

/** A call on a decider from outside the pipeline that may change later decisions. */
export interface DeciderCall {
  readonly on: Decider;
  readonly method: string;
  readonly args: readonly unknown[];
}

/**
 * The methods that may change later decisions. Offers, and what the account learns, are not here: they are inputs of the pipeline.
 * Reading prices is here: our own share of a level is judged by what the last read showed.
 */
const CHANGING: Readonly<Record<Decider, readonly string[]>> = {
  prices: ['take', 'noteLay', 'forgetLay'],
  market: ['setGrid', 'marketOf', 'sourceOf', 'youngerOffersOf'],
  risk: [
    ...['approve', 'precheck', 'recheck', 'release', 'setLimits', 'onEventOver'],
    ...['onProfitLoss', 'onPosition', 'tick', 'setGrid', 'setNoGrid', 'setState', 'pause'],
    ...['latchStrategy', 'kill', 'explainKill', 'resume', 'restore', 'note', 'clearNote', 'forgetReasons'],
  ],
  guards: [
    ...['onEvent', 'onSelection', 'onAge', 'onFeedCleared', 'onFill', 'onOrderOutcome', 'onClockOffset'],
    ...['onLoopLag', 'onPositionMismatch', 'expire', 'forget'],
  ],
  strategies: ['setParameters', 'setRules', 'end', 'fire', 'restore'],
};

/** Emits each call from outside before it runs. The clock does not advance during the call. */
export class CallLog {
  readonly #clock: TurnClock;
  readonly #calls$ = new Subject<DeciderCall>();

  constructor(clock: TurnClock) {
    this.#clock = clock;
  }

  get call$(): Observable<DeciderCall> {
    return this.#calls$;
  }

  /** Returns a proxy of the object. Calls through the proxy are recorded; calls that the object makes on itself are not. */
  recorded<T extends object>(on: Decider, target: T): T {
    const changing = new Set<PropertyKey>(CHANGING[on]);
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'guards' && typeof member === 'object' && member !== null)
          return this.recorded('guards', member);
        if (typeof member !== 'function') return member;
        if (!changing.has(name)) return member.bind(target) as unknown;
        return (...args: readonly unknown[]): unknown =>
          this.#clock.atOnce(() => {
            this.#calls$.next({ on, method: String(name), args });
            return Reflect.apply(member, target, args) as unknown;
          });
      },
    });
  }
}
