import { normal, type Random } from '../../../lib/random.ts';

/**
 * Activity of a market by minutes: before play those until the start, in play those since. 1 is a market at its busiest; between two
 * knots activity is a power of time, and beyond the outermost it stays.
 */
export type Tempo = readonly (readonly [minutes: number, activity: number])[];

/** Knots are as far apart as their logarithms, and the last seconds before a start as close as this. */
const NEAREST_MINUTES = 0.25;

export function activityAt(tempo: Tempo, minutes: number): number {
  const place = Math.log(Math.max(0, minutes) + NEAREST_MINUTES);
  let before: readonly [number, number] | null = null;
  for (const [knot, activity] of tempo) {
    const at: readonly [number, number] = [Math.log(knot + NEAREST_MINUTES), Math.log(activity)];
    if (place <= at[0]) return Math.exp(before === null ? at[1] : between(before, at, place));
    before = at;
  }
  return before === null ? 1 : Math.exp(before[1]);
}

function between(from: readonly [number, number], to: readonly [number, number], place: number): number {
  return from[1] + ((to[1] - from[1]) * (place - from[0])) / (to[0] - from[0]);
}

/** How long lively and quiet stretches of a market last, about. */
const STRETCH_MS = 600_000;

/** Lively and quiet stretches: a factor of activity whose logarithm returns to 0 and has this deviation. */
export class Mood {
  readonly #random: Random;
  readonly #deviation: number;
  #logarithm: number;

  constructor(random: Random, deviation: number) {
    this.#random = random;
    this.#deviation = deviation;
    this.#logarithm = deviation * normal(random);
  }

  get factor(): number {
    return Math.exp(this.#logarithm);
  }

  pass(ms: number): void {
    const kept = Math.exp(-ms / STRETCH_MS);
    const fresh = this.#deviation * Math.sqrt(1 - kept ** 2) * normal(this.#random);
    this.#logarithm = this.#logarithm * kept + fresh;
  }
}
