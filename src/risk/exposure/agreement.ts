import { eventKey, type EventName } from '../../domain/events.ts';
import type { BetType, EventKey } from '../../domain/ids.ts';
import { type Micros, ROUNDING_MICROS } from '../../domain/money.ts';
import type { Position, PositionTotal } from '../../domain/orders.ts';
import { GRID_SIZE } from '../../domain/payoff.ts';
import { directionOf } from '../../domain/selection.ts';
import { isOfDoubtfulBet } from './entry-keys.ts';
import type { EventBets } from './event-bets.ts';
import type { Entry } from './groups.ts';
import { type Bet, CELL_COUNT, OUTCOME } from './payoffs.ts';

/** How the exchange's position of an event differs from ours. */
export interface Disagreement {
  /** Largest difference over the final scores; 0 where the grids cannot be compared. */
  readonly gridMicros: Micros;
  readonly stakes: readonly StakeDifference[];
}

export interface StakeDifference {
  readonly betType: BetType;
  readonly oursMicros: Micros;
  /** Bets in doubt make the exchange's stake a range; this is its value nearest to ours. */
  readonly theirsMicros: Micros;
}

/**
 * Compares matched bets: stakes by bet type, each in its own terms and normal and `lay` bets together, and payoffs by final score
 * where every bet is on the grid and none in doubt.
 * Bet types without a known direction are left out on both sides: our bets of such a type do not count as matched. So are those whose
 * totals cannot be read.
 */
export function compareWithExchange(bets: EventBets | null, position: Position): Disagreement | null {
  const stakes = differingStakes(bets, position);
  const gridMicros = gridDifference(bets, position);
  return stakes.length === 0 && gridMicros === 0 ? null : { gridMicros, stakes };
}

function differingStakes(bets: EventBets | null, { totals, unreadTypes }: Position): StakeDifference[] {
  const ours = new Map<BetType, { micros: Micros; count: number }>();
  for (const [key, { bet, matched, held }] of entriesOf(bets)) {
    // A bet of unknown terms has an entry in each direction. Its stake is known, and counts once.
    const isDoubtful = held && isOfDoubtfulBet(key) && bet.direction === 'for';
    if (!matched && !isDoubtful) continue;
    const { micros, count } = ours.get(bet.betType) ?? { micros: 0, count: 0 };
    ours.set(bet.betType, { micros: micros + bet.stakeMicros, count: count + 1 });
  }
  const isTold = (betType: BetType): boolean => isReadable(betType) && unreadTypes?.has(betType) !== true;
  return [...new Set([...ours.keys(), ...totals.keys()])].filter(isTold).flatMap((betType) => {
    const { micros: oursMicros, count } = ours.get(betType) ?? { micros: 0, count: 0 };
    const theirsMicros = nearestStake(totals.get(betType), oursMicros);
    const differs = Math.abs(oursMicros - theirsMicros) > ROUNDING_MICROS * Math.max(1, count);
    return differs ? [{ betType, oursMicros, theirsMicros }] : [];
  });
}

/**
 * The exchange moves a bet in doubt from its got stake to its unknown stake. We count the bet as before. A bet in doubt from
 * the start counts only when its stake was reported as matched.
 */
function nearestStake(total: PositionTotal | undefined, oursMicros: Micros): Micros {
  if (total === undefined) return 0;
  const { gotStakeMicros, unknownStakeMicros } = total;
  return Math.min(Math.max(oursMicros, gotStakeMicros), gotStakeMicros + unknownStakeMicros);
}

const matchedOf = (bets: EventBets | null): readonly Entry[] =>
  entriesOf(bets).flatMap(([, entry]) => (entry.matched ? [entry] : []));

/** Largest difference beyond rounding over the scores at which we can read what every bet pays, else 0. */
function gridDifference(bets: EventBets | null, position: Position): Micros {
  if (!tellsAllPayoffs(position) || hasDoubtful(bets)) return 0;
  const matched = matchedOf(bets);
  if (matched.some(({ outcomes }) => outcomes === null)) return 0;
  const largest = Math.max(0, ...cellsOf(bets, position).map(({ ours, theirs }) => Math.abs(ours - theirs)));
  return largest > ROUNDING_MICROS * Math.max(1, matched.length) ? largest : 0;
}

