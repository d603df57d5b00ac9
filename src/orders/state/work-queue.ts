/**
 * The manager's work queue. Everything from outside (answers, timers, stream entries, calls of the engine) only
 * adds work to it. The work runs in a turn of its own, account entries first, and after each turn `afterTurn`
 * runs once.
 *
 * Bounded: when account entries exceed the limit, all of them are dropped and `onOverflow` is called. The
 * caller must then distrust the stream until it has read the account again.
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

  /** Adds work about orders and bets of the account. */
  account(task: () => void): void {
    if (this.#account.length >= this.#limit) {
      this.#account.length = 0;
      this.#account.push(() => this.#hooks.onOverflow());
    }
    this.#account.push(task);
    this.#schedule();
  }

  /** Adds other work. The callers bound its amount. */
  post(task: () => void): void {
    this.#other.push(task);
    this.#schedule();
  }

  /**
   * Starts a call and queues its result as work. `start` may throw, or the promise may reject: both lead to
   * `failed`.
   */
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

  /** Runs a task as work, and resolves to its result. Rejects with the error that the task throws. */
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
  /** Called when a task throws. That is a bug, since tasks handle expected failures themselves. */
  onFatal(error: unknown): void;
}
