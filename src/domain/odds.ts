import { ceilTick, floorTick, HUNDREDTHS, LADDER, LAST_TICK, priceOf, type Tick, tickOf } from './ladder.ts';
import { type Micros, returnMicros } from './money.ts';
import type { Settlement } from './payoff.ts';
import type { Direction } from './selection.ts';

/**
 * What a price in the `against` direction is: odds on that bet, or a lay price of the selection (published facts, Prices). A price in
 * the `for` direction is odds in both conventions.
 */
export type PriceConvention = (typeof PRICE_CONVENTIONS)[number];

export const PRICE_CONVENTIONS = ['odds', 'lay'] as const;

/**
 * The meaning of a bet's price.
 *
 * | kind | the bet wins if the selection | a price is | a stake `s` at `p` |
 * |---|---|---|---|
 * | `odds-for` | wins | odds that it wins | wins `s(p − 1)` or loses `s` |
 * | `odds-against` | does not win | odds that it does not win | wins `s(p − 1)` or loses `s` |
 * | `lay-for` | does not win | the lay price of the selection | wins `s` or loses `s(p − 1)` |
 * | `lay-against` | wins | the lay price of "it does not win" | wins `s` or loses `s(p − 1)` |
 *
 * @example
 * const kind: PriceKind = 'odds-against';
 */
export type PriceKind = 'odds-for' | 'odds-against' | 'lay-for' | 'lay-against';

export const PRICE_KINDS: readonly PriceKind[] = ['odds-for', 'odds-against', 'lay-for', 'lay-against'];

/**
 * The kinds in which every price is the price of the selection itself. Strategies, views and recorded markets use them.
 *
 * @example
 * SELECTION_KINDS.against; // 'lay-for'
 */
export const SELECTION_KINDS: Readonly<Record<Direction, PriceKind>> = {
  for: 'odds-for',
  against: 'lay-for',
};

/** The kind of the stake that takers of a kind match at exactly their own price, stake for stake. */
export const COUNTERPARTS: Readonly<Record<PriceKind, PriceKind>> = {
  'odds-for': 'lay-for',
  'lay-for': 'odds-for',
  'odds-against': 'lay-against',
  'lay-against': 'odds-against',
};

const ODDS_KINDS: Readonly<Record<Direction, PriceKind>> = { for: 'odds-for', against: 'odds-against' };

/** The kinds of the two markets of a selection under a convention. */
export const kindsOf = (convention: PriceConvention): Readonly<Record<Direction, PriceKind>> =>
  convention === 'odds' ? ODDS_KINDS : SELECTION_KINDS;

/** The side of the selection that a bet of this kind takes. */
export const directionOfKind = (kind: PriceKind): Direction =>
  kind === 'odds-for' || kind === 'lay-against' ? 'for' : 'against';

/** Whether a price is a lay price: lower is better for the bettor. */
export const isLay = (kind: PriceKind): boolean => kind === 'lay-for' || kind === 'lay-against';

/** Whether a price speaks of "the selection does not win". Its complement is then a price of the selection. */
export const isComplement = (kind: PriceKind): boolean => kind === 'odds-against' || kind === 'lay-against';

/**
 * The first tick that honours a limit price (specification, orders: "an off-tick limit moves to the first tick that
 * honours it"): up for odds, down for a lay price. Null when there is none.
 */
export function honouringTick(kind: PriceKind, limitPrice: number): Tick | null {
  return isLay(kind) ? floorTick(limitPrice) : ceilTick(limitPrice);
}

/** The first tick, from the far side, at which a limit accepts a price of the same kind: down for odds, up for a lay price. */
export const takingTick = (kind: PriceKind, price: number): Tick | null =>
  isLay(kind) ? ceilTick(price) : floorTick(price);

/** Whether price `a` is better than `b` for the bettor: higher odds, a lower lay price. Works on ticks, too. */
export function isBetter(kind: PriceKind, a: number, b: number): boolean {
  return isLay(kind) ? a < b : a > b;
}

