/**
 * What one event can lose, over matched bets and open orders, as risk counts it: selections that the grid of final scores decides are
 * valued in the same score, the selections of a winner market by their one winner, every other selection by itself.
 */
import type { Micros } from '../../../domain/money.ts';
import { profitMicros, SELECTION_KINDS } from '../../../domain/odds.ts';
import type { Settlement, SettlementGrid } from '../../../domain/payoff.ts';
import type { Direction } from '../../../domain/selection.ts';
import { reduces } from '../../../risk/index.ts';

/** The terms of a bet or an order. */
export interface Terms {
  readonly selection: number;
  readonly direction: Direction;
  readonly price: number;
  readonly stakeMicros: Micros;
}

/** How the bets of a selection depend on others: by final scores, by the winner of a market, or on nothing. */
export type Link =
  | { readonly kind: 'grid'; readonly grid: CodedGrid }
  | { readonly kind: 'winner'; readonly market: number }
  | { readonly kind: 'alone' };

/** The worst case with a further order: of the event, and of its selection. */
export interface Preview {
  readonly ifOpenMicros: Micros;
  readonly ifFilledMicros: Micros;
  readonly selectionMicros: Micros;
  readonly selectionIfOpenMicros: Micros;
}

export class EventExposure {
  readonly #links: readonly Link[];
  /** Per selection: profit of matched bets if it wins and if it loses, then the losses of open orders in both. */
  readonly #win: Float64Array;
  readonly #lose: Float64Array;
  readonly #openWin: Float64Array;
  readonly #openLose: Float64Array;
  /** Selections that settle alone, and those of winner markets by market. */
  readonly #alone: readonly number[];
  readonly #winners: ReadonlyMap<number, readonly number[]>;
  /** Per final score; null without a selection that scores decide. */
  readonly #cells: { readonly matched: Float64Array; readonly open: Float64Array } | null;
  /** The sum of what each bet and open order could lose by itself. */
  grossMicros: Micros = 0;
  #worstMicros: Micros | null = 0;

  constructor(links: readonly Link[]) {
    this.#links = links;
    this.#alone = [...links.keys()].filter((at) => links[at]?.kind === 'alone');
    const winners = new Map<number, number[]>();
    for (const [at, link] of links.entries())
      if (link.kind === 'winner') winners.set(link.market, [...(winners.get(link.market) ?? []), at]);
    this.#winners = winners;
    this.#win = new Float64Array(links.length);
    this.#lose = new Float64Array(links.length);
    this.#openWin = new Float64Array(links.length);
    this.#openLose = new Float64Array(links.length);
    const first = links.find((link) => link.kind === 'grid');
    const size = first?.grid.codes.length ?? 0;
    this.#cells = size === 0 ? null : { matched: new Float64Array(size), open: new Float64Array(size) };
  }

  ifWinMicros(selection: number): Micros {
    return this.#win[selection] as Micros;
  }

  ifLoseMicros(selection: number): Micros {
    return this.#lose[selection] as Micros;
  }

  /** Contracts held on a selection, for minus against. */
  contractsMicros(selection: number): Micros {
    return this.ifWinMicros(selection) - this.ifLoseMicros(selection);
  }

  /** Adds open stake, or takes it away with `sign` -1. */
  open(terms: Terms, sign: 1 | -1): void {
    const { win, lose } = pairOf(terms);
    const { selection } = terms;
    const [openWin, openLose] = [Math.min(0, win), Math.min(0, lose)];
    this.#openWin[selection] = (this.#openWin[selection] as number) + sign * openWin;
    this.#openLose[selection] = (this.#openLose[selection] as number) + sign * openLose;
    this.grossMicros -= sign * Math.min(openWin, openLose);
    this.#addCells('open', terms, sign);
    this.#worstMicros = null;
  }

  matched(terms: Terms): void {
    const { win, lose } = pairOf(terms);
    const { selection } = terms;
    this.#win[selection] = (this.#win[selection] as number) + win;
    this.#lose[selection] = (this.#lose[selection] as number) + lose;
    this.grossMicros -= Math.min(0, win, lose);
    this.#addCells('matched', terms, 1);
    this.#worstMicros = null;
  }

  /** The least profit over all outcomes, "everything is void" included: at most 0. */
  worstMicros(): Micros {
    this.#worstMicros ??= this.#worstWith(null, 0, 0);
    return this.#worstMicros;
  }

  preview(terms: Terms): Preview {
    const { win, lose } = pairOf(terms);
    const [openWin, openLose] = [Math.min(0, win), Math.min(0, lose)];
    const { selection } = terms;
    return {
      ifOpenMicros: this.#worstWith(terms, openWin, openLose),
      ifFilledMicros: this.#worstWith(terms, win, lose),
      selectionMicros: this.#worstOfPair(selection, 0, 0),
      selectionIfOpenMicros: this.#worstOfPair(selection, openWin, openLose),
    };
  }

