import type { Market, SimEventName } from '../../core/api.ts';
import type { PlayState } from './event-model.ts';

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
