import {
  auditTime,
  bufferTime,
  debounceTime,
  delay,
  interval,
  type MonoTypeOperatorFunction,
  type Observable,
  type OperatorFunction,
  sampleTime,
  type SchedulerLike,
  throttleTime,
  timer,
} from 'rxjs';

/**
 * The RxJS operators that wait, bound to one scheduler. Times are milliseconds.
 *
 * @example
 * const calm = ({ debounceTime }: TimeOperators, view$: rxjs.Observable<EventView>) =>
 *   view$.pipe(debounceTime(500));
 */
export interface TimeOperators {
  /** Emits 0 after `dueMs`, then counts on every `everyMs`, if given. */
  timer(dueMs: number, everyMs?: number): Observable<number>;
  interval(everyMs: number): Observable<number>;
  readonly auditTime: <T>(ms: number) => MonoTypeOperatorFunction<T>;
  readonly bufferTime: <T>(ms: number) => OperatorFunction<T, T[]>;
  readonly debounceTime: <T>(ms: number) => MonoTypeOperatorFunction<T>;
  readonly delay: <T>(ms: number) => MonoTypeOperatorFunction<T>;
  readonly sampleTime: <T>(ms: number) => MonoTypeOperatorFunction<T>;
  readonly throttleTime: <T>(ms: number) => MonoTypeOperatorFunction<T>;
}

/**
 * The operators of `TimeOperators`, bound to a scheduler. A stream strategy finds them ready-made in its context.
 *
 * @example
 * const { interval } = timeOperators(new rxjs.VirtualTimeScheduler());
 * const second$ = interval(1000);
 */
export const timeOperators = (scheduler: SchedulerLike): TimeOperators =>
  ({
    timer(dueMs, everyMs) {
      return everyMs === undefined ? timer(dueMs, scheduler) : timer(dueMs, everyMs, scheduler);
    },
    interval(everyMs) {
      return interval(everyMs, scheduler);
    },
    auditTime: (ms) => auditTime(ms, scheduler),
    bufferTime: (ms) => bufferTime(ms, scheduler),
    debounceTime: (ms) => debounceTime(ms, scheduler),
    delay: (ms) => delay(ms, scheduler),
    sampleTime: (ms) => sampleTime(ms, scheduler),
    throttleTime: (ms) => throttleTime(ms, scheduler),
  }) satisfies TimeOperators;
