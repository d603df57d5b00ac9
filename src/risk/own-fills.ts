import type { Fill } from '../domain/live-order.ts';
import type { RiskDeps } from './api.ts';
import type { ContextBuilder } from './context-builder.ts';
import type { Guards } from './guards/index.ts';
import type { Latches } from './latches.ts';
import { selectionScope } from './states/trading-states.ts';

/**
 * Milliseconds. An older fill is history: it counts in exposure and turnover, but not in guards or throttles. A fill dated as
 * far ahead is history too: an earlier run received it, and the clock was set back since.
 */
const FRESH_FILL_MS = 60_000;

/** What a fill means beside exposure: turnover, what guards watch, and a latch where it repeats itself. */
export class OwnFills {
  readonly #time: Pick<RiskDeps, 'now' | 'wallNow'>;
  readonly #counts: Pick<ContextBuilder, 'turnover' | 'throttles'>;
  readonly #guards: Guards;
  readonly #latches: Latches;

  constructor(
    time: Pick<RiskDeps, 'now' | 'wallNow'>,
    counts: Pick<ContextBuilder, 'turnover' | 'throttles'>,
    guards: Guards,
    latches: Latches,
  ) {
    [this.#time, this.#counts, this.#guards, this.#latches] = [time, counts, guards, latches];
  }

  /** Takes a bet when it is booked. A bet that is not of our orders counts as turnover alone. */
  booked(fill: Fill): void {
    this.#counts.turnover.add(fill.stakeMicros, fill.atMs, this.#time.now());
    const ageMs = this.#time.wallNow() - fill.atMs;
    if (Math.abs(ageMs) >= FRESH_FILL_MS || fill.requestUuid === null) return;
    // After a start, all fills of the last minute arrive together. Each counts at its own `atMs`.
    const filledMs = this.#time.now() - Math.max(0, ageMs);
    this.#guards.onFill(fill, filledMs);
    this.#stopRepetition(fill, filledMs);
  }

  #stopRepetition(fill: Fill, filledMs: number): void {
    const count = this.#counts.throttles.onFill(fill, filledMs);
    if (count === null) return;
    const why = `${count} fills ${fill.direction} in a short time`;
    this.#latches.latch(selectionScope(fill), 'repeated execution', why);
  }
}
