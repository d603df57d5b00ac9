import type { Market, SimEventName } from '../../core/api.ts';
import type { PlayState } from './event-model.ts';

/** Selections between about 5 % and 95 %: moves of the others matter little. */
const OPEN_LOG_ODDS = 3;

interface Snapshot {
  readonly atMs: number;
  readonly fair: Float64Array;
}

/** The public fair prices of an event: the truth as it was `lagMs` ago. */
export class PublicView {
  readonly #lagMs: number;
  #snapshots: Snapshot[] = [];
  #frozen: Float64Array | null = null;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** The truth becomes public at once, as after an announcement. */
  reset(nowMs: number, fair: Float64Array): void {
    this.#snapshots = [{ atMs: nowMs - this.#lagMs, fair }];
    this.#frozen = null;
  }

  /** Records a move of the truth, which becomes public after the lag. */
  push(nowMs: number, fair: Float64Array): void {
    this.#snapshots.push({ atMs: nowMs, fair });
    const known = this.#lastKnown(nowMs);
    if (known > 0) this.#snapshots.splice(0, known);
  }

  /** The public learns nothing more until the next `reset`. */
  freeze(nowMs: number): void {
    this.#frozen = this.at(nowMs);
  }

  /** Fair log-odds per outcome as publicly known. */
  at(nowMs: number): Float64Array {
    return this.#frozen ?? this.#snapshots[this.#lastKnown(nowMs)]?.fair ?? new Float64Array();
  }

  /** The true fair log-odds per outcome. */
  truth(): Float64Array {
    return this.#snapshots.at(-1)?.fair ?? new Float64Array();
  }

  /** How much likelier an outcome is than the public knows, in log-odds; 0 when it is publicly decided. */
  errorAt(index: number, nowMs: number): number {
    const truth = this.truth()[index] ?? NaN;
    const known = this.at(nowMs)[index] ?? NaN;
    // The difference of two infinities is NaN: no other error would compare as larger.
    return truth === known ? 0 : truth - known;
  }

  /** The largest move of a public price from an earlier one. Nearly decided selections are left out. */
  movedSince(earlier: Float64Array, nowMs: number): number {
    return this.at(nowMs).reduce((farthest, fair, i) => {
      const before = earlier[i] ?? NaN;
      const open = Math.abs(fair) < OPEN_LOG_ODDS && Math.abs(before) < OPEN_LOG_ODDS;
      return open ? Math.max(farthest, Math.abs(fair - before)) : farthest;
    }, 0);
  }

  #lastKnown(nowMs: number): number {
    let known = 0;
    while ((this.#snapshots[known + 1]?.atMs ?? Infinity) <= nowMs - this.#lagMs) known++;
    return known;
  }
}

/** Publishes the visible state of an event in play on the market, each change once. */
export class Scoreboard {
  readonly #event: SimEventName;
  readonly #shown = new Map<'time' | 'score' | 'redCards', string>();

  constructor(event: SimEventName) {
    this.#event = event;
  }

  showTime(market: Market, { period, minutes }: PlayState, nowMs: number): void {
    if (this.#isNew('time', `${period} ${minutes}`)) market.setTime(this.#event, period, minutes, nowMs);
  }

  showScore(market: Market, { score, redCards }: PlayState, nowMs: number): void {
    if (score !== null && this.#isNew('score', score.join('-'))) {
      market.setScore(this.#event, score[0], score[1], nowMs);
    }
    if (redCards !== null && this.#isNew('redCards', redCards.join('-'))) {
      market.setRedCards(this.#event, redCards[0], redCards[1], nowMs);
    }
  }

  #isNew(what: 'time' | 'score' | 'redCards', text: string): boolean {
    if (this.#shown.get(what) === text) return false;
    this.#shown.set(what, text);
    return true;
  }
}
