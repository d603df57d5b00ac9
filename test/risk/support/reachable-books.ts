/** Random books of an event in play against brute force, from every score: for a property, and for `npm run oracle`. */
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import type { Score } from '../../../src/domain/events.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { SELECTION_KINDS } from '../../../src/domain/odds.ts';
import { GRID_SIZE } from '../../../src/domain/payoff.ts';
import { DIRECTIONS, selectionOf } from '../../../src/domain/selection.ts';
import { integerBetween, type Random } from '../../../src/lib/random.ts';
import { EventBets } from '../../../src/risk/exposure/event-bets.ts';
import { type Bet, BetTypeGrids, OUTCOME, payoffsOf } from '../../../src/risk/exposure/payoffs.ts';
import { reachableFrom } from '../../../src/risk/exposure/reachable.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') };
const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,3.5', 'cs,2,1', 'score,both,yes', 'ah,h,-4'];
const PRICES = [1.5, 2, 4, 11];
const MOST_BETS = 8;
/** Scores that are tried, for each team. Beyond them a match is rare. */
const MOST_GOALS = 6;

const GRIDS = new BetTypeGrids(['fb']);
for (const outcome of OUTCOMES) {
  const parsed = parseBetType('fb', `for,${outcome}`);
  if (parsed !== null) GRIDS.set(EVENT.sport, betType(`for,${outcome}`), winLossGrid(parsed));
}

const KNOWLEDGE = {
  outcomes: (bet: Bet) => GRIDS.outcomes(bet),
  isAwaited: () => false,
  winnerMarket: () => null,
};

const oneOf = <T>(random: Random, all: readonly T[]): T =>
  all[integerBetween(random, 0, all.length - 1)] as T;

function randomBet(random: Random): Bet {
  const [outcome, direction] = [oneOf(random, OUTCOMES), oneOf(random, DIRECTIONS)];
  const type = betType(`${direction},${outcome}`);
  const selection = selectionOf(EVENT.sport, EVENT.eventId, type);
  if (selection === null) throw new Error(outcome);
  const terms = { direction, priceKind: SELECTION_KINDS[direction], price: oneOf(random, PRICES) };
  const stakeMicros = integerBetween(random, 1, 50) * 1e6;
  return { ...EVENT, ...terms, betType: type, selectionId: selection.id, stakeMicros };
}

/** A random book, and what its matched bets and the losses of its open ones pay in each final score, without the code under test. */
function randomBook(random: Random): { readonly bets: EventBets; readonly paid: Float64Array } {
  const bets = new EventBets(EVENT, KNOWLEDGE, new Map());
  const paid = new Float64Array(GRID_SIZE ** 2);
  for (let at = integerBetween(random, 0, MOST_BETS); at > 0; at--) {
    const [bet, isMatched] = [randomBet(random), random.next() < 0.5];
    bets.put(String(at), bet, isMatched);
    const outcomes = GRIDS.outcomes(bet);
    for (let cell = 0; cell < paid.length; cell++) {
      const pays = payoffsOf(bet)[outcomes?.[cell] ?? OUTCOME.unknown] as number;
      paid[cell] = (paid[cell] as number) + (isMatched ? pays : Math.min(0, pays));
    }
  }
  return { bets, paid };
}

const SCORES: readonly Score[] = Array.from({ length: (MOST_GOALS + 1) ** 2 }, (_, at): Score => [
  Math.floor(at / (MOST_GOALS + 1)),
  at % (MOST_GOALS + 1),
]);

/** Compares so many books. Returns how many comparisons were made, and those that differ in words. */
export function compareReachable(
  books: number,
  randomOf: (book: number) => Random,
): { readonly comparisons: number; readonly differences: readonly string[] } {
  const differences: string[] = [];
  let comparisons = 0;
  for (let book = 0; book < books && differences.length < 5; book++) {
    const { bets, paid } = randomBook(randomOf(book));
    for (const score of SCORES) {
      comparisons++;
      bets.setReachable(reachableFrom([score]));
      const [expected, found] = [leastFrom(paid, ...score), bets.worst() + 0];
      if (found === expected) continue;
      differences.push(`book ${book} at ${score.join('-')}: ${found}, by brute force ${expected}`);
    }
  }
  return { comparisons, differences };
}

function leastFrom(paid: Float64Array, home: number, away: number): number {
  let least = 0;
  for (let h = home; h < GRID_SIZE; h++)
    for (let a = away; a < GRID_SIZE; a++) least = Math.min(least, paid[h * GRID_SIZE + a] as number);
  return least + 0;
}
