/**
 * A fill model decides which resting stake is matched, and how much, when a taker or a background trade arrives.
 *
 * The model decides and changes nothing; the book keeps the queues and applies the decision. Each price has one queue for
 * accounts and background: the stake before an order is matched before it. When a feed replays a real market, the real
 * volume at a price is therefore before and behind an order of an account.
 *
 * Each stake is in its own side's terms: a resting entry's stake and minimums at its price, a taker's at its own. A trade is at the
 * resting entry's price, and the taker gets the exact complement where its prices are of the other kind. `matchedStakes` converts.
 *
 * `match` gets the whole side at once. The volume of one taker, or of one recorded trade, is divided among all resting
 * stake and counted once; two orders of one account at one price share it.
 *
 * `test/simulator/core/fill-model-contract.ts` tests the contract of every model.
 */
import type { Micros } from '../domain/money.ts';
import type { Tick } from '../domain/ladder.ts';
import {
  compareToLimit,
  type PricedTick,
  type PriceKind,
  restingStakeMicros,
  shownTick,
  tradedStakeMicros,
} from '../domain/odds.ts';

/** The fill scenarios, from the most generous to the strictest. */
export const SCENARIOS = ['touch', 'queue', 'through'] as const;

export type Scenario = (typeof SCENARIOS)[number];

export interface FillModel {
  /** Tells the fills of one model from those of another. */
  readonly name: string;
  /**
   * The trades of a taker with one side of a book, in their order. `levels` are the opposite side, the best for the taker
   * first. Equal books and takers must give equal results: the exchange also previews matches.
   */
  match(levels: readonly Level[], taker: Taker): readonly Match[];
  /**
   * The entries that lose stake when a background participant cancels a part at a price, as in a recorded market.
   * The result decides whether the queue before an order becomes shorter.
   */
  withdraw(level: Level, owner: string, stakeMicros: Micros): readonly Share[];
  /**
   * What a recorded trade takes at its own price before its level has fallen: nothing, as it takes what the level then falls by (`TradedFalls`);
   * orders alone, as if no recorded stake stood before them; or the queue, by its whole size.
   */
  readonly atTrade: 'nothing' | 'orders' | 'queue';
  /** The same model with trades that take their whole size at once; absent where that fills no order more. */
  readonly atWholeSize?: FillModel;
}

/** Resting stake in the queue of its price. `orderId` is null for the background. */
export interface Resting extends PricedTick {
  readonly owner: string;
  readonly orderId: number | null;
  readonly hidden: boolean;
  /** The smallest total stake of a taker that this entry matches, in the entry's own stake. */
  readonly minTakerMicros: Micros;
  /** The smallest single bet, in the entry's own stake; a smaller remainder is matched whole. */
  readonly minBetMicros: Micros;
  /** The price at which accounts are shown it and take it, where that is not the one at which it stands in the queue. */
  readonly shownAt?: PricedTick;
  /** Returns false for takers that the entry does not match; absent: it matches any. */
  readonly acceptsTaker?: (taker: Taker) => boolean;
  remainingMicros: Micros;
}

/** The stake at one price. Its name is the tick of its first entry; others may be in the kind of price that is its complement. */
export interface Level extends PricedTick {
  /** The oldest entry comes first. */
  readonly queue: readonly Resting[];
}

/** An order, or a background participant, that takes resting stake. */
export interface Taker {
  readonly owner: string;
  /** The kind of its limit, and so the side that it takes. */
  readonly priceKind: PriceKind;
  readonly limitTick: Tick;
  /** The stake that it still wants (`stakeMicros`), and the stake that it originally asked for (`wantStakeMicros`), both its own. */
  readonly stakeMicros: Micros;
  readonly wantStakeMicros: Micros;
  /** Takes of stake that asks for a minimum, whatever it bets: a taker of the background. */
  readonly isAnySize?: boolean;
  /** Takes only what it is shown at its limit, not what it is shown at a better price. */
  readonly exact?: boolean;
  /** Trades at its limit, even with better resting stake. */
  readonly atLimit?: boolean;
  /** Returns false for resting stake that it does not take; absent: it takes any. */
  readonly accepts?: (resting: Resting) => boolean;
}

/** A part of an entry's stake. */
export interface Share {
  readonly resting: Resting;
  readonly stakeMicros: Micros;
}

