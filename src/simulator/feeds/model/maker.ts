import { type Micros, toMicros } from '../../../domain/money.ts';
import { ceilTick, floorTick, LAST_TICK, priceOf, type Tick } from '../../../domain/ladder.ts';
import { priceOfLogOdds } from '../../../domain/odds.ts';
import { type Direction, DIRECTIONS, opposite } from '../../../domain/selection.ts';
import { normal, type Random, uniformBetween } from '../../../lib/random.ts';
import type { Market, SimOutcome } from '../../core/api.ts';
import type { ModelOutcome } from './event-model.ts';

/** The behaviour of one background maker, beside that of all makers of its market. */
export interface MakerProfile {
  readonly name: string;
  /** Its distance from fair, as a multiple of the market's. */
  readonly spread: number;
  /** Its error about fair, as a share of its distance. */
  readonly noise: number;
  /** The risk of its levels, as a multiple of the market's. */
  readonly depth: number;
  /** Smallest bet that it takes, USDT. */
  readonly minStake: number;
  /** Least popularity of the selections that it quotes. */
  readonly leastPopularity: number;
  /** Time from deciding on prices to having them in the book. */
  readonly latencyMs: number;
}

export const MAKERS: readonly MakerProfile[] = [
  { name: 'maker-a', spread: 1, noise: 0.12, depth: 0.6, minStake: 1, leastPopularity: 0, latencyMs: 400 },
  { name: 'maker-b', spread: 1.15, noise: 0.15, depth: 1, minStake: 2, leastPopularity: 0, latencyMs: 250 },
  { name: 'maker-c', spread: 1.4, noise: 0.2, depth: 1.5, minStake: 5, leastPopularity: 0.4, latencyMs: 800 },
  {
    name: 'maker-d',
    spread: 1.9,
    noise: 0.15,
    depth: 3,
    minStake: 10,
    leastPopularity: 0.8,
    latencyMs: 1500,
  },
];

interface Level {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
}

/** The quotes that a maker wants in the book of an outcome, per direction. */
export type Quotes = Readonly<Record<Direction, readonly Level[]>>;

/** The knowledge that all makers of a market have of an outcome. */
export interface Terms {
  /** The publicly fair price, in log-odds. */
  readonly logOdds: number;
  /** Distance of best quotes from fair, in log-odds. */
  readonly half: number;
  /** Risk of a level, USDT: stake · √(price − 1). */
  readonly risk: number;
  /** Levels of a side, and by how much each further out is larger, as a share of the best. */
  readonly levels: number;
  readonly deeper: number;
  /** Chance that a maker changes its mind about a selection: its error, and how far its levels are apart. */
  readonly restless: number;
  /** The share of makers that quote a side. */
  readonly presence: number;
}

interface LadderTerms {
  readonly centre: number;
  readonly distance: number;
  /** Between levels, as a share of the distance. */
  readonly gap: number;
  readonly risk: number;
  readonly levels: number;
  readonly deeper: number;
  /** 1 towards lower prices, -1 towards higher ones. */
  readonly sign: 1 | -1;
}

/** Largest error, in its own deviations: no maker quotes on the wrong side of fair. */
const LARGEST_ERROR = 2;
/** Share of unchanged levels whose stake is drawn anew at a requote. */
const NEW_STAKE = 0.05;
/** Selections beyond this are decided, and are not quoted. */
const LONGEST_LOG_ODDS = 6;
/** Distance between levels, as a share of the distance from fair. */
const LEVEL_GAP = [0.2, 0.8] as const;
/** Deviation of the logarithm of a level's risk. */
const UNEVEN = 1;
/** Levels of before that a maker keeps in the book of a side at most. */
const MOST_KEPT = 12;
const LEAST_STAKE = 0.1;
const LARGEST_STAKE = 20_000;
const NOTHING: Quotes = { for: [], against: [] };

