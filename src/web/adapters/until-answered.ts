import type { BrowserTime } from './browser-time.ts';

export interface Repetition<T> {
  /** Sends the request once. Rejects if it gets no answer. An abort ends its connection. */
  readonly attempt: (signal: AbortSignal) => Promise<T>;
  readonly time: BrowserTime;
  /** The request is not sent again after this time. Default: it is repeated until it is answered. */
  readonly giveUpMs?: number | undefined;
  /** Learns how often the request was sent. */
  readonly onSent?: ((times: number) => void) | undefined;
}

/** Without an answer for so long, the request is sent again on another connection. */
export const AGAIN_MS = 1_500;
/** The wait after a failure before the command is sent again. */
export const AFTER_FAILURE_MS = 500;
/** Older ones are given up: a browser has six connections to a host. */
const MOST_OPEN = 2;

/**
 * Repeats a request until it is answered, each time on another connection: the last one is still busy. A connection may be dead without a sign, so
 * waiting for it is in vain; but the answer may also be slow, so it is not given up at once. The first answer counts. Rejects with the last failure
 * if the time is up.
 */
export function untilAnswered<T>({ attempt, time, giveUpMs = Infinity, onSent }: Repetition<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const open: AbortController[] = [];
  const startMs = time.nowMs();
  let times = 0;
  let isOver = false;
  let cancel = (): void => undefined;
  const finish = (settle: () => void): void => {
    if (isOver) return;
    isOver = true;
    cancel();
    for (const aborter of open) aborter.abort();
    settle();
  };
  const send = (failure: unknown): void => {
    if (time.nowMs() - startMs >= giveUpMs) return finish(() => reject(failure));
    const aborter = new AbortController();
    open.push(aborter);
    while (open.length > MOST_OPEN) open.shift()?.abort();
    onSent?.(++times);
    cancel = time.after(AGAIN_MS, () => send(new Error(`none came within ${AGAIN_MS / 1_000} s`)));
    attempt(aborter.signal).then(
      (answer) => finish(() => resolve(answer)),
      (error: unknown) => {
        if (isOver || aborter.signal.aborted) return;
        open.splice(open.indexOf(aborter), 1);
        if (open.length > 0) return;
        cancel();
        cancel = time.after(AFTER_FAILURE_MS, () => send(error));
      },
    );
  };
  send(null);
  return promise;
}
