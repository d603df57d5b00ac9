/** A round trip: our monotonic times of the request and its answer, and the exchange's time in between. */
export interface OffsetSample {
  readonly sentMonotonicMs: number;
  readonly receivedMonotonicMs: number;
  readonly exchangeMs: number;
}

export interface OffsetEstimate {
  /** The exchange's wall clock minus ours, in milliseconds. */
  readonly offsetMs: number;
  /** The largest error of the offset: half of the round trip that measured it. */
  readonly errorMs: number;
}

interface Measured {
  /** The exchange's wall clock minus our monotonic clock. Setting our wall clock does not change it. */
  readonly aheadMs: number;
  readonly errorMs: number;
}

const SAMPLES_KEPT = 8;

/** Estimates the exchange's clock from round trips (Cristian's algorithm). The shortest of the last eight counts. */
export class ClockOffset {
  #samples: readonly Measured[] = [];

  add(sample: OffsetSample): void {
    const { sentMonotonicMs, receivedMonotonicMs, exchangeMs } = sample;
    const errorMs = (receivedMonotonicMs - sentMonotonicMs) / 2;
    const aheadMs = exchangeMs - (sentMonotonicMs + errorMs);
    this.#samples = [...this.#samples, { aheadMs, errorMs }].slice(-SAMPLES_KEPT);
  }

  /** The estimate for now, by our two clocks; null before the first round trip. */
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
