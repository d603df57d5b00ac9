import type { LiveOrder } from '../domain/live-order.ts';
import type { StreamSignal } from '../domain/stream.ts';
import type { Turn } from '../engine/turn.ts';
import type { Clock } from '../ports/clock.ts';
import type { Counter, Histogram, Metrics } from '../ports/metrics.ts';

const TURN_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const REQUEST_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.025, 0.035, 0.05, 0.1, 0.25, 1, 2.5,
];
const INTENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * Measures turns, and the way from a frame to the quotes that it causes. A turn costs one reading of the clock: it began at an
 * instant that it carries, and so did the frame.
 */
export class TurnMetrics {
  readonly #clock: Clock;
  readonly #turns: Counter;
  readonly #turnSeconds: Histogram;
  readonly #intentSeconds: Histogram;
  readonly #requestSeconds: Histogram;
  /** Monotonic instant at which the frame that is handled now was received. */
  #frameMs: number | null = null;
  /** The same of the oldest frame whose quotes are not decided yet. */
  #oldestMs: number | null = null;
  /** Monotonic instant of the receipt of the frame that is acted on now; Infinity while none is. */
  #actedOnMs = Infinity;

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    this.#turns = metrics.counter('touchline_engine_turns_total', 'Turns of the quoting engine');
    this.#turnSeconds = metrics.histogram(
      'touchline_engine_turn_seconds',
      'Time that a turn takes: views, strategies, risk, targets',
      TURN_SECONDS,
    );
    this.#intentSeconds = metrics.histogram(
      'touchline_frame_to_intent_seconds',
      'Time from the receipt of a frame to the quotes that it causes',
      INTENT_SECONDS,
    );
    this.#requestSeconds = metrics.histogram(
      'touchline_frame_to_request_seconds',
      'Time from the receipt of a frame to the request for an order that it causes, as it enters its budget',
      REQUEST_SECONDS,
    );
  }

  /** Call it before the engine handles a signal. */
  begin(signal: StreamSignal): void {
    this.#frameMs = signal.kind === 'frame' ? signal.receivedMonotonicMs : null;
  }

  /** Call it after the engine has handled the signal. */
  end(): void {
    this.#actOn(this.#frameMs ?? Infinity);
    this.#frameMs = null;
  }

  /** An event that is quoted has changed, so the next turn decides it. */
  onQuotedChange(): void {
    this.#oldestMs ??= this.#frameMs;
  }

  /** An order is new. The request for it enters its budget as it is made. */
  onOrder({ state, createdMonotonicMs }: LiveOrder): void {
    if (this.#actedOnMs < Infinity && state === 'prepared')
      this.#requestSeconds.observe((createdMonotonicMs - this.#actedOnMs) / 1000);
  }

  /** Call it once a turn is decided. */
  onTurn({ monotonicMs, inputs }: Pick<Turn, 'monotonicMs' | 'inputs'>): void {
    this.#actOn(oldestFrameMs(inputs));
    const nowMs = this.#clock.monotonicMs();
    this.#turns.inc();
    this.#turnSeconds.observe((nowMs - monotonicMs) / 1000);
    if (this.#oldestMs === null) return;
    this.#intentSeconds.observe((nowMs - this.#oldestMs) / 1000);
    this.#oldestMs = null;
  }

  /**
   * The order manager acts right after a signal or a turn, before anything else runs: an order that it makes later has another cause.
   */
  #actOn(frameMs: number): void {
    this.#actedOnMs = frameMs;
    if (frameMs < Infinity) queueMicrotask(() => (this.#actedOnMs = Infinity));
  }
}

function oldestFrameMs(inputs: Turn['inputs']): number {
  let oldestMs = Infinity;
  for (const input of inputs)
    if (input.kind === 'signal' && input.signal.kind === 'frame')
      oldestMs = Math.min(oldestMs, input.signal.receivedMonotonicMs);
  return oldestMs;
}
