import type { StreamSignal } from '../../domain/stream.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Gauge, knownValues, type Metrics } from '../../ports/metrics.ts';

type State = Exclude<StreamSignal['kind'], 'frame'>;

const STATES: readonly State[] = ['connecting', 'open', 'synced', 'closed'];

/** The stream's health: state of the connection, reconnects, round trip, and age of the last frame. */
export class StreamMetrics {
  readonly #clock: Clock;
  readonly #states: Gauge<'state'>;
  readonly #reconnects;
  readonly #roundTrip;
  #state: State = 'closed';
  /** Monotonic. Before the first frame: the instant at which this object was made. */
  #lastFrameMs: number;
  #connections = 0;

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    this.#lastFrameMs = clock.monotonicMs();
    this.#states = metrics.gauge(
      'touchline_stream_state',
      'State of the connection of the stream: 1 for the present one',
      ['state'],
      knownValues('state', STATES),
    );
    this.#states.set(1, { state: this.#state });
    this.#reconnects = metrics.counter(
      'touchline_stream_reconnects_total',
      'Attempts to connect the stream again',
    );
    this.#roundTrip = metrics.gauge(
      'touchline_venue_stream_round_trip_seconds',
      'Latest round trip on the stream',
    );
    const age = metrics.gauge(
      'touchline_stream_frame_age_seconds',
      'Time since the last frame of the stream, or since the start before the first',
    );
    metrics.beforeExposing(() => age.set((this.#clock.monotonicMs() - this.#lastFrameMs) / 1000));
  }

  onSignal(signal: StreamSignal): void {
    if (signal.kind === 'frame') {
      this.#lastFrameMs = signal.receivedMonotonicMs;
      return;
    }
    if (signal.kind === 'connecting' && ++this.#connections > 1) this.#reconnects.inc();
    this.#become(signal.kind);
  }

  onRoundTrip(ms: number): void {
    this.#roundTrip.set(ms / 1000);
  }

  /** The client is closed, so no signal follows. */
  onClosed(): void {
    this.#become('closed');
  }

  #become(state: State): void {
    this.#states.set(0, { state: this.#state });
    this.#states.set(1, { state });
    this.#state = state;
  }
}
