import { integerBetween, type Random, seededRandom } from '../../lib/random.ts';
import type { OrderRecord } from './model.ts';
import type { ExchangeSettings, SpanMs } from './settings.ts';

type DelaySettings = Pick<ExchangeSettings, 'placementDelayMs' | 'inPlayDelayMs' | 'confirmationMs'>;

/** The exchange's delays for each order, drawn from a random stream of its own. */
export class Delays {
  readonly #random: Random;
  readonly #settings: DelaySettings;

  constructor(random: Random, settings: DelaySettings) {
    this.#random = seededRandom(Math.floor(random.next() * 2 ** 32), 'delays');
    this.#settings = settings;
  }

  /** The delay from an accepted create to the book. */
  placementMs({ events }: OrderRecord): number {
    const { placementDelayMs, inPlayDelayMs } = this.#settings;
    const isInPlay = events.some((event) => event.inRunning);
    return this.#draw(placementDelayMs) + (isInPlay ? this.#draw(inPlayDelayMs) : 0);
  }

  /** The delay from the last fill of an order to `done`. */
  confirmationMs(): number {
    return this.#draw(this.#settings.confirmationMs);
  }

  #draw([least, most]: SpanMs): number {
    return integerBetween(this.#random, least, most);
  }
}
