/**
 * A second opinion on exposure: slow, written from the definition alone, sharing no code with what it judges. It keeps
 * every order and fill in plain lists and adds everything up anew each time it is asked.
 */
import type { PriceKind } from '../../../src/domain/odds.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, type Settlement, WIN } from '../../../src/domain/payoff.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { SCORES, settleAt } from '../../support/bet-types.ts';

interface OracleOrder {
  readonly betType: string;
  readonly kind: PriceKind;
  readonly price: number;
  readonly stake: number;
  reported: number;
  over: boolean;
  readonly fills: { readonly price: number; readonly stake: number }[];
}

interface Stake {
  readonly betType: string;
  readonly kind: PriceKind;
  readonly price: number;
  readonly stake: number;
  readonly certain: boolean;
}

const settlements = new Map<string, readonly Settlement[]>();

/** Settlement of the selection at each score, home goals first. */
export function settlementsOf(betType: string): readonly Settlement[] {
  const known = settlements.get(betType);
  if (known !== undefined) return known;
  const parsed = parseBetType('fb', betType);
  if (parsed === null) throw new Error(`no such bet type: ${betType}`);
  const all = SCORES.map(([home, away]) => settleAt(parsed, home, away));
  settlements.set(betType, all);
  return all;
}

/** The profit of a bet on one side at odds: on the selection, or on "it does not win". */
const ofOdds = (stake: number, price: number, won: number, lost: number): number =>
  won * stake * (price - 1) - lost * stake;

/** By kind of price. Who lays a bet gets the opposite of who has it. */
export const PROFIT: Readonly<Record<PriceKind, (stake: number, price: number, end: Settlement) => number>> =
  {
    'odds-for': (stake, price, { won, lost }) => ofOdds(stake, price, won, lost),
    'odds-against': (stake, price, { won, lost }) => ofOdds(stake, price, lost, won),
    'lay-for': (stake, price, { won, lost }) => -ofOdds(stake, price, won, lost),
    'lay-against': (stake, price, { won, lost }) => -ofOdds(stake, price, lost, won),
  };

const counted = (stake: Stake, settlement: Settlement): number => {
  const result = PROFIT[stake.kind](stake.stake, stake.price, settlement);
  return stake.certain ? result : Math.min(0, result);
};

const add = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The bets and orders of one event, and their worst case. Amounts in micros. */
export class OracleEvent {
  readonly orders = new Map<string, OracleOrder>();
  readonly onGrid = new Set<string>();

  open(uuid: string, bet: Omit<Stake, 'certain'>): void {
    this.orders.set(uuid, { ...bet, reported: 0, over: false, fills: [] });
  }

  worst(): number {
    const stakes = this.#stakes();
    const gridded = stakes.filter(({ betType }) => this.#isOnGrid(betType));
    const others = Map.groupBy(
      stakes.filter(({ betType }) => !this.#isOnGrid(betType)),
      ({ betType }) => selectionOf(betType),
    );
    return Math.round(worstOfScores(gridded) + add([...others.values()].map(worstOfSelection)));
  }

  /**
   * Whether a pending lookup may show that held bets cancel bets on other selections than this bet type’s.
   */
  isProvisional(betType: string): boolean {
    const held = this.#stakes().filter(({ stake }) => stake > 0);
    const others = held.filter((each) => selectionOf(each.betType) !== selectionOf(betType));
    return others.length > 0 && held.some((each) => !this.#isOnGrid(each.betType));
  }

  #stakes(): Stake[] {
    return [...this.orders.values()].flatMap((order) => stakesOf(order));
  }

  /** A lookup of either direction gives the payoffs of both. */
  #isOnGrid(betType: string): boolean {
    const outcome = selectionOf(betType);
    return this.onGrid.has(`for${outcome}`) || this.onGrid.has(`against${outcome}`);
  }
}

/** The bet type without its direction, `,h`. */
const selectionOf = (betType: string): string => betType.slice(betType.indexOf(','));

function stakesOf({ betType, kind, price, stake, reported, over, fills }: OracleOrder): Stake[] {
  const booked = add(fills.map((fill) => fill.stake));
  const matched = Math.max(booked, reported);
  return [
    ...fills.map((fill) => ({ betType, kind, ...fill, certain: true })),
    { betType, kind, price, stake: matched - booked, certain: true },
    { betType, kind, price, stake: over ? 0 : Math.max(0, stake - matched), certain: false },
  ];
}

function worstOfScores(stakes: readonly Stake[]): number {
  const grids = stakes.map(({ betType }) => settlementsOf(betType));
  let worst = 0;
  for (let score = 0; score < SCORES.length; score++) {
    let total = 0;
    for (const [i, stake] of stakes.entries())
      total += counted(stake, (grids[i] as Settlement[])[score] as Settlement);
    worst = Math.min(worst, total);
  }
  return worst;
}

function worstOfSelection(stakes: readonly Stake[]): number {
  const ends = [WIN, LOSS, PUSH, HALF_WIN, HALF_LOSS];
  return Math.min(...ends.map((end) => add(stakes.map((stake) => counted(stake, end)))));
}
