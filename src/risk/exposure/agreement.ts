import type { BetType } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { Position } from '../../domain/orders.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { directionOf } from '../../domain/selection.ts';
import type { EventBets } from './event-bets.ts';
import { CELL_COUNT, OUTCOME } from './payoffs.ts';

/** Where the exchange's position of an event is not ours. */
export interface Disagreement {
  /** Largest difference over the final scores; 0 where the grids cannot be compared. */
  readonly gridMicros: Micros;
  readonly stakes: readonly StakeDifference[];
}

export interface StakeDifference {
  readonly betType: BetType;
  readonly oursMicros: Micros;
  readonly theirsMicros: Micros;
}

/** Amounts on the wire may be rounded to cents, once for each bet. */
const TOLERANCE_MICROS = 10_000;

/**
 * Compares matched bets: stakes by bet type, and payoffs by final score where every bet is on the grid. Bets of a type
 * without a known direction count as no matched ones here, so theirs are left out, too.
 */
export function compareWithExchange(bets: EventBets | null, position: Position): Disagreement | null {
  const stakes = differingStakes(bets, position);
  const gridMicros = gridDifference(bets, position);
  return stakes.length === 0 && gridMicros === 0 ? null : { gridMicros, stakes };
}

function differingStakes(bets: EventBets | null, { sport, totals }: Position): StakeDifference[] {
  const ours = new Map<BetType, { micros: Micros; bets: number }>();
  for (const { bet, matched } of entriesOf(bets)) {
    if (!matched || bet.sport !== sport) continue;
    const { micros, bets } = ours.get(bet.betType) ?? { micros: 0, bets: 0 };
    ours.set(bet.betType, { micros: micros + bet.stakeMicros, bets: bets + 1 });
  }
  return [...new Set([...ours.keys(), ...totals.keys()])].filter(isReadable).flatMap((betType) => {
    const { micros: oursMicros, bets } = ours.get(betType) ?? { micros: 0, bets: 0 };
    const theirsMicros = totals.get(betType)?.gotStakeMicros ?? 0;
    const differs = Math.abs(oursMicros - theirsMicros) > TOLERANCE_MICROS * Math.max(1, bets);
    return differs ? [{ betType, oursMicros, theirsMicros }] : [];
  });
}

/** Largest difference beyond rounding over the scores at which we can read what every bet pays, else 0. */
function gridDifference(bets: EventBets | null, { sport, totals, payoffGridMicros }: Position): Micros {
  // What cannot be read may be in their payoffs; it is not in ours.
  if (![...totals.keys()].every(isReadable)) return 0;
  const matched = entriesOf(bets).filter((entry) => entry.matched && entry.bet.sport === sport);
  if (matched.some(({ outcomes }) => outcomes === null)) return 0;
  const ours = bets?.scoreGroup(sport)?.matched ?? new Float64Array(CELL_COUNT);
  let largest = 0;
  for (let cell = 0; cell < CELL_COUNT; cell++) {
    // A code that we cannot read is a loss for us alone.
    if (matched.some(({ outcomes }) => outcomes?.[cell] === OUTCOME.unknown)) continue;
    const theirs = payoffGridMicros?.[Math.floor(cell / GRID_SIZE)]?.[cell % GRID_SIZE] ?? 0;
    largest = Math.max(largest, Math.abs((ours[cell] as number) - theirs));
  }
  return largest > TOLERANCE_MICROS * Math.max(1, matched.length) ? largest : 0;
}

const isReadable = (betType: BetType): boolean => directionOf(betType) !== null;

const entriesOf = (bets: EventBets | null) => Array.from(bets?.entries() ?? [], ([, entry]) => entry);