  /** Whether an order reduces risk, as risk defines it. */
  reduces(terms: Terms): boolean {
    const { win, lose } = pairOf(terms);
    return reduces(
      { matched: this.#worstWith(null, 0, 0, 0), possible: this.worstMicros() },
      { matched: this.#worstWith(terms, win, lose, 0), possible: this.#worstWith(terms, win, lose) },
    );
  }

  /** The same of its selection by itself. */
  reducesSelection(terms: Terms): boolean {
    const { selection } = terms;
    const { win, lose } = pairOf(terms);
    return reduces(
      { matched: this.#worstOfPair(selection, 0, 0, 0), possible: this.#worstOfPair(selection, 0, 0) },
      {
        matched: this.#worstOfPair(selection, win, lose, 0),
        possible: this.#worstOfPair(selection, win, lose),
      },
    );
  }

  #worstOfPair(selection: number, win: Micros, lose: Micros, open: 0 | 1 = 1): Micros {
    return Math.min(0, this.#totalWin(selection, open) + win, this.#totalLose(selection, open) + lose);
  }

  #totalWin(selection: number, open: 0 | 1 = 1): Micros {
    return (this.#win[selection] as number) + open * (this.#openWin[selection] as number);
  }

  #totalLose(selection: number, open: 0 | 1 = 1): Micros {
    return (this.#lose[selection] as number) + open * (this.#openLose[selection] as number);
  }

  /** The worst case if further terms paid `win` and `lose` on their selection; with `open` 0 every open order lapses. */
  #worstWith(terms: Terms | null, win: Micros, lose: Micros, open: 0 | 1 = 1): Micros {
    let total = this.#worstOfCells(terms, win, lose, open);
    for (const selection of this.#alone) {
      const isIt = terms?.selection === selection;
      const ifWin = this.#totalWin(selection, open) + (isIt ? win : 0);
      const ifLose = this.#totalLose(selection, open) + (isIt ? lose : 0);
      total += Math.min(0, ifWin, ifLose);
    }
    for (const selections of this.#winners.values()) {
      let [beaten, gain] = [0, 0];
      for (const selection of selections) {
        const isIt = terms?.selection === selection;
        const lost = Math.min(0, this.#totalLose(selection, open) + (isIt ? lose : 0));
        beaten += lost;
        gain = Math.min(gain, this.#totalWin(selection, open) + (isIt ? win : 0) - lost);
      }
      total += beaten + gain;
    }
    return total;
  }

  #worstOfCells(terms: Terms | null, win: Micros, lose: Micros, withOpen: 0 | 1): Micros {
    if (this.#cells === null) return 0;
    const link = terms === null ? undefined : this.#links[terms.selection];
    const { matched, open } = this.#cells;
    let least = 0;
    if (terms === null || link?.kind !== 'grid') {
      for (let cell = 0; cell < matched.length; cell++)
        least = Math.min(least, (matched[cell] as number) + withOpen * (open[cell] as number));
      return least;
    }
    const isOpen = win <= 0 && lose <= 0;
    const payoffs = payoffsOf(terms, link.grid, isOpen);
    const { codes } = link.grid;
    for (let cell = 0; cell < matched.length; cell++) {
      const payoff = payoffs[codes[cell] as number] as number;
      least = Math.min(least, (matched[cell] as number) + withOpen * (open[cell] as number) + payoff);
    }
    return least;
  }

  #addCells(to: 'matched' | 'open', terms: Terms, sign: 1 | -1): void {
    const link = this.#links[terms.selection];
    if (this.#cells === null || link?.kind !== 'grid') return;
    const cells = this.#cells[to];
    const payoffs = payoffsOf(terms, link.grid, to === 'open');
    const { codes } = link.grid;
    for (let cell = 0; cell < cells.length; cell++)
      cells[cell] = (cells[cell] as number) + sign * (payoffs[codes[cell] as number] as number);
  }
}

/** A grid of final scores as codes of its few distinct settlements. */
export interface CodedGrid {
  readonly codes: Uint8Array;
  readonly settlements: readonly Settlement[];
}

/** The grid with each distinct settlement once. */
export function codedGrid({ won, lost }: SettlementGrid): CodedGrid {
  const settlements: Settlement[] = [];
  const codes = Uint8Array.from(won, (share, cell) => {
    const settlement = { won: share, lost: lost[cell] as number };
    const known = settlements.findIndex((each) => each.won === share && each.lost === settlement.lost);
    return known === -1 ? settlements.push(settlement) - 1 : known;
  });
  return { codes, settlements };
}

/** More than the distinct settlements of any bet type. */
const PAYOFFS = new Float64Array(16);

/** The profit of a bet by the code of its settlement; of an open order the losses alone. Holds until the next call. */
function payoffsOf({ direction, price, stakeMicros }: Terms, grid: CodedGrid, isOpen: boolean): Float64Array {
  const kind = SELECTION_KINDS[direction];
  for (let code = 0; code < grid.settlements.length; code++) {
    const micros = profitMicros(kind, stakeMicros, price, grid.settlements[code] as Settlement);
    PAYOFFS[code] = isOpen ? Math.min(0, micros) : micros;
  }
  return PAYOFFS;
}

/** Profit of a bet if its selection wins and if it loses, in whole micros. Both directions mirror each other. */
function pairOf({ direction, price, stakeMicros }: Terms): { readonly win: Micros; readonly lose: Micros } {
  const gain = Math.round(stakeMicros * (price - 1));
  return direction === 'for' ? { win: gain, lose: 0 - stakeMicros } : { win: 0 - gain, lose: stakeMicros };
}
