/**
 * `npm run oracle`: compares risk with a second, naive implementation over many random lives of an account. Checks the
 * exposure after every step, the limits that no sequence may pass, and the orders that must not be refused because they
 * reduce risk. Then the worst case of random books in play from every score, and hedges of small books, against exhaustive search.
 *
 * Usage: node scripts/risk-oracle.ts [--states 1000000] [--lives 60] [--books 10000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { seededRandom } from '../src/lib/random.ts';
import { type SmallCase, smallCases } from '../test/hedge/support/books.ts';
import { missedSingleOf, pairOf, worseningOf } from '../test/hedge/support/judges.ts';
import { compareReachable } from '../test/risk/support/reachable-books.ts';
import { judgeReducing } from '../test/risk/support/reducing-states.ts';
import { compareOpinions, TIGHT } from '../test/risk/support/storm.ts';
import { offerOrders, pressLimits } from '../test/risk/support/storm-properties.ts';

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '1000000' },
    lives: { type: 'string', default: '60' },
    books: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
  },
});
const states = Number(values.states);
const lives = Number(values.lives);
const books = Number(values.books);
const seed = Number(values.seed);
const randomOf = (what: string) => (life: number) => seededRandom(seed, `${what} ${life}`);

/** Judges hedges of so many small books. Prints the first faults; returns their number. */
function hedges(
  sizes: Parameters<typeof smallCases>[0],
  faultOf: (given: SmallCase) => string | null,
): number {
  const found = fc
    .sample(smallCases(sizes), { seed, numRuns: books })
    .map(faultOf)
    .filter((fault) => fault !== null);
  for (const fault of found.slice(0, 5)) console.error(fault);
  return found.length;
}

/** Runs one comparison and prints its result and duration. Returns the number of faults. */
function timed(work: () => readonly [faults: number, found: string]): number {
  const started = performance.now();
  const [faults, found] = work();
  console.log(`${found}, seed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return faults;
}

const faults = [
  timed(() => {
    const differences = compareOpinions(states, randomOf('life'));
    for (const difference of differences) console.error(difference);
    return [differences.length, `${states} states: ${differences.length} differences`];
  }),
  timed(() => {
    const { reducing, leaning, reversing, differences } = judgeReducing(states, randomOf('reductions'));
    for (const difference of differences) console.error(difference);
    const kinds = `${reducing} reduce, ${leaning} lean on open orders, ${reversing} may reverse the position`;
    return [differences.length, `${states} offers: ${kinds}; ${differences.length} differences`];
  }),
  timed(() => {
    const { steps, passed, closestUsdt } = pressLimits(lives, randomOf('limits'));
    const near = `closest ${closestUsdt.toFixed(2)} of -${TIGHT.worstCase.accountUsdt} USDT`;
    return [passed, `${steps} steps against the limits: ${passed} passed one, ${near}`];
  }),
  timed(() => {
    const { helping, wronged, refused } = offerOrders(lives, randomOf('helping'));
    const found = `${helping} orders that help: ${wronged} refused; ${refused} others refused for exposure`;
    return [wronged, found];
  }),
  timed(() => {
    const { comparisons, differences } = compareReachable(books, randomOf('book in play'));
    for (const difference of differences) console.error(difference);
    return [differences.length, `${books} books, ${comparisons} scores: ${differences.length} differences`];
  }),
  timed(() => {
    const worse = hedges({ cells: 6, legs: 6, available: 80 }, worseningOf);
    return [worse, `${books} hedges: ${worse} leave an event worse for some subset of their fills`];
  }),
  timed(() => {
    const missed = hedges({ cells: 5, legs: 5, available: 40 }, missedSingleOf);
    return [
      missed,
      `${books} hedges: ${missed} worse or dearer than the best single bet of an exhaustive search`,
    ];
  }),
  timed(() => {
    let reachable = 0;
    const missed = hedges({ cells: 4, legs: 4, available: 14, deepest: -12 }, (given) => {
      const { isReachable, isReached } = pairOf(given);
      if (isReachable) reachable++;
      return isReachable && !isReached ? 'two bets reach the bound' : null;
    });
    return [
      missed,
      `${books} hedges: ${missed} of ${reachable} miss a bound that an exhaustive search reaches with two bets`,
    ];
  }),
];
process.exitCode = faults.every((count) => count === 0) ? 0 : 1;
