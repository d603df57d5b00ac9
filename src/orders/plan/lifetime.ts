/**
 * Life in seconds of a rotating market's order, long enough that renewing all rotating markets in turn uses at most
 * `perDay` betslips a day. Pure.
 */
export function rotatingDurationS(
  rotatingMarkets: number,
  perDay: number,
  leastS: number,
  mostS: number,
): number {
  const needed = perDay <= 0 ? mostS : Math.ceil((rotatingMarkets * 86_400) / perDay);
  return Math.min(mostS, Math.max(leastS, needed));
}

/** An order lives at least this many renewal leads: with less it would be renewed as soon as it rests. */
const LEAST_LEADS = 2;

/**
 * The life that a strategy wants for its orders, in whole seconds, as far as renewing them in time allows it. At most the longest
 * life of any order. Pure.
 */
export function boundedLifetimeS(wantedS: number, renewLeadMs: number, longestS: number): number {
  const leastS = Math.ceil((LEAST_LEADS * renewLeadMs) / 1000);
  return Math.min(longestS, Math.max(leastS, wantedS));
}
