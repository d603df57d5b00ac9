/**
 * Quotes for a claim that pays 1 if a selection wins and 0 otherwise: one contract, which is 1/price of `for` stake.
 * Contracts held are positive after `for` bets and negative after `against` bets.
 */
import { logit, logOddsOf, priceOfLogOdds } from '../../domain/odds.ts';
import { type AvellanedaStoikovModel, optimalSpread, reservationPrice } from './avellaneda-stoikov.ts';

/**
 * The decimal price at which a holder of `contracts` until settlement is indifferent to a small bet: logit r =
 * logit p - γq, that is O_r - 1 = (O - 1)·e^(γq). It is exact under constant absolute risk aversion. `fairPrice` is
 * decimal, `aversion` γ is per USDT.
 *
 * @example
 * priceHeldToSettlement(2, 0.01, 10); // 2.1052
 */
export function priceHeldToSettlement(fairPrice: number, aversion: number, contracts: number): number {
  return priceOfLogOdds(logOddsOf(fairPrice) - aversion * contracts);
}

/**
 * Where to quote in log-odds: the middle of the two quotes, and the distance between them.
 *
 * @example
 * const bidAndAsk = ({ reservation, spread }: LogOddsQuotes): readonly [number, number] => [
 *   reservation - spread / 2,
 *   reservation + spread / 2,
 * ];
 */
export interface LogOddsQuotes {
  readonly reservation: number;
  readonly spread: number;
}

/**
 * Quotes of a dealer who is flat by the start of the event, in log-odds: the model of Avellaneda and Stoikov, where a
 * move dL of the log-odds changes the value of a contract by v·dL, v = p(1-p). So the aversion in log-odds is γv for a
 * fill of one contract: r = L - qγvσ²τ, spread = γvσ²τ + (2/γv)·ln(1+γv/k).
 *
 * `model` has γ per USDT, σ in log-odds per square root of the unit of time, and k per unit of log-odds. `remaining` is
 * the time to the start. `held` counts fills of `contractsPerFill` contracts each.
 *
 * @example
 * quotesFlatByStart({ aversion: 0.01, volatility: 0.08, decay: 40 }, 0.5, 2, 6, 40); // { reservation: -0.00768, spread: 0.053778 }
 */
export function quotesFlatByStart(
  model: AvellanedaStoikovModel,
  probability: number,
  held: number,
  remaining: number,
  contractsPerFill = 1,
): LogOddsQuotes {
  const aversion = model.aversion * contractsPerFill * probability * (1 - probability);
  const inLogOdds = { ...model, aversion };
  return {
    reservation: reservationPrice(inLogOdds, logit(probability), held, remaining),
    spread: optimalSpread(inLogOdds, remaining),
  };
}

/**
 * The distance of each quote from fair, in log-odds, at which a maker without costs breaks even against takers of whom
 * the share α knows the outcome and the others choose a side by chance: ln((1+α)/(1-α)). It does not depend on the
 * probability (the model of Glosten and Milgrom, Journal of Financial Economics 1985, for a binary claim).
 *
 * @example
 * const halfSpread = informedHalfSpread(0.2);
 * priceOfLogOdds(-halfSpread); // 2.5
 */
export const informedHalfSpread = (informedShare: number): number => 2 * Math.atanh(informedShare);

/**
 * The share of informed takers at which `halfSpread` (log-odds) breaks even. Inverse of `informedHalfSpread`.
 *
 * @example
 * informedShareOf(informedHalfSpread(0.2)); // 0.2
 */
export const informedShareOf = (halfSpread: number): number => Math.tanh(halfSpread / 2);
