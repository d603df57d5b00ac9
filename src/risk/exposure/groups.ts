import type { SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { type Bet, CELL_COUNT, OUTCOME, type OutcomeGrid, type Payoffs } from './payoffs.ts';
import type { Reachable } from './reachable.ts';
import { reduces, worsensNothing, type WorstCases } from './reducing.ts';

/** A bet in the book. A matched bet counts in every final state; an open bet counts only where it would lose. */
export interface Entry {
  readonly bet: Bet;
  readonly matched: boolean;
  /** Held until it is settled: matched, in doubt, or of unknown direction. False for an order that may still be matched. */
  readonly held: boolean;
  readonly payoffs: Payoffs;
  /** Set when the score grid decides the bet. */
  readonly outcomes: OutcomeGrid | null;
}

/** The effect of a further order. */
export interface Preview {
  /** The least profit over all final states while the order is open; at most 0. */
  readonly ifOpen: Micros;
  /** The order reduces risk (`reducing.ts`). Bets in doubt count as orders that may lapse. */
  readonly reduces: boolean;
  /** No subset of fills with it is worse than without it (`reducing.ts`). So it is with each order that reduces. */
  readonly worsensNothing: boolean;
  /** The same of what is matched, if every open order lapses. */
  readonly worsensNothingMatched: boolean;
}

/**
 * Bets whose outcomes depend on each other: all of them are valued in the same final state. Groups are valued
 * independently of each other, which can only overstate a loss.
 */
export interface Group {
  add(entry: Entry): void;
  remove(entry: Entry): void;
  /** The least profit over the group's final states, "everything is void" included: at most 0. */
  worst(): Micros;
  /**
   * The least profit of what is held, open orders left out. Above 0 only where the score grid proves a gain in every final
   * score. A selection without a grid may also be void.
   */
  least(): Micros;
  /** The least profit if a further bet were added. */
  preview(bet: Pick<Entry, 'bet' | 'payoffs' | 'outcomes'>): Preview;
}

/** The worst cases without an order, with it matched, and with its losses alone. */
interface OrderCases {
  readonly without: WorstCases;
  readonly filled: WorstCases;
  readonly open: WorstCases;
}

const previewFrom = ({ without, filled, open }: OrderCases): Preview => ({
  ifOpen: open.possible,
  reduces: reduces(without, filled),
  worsensNothing: worsensNothing(without, open),
  worsensNothingMatched: open.matched >= without.matched,
});

/** Every bet of one event that the grid of final scores decides. */
export class ScoreGroup implements Group {
  readonly matched = new Float64Array(CELL_COUNT);
  readonly open = new Float64Array(CELL_COUNT);
  /** Losses of bets that are held but not known to win anything. */
  readonly #doubtful = new Float64Array(CELL_COUNT);
  #worst: Micros | null = 0;
  #least: Micros | null = 0;
  /** The final scores that are still possible; null: all. */
  #reachable: Reachable | null = null;

  /** From now on the group is valued in these final scores alone. */
  setReachable(reachable: Reachable | null): void {
    this.#reachable = reachable;
    [this.#worst, this.#least] = [null, null];
  }

  add(entry: Entry): void {
    this.#apply(entry, 1);
  }

  remove(entry: Entry): void {
    this.#apply(entry, -1);
  }

  worst(): Micros {
    this.#worst ??= this.#leastProfit();
    return this.#worst;
  }

  least(): Micros {
    if (this.#least !== null) return this.#least;
    let least = Infinity;
    const reachable = this.#reachable;
    for (let cell = 0; cell < CELL_COUNT; cell++)
      if (reachable === null || reachable[cell] === 1)
        least = Math.min(least, (this.matched[cell] as number) + (this.#doubtful[cell] as number));
    this.#least = least;
    return least;
  }

  /** What is held pays in each final score, row by row. */
  held(): readonly Micros[] {
    return Array.from(this.matched, (micros, cell) => micros + (this.#doubtful[cell] as number));
  }

  /** What is held pays in each final score, row by row; null where the event can no longer end so. */
  heldIfReached(): readonly (Micros | null)[] {
    return this.held().map((micros, cell) => (this.#isReachable(cell) ? micros : null));
  }

  preview({ payoffs, outcomes }: Pick<Entry, 'payoffs' | 'outcomes'>): Preview {
    let [ifOpen, matched, matchedIfOpen] = [0, 0, 0];
    const filled = { matched: 0, possible: 0 };
    const reachable = this.#reachable;
    for (let cell = 0; cell < CELL_COUNT; cell++) {
      if (reachable !== null && reachable[cell] !== 1) continue;
      const held = this.matched[cell] as number;
      const total = held + (this.#doubtful[cell] as number) + (this.open[cell] as number);
      const payoff = payoffIn(cell, payoffs, outcomes);
      ifOpen = Math.min(ifOpen, payoff < 0 ? total + payoff : total);
      matched = Math.min(matched, held);
      matchedIfOpen = Math.min(matchedIfOpen, payoff < 0 ? held + payoff : held);
      filled.matched = Math.min(filled.matched, held + payoff);
      filled.possible = Math.min(filled.possible, total + payoff);
    }
    const without = { matched, possible: this.worst() };
    const open = { matched: matchedIfOpen, possible: ifOpen };
    return previewFrom({ without, filled, open });
  }

  /** The cell with the least profit, as a score; for people. */
  worstScore(): { readonly home: number; readonly away: number } {
    const first = Math.max(0, this.#reachable?.indexOf(1) ?? 0);
    const least = this.matched.reduce(
      (best, _, cell) => (this.#isReachable(cell) && this.#total(cell) < this.#total(best) ? cell : best),
      first,
    );
    const size = Math.sqrt(CELL_COUNT);
    return { home: Math.floor(least / size), away: least % size };
  }

  /** The final scores that are still possible. */
  reachableCells(): readonly number[] {
    return Array.from({ length: CELL_COUNT }, (_, cell) => cell).filter((cell) => this.#isReachable(cell));
  }

  #isReachable(cell: number): boolean {
    return this.#reachable === null || this.#reachable[cell] === 1;
  }

  #total(cell: number): Micros {
    return (this.matched[cell] as number) + (this.#doubtful[cell] as number) + (this.open[cell] as number);
  }

  #leastProfit(): Micros {
    let least = 0;
    const reachable = this.#reachable;
    for (let cell = 0; cell < CELL_COUNT; cell++)
      if (reachable === null || reachable[cell] === 1) least = Math.min(least, this.#total(cell));
    return least;
  }

  #apply({ matched, held, payoffs, outcomes }: Entry, sign: 1 | -1): void {
    const target = matched ? this.matched : held ? this.#doubtful : this.open;
    for (let cell = 0; cell < CELL_COUNT; cell++) {
      const payoff = payoffIn(cell, payoffs, outcomes);
      target[cell] = (target[cell] as number) + sign * (matched ? payoff : Math.min(0, payoff));
    }
    this.#worst = null;
    this.#least = null;
  }
}

/** What a bet pays in a cell of the grid of final scores. */
export function payoffIn(cell: number, payoffs: Payoffs, outcomes: OutcomeGrid | null): Micros {
  return payoffs[outcomes?.[cell] ?? OUTCOME.unknown] as number;
}

/** Profit of one selection's bets if it wins and if it loses; half outcomes lie between and need no place of their own. */
export interface Pair {
  readonly win: Micros;
  readonly lose: Micros;
}

const FLAT: Pair = { win: 0, lose: 0 };

interface PairSource {
  readonly bet: Pick<Bet, 'direction'>;
  readonly matched: boolean;
  readonly payoffs: Payoffs;
}

/** Profit of one bet if its *selection* wins or loses. An open bet counts only where it would lose. */
export function pairOf({ bet, matched, payoffs }: PairSource): Pair {
  const won = payoffs[OUTCOME.win] as number;
  const lost = payoffs[OUTCOME.loss] as number;
  const pair = bet.direction === 'for' ? { win: won, lose: lost } : { win: lost, lose: won };
  return matched ? pair : { win: Math.min(0, pair.win), lose: Math.min(0, pair.lose) };
}

const plus = (a: Pair, b: Pair, sign: 1 | -1 = 1): Pair => ({
  win: a.win + sign * b.win,
  lose: a.lose + sign * b.lose,
});

/** A selection by itself: the fallback when no link between its market and others is known. */
export class SelectionGroup implements Group {
  readonly #selectionId: SelectionId;
  #matched: Pair = FLAT;
  /** Losses of bets that are held but not known to win anything. */
  #doubtful: Pair = FLAT;
  #open: Pair = FLAT;

  constructor(selectionId: SelectionId) {
    this.#selectionId = selectionId;
  }

  add(entry: Entry): void {
    this.#apply(entry, 1);
  }

  remove(entry: Entry): void {
    this.#apply(entry, -1);
  }

  worst(): Micros {
    return worstOfPair(this.#total());
  }

  least(): Micros {
    return worstOfPair(plus(this.#matched, this.#doubtful));
  }

  /** What is held pays on the selection if it wins and if it loses. */
  held(): ReadonlyMap<SelectionId, Pair> {
    return new Map([[this.#selectionId, plus(this.#matched, this.#doubtful)]]);
  }

  preview(bet: Pick<Entry, 'bet' | 'payoffs'>): Preview {
    const now = this.#total();
    const worstWith = (pair: Pair): WorstCases => ({
      matched: worstOfPair(plus(this.#matched, pair)),
      possible: worstOfPair(plus(now, pair)),
    });
    const [without, filled] = [worstWith(FLAT), worstWith(pairOf({ ...bet, matched: true }))];
    const open = worstWith(pairOf({ ...bet, matched: false }));
    return previewFrom({ without, filled, open });
  }

  #total(): Pair {
    return plus(plus(this.#matched, this.#doubtful), this.#open);
  }

  #apply(entry: Entry, sign: 1 | -1): void {
    if (entry.matched) this.#matched = plus(this.#matched, pairOf(entry), sign);
    else if (entry.held) this.#doubtful = plus(this.#doubtful, pairOf(entry), sign);
    else this.#open = plus(this.#open, pairOf(entry), sign);
  }
}

const worstOfPair = (pair: Pair): Micros => Math.min(0, pair.win, pair.lose);

/**
 * A market in which exactly one selection wins (an outright's winner). The winner may be a runner without bets here. Any
 * other runner may be a non-runner, whose bets are void. Dead heats pay between these cases and need no case of their own.
 */
export class WinnerGroup implements Group {
  readonly #pairs = new Map<SelectionId, Pair>();
  /** The part of the pairs that is held. */
  readonly #held = new Map<SelectionId, Pair>();
  /** The part of the pairs that is matched for certain. */
  readonly #matched = new Map<SelectionId, Pair>();

  add(entry: Entry): void {
    this.#put(entry, 1);
  }

  remove(entry: Entry): void {
    this.#put(entry, -1);
  }

  worst(): Micros {
    return worstOfWinner(this.#pairs);
  }

  least(): Micros {
    return worstOfWinner(this.#held);
  }

  /** What is held pays on each selection if it wins and if it loses. */
  held(): ReadonlyMap<SelectionId, Pair> {
    return this.#held;
  }

  preview(bet: Pick<Entry, 'bet' | 'payoffs'>): Preview {
    const { selectionId } = bet.bet;
    const worstWith = (extra: Pair): WorstCases => ({
      matched: worstOfWinner(this.#matched, { selectionId, extra }),
      possible: worstOfWinner(this.#pairs, { selectionId, extra }),
    });
    const [without, filled] = [worstWith(FLAT), worstWith(pairOf({ ...bet, matched: true }))];
    const open = worstWith(pairOf({ ...bet, matched: false }));
    return previewFrom({ without, filled, open });
  }

  #put(entry: Entry, sign: 1 | -1): void {
    this.#putIn(this.#pairs, entry, sign);
    if (entry.held) this.#putIn(this.#held, entry, sign);
    if (entry.matched) this.#putIn(this.#matched, entry, sign);
  }

  #putIn(pairs: Map<SelectionId, Pair>, entry: Entry, sign: 1 | -1): void {
    const { selectionId } = entry.bet;
    pairs.set(selectionId, plus(pairs.get(selectionId) ?? FLAT, pairOf(entry), sign));
  }
}

/** The least profit of a winner market, if a further bet pays `extra` on a selection. */
function worstOfWinner(
  pairs: ReadonlyMap<SelectionId, Pair>,
  further: { readonly selectionId: SelectionId; readonly extra: Pair } | null = null,
): Micros {
  let allBeaten = 0;
  let winnersGain = 0;
  const weigh = (pair: Pair): void => {
    const beaten = Math.min(0, pair.lose);
    allBeaten += beaten;
    winnersGain = Math.min(winnersGain, pair.win - beaten);
  };
  for (const [id, pair] of pairs) weigh(id === further?.selectionId ? plus(pair, further.extra) : pair);
  if (further !== null && !pairs.has(further.selectionId)) weigh(further.extra);
  return allBeaten + winnersGain;
}
