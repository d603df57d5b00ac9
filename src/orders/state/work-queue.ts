/**
 * The manager's own queue. Whatever comes from outside (answers, timers, stream entries, calls of the engine) is only
 * put here; the work is done in a turn of its own, account entries first. After each turn `afterTurn` runs once.
 *
 * Bounded: when account entries pile up beyond the limit, all of them are dropped together and `onOverflow` is told;
 * the caller then trusts nothing of the stream until it has asked the exchange anew.
 */
export class WorkQueue {
  readonly #account: (() => void)[] = [];
  readonly #other: (() => void)[] = [];
  readonly #hooks: WorkQueueHooks;
  readonly #limit: number;
  #scheduled = false;
  #stopped = false;

  constructor(hooks: WorkQueueHooks, limit = 10_000) {
    this.#hooks = hooks;
    this.#limit = limit;
  }

  /** Work that concerns own orders and bets. */
  account(task: () => void): void {
    if (this.#account.length >= this.#limit) {
      this.#account.length = 0;
      this.#account.push(() => this.#hooks.onOverflow());
    }
    this.#account.push(task);
    this.#schedule();
  }

  /** All other work; its amount is bounded by whoever posts it. */
  post(task: () => void): void {
    this.#other.push(task);
    this.#schedule();
  }

  /** Starts a call and brings its result back as work. `start` may throw, like the call itself. */
  call<T>(start: () => Promise<T>, done: (value: T) => void, failed: (error: unknown) => void): void {
    let pending: Promise<T>;
    try {
      pending = start();
    } catch (error) {
      this.post(() => failed(error));
      return;
    }
    pending.then(
      (value) => this.post(() => done(value)),
      (error: unknown) => this.post(() => failed(error)),
    );
  }

  /** Does something as work, for a caller that waits for it. Rejects with what it throws. */
  run<T>(task: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.post(() => {
        try {
          resolve(task());
        } catch (error) {
          reject(error as Error);
          throw error;
        }
      });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#account.length = 0;
    this.#other.length = 0;
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    for (let task = this.#next(); task !== undefined; task = this.#next()) this.#guarded(task);
    if (!this.#stopped) this.#guarded(() => this.#hooks.afterTurn());
  }

  #next(): (() => void) | undefined {
    return this.#account.shift() ?? this.#other.shift();
  }

  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#hooks.onFatal(error);
    }
  }
}

export interface WorkQueueHooks {
  afterTurn(): void;
  onOverflow(): void;
  /** A task threw: a bug, since tasks answer expected failures themselves. */
  onFatal(error: unknown): void;
}
