import { logit } from '../../../domain/odds.ts';
import { exponential, normal, type Random } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { EventModel, ModelOutcome, PlayState } from './event-model.ts';

/** The length of a race. */
export const RACE_S = 180;
/** Standard deviation of a runner's log-strength per square root of an hour before the start. */
const DRIFT = 0.08;
const PLACES = 3;

/**
 * A race whose finishing order follows Plackett and Luce: each place goes to a remaining runner with a chance in
 * proportion to its strength. The market is closed during the race.
 */
export class RaceModel implements EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly closedInPlay = true;
  readonly #random: Random;
  readonly #ids: readonly number[];
  readonly #strengths: number[];
  #clockS = 0;

  constructor(random: Random, ids: readonly number[]) {
    this.#random = random;
    this.#ids = ids;
    this.#strengths = ids.map(() => Math.exp(0.8 * normal(random)));
    this.outcomes = [
      ...ids.map((id) => ({ outcome: `win,${id}`, popularity: 0.6 })),
      ...ids.map((id) => ({ outcome: `top,${PLACES},${id}`, popularity: 0.25 })),
    ];
  }

  get over(): boolean {
    return this.#clockS >= RACE_S;
  }

  drift(hours: number): void {
    this.#strengths.forEach((strength, i) => {
      this.#strengths[i] = strength * Math.exp(DRIFT * Math.sqrt(hours) * normal(this.#random));
    });
  }

  play(seconds: number): boolean {
    this.#clockS += seconds;
    return false;
  }

  fair(): Float64Array {
    const win = winChances(this.#strengths);
    return Float64Array.from([...win, ...placeChances(win)].map(logit));
  }

  state(): PlayState {
    return { score: null, redCards: null, period: 'race', minutes: null };
  }

  /** Exponential finishing times, with the strengths as rates, give the Plackett-Luce order. */
  result(): EventResult {
    const times = this.#ids.map((id, i) => ({
      id,
      time: exponential(this.#random, this.#strengths[i] as number),
    }));
    const order = times.sort((a, b) => a.time - b.time);
    return { kind: 'places', places: new Map(order.map(({ id }, i) => [id, i + 1])) };
  }
}

export function winChances(strengths: readonly number[]): number[] {
  const total = strengths.reduce((sum, strength) => sum + strength, 0);
  return strengths.map((strength) => strength / total);
}

/** Chances to finish among the first three, from those to win. */
export function placeChances(win: readonly number[]): number[] {
  return win.map((own, i) => {
    let chance = own;
    win.forEach((first, j) => {
      if (j === i) return;
      chance += (first * own) / (1 - first);
      win.forEach((second, k) => {
        if (k !== i && k !== j) chance += (((first * second) / (1 - first)) * own) / (1 - first - second);
      });
    });
    return chance;
  });
}
