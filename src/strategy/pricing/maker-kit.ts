import { isPassiveDelay } from '../../domain/bet-delay.ts';
import type { SelectionView } from '../../domain/event-view.ts';
import { logit, logOddsOf } from '../../domain/odds.ts';
import type { Direction } from '../../domain/selection.ts';
import { logOddsWidth, type TopOfBook } from './fair.ts';
import type { MakerVolatility } from './maker-volatility.ts';

/**
 * How long fair can move before an order of ours meets it, or is gone. Milliseconds.
 *
 * @example
 * const times: MakerTimes = { viewAgeMs: 60, requestMs: 50, turnMs: 5, closeMs: 50 };
 */
export interface MakerTimes {
  /** The age of the prices that we see: `ageMs` of the market's side, and the time of the feed. */
  readonly viewAgeMs: number;
  /** From our decision until the exchange has the order. */
  readonly requestMs: number;
  /** From a price that reaches us to our decision. */
  readonly turnMs: number;
  /** From our decision until an order is closed at the exchange. */
  readonly closeMs: number;
}

/**
 * The bet delay as it acts on us, in milliseconds.
 *
 * @example
 * const protectedBy = ({ takersMs }: BetDelays): number => takersMs;
 */
export interface BetDelays {
  /** An order of ours that will rest waits this long. */
  readonly newMs: number;
  /** A taker of our order waits this long, while a close takes effect at once. */
  readonly takersMs: number;
}

/**
 * The bet delays of a selection. With `PASSIVE` an order that will rest does not wait; its takers do. `untoldMs`: what a new order is taken to
 * wait where nobody tells it; takers are then taken to come at once.
 *
 * @example
 * betDelays({ betDelayMs: 5000, betDelayModels: null }, 0); // { newMs: 5000, takersMs: 5000 }
 * betDelays({ betDelayMs: 5000, betDelayModels: ['PASSIVE'] }, 0); // { newMs: 0, takersMs: 5000 }
 * betDelays({ betDelayMs: null, betDelayModels: null }, 8000); // { newMs: 8000, takersMs: 0 }
 */
export function betDelays(
  { betDelayMs, betDelayModels }: Pick<SelectionView, 'betDelayMs' | 'betDelayModels'>,
  untoldMs: number,
): BetDelays {
  return { newMs: isPassiveDelay(betDelayModels) ? 0 : (betDelayMs ?? untoldMs), takersMs: betDelayMs ?? 0 };
}

/**
 * How cautious the widths are, and how often a jump catches us.
 *
 * @example
 * const caution: Partial<MakerCaution> = { k1: 2, k2: 1 };
 */
export interface MakerCaution {
  /** Standard deviations of the move until an order rests, or is closed. Default 2. */
  readonly k1: number;
  /** Standard deviations of a minute's move. Default 1. */
  readonly k2: number;
  /** Our fills in a second. Null: not known, and jumps are left out. Default null. */
  readonly fillsPerS: number | null;
  /** The probability that a jump finds our order and takes it, of 0 to 1. Default 1. */
  readonly pickedOff: number;
}

const CAUTION: MakerCaution = { k1: 2, k2: 1, fillsPerS: null, pickedOff: 1 };

/**
 * The least distance from fair of a quote whatever its age, in log-odds: k2·σ·√60 + λ / (fill rate) · E|jump| · P(picked off).
 * What jumps cost is spread over the fills that pay for it. The rate of fills must be above 0.
 *
 * @example
 * const volatility = { perRootS: 0.004, jumpsPerS: 0.001, meanJump: 0.3, changes: 20 };
 * leastHalf(volatility); // 0.03098
 * leastHalf(volatility, { fillsPerS: 0.02, pickedOff: 0.5 }); // 0.03848
 */
export function leastHalf(volatility: MakerVolatility, caution: Partial<MakerCaution> = {}): number {
  const { k2, fillsPerS, pickedOff } = { ...CAUTION, ...caution };
  const { perRootS, jumpsPerS, meanJump } = volatility;
  const jumps = fillsPerS === null ? 0 : (jumpsPerS / fillsPerS) * meanJump * pickedOff;
  return k2 * perRootS * Math.sqrt(MINUTE_S) + jumps;
}

const MINUTE_S = 60;

/**
 * The least distance from fair of a new order, in log-odds: k1·σ·√(view age + request + bet delay), and never less than `leastHalf`. A bet
 * delay exposes a new order: it is committed to a price while fair moves.
 *
 * @example
 * const volatility = { perRootS: 0.004, jumpsPerS: 0, meanJump: 0, changes: 20 };
 * const times = { viewAgeMs: 50, requestMs: 50, turnMs: 0, closeMs: 50 };
 * newOrderHalf(volatility, times, { newMs: 15_000 }); // 0.03109
 */
export function newOrderHalf(
  volatility: MakerVolatility,
  { viewAgeMs, requestMs }: Pick<MakerTimes, 'viewAgeMs' | 'requestMs'>,
  { newMs }: Pick<BetDelays, 'newMs'>,
  caution: Partial<MakerCaution> = {},
): number {
  const { k1 } = { ...CAUTION, ...caution };
  const exposedS = Math.max(0, viewAgeMs + requestMs + newMs) / 1_000;
  return Math.max(k1 * volatility.perRootS * Math.sqrt(exposedS), leastHalf(volatility, caution));
}