/** The tick that is `ticks` better for the bettor, and so further from fair; negative: nearer. It may be off the ladder. */
export const betterBy = (kind: PriceKind, tick: Tick, ticks: number): Tick =>
  isLay(kind) ? tick - ticks : tick + ticks;

/** How many ticks price `a` is better than `b`; negative when it is worse. */
export const ticksBetter = (kind: PriceKind, a: Tick, b: Tick): number => (isLay(kind) ? b - a : a - b);

/** The better of two ticks for the bettor: the one further from fair. */
export const betterOf = (kind: PriceKind, a: Tick, b: Tick): Tick => (isBetter(kind, a, b) ? a : b);

/** The worse of two ticks for the bettor: the one nearer to fair. */
export const worseOf = (kind: PriceKind, a: Tick, b: Tick): Tick => (isBetter(kind, a, b) ? b : a);

/** The tick of the ladder that is furthest from fair. */
export const furthestTick = (kind: PriceKind): Tick => (isLay(kind) ? 0 : LAST_TICK);

/**
 * The price of "the selection does not win" that pays exactly the other side of a price of the selection, and the reverse:
 * p / (p − 1). Exact for prices in hundredths.
 */
export function complement(price: number): number {
  const hundredths = Math.round(price * 100);
  return hundredths / 100 === price ? hundredths / (hundredths - 100) : price / (price - 1);
}

/** Relative error of a complement that rounding may explain. */
const ROUNDING = 1e-9;

/**
 * The price of the selection that a bet's price stands for.
 *
 * @example
 * selectionPrice('odds-against', 1.8); // 2.25
 * selectionPrice('lay-for', 2.26); // 2.26
 */
export const selectionPrice = (kind: PriceKind, price: number): number =>
  isComplement(kind) ? complement(price) : price;

/** The bet's own price for a price of the selection. A complement within rounding of a hundredth is that hundredth. */
export function ownPrice(kind: PriceKind, ofSelection: number): number {
  if (!isComplement(kind)) return ofSelection;
  const own = complement(ofSelection);
  const nearest = Math.round(own * 100) / 100;
  return Math.abs(own - nearest) <= own * ROUNDING ? nearest : own;
}

/** The implied probability that the selection wins. */
export const selectionProbability = (kind: PriceKind, price: number): number =>
  isComplement(kind) ? 1 - probabilityOf(price) : probabilityOf(price);

/** The log-odds of the selection that a bet's price implies. */
export const selectionLogOdds = (kind: PriceKind, price: number): number =>
  isComplement(kind) ? 0 - logOddsOf(price) : logOddsOf(price);

/** The log-odds of the selection that are `distance` better for the bettor, and so further from fair; negative: nearer. */
export const betterLogOdds = (kind: PriceKind, logOdds: number, distance: number): number =>
  directionOfKind(kind) === 'for' ? logOdds - distance : logOdds + distance;

/** How much worse for the bettor than fair log-odds of the selection a price is, in log-odds; negative when it is better. */
export function adverseLogOdds(kind: PriceKind, price: number, fairLogOdds: number): number {
  const distance = selectionLogOdds(kind, price) - fairLogOdds;
  return directionOfKind(kind) === 'for' ? distance : 0 - distance;
}

/** How much worse for the bettor than a fair probability of the selection a price is; negative when it is better. */
export function adverseProbability(kind: PriceKind, price: number, fairProbability: number): number {
  const distance = selectionProbability(kind, price) - fairProbability;
  return directionOfKind(kind) === 'for' ? distance : 0 - distance;
}

/**
 * The first tick of the bet's own ladder that is at least as far from fair as these log-odds of the selection; null without one.
 *
 * @example
 * const tick = tickAtLogOdds('odds-against', logOddsOf(2.21));
 * tick && priceOf(tick); // 1.83
 */
export const tickAtLogOdds = (kind: PriceKind, logOdds: number): Tick | null =>
  honouringTick(kind, priceOfLogOdds(isComplement(kind) ? 0 - logOdds : logOdds));