/** The opinion of a maker on a selection. */
interface Mind {
  /** In its own deviations. */
  readonly error: number;
  /** Between levels, as a share of the distance from fair. */
  readonly gap: number;
}

const mindOf = (random: Random): Mind => ({
  error: Math.max(-LARGEST_ERROR, Math.min(LARGEST_ERROR, normal(random))),
  gap: uniformBetween(random, ...LEVEL_GAP),
});

/** A background participant on one event. */
export class Maker {
  readonly profile: MakerProfile;
  readonly #random: Random;
  readonly #outcomes: readonly ModelOutcome[];
  readonly #places: readonly SimOutcome[];
  readonly #minds: Mind[];
  /** It quotes a side if its interest, which it draws once, is below the share of makers that do. */
  readonly #interests: readonly Record<Direction, number>[];
  readonly #decided = new Set<number>();
  readonly #posted: Quotes[];

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
    this.#interests = outcomes.map(() => ({ for: random.next(), against: random.next() }));
    this.#minds = outcomes.map(() => mindOf(random));
    this.#posted = outcomes.map(() => NOTHING);
  }

  /** Whether it quotes the outcome at all. */
  quotes(index: number): boolean {
    const popularity = this.#outcomes[index]?.popularity ?? 0;
    return popularity >= this.profile.leastPopularity && !this.#decided.has(index);
  }

  /** Decides on the quotes of an outcome. */
  decide(index: number, { logOdds, half, risk, levels, deeper, restless, presence }: Terms): Quotes {
    if (this.#random.next() < restless) this.#minds[index] = mindOf(this.#random);
    if (!this.quotes(index) || !(Math.abs(logOdds) < LONGEST_LOG_ODDS)) return NOTHING;
    const { error, gap } = this.#minds[index] as Mind;
    const distance = this.profile.spread * half;
    const centre = logOdds + this.profile.noise * error * distance;
    // Resting `against` stake lies at lower prices than fair, that is at higher log-odds.
    const ladder = (sign: 1 | -1): Level[] =>
      this.#ladder({ centre, distance, gap, risk: risk * this.profile.depth, levels, deeper, sign });
    const interest = this.#interests[index] as Record<Direction, number>;
    return {
      against: interest.against < presence ? ladder(1) : [],
      for: interest.for < presence ? ladder(-1) : [],
    };
  }

  /**
   * Puts decided quotes into the book. Quotes that it posted before and that are no better than these stay, out to some number of
   * levels. A quote that reaches stake of the other side takes it.
   */
  post(market: Market, index: number, wanted: Quotes, nowMs: number): void {
    if (this.#decided.has(index)) return;
    const posted = this.#posted[index] as Quotes;
    const kept = {
      against: keptOf(wanted.against, posted.against, 1),
      for: keptOf(wanted.for, posted.for, -1),
    };
    for (const direction of DIRECTIONS)
      for (const { tick } of posted[direction])
        if (!isAt(kept[direction], tick) && !isAt(wanted[direction], tick))
          this.#set(market, index, direction, tick, 0, nowMs);
    const post = (direction: Direction): readonly Level[] => {
      const open = wanted[direction].filter((level) =>
        this.#place(market, index, direction, level, isAt(posted[direction], level.tick), nowMs),
      );
      return [...open, ...kept[direction]];
    };
    this.#posted[index] = { for: post('for'), against: post('against') };
  }

  /** Offers again what takers took of its best level. */
  refill(market: Market, index: number, direction: Direction, nowMs: number): void {
    const [best] = (this.#posted[index] as Quotes)[direction];
    if (best === undefined || this.#decided.has(index)) return;
    if (!isReached(market, this.#places[index] as SimOutcome, direction, best.tick))
      this.#set(market, index, direction, best.tick, best.stakeMicros, nowMs);
  }

  /** Removes all quotes from the book. */
  clear(market: Market, nowMs: number): void {
    this.#posted.forEach((sides, index) => {
      if (sides.for.length + sides.against.length === 0) return;
      market.clearLevels(this.profile.name, this.#places[index] as SimOutcome, nowMs);
      this.#posted[index] = NOTHING;
    });
  }

  /** Withdraws for good from a selection that is decided. */
  withdraw(market: Market, index: number, nowMs: number): void {
    this.#decided.add(index);
    market.clearLevels(this.profile.name, this.#places[index] as SimOutcome, nowMs);
  }

  /** Levels outwards from the best. */
  #ladder({ centre, distance, gap, risk, levels, deeper, sign }: LadderTerms): Level[] {
    const ladder: Level[] = [];
    let apart = distance;
    for (let depth = 0; depth < levels; depth++) {
      const tick = outwards(priceOfLogOdds(centre + sign * apart), sign, ladder.at(-1)?.tick);
      if (tick === null) break;
      ladder.push({ tick, stakeMicros: this.#drawStake(risk * (1 + deeper * depth), priceOf(tick)) });
      apart += distance * gap;
    }
    return ladder;
  }

  #drawStake(risk: number, price: number): Micros {
    const stake = (risk * Math.exp(UNEVEN * normal(this.#random))) / Math.sqrt(price - 1);
    return toMicros(Math.round(100 * Math.max(LEAST_STAKE, Math.min(LARGEST_STAKE, stake))) / 100);
  }

  #set(market: Market, index: number, direction: Direction, tick: Tick, micros: Micros, nowMs: number): void {
    const at = this.#places[index] as SimOutcome;
    market.setLevel(this.profile.name, at, direction, priceOf(tick), micros, nowMs);
  }

  /** Takes what a new quote reaches, and rests unless something is left of that. Returns whether it rests. */
  #place(
    market: Market,
    index: number,
    direction: Direction,
    { tick, stakeMicros }: Level,
    isPosted: boolean,
    nowMs: number,
  ): boolean {
    const at = this.#places[index] as SimOutcome;
    if (isPosted && this.#random.next() >= NEW_STAKE) return true;
    if (isReached(market, at, direction, tick)) {
      market.take(at, direction, priceOf(tick), stakeMicros, nowMs);
      if (isReached(market, at, direction, tick)) {
        this.#set(market, index, direction, tick, 0, nowMs);
        return false;
      }
    }
    this.#set(market, index, direction, tick, stakeMicros, nowMs);
    return true;
  }
}

/** The levels of before that are no better than what is wanted now, as many as are kept; `sign` as in a ladder's terms. */
function keptOf(wanted: readonly Level[], posted: readonly Level[], sign: 1 | -1): readonly Level[] {
  const [best] = wanted;
  if (best === undefined) return [];
  return posted
    .filter(({ tick }) => sign * (best.tick - tick) > 0 && !isAt(wanted, tick))
    .sort((a, b) => sign * (b.tick - a.tick))
    .slice(0, MOST_KEPT);
}

const isAt = (levels: readonly Level[], tick: Tick): boolean => levels.some((level) => level.tick === tick);

/** Whether a quote takes stake of the other side. */
export function isReached(market: Market, at: SimOutcome, direction: Direction, tick: Tick): boolean {
  const [best] = market.levels(at, opposite(direction));
  if (best === undefined) return false;
  return direction === 'for' ? best.price >= priceOf(tick) : best.price <= priceOf(tick);
}

/** The tick of a price, rounded outwards and at least one beyond the level before; null beyond the ladder. */
function outwards(price: number, sign: 1 | -1, before: Tick | undefined): Tick | null {
  const tick = sign > 0 ? floorTick(price) : ceilTick(price);
  if (tick === null || before === undefined) return tick;
  const apart = sign > 0 ? Math.min(tick, before - 1) : Math.max(tick, before + 1);
  return apart < 0 || apart > LAST_TICK ? null : apart;
}