/** A trade: `stakeMicros` is the entry's stake, `takerMicros` the taker's. */
export interface Match extends Share {
  readonly tick: Tick;
  readonly takerMicros: Micros;
}

/**
 * The taker of a recorded trade. It takes what accounts rest at better prices than the trade's, because the trade passed them, and
 * at the trade's price what the model lets it. Recorded stake at better prices stays: its trades are recorded apart.
 */
export function recordedTaker(
  { atTrade }: Pick<FillModel, 'atTrade'>,
  owner: string,
  limit: PricedTick,
  stakeMicros: Micros,
): Taker {
  const accepts = (resting: Resting): boolean => {
    if (atTrade === 'queue' && compareToLimit(resting, limit) === 0) return true;
    return resting.orderId !== null && (atTrade !== 'nothing' || compareToLimit(resting, limit) !== 0);
  };
  return takerAt(owner, limit, stakeMicros, accepts);
}

/** The taker of what a recorded level fell by when it traded: it takes the queue at its price alone. */
export function fallTaker(owner: string, limit: PricedTick, stakeMicros: Micros): Taker {
  const accepts = (resting: Resting): boolean => compareToLimit(resting, limit) === 0;
  return takerAt(owner, limit, stakeMicros, accepts);
}

/** A taker of the background, which takes of stake that asks for a minimum, whatever it bets. */
const takerAt = (
  owner: string,
  { priceKind, tick: limitTick }: PricedTick,
  stakeMicros: Micros,
  accepts: (resting: Resting) => boolean,
): Taker => ({
  owner,
  priceKind,
  limitTick,
  stakeMicros,
  wantStakeMicros: stakeMicros,
  isAnySize: true,
  accepts,
});

/** A taker's limit as a price. */
export const limitOf = ({ priceKind, limitTick: tick }: Taker): PricedTick => ({ priceKind, tick });

/** Whether an entry belongs to this background participant. */
export const isBackground = (entry: Resting, owner: string): boolean =>
  entry.orderId === null && entry.owner === owner;

/** The smallest bet that an entry matches. */
export const minBetMicrosOf = ({ minBetMicros, remainingMicros }: Resting): Micros =>
  Math.min(minBetMicros, remainingMicros);

/** Whether both sides accept the match. Nobody matches their own stake. */
export function canMatch(resting: Resting, taker: Taker): boolean {
  if (resting.owner === taker.owner || isTooSmall(resting, taker)) return false;
  return (taker.accepts?.(resting) ?? true) && (resting.acceptsTaker?.(taker) ?? true);
}

const isTooSmall = (resting: Resting, { wantStakeMicros, priceKind }: Taker): boolean =>
  resting.minTakerMicros > 0 &&
  restingStakeMicros(resting, wantStakeMicros, priceKind) < resting.minTakerMicros;

/** Whether a taker that wants no better price takes this level: it is shown to the taker at its limit. */
export const isShownAtLimit = (level: PricedTick, { priceKind, limitTick }: Taker): boolean =>
  shownTick(level, priceKind) === limitTick;

/** The stakes of a trade: the resting entry's (`stakeMicros`) and the taker's. */
interface MatchedStakes {
  readonly stakeMicros: Micros;
  readonly takerMicros: Micros;
}

/**
 * The stakes that a taker who wants `wantedMicros` can trade with an entry. One of both stakes is used up exactly, and the other is its
 * counterpart in whole micros. An entry whose remainder would be worth nothing to takers is used up, too. A stake is 0 where the
 * other side's stake is worth less than half a micro of it.
 */
export function matchedStakes(resting: Resting, taker: Taker, wantedMicros: Micros): MatchedStakes {
  const { priceKind, remainingMicros } = resting;
  const at = taker.atLimit === true ? limitOf(taker) : resting;
  const worthMicros = (micros: Micros): Micros => tradedStakeMicros(at, micros, priceKind, taker.priceKind);
  const allMicros = worthMicros(remainingMicros);
  if (allMicros <= wantedMicros) return { stakeMicros: remainingMicros, takerMicros: allMicros };
  const partMicros = tradedStakeMicros(at, wantedMicros, taker.priceKind, priceKind);
  const isAll = worthMicros(Math.max(0, remainingMicros - partMicros)) === 0;
  return { stakeMicros: isAll ? remainingMicros : partMicros, takerMicros: wantedMicros };
}
