import { logit } from '../../../domain/odds.ts';
import { normal, type Random, uniformBetween } from '../../../lib/random.ts';
import type { EventResult } from '../../../domain/bet-types/result.ts';
import type { EventModel, ModelOutcome, PlayState } from './event-model.ts';

/** The length of the longest race, and of the shortest by its share. */
export const RACE_S = 80;
const SHORTEST = 0.8;
/** The knowledge that the market gains of the runners in an hour before the start, as a precision. */
const LEARNT_PER_HOUR = 0.25;
/** The knowledge that a race has shown by its end, and the seconds in which what it has shown grows by a factor e. */
const SHOWN = 30;
const SHOWS_S = 10;
const PLACES = 3;
/** Popularity of a runner as a power of its chance. */
const POPULARITY = 1.5;
/** Places of a race that are told apart when its chances are computed: performances from -4 to 8. */
const LEAST = -4;
const STEP = 0.1;
const STEPS = 121;
const MOST_CERTAIN = 0.9995;

/**
 * A race whose finishing order follows Plackett and Luce: with performances U = ln(strength) + a standard Gumbel number, the order is
 * by performance. The market never sees a performance but a signal of it, drawn afresh with every piece of information, so chances
 * move before the start and in the race, and at each moment they are the true ones.
 */
export class RaceModel implements EventModel {
  readonly outcomes: readonly ModelOutcome[];
  readonly #random: Random;
  readonly #ids: readonly number[];
  readonly #strengths: readonly number[];
  readonly #performances: readonly number[];
  /** Sum of all signals of each runner's performance, each weighted by its precision. */
  readonly #signals: Float64Array;
  readonly #lengthS: number;
  #precision = 0;
  #clockS = 0;

  constructor(random: Random, ids: readonly number[]) {
    this.#random = random;
    this.#ids = ids;
    this.#strengths = ids.map(() => Math.exp(0.8 * normal(random)));
    this.#performances = this.#strengths.map((strength) => Math.log(strength) + gumbel(random));
    this.#lengthS = RACE_S * uniformBetween(random, SHORTEST, 1);
    this.#signals = new Float64Array(ids.length);
    const popularity = winChances(this.#strengths).map((chance) => chance ** POPULARITY);
    const most = Math.max(...popularity);
    const share = (at: number): number => (popularity[at] as number) / most;
    this.outcomes = [
      ...ids.map((id, at) => ({ outcome: `win,${id}`, popularity: share(at) })),
      ...ids.map((id, at) => ({ outcome: `top,${PLACES},${id}`, popularity: 0.3 * share(at) })),
    ];
  }

  get over(): boolean {
    return this.#clockS >= this.#lengthS;
  }

  drift(hours: number): void {
    this.#learn(LEARNT_PER_HOUR * hours);
  }

  play(seconds: number): boolean {
    const [from, to] = [this.#clockS, Math.min(this.#lengthS, this.#clockS + seconds)];
    this.#clockS += seconds;
    const growth = (atS: number): number => Math.exp((atS - this.#lengthS) / SHOWS_S);
    if (to > from) this.#learn(SHOWN * (growth(to) - growth(from)));
    return false;
  }

  fair(): Float64Array {
    const chances = this.#precision === 0 ? plackettLuce(this.#strengths) : this.#chances();
    return Float64Array.from([...chances.win, ...chances.place].map(bounded));
  }

  state(): PlayState {
    return { score: null, redCards: null, period: 'race', minutes: null };
  }

  result(): EventResult {
    const order = this.#ids.map((id, i) => ({ id, performance: this.#performances[i] as number }));
    order.sort((a, b) => b.performance - a.performance);
    return { kind: 'places', places: new Map(order.map(({ id }, i) => [id, i + 1])) };
  }

  #learn(precision: number): void {
    this.#precision += precision;
    for (const [i, performance] of this.#performances.entries()) {
      const noise = Math.sqrt(precision) * normal(this.#random);
      this.#signals[i] = (this.#signals[i] as number) + precision * performance + noise;
    }
  }

  /** Chances to win and to be placed: sums over performances of a runner, of which others are better with known chances. */
  #chances(): { readonly win: number[]; readonly place: number[] } {
    const runners = this.#strengths.map((strength, i) => this.#belief(strength, this.#signals[i] as number));
    const win: number[] = [];
    const place: number[] = [];
    for (const [i, { weights }] of runners.entries()) {
      let [first, placed] = [0, 0];
      for (let at = 0; at < STEPS; at++) {
        const weight = weights[at] as number;
        if (weight < 1e-9) continue;
        const [none, few] = betterThan(runners, i, at);
        first += weight * none;
        placed += weight * few;
      }
      win.push(first);
      place.push(placed);
    }
    return { win: scaledTo(win, 1), place: scaledTo(place, PLACES) };
  }

  /** The distribution of a performance given its signals: weights of its values, and the chance to be better than each. */
  #belief(strength: number, signal: number): Belief {
    const weights = new Float64Array(STEPS);
    let [total, most] = [0, -Infinity];
    const logarithms = weights.map((_, at) => {
      const value = LEAST + at * STEP;
      const fromMean = value - Math.log(strength);
      return -fromMean - Math.exp(-fromMean) + signal * value - (this.#precision * value ** 2) / 2;
    });
    for (const each of logarithms) most = Math.max(most, each);
    for (let at = 0; at < STEPS; at++) total += weights[at] = Math.exp((logarithms[at] as number) - most);
    const better = new Float64Array(STEPS);
    let above = 0;
    for (let at = STEPS - 1; at >= 0; at--) {
      const weight = (weights[at] as number) / total;
      weights[at] = weight;
      // Two of the same value are as likely one before the other as not.
      better[at] = above + weight / 2;
      above += weight;
    }
    return { weights, better };
  }
}

interface Belief {
  readonly weights: Float64Array;
  readonly better: Float64Array;
}

/** The chances that no other runner is better than a value, and that fewer than the places are. */
function betterThan(
  runners: readonly Belief[],
  own: number,
  at: number,
): readonly [none: number, few: number] {
  let [none, one, two] = [1, 0, 0];
  for (const [j, { better }] of runners.entries()) {
    if (j === own) continue;
    const chance = better[at] as number;
    two = two * (1 - chance) + one * chance;
    one = one * (1 - chance) + none * chance;
    none *= 1 - chance;
  }
  return [none, none + one + two];
}

const gumbel = (random: Random): number => -Math.log(-Math.log(1 - random.next()));

const bounded = (chance: number): number => logit(Math.min(MOST_CERTAIN, Math.max(1 - MOST_CERTAIN, chance)));

function scaledTo(chances: readonly number[], total: number): number[] {
  const sum = chances.reduce((before, chance) => before + chance, 0);
  return chances.map((chance) => (chance * total) / sum);
}

const plackettLuce = (strengths: readonly number[]): { readonly win: number[]; readonly place: number[] } => {
  const win = winChances(strengths);
  return { win, place: placeChances(win) };
};

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
