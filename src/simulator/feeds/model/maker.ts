import { type Micros, toMicros } from '../../../domain/money.ts';
import { ceilTick, floorTick, LAST_TICK, priceOf, type Tick } from '../../../domain/ladder.ts';
import { priceOfLogOdds } from '../../../domain/odds.ts';
import { type Direction, DIRECTIONS } from '../../../domain/selection.ts';
import { normal, type Random, uniformBetween } from '../../../lib/random.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import type { ModelOutcome } from './event-model.ts';

/** The behaviour of one background maker. */
export interface MakerProfile {
  readonly name: string;
  /** Distance of its best quotes from fair, in log-odds, on the most popular selections. */
  readonly halfSpread: number;
  /** Its error about fair, as a share of its half-spread. */
  readonly noise: number;
  readonly levels: number;
  /** Stake of its best level on the most popular selections, USDT. */
  readonly stake: number;
  /** Smallest bet that it takes, USDT. */
  readonly minStake: number;
  /** Least popularity of the selections that it quotes. */
  readonly leastPopularity: number;
  /** Time from deciding on prices to having them in the book. */
  readonly latencyMs: number;
}

export const MAKERS: readonly MakerProfile[] = [
  {
    name: 'maker-a',
    halfSpread: 0.08,
    noise: 0.25,
    levels: 3,
    stake: 60,
    minStake: 1,
    leastPopularity: 0,
    latencyMs: 400,
  },
  {
    name: 'maker-b',
    halfSpread: 0.09,
    noise: 0.35,
    levels: 3,
    stake: 90,
    minStake: 2,
    leastPopularity: 0.2,
    latencyMs: 250,
  },
  {
    name: 'maker-c',
    halfSpread: 0.11,
    noise: 0.4,
    levels: 2,
    stake: 150,
    minStake: 5,
    leastPopularity: 0.4,
    latencyMs: 800,
  },
  {
    name: 'maker-d',
    halfSpread: 0.15,
    noise: 0.3,
    levels: 2,
    stake: 300,
    minStake: 10,
    leastPopularity: 0.8,
    latencyMs: 1500,
  },
];

interface Level {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
}

/** The quotes that a maker wants in the book, per outcome and direction. */
export type QuoteSheet = readonly Readonly<Record<Direction, readonly Level[]>>[];

/** Chance that a maker draws a new error about a selection at a requote; otherwise it keeps the old error. */
const NEW_ERROR = 0.08;
/** Largest error, in its own deviations: no maker quotes on the wrong side of fair. */
const LARGEST_ERROR = 2;
/** Share of unchanged levels that are topped up at a requote. */
const TOP_UP = 0.15;
/** Selections beyond this are nearly decided, and are not quoted. */
const LONGEST_LOG_ODDS = 4.2;
/** Distance between levels, as a share of the half-spread. */
const LEVEL_GAP = 0.6;

/** A background participant on one event. */
export class Maker {
  readonly profile: MakerProfile;
  readonly #random: Random;
  readonly #outcomes: readonly ModelOutcome[];
  readonly #places: readonly SimOutcome[];
  readonly #errors: Float64Array;
  readonly #decided = new Set<number>();
  #posted: QuoteSheet;

  constructor(
    profile: MakerProfile,
    outcomes: readonly ModelOutcome[],
    places: readonly SimOutcome[],
    random: Random,
  ) {
    this.profile = profile;
    this.#random = random;
    this.#outcomes = outcomes;
    this.#places = places;
    this.#errors = Float64Array.from(outcomes, () => normal(random));
    this.#posted = outcomes.map(() => ({ for: [], against: [] }));
  }