/**
 * The distance below which a resting order is pulled, in log-odds: k1·σ·√max(0, feed age + turn + close − bet delay), and never less than
 * `leastHalf`. A bet delay protects a resting order: its takers wait while a close takes effect.
 *
 * @example
 * const volatility = { perRootS: 0.004, jumpsPerS: 0, meanJump: 0, changes: 20 };
 * const times = { viewAgeMs: 50, requestMs: 50, turnMs: 0, closeMs: 50 };
 * restingHalf(volatility, times, { takersMs: 0 }, { k2: 0 }); // 0.00253
 * restingHalf(volatility, times, { takersMs: 5_000 }, { k2: 0 }); // 0
 */
export function restingHalf(
  volatility: MakerVolatility,
  { viewAgeMs, turnMs, closeMs }: Pick<MakerTimes, 'viewAgeMs' | 'turnMs' | 'closeMs'>,
  { takersMs }: Pick<BetDelays, 'takersMs'>,
  caution: Partial<MakerCaution> = {},
): number {
  const { k1 } = { ...CAUTION, ...caution };
  const exposedS = Math.max(0, viewAgeMs + turnMs + closeMs - takersMs) / 1_000;
  return Math.max(k1 * volatility.perRootS * Math.sqrt(exposedS), leastHalf(volatility, caution));
}

/**
 * When a side that was filled may be quoted again.
 *
 * @example
 * const rule: AfterFill = { afterFillS: 30, leastMove: 0.02 };
 */
export interface AfterFill {
  /** A filled side waits so many seconds. */
  readonly afterFillS: number;
  /** It returns to the filled price, or a better one for takers, only once fair has moved by this much, in log-odds. */
  readonly leastMove: number;
}

/**
 * Whether a side may be quoted at a price of the selection, after its last fill. Where fair stood at the fill is read from the course of the mid;
 * if that does not reach so far back, fair counts as not moved.
 *
 * @example
 * const filled = { direction: 'for', price: 2.36, stakeMicros: 5e6, ageMs: 40_000 } as const;
 * const then = { mids: [0, 0.43], mid: 0.43, recentFills: [filled] };
 * const rule = { afterFillS: 30, leastMove: 0.02 };
 * mayQuoteAgain('for', 2.36, then, 100_000, rule); // false
 * mayQuoteAgain('for', 2.38, then, 100_000, rule); // true
 * mayQuoteAgain('for', 2.36, { ...then, mid: 0.44 }, 100_000, rule); // true
 */
export function mayQuoteAgain(
  direction: Direction,
  price: number,
  { mids, mid, recentFills = [] }: Pick<SelectionView, 'mids' | 'mid' | 'recentFills'>,
  nowMs: number,
  { afterFillS, leastMove }: AfterFill,
): boolean {
  const last = recentFills.findLast((fill) => fill.direction === direction);
  if (last === undefined) return true;
  if (last.ageMs < afterFillS * 1_000) return false;
  const isFurther = direction === 'for' ? price > last.price : price < last.price;
  if (isFurther) return true;
  const before = midAt(mids, nowMs - last.ageMs);
  return mid !== null && before !== null && Math.abs(logit(mid) - logit(before)) >= leastMove;
}

/** The mid that held at an instant; null before the first. */
function midAt(mids: readonly number[], atMs: number): number | null {
  let found: number | null = null;
  for (let at = 0; at < mids.length && (mids[at] as number) <= atMs; at += 2) found = mids[at + 1] as number;
  return found;
}

/**
 * When a market is quoted at all. 0 opens a gate of depth or age, `Infinity` that of width.
 *
 * @example
 * const gates: MarketGates = { maxWidth: 0.25, minDepth: 20, minAgeS: 5 };
 */
export interface MarketGates {
  /** The widest market, in log-odds. */
  readonly maxWidth: number;
  /** The least risk at the best price of both sides, in USDT: stake·√(price − 1), the standard deviation of a fair bet. */
  readonly minDepth: number;
  /** How long the mid must have stood, in seconds. Its course has steps of five seconds. */
  readonly minAgeS: number;
}

/**
 * The gate that a market does not pass; null if it passes all.
 *
 * @example
 * type Shut = (gate: ClosedGate) => boolean;
 * const isYoung: Shut = (gate) => gate === 'age';
 */
export type ClosedGate = 'width' | 'depth' | 'age' | null;

/**
 * The first gate that the market of a selection does not pass, in the order width, depth, age.
 *
 * @example
 * const top = topOfBook(selection.market);
 * top && closedGate(top, { mids: [0, 0.43] }, 60_000, { maxWidth: 0.25, minDepth: 20, minAgeS: 5 }); // null
 * top && closedGate(top, { mids: [0, 0.43] }, 60_000, { maxWidth: 0.01, minDepth: 0, minAgeS: 0 }); // 'width'
 */
export function closedGate(
  top: TopOfBook,
  { mids }: Pick<SelectionView, 'mids'>,
  nowMs: number,
  { maxWidth, minDepth, minAgeS }: MarketGates,
): ClosedGate {
  if (logOddsWidth(top) > maxWidth) return 'width';
  if (Math.min(riskOf(top.forTakers), riskOf(top.againstTakers)) < minDepth) return 'depth';
  const changedMs = mids.at(-2);
  if (minAgeS > 0 && (changedMs === undefined || nowMs - changedMs < minAgeS * 1_000)) return 'age';
  return null;
}

const riskOf = ({ price, maxMicros }: TopOfBook['forTakers']): number =>
  (maxMicros / 1e6) * Math.sqrt(price - 1);

/**
 * How far a price of the selection lies from fair on the side of an order, in log-odds: positive where a fill would earn.
 *
 * @example
 * halfOf('for', 2.1, 0); // 0.09531
 * halfOf('against', 2.1, 0); // -0.09531
 */
export const halfOf = (direction: Direction, price: number, fairLogOdds: number): number =>
  direction === 'for' ? fairLogOdds - logOddsOf(price) : logOddsOf(price) - fairLogOdds;