/** The tick on the ladder of `to`, at least as far from fair, for a tick of the same direction of kind `from`. */
export function convertedTick(from: PriceKind, tick: Tick, to: PriceKind): Tick | null {
  return isComplement(from) === isComplement(to)
    ? tick
    : honouringTick(to, ownPrice(to, selectionPrice(from, priceOf(tick))));
}

/** Whether the ladder of a kind reaches the price for these log-odds of the selection. */
export function reachesLogOdds(kind: PriceKind, logOdds: number): boolean {
  const price = priceOfLogOdds(isComplement(kind) ? 0 - logOdds : logOdds);
  return price >= (LADDER[0] as number) && price <= (LADDER[LAST_TICK] as number);
}

/**
 * The tick of the price of the selection that stands for a tick of the same side. `convertedTick` turns it into that tick again
 * wherever any tick of the selection does. Elsewhere the bet's own ladder is the finer one, and the result is the next tick further
 * from fair.
 */
export function selectionTick(kind: PriceKind, tick: Tick): Tick {
  if (!isComplement(kind)) return tick;
  const shown = SELECTION_KINDS[directionOfKind(kind)];
  const price = ownPrice(kind, priceOf(tick));
  // The other way the tick is rounded away from fair, so this one is rounded towards it.
  const nearer = isLay(shown) ? ceilTick(price) : floorTick(price);
  if (nearer !== null && convertedTick(shown, nearer, kind) === tick) return nearer;
  return honouringTick(shown, price) ?? (price > 1000 ? LAST_TICK : 0);
}

/**
 * The price of the selection that a shown price may really be: the shown one may be a rounded complement of it. It lies between
 * both, and is not the returned one. A price on the ladder counts as exact.
 */
export function roundedFrom(shown: number): number {
  if (tickOf(shown) !== null) return shown;
  const tick = tickOf(ownPrice('odds-against', shown));
  return tick === null || tick === LAST_TICK ? shown : complement(priceOf(tick + 1));
}

/** The stake of the other side of a bet at its price: what the bet wins per odds stake, or can lose per lay stake. */
export const otherStakeMicros = (stakeMicros: Micros, price: number): Micros =>
  Math.round(returnMicros(stakeMicros, price));

/** A stake in the terms of the price of the selection: the stake whose product with that price is the same. */
export const selectionStakeMicros = (kind: PriceKind, price: number, stakeMicros: Micros): Micros =>
  isComplement(kind) ? otherStakeMicros(stakeMicros, price) : stakeMicros;

/** The most that a contract of a bet can lose. `price` is the bet's own. */
export const lossOfContract = (kind: PriceKind, price: number): number =>
  isLay(kind) ? 1 - probabilityOf(price) : probabilityOf(price);

/** The expected profit of a bet per stake, given the probability that the selection wins. */
export function expectedReturn(kind: PriceKind, price: number, probability: number): number {
  const returned = (isComplement(kind) ? 1 - probability : probability) * price - 1;
  return isLay(kind) ? 0 - returned : returned;
}

/** The winnings of a bet, rounded down to a whole micro. */
export const winMicros = (kind: PriceKind, stakeMicros: Micros, price: number): Micros =>
  isLay(kind) ? stakeMicros : Math.floor(returnMicros(stakeMicros, price));

/** The most that a bet can lose, rounded up to a whole micro. */
export const liabilityMicros = (kind: PriceKind, stakeMicros: Micros, price: number): Micros =>
  isLay(kind) ? Math.ceil(returnMicros(stakeMicros, price)) : stakeMicros;

/** The stake of a bet that can lose so much, rounded down to a whole micro. `price` is on the ladder. */
export function stakeOfLiability(kind: PriceKind, micros: Micros, price: number): Micros {
  // In hundredths the price is a whole number, so that whole results have no rounding error.
  return isLay(kind) ? Math.floor((micros * 100) / (Math.round(price * 100) - 100)) : micros;
}

/**
 * Contracts of a bet: the bet gains or loses this much more if the selection wins than if it does not. Stake × price for every
 * kind.
 */
export const contractsMicros = (stakeMicros: Micros, price: number): number => stakeMicros * price;

