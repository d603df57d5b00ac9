import { type LiveOrder, unfilledMicros } from '../../domain/live-order.ts';
import { type Micros, toMicros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import {
  compareTicks,
  isBetter,
  priceOfLogOdds,
  restingStakeMicros,
  SELECTION_KINDS,
  takerPrice,
  takerStakeMicros,
} from '../../domain/odds.ts';
import { type Direction, opposite } from '../../domain/selection.ts';
import { exponential, poisson, type Random } from '../../lib/random.ts';
import type { Makers, Place } from './match.ts';
import type { Conditions } from './scenario.ts';

/** Distances from fair that takers accept are exponential with mean 1/`DECAY`, in log-odds. */
const DECAY = 20;
const LEAST_STAKE = 2;
const MEAN_STAKE = 25;
/** Takers of each selection that know of a surprise. */
const INFORMED = 3;

/** A matched part of an order of ours. */
export interface Matched {
  readonly order: LiveOrder;
  readonly stakeMicros: Micros;
}

/** The market of one selection in one second. */
export interface Instant {
  readonly place: Place;
  /** Fair log-odds now, and a second ago. */
  readonly fair: number;
  readonly fairBefore: number;
  readonly makers: Makers;
  readonly conditions: Conditions;
  /** Our open orders on the selection. */
  readonly open: readonly LiveOrder[];
}

interface Taker {
  readonly direction: Direction;
  /** The worst price that it accepts. */
  readonly limit: number;
  readonly stakeMicros: Micros;
}

/** Stake that a taker can get at a price of the selection. Ours wait behind the other makers' at the same price. */
interface Offer {
  readonly price: number;
  readonly order: LiveOrder | null;
  leftMicros: Micros;
}

/**
 * Matches our orders: completely where the market has moved through them, and by the takers who arrive. The other makers' stake is
 * there again in the next second.
 */
export class Takers {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  matches(instant: Instant): Matched[] {
    const { makers, open } = instant;
    const crossed = open.filter((order) => isCrossed(order, makers));
    const book = {
      for: offersTo('for', instant, crossed),
      against: offersTo('against', instant, crossed),
    };
    const taken = this.#arriving(instant).flatMap((taker) => take(taker, book[taker.direction]));
    return [...crossed.map((order) => ({ order, stakeMicros: unfilledMicros(order) })), ...merged(taken)];
  }

  #arriving({ place, fair, fairBefore, conditions: { flow, isSurprise } }: Instant): Taker[] {
    if (isSurprise) {
      const direction = fair > fairBefore ? 'for' : 'against';
      return Array.from({ length: INFORMED }, () => this.#taker(direction, fair, 0));
    }
    const { rate, forShare } = place.outcome === 'h' ? flow : { rate: 1, forShare: 0.5 };
    return Array.from({ length: poisson(this.#random, rate * place.takersPerS) }, () => {
      const direction = this.#random.next() < forShare ? 'for' : 'against';
      return this.#taker(direction, fair, exponential(this.#random, DECAY));
    });
  }

  /** Backers accept lower prices than fair, which are higher log-odds; layers the reverse. */
  #taker(direction: Direction, fair: number, distance: number): Taker {
    const stake = LEAST_STAKE + exponential(this.#random, 1 / MEAN_STAKE);
    return {
      direction,
      limit: priceOfLogOdds(direction === 'for' ? fair + distance : fair - distance),
      stakeMicros: toMicros(Math.round(stake * 100) / 100),
    };
  }
}

/** Whether our order would take another maker's best quote now, had it not rested already: the market has moved through it. */
function isCrossed(order: LiveOrder, makers: Makers): boolean {
  const { direction } = order;
  const [best] = makers[direction];
  const priceKind = SELECTION_KINDS[direction];
  return best !== undefined && !isBetter(priceKind, compareTicks(order, { priceKind, tick: best.tick }), 0);
}

/** Best first. */
function offersTo(direction: Direction, { makers, open }: Instant, crossed: readonly LiveOrder[]): Offer[] {
  const kind = SELECTION_KINDS[direction];
  const others = makers[direction].map(({ tick, stake }) => ({
    price: priceOf(tick),
    order: null,
    leftMicros: toMicros(stake),
  }));
  const ours = open
    .filter((order) => order.direction === opposite(direction) && !crossed.includes(order))
    .map((order) => ({
      price: takerPrice(order, kind),
      order,
      leftMicros: takerStakeMicros(order, unfilledMicros(order), kind),
    }));
  return [...others, ...ours].sort((a, b) =>
    a.price === b.price ? 0 : isBetter(kind, a.price, b.price) ? -1 : 1,
  );
}

function take({ direction, limit, stakeMicros }: Taker, offers: readonly Offer[]): Matched[] {
  const matched: Matched[] = [];
  let wantedMicros = stakeMicros;
  for (const offer of offers) {
    if (wantedMicros === 0 || isBetter(SELECTION_KINDS[direction], limit, offer.price)) break;
    const gotMicros = Math.min(wantedMicros, offer.leftMicros);
    wantedMicros -= gotMicros;
    offer.leftMicros -= gotMicros;
    const { order } = offer;
    const ownMicros = order === null ? 0 : restingStakeMicros(order, gotMicros, SELECTION_KINDS[direction]);
    if (order !== null && ownMicros > 0) matched.push({ order, stakeMicros: ownMicros });
  }
  return matched;
}

/** One match for each order: several takers of a second make one fill. */
function merged(matches: readonly Matched[]): Matched[] {
  const byOrder = new Map<LiveOrder, Micros>();
  for (const { order, stakeMicros } of matches) byOrder.set(order, (byOrder.get(order) ?? 0) + stakeMicros);
  return Array.from(byOrder, ([order, stakeMicros]) => ({
    order,
    stakeMicros: Math.min(stakeMicros, unfilledMicros(order)),
  }));
}
