import { type Observable, Subject } from 'rxjs';
import type { TurnClock } from './turn-clock.ts';

/** What decides: the state that a turn is decided by. */
export type Decider = 'market' | 'risk' | 'guards' | 'ledger' | 'strategies';

/** A call from outside that may change what is decided. */
export interface DeciderCall {
  readonly on: Decider;
  readonly method: string;
  readonly args: readonly unknown[];
}

/**
 * The methods that may change what is decided later. Offers, orders and fills reach the market by the pipeline. Looking at prices
 * belongs here, too: how much of a level is ours is judged by what it was at the last look.
 */
const CHANGING: Readonly<Record<Decider, readonly string[]>> = {
  market: ['setGrid', 'marketOf', 'sourceOf', 'youngerOffersOf'],
  risk: [
    ...[
      'review',
      'precheck',
      'recheck',
      'release',
      'setLimits',
      'onOrder',
      'onForeignOrder',
      'onFill',
      'onSettled',
    ],
    ...['onReopened', 'onStanding', 'onDoubt', 'onBalance', 'onProfitLoss', 'onPosition', 'tick', 'setGrid'],
    ...[
      'setNoGrid',
      'setState',
      'kill',
      'explainKill',
      'resume',
      'restore',
      'note',
      'clearNote',
      'forgetReasons',
    ],
  ],
  guards: [
    ...['onEvent', 'onSelection', 'onAge', 'onFeedCleared', 'onFill', 'onOrderOutcome', 'onClockOffset'],
    ...['onLoopLag', 'onPositionMismatch', 'expire', 'forget'],
  ],
  ledger: ['onFill', 'settle', 'restore', 'reopen', 'setStanding'],
  strategies: ['setParameters', 'recall'],
};

/** Tells each call from outside, before it is done; time stands still meanwhile. */
export class CallLog {
  readonly #clock: TurnClock;
  readonly #calls$ = new Subject<DeciderCall>();

  constructor(clock: TurnClock) {
    this.#clock = clock;
  }

  get call$(): Observable<DeciderCall> {
    return this.#calls$;
  }

  /** The same object; whoever calls it through the answer is heard. What it calls on itself is not. */
  heard<T extends object>(on: Decider, target: T): T {
    const changing = new Set<PropertyKey>(CHANGING[on]);
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'guards' && typeof member === 'object' && member !== null)
          return this.heard('guards', member);
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
