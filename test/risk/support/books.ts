import fc from 'fast-check';
import { betType } from '../../../src/domain/ids.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import type { PriceKind } from '../../../src/domain/odds.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import type { Risk } from '../../../src/risk/index.ts';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { SCORES, settleAt } from '../../support/bet-types.ts';
import { ask, fillOf, live } from './harness.ts';
import { betsOf } from '../../support/account.ts';

/** A bet type of every family in the exchange’s football grammar, quarter lines included. */
export const OUTCOMES = [
  'h',
  'd',
  'a',
  'dc,h,d',
  'dc,d,a',
  'dnb,h',
  'dnb,a',
  'over,2.5',
  'under,2.5',
  'over,2',
  'odd',
  'even',
  'ah,h,-4',
  'ah,h,-1',
  'ah,a,-1',
  'ah,h,2',
  'ah,a,3',
  'ahover,9',
  'ahunder,9',
  'ahover,7',
  'ahunder,11',
  'cs,0,0',
  'cs,2,1',
  'cs,19,19',
  'score,both,yes',
  'score,h,no',
  'exact_total,3',
  'wm,h,2,inf',
  'wm,d',
  'clean,h',
  'clean,a',
] as const;

/** Every bet type on which a price can be of a kind, and what it is: the backed side of the selection, or the layed one. */
export const KINDS_OF_BETS: readonly (readonly [Direction, PriceKind])[] = [
  ['for', 'odds-for'],
  ['against', 'odds-against'],
  ['for', 'lay-for'],
  ['against', 'lay-for'],
  ['against', 'lay-against'],
];

export interface RandomBet {
  readonly betType: string;
  readonly priceKind: PriceKind;
  readonly price: number;
  /** In USDT, with two decimals. */
  readonly stake: number;
  readonly kind: 'matched' | 'live' | 'closing' | 'unknown' | 'sending' | 'prepared' | 'partly filled';
}

const KINDS: readonly RandomBet['kind'][] = [
  ...(['matched', 'live', 'closing', 'unknown', 'sending', 'prepared', 'partly filled'] as const),
];

/** A bet or order of any football bet type and kind at any price of the ladder. */
export const randomBet: fc.Arbitrary<RandomBet> = fc
  .record({
    side: fc.constantFrom(...KINDS_OF_BETS),
    outcome: fc.constantFrom(...OUTCOMES),
    price: fc.oneof(fc.constantFrom(...LADDER.slice(0, 150)), fc.constantFrom(...LADDER)),
    stake: fc.integer({ min: 1, max: 20_000 }).map((cents) => cents / 100),
    kind: fc.constantFrom(...KINDS),
  })
  .map(({ side: [direction, priceKind], outcome, ...rest }) => ({
    ...rest,
    betType: `${direction},${outcome}`,
    priceKind,
  }));

/** Gives risk the grids of these bet types, as the exchange’s lookup would. */
export function learnGrids(risk: Risk, betTypes: readonly string[]): void {
  for (const type of new Set(betTypes)) {
    const parsed = parseBetType('fb', type);
    if (parsed === null) throw new Error(`no such bet type: ${type}`);
    risk.setGrid(betType(type), winLossGrid(parsed));
  }
}

/** Shows risk a bet as the engine would: a fill, an order in some state, or both. */
export function show(risk: Risk, { betType: type, priceKind, price, stake, kind }: RandomBet): void {
  const order = ask({ betType: type, priceKind, price, stake });
  if (kind === 'matched') betsOf(risk).report(fillOf(order, stake));
  else if (kind === 'partly filled') betsOf(risk).report(fillOf(order, filledPart(stake)));
  if (kind !== 'matched') risk.onOrder(live(order, { state: kind === 'partly filled' ? 'live' : kind }));
}

/** The filled part of a partly filled order: half, in whole cents. */
export const filledPart = (stake: number): number => Math.ceil(stake * 50) / 100;

interface Leg extends Pick<RandomBet, 'betType' | 'priceKind' | 'price'> {
  readonly stakeMicros: number;
}

/** Splits a book into the certain bets and those that may still be matched. */
function legsOf(bets: readonly RandomBet[]): { matched: Leg[]; open: Leg[] } {
  const legs = { matched: [] as Leg[], open: [] as Leg[] };
  const leg = (bet: RandomBet, stake: number): Leg => ({ ...bet, stakeMicros: Math.round(stake * 1e6) });
  for (const bet of bets) {
    const filled =
      bet.kind === 'matched' ? bet.stake : bet.kind === 'partly filled' ? filledPart(bet.stake) : 0;
    if (filled > 0) legs.matched.push(leg(bet, filled));
    if (bet.stake > filled) legs.open.push(leg(bet, bet.stake - filled));
  }
  return legs;
}

/** The side of the selection that the price speaks of, and whether the bet is on it or lays it. */
export const MEANING: Readonly<Record<PriceKind, { readonly side: Direction; readonly sign: bigint }>> = {
  'odds-for': { side: 'for', sign: 1n },
  'odds-against': { side: 'against', sign: 1n },
  'lay-for': { side: 'for', sign: -1n },
  'lay-against': { side: 'against', sign: -1n },
};

/** Exact, from the published rules alone: stakes of whole cents at prices of whole hundredths pay whole micros. */
export function profitAt(
  { betType: type, priceKind, price, stakeMicros }: Leg,
  home: number,
  away: number,
): number {
  const parsed = parseBetType('fb', type);
  if (parsed === null) throw new Error(`no such bet type: ${type}`);
  const { won, lost } = settleAt(parsed, home, away);
  const { side, sign } = MEANING[priceKind];
  const [halvesWon, halvesLost] = side === 'for' ? [won * 2, lost * 2] : [lost * 2, won * 2];
  const hundredths = BigInt(Math.round(price * 100));
  const stake = BigInt(stakeMicros);
  const parts = stake * (BigInt(halvesWon) * (hundredths - 100n) - BigInt(halvesLost) * 100n);
  return Number((sign * parts) / 200n);
}

/** The least profit over every final score and every subset of the open orders filled, void (0) included. */
export function bruteForceWorst(bets: readonly RandomBet[]): number {
  const { matched, open } = legsOf(bets);
  let worst = 0;
  for (const [home, away] of SCORES) {
    const certain = matched.reduce((total, leg) => total + profitAt(leg, home, away), 0);
    const possible = open.map((leg) => profitAt(leg, home, away));
    for (let subset = 0; subset < 1 << open.length; subset++) {
      worst = Math.min(worst, certain + sumOfSubset(possible, subset));
    }
  }
  return worst;
}

/** The least profit of the matched bets over every final score, void left out. */
export function bruteForceLeast(bets: readonly RandomBet[]): number {
  const { matched } = legsOf(bets);
  const totals = SCORES.map(([home, away]) =>
    matched.reduce((total, leg) => total + profitAt(leg, home, away), 0),
  );
  return Math.min(...totals);
}

function sumOfSubset(values: readonly number[], subset: number): number {
  return values.reduce((total, value, index) => total + ((subset >> index) & 1 ? value : 0), 0);
}
