import type { Market } from '../../core/api.ts';
import type { PlayState } from './event-model.ts';

/** Tells the market what can be seen of an event in play, each change once. */
export class Scoreboard {
  readonly #eventId: string;
  readonly #told = new Map<'time' | 'score' | 'redCards', string>();

  constructor(eventId: string) {
    this.#eventId = eventId;
  }

  showTime(market: Market, { period, minutes }: PlayState, nowMs: number): void {
    if (this.#isNew('time', `${period} ${minutes}`)) market.setTime(this.#eventId, period, minutes, nowMs);
  }

  showScore(market: Market, { score, redCards }: PlayState, nowMs: number): void {
    if (score !== null && this.#isNew('score', score.join('-'))) {
      market.setScore(this.#eventId, score[0], score[1], nowMs);
    }
    if (redCards !== null && this.#isNew('redCards', redCards.join('-'))) {
      market.setRedCards(this.#eventId, redCards[0], redCards[1], nowMs);
    }
  }

  #isNew(what: 'time' | 'score' | 'redCards', text: string): boolean {
    if (this.#told.get(what) === text) return false;
    this.#told.set(what, text);
    return true;
  }
}
