/** One question and answer: our monotonic time of both, and the exchange's time in between. */
export interface OffsetSample {
  readonly sentMonotonicMs: number;
  readonly receivedMonotonicMs: number;
  readonly exchangeMs: number;
}

export interface OffsetEstimate {
  /** The exchange's wall clock less ours, in milliseconds. */
  readonly offsetMs: number;
  /** The true offset is at most this far off: half the round trip it was measured over. */
  readonly errorMs: number;
}

interface Measured {
  /** The exchange's wall clock less our monotonic clock: does not move when our wall clock is set. */
  readonly aheadMs: number;
  readonly errorMs: number;
}

const SAMPLES_KEPT = 8;

/** Estimates the exchange's clock from round trips (Cristian's algorithm): of the latest few the shortest counts. */
export class ClockOffset {
  #samples: readonly Measured[] = [];

  add(sample: OffsetSample): void {
    const { sentMonotonicMs, receivedMonotonicMs, exchangeMs } = sample;
    const errorMs = (receivedMonotonicMs - sentMonotonicMs) / 2;
    const aheadMs = exchangeMs - (sentMonotonicMs + errorMs);
    this.#samples = [...this.#samples, { aheadMs, errorMs }].slice(-SAMPLES_KEPT);
  }

  /** Null before the first round trip. */
  estimate(monotonicMs: number, wallMs: number): OffsetEstimate | null {
    const best = this.#best();
    return best === null ? null : { offsetMs: best.aheadMs + monotonicMs - wallMs, errorMs: best.errorMs };
  }

  #best(): Measured | null {
    return this.#samples.reduce<Measured | null>(
      (best, sample) => (best === null || sample.errorMs <= best.errorMs ? sample : best),
      null,
    );
  }
}