  /** Decides on quotes from the public fair prices. `widen` multiplies the spread. */
  decide(fair: Float64Array, widen: number): QuoteSheet {
    return this.#outcomes.map(({ popularity }, index) => {
      const error = this.#nextError(index);
      const logOdds = fair[index] as number;
      const quoted = popularity >= this.profile.leastPopularity && Math.abs(logOdds) < LONGEST_LOG_ODDS;
      return quoted ? this.#quotesAround(logOdds, error, popularity, widen) : { for: [], against: [] };
    });
  }

  /** Puts decided quotes into the book, changing only what differs. */
  post(market: Market, sheet: QuoteSheet, nowMs: number): void {
    sheet.forEach((wanted, index) => {
      if (this.#decided.has(index)) return;
      for (const direction of DIRECTIONS) this.#postSide(market, index, direction, wanted[direction], nowMs);
    });
    this.#posted = sheet;
  }

  /** Removes all quotes from the book. */
  clear(market: Market, nowMs: number): void {
    this.#posted.forEach((sides, index) => {
      if (sides.for.length + sides.against.length === 0) return;
      market.clearLevels(this.profile.name, this.#places[index] as SimOutcome, nowMs);
    });
    this.#posted = this.#posted.map(() => ({ for: [], against: [] }));
  }

  /** Withdraws for good from a selection that is decided. */
  withdraw(market: Market, index: number, nowMs: number): void {
    this.#decided.add(index);
    market.clearLevels(this.profile.name, this.#places[index] as SimOutcome, nowMs);
  }

  #nextError(index: number): number {
    if (this.#random.next() < NEW_ERROR) this.#errors[index] = normal(this.#random);
    const error = this.#errors[index] as number;
    return this.profile.noise * Math.max(-LARGEST_ERROR, Math.min(LARGEST_ERROR, error));
  }

  #quotesAround(
    logOdds: number,
    error: number,
    popularity: number,
    widen: number,
  ): Readonly<Record<Direction, readonly Level[]>> {
    const half = this.profile.halfSpread * (1 + 1.2 * (1 - popularity)) * widen;
    const centre = logOdds + error * half;
    const stake = this.profile.stake * (0.2 + 0.8 * popularity);
    // Resting `against` stake lies at lower prices than fair, that is at higher log-odds.
    return { against: this.#ladder(centre, half, stake, 1), for: this.#ladder(centre, half, stake, -1) };
  }

  /** Levels outwards from the best; `sign` 1 towards lower prices, -1 towards higher ones. */
  #ladder(centre: number, half: number, stake: number, sign: 1 | -1): Level[] {
    const levels: Level[] = [];
    for (let depth = 0; depth < this.profile.levels; depth++) {
      const price = priceOfLogOdds(centre + sign * half * (1 + LEVEL_GAP * depth));
      const tick = outwards(price, sign, levels.at(-1)?.tick);
      if (tick === null) break;
      levels.push({ tick, stakeMicros: this.#drawStake(stake * (1 + depth)) });
    }
    return levels;
  }

  #drawStake(around: number): Micros {
    return toMicros(Math.round(around * uniformBetween(this.#random, 0.6, 1.4) * 100) / 100);
  }

  #postSide(
    market: Market,
    index: number,
    direction: Direction,
    wanted: readonly Level[],
    nowMs: number,
  ): void {
    const at = this.#places[index] as SimOutcome;
    const posted = this.#posted[index]?.[direction] ?? [];
    const set = (tick: Tick, micros: Micros): void =>
      market.setLevel(this.profile.name, at, direction, priceOf(tick), micros, nowMs);
    for (const { tick } of posted) if (!wanted.some((level) => level.tick === tick)) set(tick, 0);
    for (const { tick, stakeMicros } of wanted) {
      const unchanged = posted.some((level) => level.tick === tick);
      if (!unchanged || this.#random.next() < TOP_UP) set(tick, stakeMicros);
    }
  }
}

/** The tick of a price, rounded outwards and at least one beyond the level before; null beyond the ladder. */
function outwards(price: number, sign: 1 | -1, before: Tick | undefined): Tick | null {
  const tick = sign > 0 ? floorTick(price) : ceilTick(price);
  if (tick === null || before === undefined) return tick;
  const apart = sign > 0 ? Math.min(tick, before - 1) : Math.max(tick, before + 1);
  return apart < 0 || apart > LAST_TICK ? null : apart;
}
