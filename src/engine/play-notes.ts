import { eventKey, type EventName, eventNameOf, type Score } from '../domain/events.ts';
import type { EventKey } from '../domain/ids.ts';
import type { Core } from './core.ts';

/** Tells the core the score of each event in play, quoted or not: exposure depends on it. */
export class PlayNotes {
  readonly #core: Pick<Core, 'market' | 'apply'>;
  /** What was told last. */
  readonly #told = new Map<EventKey, Score>();

  constructor(core: Pick<Core, 'market' | 'apply'>) {
    this.#core = core;
  }

  /** The event's market has changed. */
  see(event: EventName): void {
    const { inRunning, score } = this.#core.market.playOf(event);
    const key = eventKey(event);
    if (!inRunning || score === null) return void this.#told.delete(key);
    if (this.#told.get(key) === score) return;
    this.#told.set(key, score);
    this.#core.apply({ kind: 'play', report: { ...eventNameOf(event), inRunning, score } });
  }
}
