/**
 * A second opinion on which orders reduce risk: every subset of the open orders is filled in turn, and every final score is looked at.
 * It shares no code with what it judges.
 */
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { betType } from '../../../src/domain/ids.ts';
import { directionOfKind, LADDER, type PriceKind } from '../../../src/domain/odds.ts';
import { selectionIdOf } from '../../../src/domain/selection.ts';
import { integerBetween, type Random } from '../../../src/lib/random.ts';
import { ExposureBook } from '../../../src/risk/exposure/book.ts';
import { type Bet, BetTypeGrids } from '../../../src/risk/exposure/payoffs.ts';
import { SCORES, settleAt } from '../../support/bet-types.ts';
import { KINDS_OF_BETS, MEANING, OUTCOMES } from './books.ts';
import { FACTS, FIXTURE } from './harness.ts';

const MOST_OPEN = 8;
const MOST_HELD = 4;

type Outcome = (typeof OUTCOMES)[number];

/** A bet or order on the event. */
interface Leg {
  readonly bet: Bet;
  /** Its profit in each class of final scores; the last class is "void". */
  readonly profits: readonly number[];
}

/** The bets that are held, the orders that are open, and a further order. */
export interface Situation {
  readonly held: readonly Leg[];
  readonly open: readonly Leg[];
  readonly next: Leg;
}

const parsedOf = (outcome: Outcome) => {
  const parsed = parseBetType('fb', `for,${outcome}`);
  if (parsed === null) throw new Error(`no such bet type: ${outcome}`);
  return parsed;
};

const SETTLEMENTS = new Map(
  OUTCOMES.map((outcome) => {
    const parsed = parsedOf(outcome);
    return [outcome, SCORES.map(([home, away]) => settleAt(parsed, home, away))] as const;
  }),
);

/** One score of each class of scores at which every outcome ends alike. */
const CLASSES: readonly number[] = [
  ...new Map(
    SCORES.map((_, score) => {
      const ends = OUTCOMES.map((outcome) => SETTLEMENTS.get(outcome)?.[score]);
      return [JSON.stringify(ends), score] as const;
    }),
  ).values(),
];

function profitsOf(outcome: Outcome, kind: PriceKind, price: number, stakeMicros: number): number[] {
  const { side, sign } = MEANING[kind];
  const hundredths = Math.round(price * 100);
  const profits = CLASSES.map((score) => {
    const { won = 0, lost = 0 } = SETTLEMENTS.get(outcome)?.[score] ?? {};
    const [gains, losses] = side === 'for' ? [won, lost] : [lost, won];
    return (Number(sign) * stakeMicros * (gains * 2 * (hundredths - 100) - losses * 2 * 100)) / 200;
  });
  return [...profits, 0];
}

const pick = <T>(random: Random, of: readonly T[]): T => of[integerBetween(random, 0, of.length - 1)] as T;

function drawLeg(random: Random, outcomes: readonly Outcome[]): Leg {
  const outcome = pick(random, outcomes);
  const [of, priceKind] = pick(random, KINDS_OF_BETS);
  const price = pick(random, LADDER.slice(20, 200));
  // Stakes of a few sizes, so that bets often offset each other whole.
  const stakeMicros = pick(random, [5, 10, 20, 40]) * 1_000_000;
  const market = { ...FIXTURE, betType: betType(`${of},${outcome}`) };
  const bet = { ...market, selectionId: selectionIdOf(market), priceKind, price, stakeMicros };
  return {
    bet: { ...bet, direction: directionOfKind(priceKind) },
    profits: profitsOf(outcome, priceKind, price, stakeMicros),
  };
}

/** A situation on a few outcomes, as quoting leaves it. */
export function drawSituation(random: Random): Situation {
  const outcomes = Array.from({ length: integerBetween(random, 1, 3) }, () => pick(random, OUTCOMES));
  const legs = (most: number): Leg[] =>
    Array.from({ length: integerBetween(random, 0, most) }, () => drawLeg(random, outcomes));
  return { held: legs(MOST_HELD), open: legs(MOST_OPEN), next: drawLeg(random, outcomes) };
}

const sumOf = (legs: readonly Leg[]): number[] =>
  Array.from({ length: CLASSES.length + 1 }, (_, at) =>
    legs.reduce((sum, { profits }) => sum + (profits[at] ?? 0), 0),
  );

const plus = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((value, at) => value + (b[at] ?? 0));

/** The least profit over every subset of the open orders that fill. */
function worstOverSubsets(certain: readonly number[], open: readonly Leg[]): number {
  const [first, ...others] = open;
  if (first === undefined) return Math.min(...certain);
  return Math.min(worstOverSubsets(certain, others), worstOverSubsets(plus(certain, first.profits), others));
}

/** By the definition: it improves the worst case of what is held alone, and lowers none over all subsets. */
export function reducesByHand({ held, open, next }: Situation): boolean {
  const before = sumOf(held);
  const after = plus(before, next.profits);
  const improves = Math.min(...after) > Math.min(...before);
  return improves && worstOverSubsets(after, open) >= worstOverSubsets(before, open);
}

const GRIDS = new BetTypeGrids(['fb']);
for (const outcome of OUTCOMES) GRIDS.set(null, betType(`for,${outcome}`), winLossGrid(parsedOf(outcome)));

/** Whether risk says so. */
export function reducesByRisk({ held, open, next }: Situation): boolean {
  const knowledge = {
    outcomes: (bet: Bet) => GRIDS.outcomes(bet),
    isAwaited: () => false,
    winnerMarket: () => null,
  };
  const book = new ExposureBook(knowledge, () => FACTS);
  for (const [at, { bet }] of held.entries()) book.put(`bet:${at}`, bet, true);
  for (const [at, { bet }] of open.entries()) book.put(`open:${at}`, bet, false);
  return book.preview(next.bet).reduces;
}

export interface Reductions {
  readonly reducing: number;
  readonly differences: readonly string[];
}

/** Compares both over many situations. */
export function compareReductions(states: number, randomOf: (state: number) => Random): Reductions {
  const differences: string[] = [];
  let reducing = 0;
  for (let state = 0; state < states; state++) {
    const situation = drawSituation(randomOf(state));
    const [byHand, byRisk] = [reducesByHand(situation), reducesByRisk(situation)];
    if (byHand) reducing++;
    if (byHand !== byRisk)
      differences.push(`state ${state}: by hand ${byHand}, by risk ${byRisk}: ${textOf(situation)}`);
  }
  return { reducing, differences };
}

const textOf = ({ held, open, next }: Situation): string => {
  const text = ({ bet }: Leg): string =>
    `${bet.betType} ${bet.priceKind} ${bet.stakeMicros / 1e6}@${bet.price}`;
  return `held ${held.map(text).join('; ')} | open ${open.map(text).join('; ')} | next ${text(next)}`;
};
