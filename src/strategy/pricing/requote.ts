/**
 * When to move a quote. A quote's best place drifts with the fair value; following every move costs requests and the
 * place in the queue. A quote is left alone while fair is within a band around the value for which it was placed, and
 * placed anew at the band's edge.
 */
import { invariant } from '../../lib/assert.ts';

/**
 * A band around the fair value for which a quote was placed.
 *
 * @example
 * const lifetimeS = ({ meanLife }: RequoteBand): number => Math.max(1, Math.round(meanLife));
 */
export interface RequoteBand {
  /** Distance of either edge, in the unit of distance. */
  readonly halfWidth: number;
  /** Mean time until fair reaches an edge, in the unit of time: halfWidth²/σ². An order may live about as long. */
  readonly meanLife: number;
}

/**
 * How fast a pair of quotes loses profit when it is out of place: h in h·x², profit per unit of time and distance², for
 * arrivals A·e^(-kδ). It is A·k/e, from the second derivative of A·δ·e^(-kδ) at its maximum δ = 1/k.
 *
 * @example
 * placeCurvature(140, 1.5); // 77.255
 */
export const placeCurvature = (arrivals: number, decay: number): number => (arrivals * decay) / Math.E;

/**
 * The band that balances the cost of refreshing against that of being out of place: (6Kσ²/h)^(1/4). It minimises
 * Kσ²/b² + hb²/6, where b²/6 is the mean square of a diffusion that starts anew at the edges ±b. `refreshCost` K is in
 * the profit's unit, `volatility` σ is per square root of the unit of time, `curvature` h is that of `placeCurvature`.
 *
 * @example
 * requoteBand(0.01, 0.02, placeCurvature(0.05, 40)); // { halfWidth: 0.075573, meanLife: 14.278 }
 */
export function requoteBand(refreshCost: number, volatility: number, curvature: number): RequoteBand {
  return bandOf(((6 * refreshCost * volatility ** 2) / curvature) ** 0.25, volatility);
}

/**
 * A market that shares a budget of requests.
 *
 * @example
 * const market: RequotedMarket = { volatility: 2, curvature: 1 };
 */
export interface RequotedMarket {
  readonly volatility: number;
  readonly curvature: number;
}

/**
 * A market's share of the budget: its updates per unit of time, and the band that uses them up.
 *
 * @example
 * const perMinute = ({ rate }: RequoteShare): number => 60 * rate;
 */
export interface RequoteShare extends RequoteBand {
  readonly rate: number;
}

/**
 * Shares `updates` per unit of time between markets so that all together lose least by being out of place:
 * rate_i = R·σ_i·√h_i / Σσ_j·√h_j and band_i² = σ_i²/rate_i. Throws InvariantError unless the budget and each
 * volatility and curvature are above 0.
 *
 * @example
 * const markets = [
 *   { volatility: 1, curvature: 1 },
 *   { volatility: 2, curvature: 1 },
 *   { volatility: 0.5, curvature: 4 },
 * ];
 * shareRequotes(markets, 3).map(({ rate }) => rate); // [0.75, 1.5, 0.75]
 * shareRequotes(markets, 3).map(({ halfWidth }) => halfWidth); // [1.15470, 1.63299, 0.57735]
 */
export function shareRequotes(markets: readonly RequotedMarket[], updates: number): RequoteShare[] {
  invariant(
    updates > 0 && markets.every(({ volatility, curvature }) => volatility > 0 && curvature > 0),
    'a budget of requotes needs updates, volatilities and curvatures above 0',
    { markets, updates },
  );
  const needs = markets.map(({ volatility, curvature }) => volatility * Math.sqrt(curvature));
  const total = needs.reduce((sum, need) => sum + need, 0);
  return markets.map(({ volatility }, i) => {
    const rate = (updates * (needs[i] as number)) / total;
    return { rate, ...bandOf(volatility / Math.sqrt(rate), volatility) };
  });
}

const bandOf = (halfWidth: number, volatility: number): RequoteBand => ({
  halfWidth,
  meanLife: halfWidth ** 2 / volatility ** 2,
});
