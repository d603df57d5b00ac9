import { toMicros } from '../../../domain/money.ts';
import { ceilTick, floorTick, priceOf, type Tick } from '../../../domain/ladder.ts';
import { priceOfLogOdds } from '../../../domain/odds.ts';
import type { Direction } from '../../../domain/selection.ts';
import { normal, type Random, uniformBetween } from '../../../lib/random.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import type { Character } from './character.ts';
import { isReached, type Terms } from './maker.ts';

/** The background participant that holds the crowd's stake, and the smallest bet that it takes, USDT. */
export const CROWD = { name: 'crowd', minStake: 1 } as const;

/** Orders within this multiple of the distance of the best makers are alike. */
const NEAR = 3;
/** Deviation of the logarithm of an order's risk. */
const UNEVEN = 1;
const LEAST_STAKE = 0.1;

/** An order that rests alone at its price. */
export interface CrowdOrder {
  readonly index: number;
  readonly direction: Direction;
  readonly tick: Tick;
}

/** The participants who rest an order of their own for a while: many small levels that come and go. */
export class Crowd {
  readonly #random: Random;
  readonly #places: readonly SimOutcome[];
  readonly #resting = new Map<string, CrowdOrder>();

  constructor(places: readonly SimOutcome[], random: Random) {
    this.#places = places;
    this.#random = random;
  }

  /**
   * Rests an order of about `risk` in the book of an outcome, at most the reach times the distance of the best makers from fair; null
   * where it has one at that price.
   */
  rest(
    market: Market,
    index: number,
    { logOdds, half }: Terms,
    { crowdReach, crowdDeeper }: Character,
    risk: number,
    nowMs: number,
  ): CrowdOrder | null {
    const direction: Direction = this.#random.next() < 0.5 ? 'for' : 'against';
    const sign = direction === 'against' ? 1 : -1;
    const distance = uniformBetween(this.#random, ...crowdReach);
    const meant = priceOfLogOdds(logOdds + sign * half * distance);
    // An order far from fair rests at the lowest price of the ladder rather than below it.
    const price = distance > NEAR ? Math.max(priceOf(0), meant) : meant;
    const tick = sign > 0 ? floorTick(price) : ceilTick(price);
    const size = risk * Math.max(1, distance / NEAR) ** crowdDeeper * Math.exp(UNEVEN * normal(this.#random));
    const stake = size / Math.sqrt(Math.max(0.01, price - 1));
    if (tick === null || !Number.isFinite(stake)) return null;
    const order = { index, direction, tick };
    if (this.#resting.has(keyOf(order)) || isReached(market, this.#at(order), direction, tick)) return null;
    this.#resting.set(keyOf(order), order);
    const micros = toMicros(Math.round(100 * Math.max(LEAST_STAKE, stake)) / 100);
    market.setLevel(CROWD.name, this.#at(order), direction, priceOf(tick), micros, nowMs);
    return order;
  }

  cancel(market: Market, order: CrowdOrder, nowMs: number): void {
    if (this.#resting.get(keyOf(order)) !== order) return;
    this.#resting.delete(keyOf(order));
    market.setLevel(CROWD.name, this.#at(order), order.direction, priceOf(order.tick), 0, nowMs);
  }

  /** Cancels every order, or those of an outcome. */
  clear(market: Market, nowMs: number, only: number | null = null): void {
    const gone = new Set<number>();
    for (const [key, { index }] of this.#resting) {
      if (only !== null && index !== only) continue;
      this.#resting.delete(key);
      gone.add(index);
    }
    for (const index of gone) market.clearLevels(CROWD.name, this.#places[index] as SimOutcome, nowMs);
  }

  #at({ index }: CrowdOrder): SimOutcome {
    return this.#places[index] as SimOutcome;
  }
}

const keyOf = ({ index, direction, tick }: CrowdOrder): string => `${index} ${direction} ${tick}`;
