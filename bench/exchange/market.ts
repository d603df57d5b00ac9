/** A market day for the exchange: 200 events of 150 offers, three levels each, whose stakes change all the time. */
import { toMicros } from '../../src/domain/money.ts';
import { priceOf } from '../../src/domain/ladder.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import type { Feed, Market, SimEvent, SimOutcome } from '../../src/simulator/core/api.ts';

export const EVENTS = 200;
export const OFFERS = 150;
export const EVERY_MS = 2_000;
const CHANGES = Math.round(OFFERS * 0.05);
const LEVELS = 3;
const MIDDLE_TICK = 120;

export const eventIdOf = (index: number): string => `2026-11-21,${10_000 + index},${20_000 + index}`;

/** 75 selections, each with both directions. */
const OUTCOMES: readonly string[] = [
  ...Array.from({ length: 49 }, (_, i) => `cs,${Math.floor(i / 7)},${i % 7}`),
  ...Array.from({ length: 17 }, (_, i) => `ah,h,${i - 8}`),
  ...Array.from({ length: 9 }, (_, i) => `exact_total,${i}`),
];

/** Every event changes 5 % of its offers every two seconds; events are spread evenly over the interval. */
export class LoadFeed implements Feed {
  readonly #events: number;
  readonly #random = seededRandom(1, 'exchange bench');
  #startMs = 0;
  #turn = 0;

  constructor(events = EVENTS) {
    this.#events = events;
  }

  start(market: Market, nowMs: number): void {
    this.#startMs = nowMs;
    for (let index = 0; index < this.#events; index++) {
      market.putEvent(eventOf(index, nowMs), nowMs);
      for (const outcome of OUTCOMES)
        this.#fill(market, { sport: 'fb', eventId: eventIdOf(index), outcome }, nowMs);
    }
  }

  nextDueMs(): number {
    return this.#startMs + Math.ceil(((this.#turn + 1) * EVERY_MS) / this.#events);
  }

  advance(market: Market, nowMs: number): void {
    while (this.nextDueMs() <= nowMs) {
      const eventId = eventIdOf(this.#turn++ % this.#events);
      for (let i = 0; i < CHANGES; i++) {
        const outcome = OUTCOMES[integerBetween(this.#random, 0, OUTCOMES.length - 1)] as string;
        const direction = this.#random.next() < 0.5 ? 'for' : 'against';
        this.#set(
          market,
          { sport: 'fb', eventId, outcome },
          direction,
          integerBetween(this.#random, 0, 2),
          nowMs,
        );
      }
    }
  }

  #fill(market: Market, at: SimOutcome, nowMs: number): void {
    for (let level = 0; level < LEVELS; level++) {
      this.#set(market, at, 'for', level, nowMs);
      this.#set(market, at, 'against', level, nowMs);
    }
  }

  /** `against` stake rests below the middle, `for` stake above it. */
  #set(market: Market, at: SimOutcome, resting: Direction, level: number, nowMs: number): void {
    const tick = resting === 'for' ? MIDDLE_TICK + 2 + level : MIDDLE_TICK - level;
    const stake = toMicros(integerBetween(this.#random, 10, 5_000));
    market.setLevel('maker', at, resting, priceOf(tick), stake, nowMs);
  }
}

function eventOf(index: number, nowMs: number): SimEvent {
  return {
    sport: 'fb',
    eventId: eventIdOf(index),
    eventType: 'normal',
    eventName: `Home ${index} v Away ${index}`,
    competitionId: 1,
    competitionName: 'Load League',
    competitionCountry: 'GB',
    home: `Home ${index}`,
    away: `Away ${index}`,
    homeId: 10_000 + index,
    awayId: 20_000 + index,
    teams: [],
    startTimeMs: nowMs + 86_400_000,
    endTimeMs: null,
  };
}