/**
 * Profit of a bet once its outcome is settled, in the unit of `stake`. `settlement` is that of the *selection*, the same for
 * every kind.
 */
export function profitOf(kind: PriceKind, stake: number, price: number, settlement: Settlement): number {
  const { won, lost } = isComplement(kind) ? { won: settlement.lost, lost: settlement.won } : settlement;
  const ofOdds = stake * (price - 1) * won - stake * lost;
  return isLay(kind) ? 0 - ofOdds : ofOdds;
}

/** `profitOf` in whole micros: the profit at odds is rounded, and a lay bet gets its exact negative. */
export function profitMicros(
  kind: PriceKind,
  stakeMicros: Micros,
  price: number,
  settlement: Settlement,
): Micros {
  const { won, lost } = isComplement(kind) ? { won: settlement.lost, lost: settlement.won } : settlement;
  const ofOdds = Math.round(stakeMicros * (price - 1) * won - stakeMicros * lost);
  return isLay(kind) ? 0 - ofOdds : ofOdds;
}

/** A tick of some kind: the price of an order. */
export interface PricedTick {
  readonly priceKind: PriceKind;
  readonly tick: Tick;
}

/**
 * Compares the prices of the selection that two ticks stand for, exactly: negative, 0 or positive. The price of the selection is
 * h / 100 or, for a complement, h / (h − 100), with h the tick's price in whole hundredths.
 */
export function compareTicks(a: PricedTick, b: PricedTick): number {
  const [p, q] = [HUNDREDTHS[a.tick] as number, HUNDREDTHS[b.tick] as number];
  if (isComplement(a.priceKind) === isComplement(b.priceKind))
    return isComplement(a.priceKind) ? q - p : p - q;
  return isComplement(a.priceKind) ? 100 * p - q * (p - 100) : p * (q - 100) - 100 * q;
}

/** Whether two limits of opposite directions match each other: the `for` side accepts a price that the other side offers. */
export const limitsCross = (forLimit: PricedTick, againstLimit: PricedTick): boolean =>
  compareTicks(againstLimit, forLimit) >= 0;

/**
 * The trade of a taker with resting stake, in the taker's terms: its price is the resting price or its exact complement, and the
 * stakes of both sides have the same contracts.
 */
export const takerPrice = (resting: PricedTick, taker: PriceKind): number => {
  const price = priceOf(resting.tick);
  return isComplement(resting.priceKind) === isComplement(taker) ? price : complement(price);
};

/**
 * Whether offers that takers find in both directions leave no sure profit: nobody wins by taking both. `kind` is what the price in the
 * `against` direction is; the price in the `for` direction is odds. Exact for prices in whole hundredths.
 */
export function areUncrossed(kind: PriceKind, forPrice: number, againstPrice: number): boolean {
  const [f, a] = [inHundredths(forPrice), inHundredths(againstPrice)];
  // 1 / f + 1 / a >= 1, multiplied out.
  return isComplement(kind) ? 100 * (f + a) >= f * a : a >= f;
}

/** A whole number if the price has at most two decimals. */
function inHundredths(price: number): number {
  const hundredths = Math.round(price * 100);
  return hundredths / 100 === price ? hundredths : price * 100;
}

/** The first tick on a taker's ladder that resting stake honours: the taker trades at this price or better. Null without one. */
export function shownTick(resting: PricedTick, taker: PriceKind): Tick | null {
  if (isComplement(resting.priceKind) === isComplement(taker)) return resting.tick;
  const price = ownPrice(taker, selectionPrice(resting.priceKind, priceOf(resting.tick)));
  // The taker's limit at the tick must accept the trade.
  return takingTick(taker, price);
}

/** The places of a book that a taker is shown at one tick, both ends included, in the order in which it takes them. */
export interface ShownAlike {
  readonly first: PricedTick;
  readonly last: PricedTick;
}

/**
 * Where stake rests that a taker is shown at a tick: on the ladder of the selection, where some of its ticks are shown so, and else at the
 * taker's own price. A shown complement is rounded: 4.90 and 5.00 are both shown as 1.25, and nobody is told how the stake is spread over
 * them.
 */
