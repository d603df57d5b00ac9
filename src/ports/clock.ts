/** A pending timer. */
export interface Timer {
  cancel(): void;
}

/**
 * Time. The exchange and people use wall-clock time, which can jump. Durations, deadlines and staleness use monotonic
 * time. Timers run on monotonic time and never synchronously inside `after`.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start. This clock never goes back. */
  monotonicMs(): number;
  /** Runs `run` once, `delayMs` from now (at least the next turn of the loop). */
  after(delayMs: number, run: () => void): Timer;
}

/** Resolves after `delayMs`. Rejects with the signal's reason when aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Runs `work` every `everyMs` until the returned function is called. */
export function repeat(clock: Clock, everyMs: number, work: () => void): () => void {
  let timer = clock.after(everyMs, tick);
  function tick(): void {
    timer = clock.after(everyMs, tick);
    work();
  }
  return () => timer.cancel();
}
