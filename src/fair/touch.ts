/** The touch of a recorded book: the worst price of a taker who takes some risk, as a rule 20 USDT. */
import { LADDER, type Tick } from '../domain/ladder.ts';
import type { Micros } from '../domain/money.ts';
import { logOddsOf } from '../domain/odds.ts';
import type { Direction } from '../domain/selection.ts';
import { FAIR } from './options.ts';

const TICKS = LADDER.length;
/** The risk of a stake of 1 at each tick, `√(p − 1)`: the standard deviation of a fair bet, the same for both of its sides. */
const RISKS = Float64Array.from(LADDER, (price) => Math.sqrt(price - 1));
const LOG_ODDS = Float64Array.from(LADDER, logOddsOf);
const NONE = -1;

/** Recorded stake of one direction by tick. */
export interface Side {
  readonly stakes: Float64Array;
  /** The best tick for takers; -1 while the side is empty. */
  best: Tick;
  /** From the best tick to worse ones for takers. */
  readonly step: 1 | -1;
}

/** An empty side of a resting direction. Stake `against` is for takers `for`, who want the highest price. */
export const emptySide = (resting: Direction): Side => ({
  stakes: new Float64Array(TICKS),
  best: NONE,
  step: resting === 'against' ? -1 : 1,
});

/** Sets the stake at a tick. */
export function setLevel(side: Side, tick: Tick, micros: number): void {
  side.stakes[tick] = micros;
  if (micros > 0) {
    if (side.best === NONE || (tick - side.best) * side.step < 0) side.best = tick;
  } else if (tick === side.best) side.best = nextLevel(side, tick);
}

export function clearSide(side: Side): void {
  side.stakes.fill(0);
  side.best = NONE;
}

/** The first tick with stake that is worse for takers than `tick`; -1 without one. */
function nextLevel({ stakes, step }: Side, tick: Tick): Tick {
  for (let next = tick + step; next >= 0 && next < TICKS; next += step)
    if ((stakes[next] as number) > 0) return next;
  return NONE;
}

export interface Touch {
  /** Log-odds of the worst price. */
  readonly logOdds: number;
  /** Whether the side holds so much risk. A thinner one has the price at which it ends. */
  readonly isDeep: boolean;
}

/** The touch of a side; null while it is empty. */
export function touchOf(side: Side, riskMicros: Micros = FAIR.riskMicros): Touch | null {
  let leftMicros = riskMicros;
  let worst = side.best;
  for (let tick = side.best; tick !== NONE; tick = nextLevel(side, tick)) {
    worst = tick;
    leftMicros -= (side.stakes[tick] as number) * (RISKS[tick] as number);
    if (leftMicros <= 0) break;
  }
  return worst === NONE ? null : { logOdds: LOG_ODDS[worst] as number, isDeep: leftMicros <= 0 };
}