/** What our matched bets pay at a final score, and what the exchange says that they pay. */
export interface PayoffCell {
  readonly home: number;
  readonly away: number;
  readonly ours: Micros;
  readonly theirs: Micros;
}

/** The scores at which we can read what every matched bet pays. */
function cellsOf(bets: EventBets | null, { payoffGridMicros }: Position): PayoffCell[] {
  const matched = matchedOf(bets);
  const grid = bets?.scoreGroup()?.matched ?? new Float64Array(CELL_COUNT);
  return Array.from(grid, (ours, cell) => {
    const [home, away] = [Math.floor(cell / GRID_SIZE), cell % GRID_SIZE];
    return { home, away, ours, theirs: payoffGridMicros?.[home]?.[away] ?? 0 };
    // An unreadable outcome counts as a loss only on our side, so the scores cannot be compared.
  }).filter((_, cell) => !matched.some(({ outcomes }) => outcomes?.[cell] === OUTCOME.unknown));
}

/**
 * The payoffs of an event's matched bets beside the exchange's.
 * - `none`: nothing is matched.
 * - `off grid`: no final score decides some bet.
 * - `not yet`: a grid is still looked up, or the exchange has bets in doubt.
 */
export type GridComparison =
  | { readonly kind: 'none' | 'off grid' | 'not yet' }
  | { readonly kind: 'compared'; readonly agrees: boolean; readonly cells: readonly PayoffCell[] };

/** `isAwaited` tells whether the grid of a bet may still be found. */
export function compareGrids(
  bets: EventBets | null,
  position: Position,
  isAwaited: (bet: Bet) => boolean,
): GridComparison {
  const matched = matchedOf(bets);
  if (matched.length === 0) return { kind: 'none' };
  const without = matched.filter(({ outcomes }) => outcomes === null);
  if (without.some(({ bet }) => isAwaited(bet))) return { kind: 'not yet' };
  if (without.length > 0) return { kind: 'off grid' };
  if (!tellsAllPayoffs(position)) return { kind: 'not yet' };
  const agrees = gridDifference(bets, position) === 0;
  return { kind: 'compared', agrees, cells: cellsOf(bets, position) };
}

/**
 * Whether the exchange's payoffs cover exactly the bets that we count. The exchange omits bets in doubt without naming them,
 * and may include bet types that we cannot read. Totals that cannot be read may name such types.
 */
const tellsAllPayoffs = ({ totals, unreadTypes, unknownBetsCount }: Position): boolean =>
  unknownBetsCount === 0 && [...totals.keys(), ...(unreadTypes ?? [])].every(isReadable);

/** Whether it is unknown what some bet of a readable type pays. */
const hasDoubtful = (bets: EventBets | null): boolean =>
  entriesOf(bets).some(([key, { bet }]) => isOfDoubtfulBet(key) && isReadable(bet.betType));

const entriesOf = (bets: EventBets | null) => [...(bets?.entries() ?? [])];

const isReadable = (betType: BetType): boolean => directionOf(betType) !== null;

/** Fills and positions arrive by different paths, so a single difference may be a matter of timing. */
const TOLERATED_IN_A_ROW = 2;

/** Compares the exchange's position with ours repeatedly. */
export class PositionAudit {
  readonly #differed = new Map<EventKey, number>();

  /** Returns a disagreement once it has persisted for more than two comparisons in a row. */
  compare(bets: EventBets | null, position: Position): Disagreement | null {
    const key = eventKey(position);
    const disagreement = compareWithExchange(bets, position);
    const times = disagreement === null ? 0 : (this.#differed.get(key) ?? 0) + 1;
    this.#differed.set(key, times);
    return times > TOLERATED_IN_A_ROW ? disagreement : null;
  }

  /** Whether a disagreement persists. With many events, the next comparison is minutes away. */
  differs(event: EventName): boolean {
    return (this.#differed.get(eventKey(event)) ?? 0) > TOLERATED_IN_A_ROW;
  }

  forget(event: EventName): void {
    this.#differed.delete(eventKey(event));
  }
}
