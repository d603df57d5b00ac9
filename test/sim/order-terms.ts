import type { Settlement } from '../../src/domain/payoff.ts';

/**
 * The judge's own definition of orders, written again from the design and the exchange's published facts. A definition
 * taken from the judged code would have the same mistakes.
 */
const OVER: readonly string[] = ['closed', 'refused', 'absent'];

/** No part of the order can be matched any more. */
export const isOver = (state: string): boolean => OVER.includes(state);

export type Side = 'for' | 'against';

/** The side that a bet type takes: its first token. Null for another token. */
export function sideOf(betType: string): Side | null {
  const [first] = betType.split(',', 1);
  return first === 'for' || first === 'against' ? first : null;
}

/**
 * What a price is, by the published facts: odds that the selection wins or does not, or a lay price of either. A lay bet takes the other
 * side of what its price names.
 */
export type Kind = 'odds-for' | 'odds-against' | 'lay-for' | 'lay-against';

/** What the price of an order is. Without a word of it, it is a price of the selection by the bet type's side. Null without a side. */
export function kindOf(order: { readonly betType: string; readonly priceKind?: Kind }): Kind | null {
  if (order.priceKind !== undefined) return order.priceKind;
  const side = sideOf(order.betType);
  return side === null ? null : offeredKind(side, 'lay');
}

/** What the prices of a side's offers are. */
export const offeredKind = (side: Side, convention: 'odds' | 'lay'): Kind =>
  side === 'for' ? 'odds-for' : convention === 'odds' ? 'odds-against' : 'lay-for';

const isLay = (kind: Kind): boolean => kind.startsWith('lay-');
const isOfOther = (kind: Kind): boolean => kind.endsWith('-against');

/** The side of the selection that wins the bet. */
export const sideOfKind = (kind: Kind): Side => (isLay(kind) === isOfOther(kind) ? 'for' : 'against');

/** The best for the taker comes first. */
export const bestFirst = <T>(kind: Kind, falling: readonly T[]): readonly T[] =>
  isLay(kind) ? falling.toReversed() : falling;

/** The price of the selection: 1/p and the other probability sum up to 1. */
export const ofSelection = (kind: Kind, price: number): number =>
  isOfOther(kind) ? 1 / (1 - 1 / price) : price;

/** The stake on the terms of the price of the selection: it wins or loses the same. */
export const stakeOfSelection = (kind: Kind, price: number, stake: number): number =>
  isOfOther(kind) ? stake * (price - 1) : stake;

/** The most that a stake can lose: itself, or what a lay bet pays. */
export const liability = (kind: Kind, stake: number, price: number): number =>
  isLay(kind) ? stake * (price - 1) : stake;

/**
 * The result of a stake at a price, by how the selection is settled: odds win stake x (price - 1) or lose the stake, and a lay bet is the
 * other side of that. What does not win with the selection wins with its loss.
 */
export function profit(kind: Kind, stake: number, price: number, { won, lost }: Settlement): number {
  const [happens, fails] = isOfOther(kind) ? [lost, won] : [won, lost];
  const ofOdds = happens * stake * (price - 1) - fails * stake;
  return isLay(kind) ? 0 - ofOdds : ofOdds;
}
