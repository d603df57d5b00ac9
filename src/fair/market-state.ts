/** The state of a recorded market over time, as far as its fair values depend on it. */
import { MARKET_STATE } from '../research/tape.ts';
import { OpenClock } from './open-clock.ts';
import type { Reason } from './steps.ts';

/** A state without `MARKET_STATE.inPlay`. */
const STATE_BITS = 3;

export class MarketState {
  readonly clock = new OpenClock();
  /** The market has fair values from this instant on, as long as it is open. */
  settledMs = -Infinity;
  /** Where trading before play ended: the suspension that turned the market in play, or closed it without play. Null: not yet. */
  beforePlayMs: number | null = null;
  #state: number = MARKET_STATE.open;
  /** Gaps that go on. */
  #gaps = 0;
  #betDelayMs = 0;
  #disturbedMs = -Infinity;
  #suspendedMs: number | null = null;
  readonly #holdMs: number;

  constructor(startMs: number, holdMs: number) {
    this.#holdMs = holdMs;
    this.clock.set(true, startMs);
  }

  /** Why no selection of the market has a fair value now; null if some may have one. */
  why(nowMs: number): Reason | null {
    if (!this.#isOpen) return 'the market is not open';
    return nowMs < this.settledMs ? 'the market is not open for long enough' : null;
  }

  setState(state: number, betDelayMs: number, nowMs: number): void {
    const wasOpen = this.#isOpen;
    this.#noteEndBeforePlay(state, nowMs);
    this.#state = state;
    this.#betDelayMs = betDelayMs;
    this.#noteOpen(wasOpen, nowMs);
  }

  /** A gap of the recording begins or ends. */
  passGapEdge(isBegin: boolean, nowMs: number): void {
    const wasOpen = this.#isOpen;
    this.#gaps += isBegin ? 1 : -1;
    this.#noteOpen(wasOpen, nowMs);
  }

  /** Prices have to settle anew. */
  disturb(nowMs: number): void {
    this.#disturbedMs = nowMs;
    this.settledMs = nowMs + Math.max(this.#betDelayMs, this.#holdMs);
  }

  get #isOpen(): boolean {
    return this.#gaps === 0 && (this.#state & STATE_BITS) === MARKET_STATE.open;
  }

  #noteOpen(wasOpen: boolean, nowMs: number): void {
    this.clock.set(this.#isOpen, nowMs);
    if (this.#isOpen && !wasOpen) this.#disturbedMs = nowMs;
    this.settledMs = this.#disturbedMs + Math.max(this.#betDelayMs, this.#holdMs);
  }

  #noteEndBeforePlay(state: number, nowMs: number): void {
    const isOpen = (state & STATE_BITS) === MARKET_STATE.open;
    const isOver = (state & MARKET_STATE.inPlay) !== 0 || (state & STATE_BITS) === MARKET_STATE.closed;
    if (isOver) this.beforePlayMs ??= this.#suspendedMs ?? nowMs;
    if (isOpen) this.#suspendedMs = null;
    else this.#suspendedMs ??= nowMs;
  }
}
