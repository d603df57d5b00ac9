/**
 * `npm run in-play`: what goals, annulled goals, red cards and suspensions cost a daemon that quotes football in play, while takers know
 * of them 1 to 10 s before the market is told.
 *
 *     npm run in-play -- --matches 200 --seed 1
 *     npm run in-play -- --from 100 --matches 20 --out second      a piece: matches 100 to 119, kept in a file
 *     npm run in-play -- --merge first second                      the table over pieces
 *
 * Each match is played twice by a whole daemon on an exchange of its own, with the guards that look at the market and without them. The
 * strategies take turns. Compares the score that each order asserts on the wire with that of the view that decided it; exits 1 if one
 * differs.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { integerBetween, seededRandom } from '../src/lib/random.ts';
import { STRATEGIES } from './in-play/daemon.ts';
import { playMatch } from './in-play/match.ts';
import { isSame, type PairedMatch, scoresOf, tableOf } from './in-play/table.ts';
import { readPieces, wholeNumbers, writePiece } from './pieces.ts';

const { values: options, positionals: pieces } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '0' },
    matches: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    strategies: { type: 'string', default: Object.keys(STRATEGIES).join(',') },
    out: { type: 'string' },
    merge: { type: 'boolean', default: false },
  },
});
const { from, matches, seed } = wholeNumbers('in-play', {
  from: options.from,
  matches: options.matches,
  seed: options.seed,
});
const strategies = options.strategies.split(',');

async function paired(number: number): Promise<PairedMatch> {
  const strategy = strategies[number % strategies.length] as string;
  const choice = { strategy, seed: integerBetween(seededRandom(seed, `match ${number}`), 0, 2 ** 31 - 1) };
  const guarded = await playMatch({ ...choice, isGuarded: true });
  const unguarded = await playMatch({ ...choice, isGuarded: false });
  return { number, strategy, guarded, unguarded };
}

/** Prints what the matches say. Returns whether every order asserted its score. */
function judge(all: readonly PairedMatch[]): boolean {
  const scores = scoresOf(all);
  const same = all.filter(isSame);
  for (const line of tableOf(same, seed)) console.log(line);
  const ok = scores.checked > 0 && scores.different === 0;
  console.log(
    `\n${all.length} matches, ${all.length - same.length} left out of the table because they are other ones without guards; ` +
      `${scores.checked} orders in play: ${scores.different} assert another score than that of the view that decided them;` +
      ` the exchange refused ${scores.refused}, whose score had changed on the way`,
  );
  console.log(JSON.stringify({ ok, seed, matches: all.length, same: same.length, ...scores }));
  return ok;
}

if (options.merge) process.exitCode = judge(readPieces<PairedMatch[]>(pieces).flat()) ? 0 : 1;
else {
  const played: PairedMatch[] = [];
  for (let number = from; number < from + matches; number++) {
    played.push(await paired(number));
    process.stderr.write(`${played.length} of ${matches} matches\n`);
  }
  if (options.out === undefined) process.exitCode = judge(played) ? 0 : 1;
  else writePiece(options.out, played);
}
