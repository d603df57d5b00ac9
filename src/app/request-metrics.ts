import type { Observable } from 'rxjs';
import type { AccountChange } from '../account/changes.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Turn } from '../engine/turn.ts';
import type { Metrics } from '../ports/metrics.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.025, 0.035, 0.05, 0.1, 0.25, 1, 2.5];

/** What causes orders, and the orders. */
export interface RequestSources {
  /** Every signal, after the order manager has seen it. */
  readonly signal$: Observable<StreamSignal>;
  /** Every turn, once it is decided. */
  readonly turn$: Observable<Turn>;
  readonly account$: Observable<AccountChange>;
}

/**
 * Measures from the receipt of a frame to each order that it causes, at the instant at which the order's request enters its budget. The
 * order manager acts right after a signal or a turn, before anything else runs: an order that it makes later has another cause.
 */
export function measureRequests({ signal$, turn$, account$ }: RequestSources, metrics: Metrics): void {
  const seconds = metrics.histogram(
    'touchline_frame_to_request_seconds',
    'Time from the receipt of a frame to the request for an order that it causes, as it enters its budget',
    SECONDS,
  );
  /** Monotonic instant of the receipt of the frame that is acted on now; Infinity while none is. */
  let frameMs = Infinity;
  const end = (): void => void (frameMs = Infinity);
  // An error of the engine ends the run elsewhere.
  const error = (): void => undefined;
  signal$.subscribe({
    next: (signal) => {
      if (signal.kind !== 'frame') return;
      frameMs = signal.receivedMonotonicMs;
      queueMicrotask(end);
    },
    error,
  });
  turn$.subscribe({
    next: ({ inputs }) => {
      end();
      for (const input of inputs) {
        if (input.kind === 'signal' && input.signal.kind === 'frame')
          frameMs = Math.min(frameMs, input.signal.receivedMonotonicMs);
      }
      queueMicrotask(end);
    },
    error,
  });
  account$.subscribe({
    next: (change) => {
      if (change.kind !== 'order' || change.before !== null || frameMs === Infinity) return;
      const { state, createdMonotonicMs } = change.order;
      if (state === 'prepared') seconds.observe((createdMonotonicMs - frameMs) / 1000);
    },
    error,
  });
}
