/**
 * A second opinion on which orders reduce risk: every final state of an event, and in each every subset of the open orders
 * filled, one by one. It shares no code with what it judges.
 */
import type { PriceKind } from '../../../src/domain/odds.ts';
import { LOSS, PUSH, type Settlement, WIN } from '../../../src/domain/payoff.ts';
import { PROFIT, settlementsOf } from './oracle.ts';

/** A stake: matched, open, or offered. Stakes are whole cents, so that everything pays whole micros. */
export interface Stake {
  readonly betType: string;
  readonly kind: PriceKind;
  readonly price: number;
  readonly stakeMicros: number;
}

/** How the selections of an event depend on each other. */
export type World = 'scores' | 'winner' | 'alone';

export const RUNNERS = ['win,1', 'win,2', 'win,3'] as const;
export const LONERS = ['x', 'y', 'z'] as const;

const selectionOf = (betType: string): string => betType.slice(betType.indexOf(',') + 1);

/** What each selection does in each final state. */
type FinalState = ReadonlyMap<string, Settlement>;

const combined = (names: readonly string[], ends: readonly Settlement[]): FinalState[] =>
  names.reduce<FinalState[]>(
    (states, name) => states.flatMap((state) => ends.map((end) => new Map([...state, [name, end]]))),
    [new Map()],
  );

/** Any runner may win, or one without bets; each other one is beaten, or does not run and is void. */
const WINNERS: readonly FinalState[] = [
  ...RUNNERS.flatMap((winner) =>
    combined(
      RUNNERS.filter((name) => name !== winner),
      [LOSS, PUSH],
    ).map((state) => new Map([...state, [winner, WIN]])),
  ),
  ...combined(RUNNERS, [LOSS, PUSH]),
];
const ALONE: readonly FinalState[] = combined(LONERS, [WIN, LOSS, PUSH]);

/** What a stake pays in each final state of its world, the void of everything included. */
function paysIn(world: World, { betType, kind, price, stakeMicros }: Stake): number[] {
  const ends =
    world === 'scores'
      ? settlementsOf(betType)
      : (world === 'winner' ? WINNERS : ALONE).map((state) => state.get(selectionOf(betType)) ?? PUSH);
  return [0, ...ends.map((end) => Math.round(PROFIT[kind](stakeMicros, price, end)))];
}

/** The least that matched bets pay with any subset of open orders filled, over all final states. */
function leastOf(world: World, matched: readonly Stake[], open: readonly Stake[]): number {
  const certain = matched.map((stake) => paysIn(world, stake));
  const possible = open.map((stake) => paysIn(world, stake));
  const states = paysIn(world, { betType: 'for,h', kind: 'odds-for', price: 2, stakeMicros: 0 }).length;
  const totals = new Float64Array(2 ** open.length);
  let least = Infinity;
  for (let state = 0; state < states; state++) {
    totals[0] = certain.reduce((sum, pays) => sum + (pays[state] as number), 0);
    // Each order doubles the subsets: all so far without it, and all of them with it.
    for (const [at, pays] of possible.entries())
      for (let subset = 0; subset < 2 ** at; subset++)
        totals[2 ** at + subset] = (totals[subset] as number) + (pays[state] as number);
    for (const total of totals) if (total < least) least = total;
  }
  return least;
}

/** What the second opinion says of a further order. Amounts in micros, at most 0. */
export interface Opinion {
  readonly reduces: boolean;
  /** The order would improve the worst case only together with open orders, which may lapse. */
  readonly leansOnOpen: boolean;
  /** The order would improve what is matched, but with some fills leave the account worse off than before. */
  readonly mayReverse: boolean;
  /** The worst case over all fills, the order's own included. */
  readonly worstMicros: number;
}

export function opinionOn(
  world: World,
  matched: readonly Stake[],
  open: readonly Stake[],
  further: Stake,
): Opinion {
  const more = [...matched, further];
  const before = { matched: leastOf(world, matched, []), possible: leastOf(world, matched, open) };
  const after = { matched: leastOf(world, more, []), possible: leastOf(world, more, open) };
  const improves = after.matched > before.matched;
  return {
    reduces: improves && after.possible >= before.possible,
    leansOnOpen: !improves && after.possible > before.possible,
    mayReverse: improves && after.possible < before.possible,
    worstMicros: Math.min(before.possible, after.possible),
  };
}
