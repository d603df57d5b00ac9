import { logit } from '../../../domain/odds.ts';
import type { Market, SimEventName } from '../../core/api.ts';
import { type PlayState, sigmoid } from './event-model.ts';

/**
 * The public fair prices of an event, which follow its truth: a little with time, and at once by a share when somebody who knows
 * more trades. The public mixes chances, not prices, so that what it believes of different selections agrees as the truth does.
 */
export class PublicView {
  #truth: Float64Array = new Float64Array();
  #known: Float64Array = new Float64Array();
  #isFrozen = false;

  /** The truth becomes public at once, as after an announcement. */
  reset(truth: Float64Array): void {
    this.#truth = truth;
    this.#known = truth;
    this.#isFrozen = false;
  }

  /** The truth moves, and the public learns this share of what it does not know. */
  move(truth: Float64Array, share: number): void {
    this.#truth = truth;
    this.learn(share);
  }

  learn(share: number): void {
    if (this.#isFrozen || share === 0) return;
    this.#known = this.#known.map((known, index) => {
      const truth = this.#truth[index] as number;
      if (!Number.isFinite(truth) || known === truth) return truth;
      const chance = sigmoid(known);
      return logit(chance + share * (sigmoid(truth) - chance));
    });
  }

  /** The public learns nothing more until the next `reset`. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Fair log-odds per outcome as publicly known. */
  known(): Float64Array {
    return this.#known;
  }

  /** The true fair log-odds per outcome. */
  truth(): Float64Array {
    return this.#truth;
  }

  /** How much likelier an outcome is than the public knows, in log-odds; 0 when it is publicly decided. */
  errorOf(index: number): number {
    const truth = this.#truth[index] ?? NaN;
    const known = this.#known[index] ?? NaN;
    // The difference of two infinities is NaN: no other error would compare as larger.
    return truth === known ? 0 : truth - known;
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