export function restingOf({ priceKind, tick }: PricedTick): ShownAlike {
  const exact: PricedTick = { priceKind: COUNTERPARTS[priceKind], tick };
  if (!isComplement(priceKind)) return { first: exact, last: exact };
  const resting = SELECTION_KINDS[directionOfKind(exact.priceKind)];
  const isShownSo = (at: Tick): boolean =>
    at >= 0 && at <= LAST_TICK && shownTick({ priceKind: resting, tick: at }, priceKind) === tick;
  const last = selectionTick(exact.priceKind, tick);
  if (!isShownSo(last)) return { first: exact, last: exact };
  let first = last;
  while (isShownSo(betterBy(resting, first, -1))) first = betterBy(resting, first, -1);
  return { first: { priceKind: resting, tick: first }, last: { priceKind: resting, tick: last } };
}

/**
 * The stake of one side of a trade (`to`) for so much stake of the other side (`from`), rounded to a whole micro. The trade is at the
 * price of `at`, which is one of the two sides.
 */
export function tradedStakeMicros(at: PricedTick, micros: Micros, from: PriceKind, to: PriceKind): Micros {
  if (isComplement(from) === isComplement(to)) return micros;
  // In hundredths the price is a whole number, so that whole results have no rounding error.
  const win = (HUNDREDTHS[at.tick] as number) - 100;
  return Math.round(
    isComplement(from) === isComplement(at.priceKind) ? (micros * win) / 100 : (micros * 100) / win,
  );
}

/** The taker's stake that matches so much resting stake, rounded to a whole micro. */
export const takerStakeMicros = (resting: PricedTick, restingMicros: Micros, taker: PriceKind): Micros =>
  tradedStakeMicros(resting, restingMicros, resting.priceKind, taker);

/** The resting stake that matches so much of a taker's stake, rounded to a whole micro. */
export const restingStakeMicros = (resting: PricedTick, takerMicros: Micros, taker: PriceKind): Micros =>
  tradedStakeMicros(resting, takerMicros, taker, resting.priceKind);

/**
 * Orders resting stake of one direction, the best for takers first: negative when `a` is before `b`, and 0 for one price, also where
 * the two are of different kinds.
 */
export const compareForTakers = (a: PricedTick, b: PricedTick): number =>
  directionOfKind(a.priceKind) === 'for' ? compareTicks(a, b) : compareTicks(b, a);

/**
 * Compares resting stake with a taker's limit, exactly: positive when the stake is better for the taker, 0 at the limit, negative when
 * the limit excludes it.
 */
export const compareToLimit = (resting: PricedTick, limit: PricedTick): number =>
  directionOfKind(limit.priceKind) === 'for' ? compareTicks(resting, limit) : compareTicks(limit, resting);

/**
 * Implied probability of a decimal price.
 *
 * @example
 * probabilityOf(2.5); // 0.4
 */
export const probabilityOf = (price: number): number => 1 / price;

/** The middle of the prices of the selection in both directions, as a probability; null without both. */
export function midProbability(forPrice: number | null, againstPrice: number | null): number | null {
  if (forPrice === null || againstPrice === null) return null;
  return (probabilityOf(forPrice) + probabilityOf(againstPrice)) / 2;
}

/**
 * Log-odds of a probability.
 *
 * @example
 * logit(0.4); // -0.40547
 */
export const logit = (probability: number): number => Math.log(probability / (1 - probability));

/**
 * Log-odds (logit of the implied probability) of a decimal price: -ln(O-1).
 *
 * @example
 * logOddsOf(2.5); // -0.40547
 */
export const logOddsOf = (price: number): number => -Math.log(price - 1);

/**
 * Decimal price of log-odds.
 *
 * @example
 * priceOfLogOdds(0); // 2
 * priceOfLogOdds(logOddsOf(2.5) + 0.03); // 2.4557
 */
export const priceOfLogOdds = (logOdds: number): number => 1 + Math.exp(-logOdds);
