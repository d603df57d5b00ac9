/** The table of what surprises cost over matches, with and without the guards. */
import { seededRandom } from '../../src/lib/random.ts';
import { type DaySums, intervalOf, ratioOf } from '../../src/research/statistics/bootstrap.ts';
import { KINDS, type SurpriseKind, type SurpriseLoss } from './losses.ts';
import type { PlayedMatch } from './match.ts';
import type { ScoreCounts } from './scores.ts';

/** The same match, played twice. */
export interface PairedMatch {
  readonly number: number;
  readonly strategy: string;
  readonly guarded: PlayedMatch;
  readonly unguarded: PlayedMatch;
}

type Row = readonly string[];

const HEAD: Row = [
  'strategy',
  'what happens',
  'matches',
  'n',
  'quoted',
  'without guards',
  'with guards',
  'saved by guards',
  'after it, without / with',
];

const EVERY = 'all of them';

/** The lines of a table in Markdown: the loss for each surprise, in USDT, with its 95 % interval by match. */
export function tableOf(matches: readonly PairedMatch[], seed: number): string[] {
  const strategies = [...new Set(matches.map(({ strategy }) => strategy))];
  const groups = [...strategies, ...(strategies.length > 1 ? [EVERY] : [])];
  const rows = groups.flatMap((strategy) => {
    const of = matches.filter((match) => strategy === EVERY || match.strategy === strategy);
    return KINDS.map((kind) => rowOf(strategy, kind, of, seed));
  });
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

/** The losses by one kind in a match, both times. */
interface Pairs {
  readonly guarded: readonly SurpriseLoss[];
  readonly unguarded: readonly SurpriseLoss[];
}

function rowOf(strategy: string, kind: SurpriseKind, matches: readonly PairedMatch[], seed: number): Row {
  const pairs = matches.map((match) => pairsOf(match, kind)).filter(({ guarded }) => guarded.length > 0);
  const all = pairs.flatMap(({ guarded, unguarded }) => [guarded, unguarded]).flat();
  const quoted = all.filter(({ isQuoted }) => isQuoted).length;
  const cell = (worthOf: (pair: Pairs) => number): string =>
    estimate(
      pairs.map((pair) => ({ worth: worthOf(pair), stake: pair.guarded.length })),
      seed,
    );
  return [
    strategy,
    kind,
    String(pairs.length),
    String(all.length / 2),
    all.length === 0 ? '' : `${((100 * quoted) / all.length).toFixed(0)} %`,
    cell((pair) => sumOf(pair.unguarded, 'before')),
    cell((pair) => sumOf(pair.guarded, 'before')),
    cell((pair) => sumOf(pair.unguarded, 'before') - sumOf(pair.guarded, 'before')),
    afterwards(pairs),
  ];
}

/**
 * Whether the same happened in both plays. What is traded before the start moves random numbers of the market, so a few matches become
 * others: they are no pairs.
 */
export function isSame({ guarded, unguarded }: PairedMatch): boolean {
  const kinds = ({ losses }: PlayedMatch): string => losses.map(({ kind }) => kind).join();
  return kinds(guarded) === kinds(unguarded);
}

function pairsOf({ guarded, unguarded }: PairedMatch, kind: SurpriseKind): Pairs {
  const of = ({ losses }: PlayedMatch): SurpriseLoss[] => losses.filter((loss) => loss.kind === kind);
  return { guarded: of(guarded), unguarded: of(unguarded) };
}

/** The mean loss by orders of before the suspension that are filled after it. */
function afterwards(pairs: readonly Pairs[]): string {
  const meanOf = (of: readonly SurpriseLoss[]): string => (sumOf(of, 'after') / of.length).toFixed(2);
  if (pairs.length === 0) return '';
  return `${meanOf(pairs.flatMap(({ unguarded }) => unguarded))} / ${meanOf(pairs.flatMap(({ guarded }) => guarded))}`;
}

const sumOf = (losses: readonly SurpriseLoss[], part: 'before' | 'after'): number =>
  losses.reduce((sum, loss) => sum + loss[part], 0);

function estimate(matches: readonly DaySums[], seed: number): string {
  const ratio = ratioOf(matches);
  if (ratio === null) return '';
  const found = intervalOf(matches, seededRandom(seed, 'intervals'));
  const bounds = found === null ? '' : ` [${found.interval.map((bound) => bound.toFixed(2)).join(', ')}]`;
  return `${ratio.toFixed(2)}${bounds}`;
}

/** The scores of all plays. */
export function scoresOf(matches: readonly PairedMatch[]): ScoreCounts {
  const counts = matches.flatMap(({ guarded, unguarded }) => [guarded.scores, unguarded.scores]);
  const sum = (name: keyof ScoreCounts): number => counts.reduce((total, each) => total + each[name], 0);
  return { checked: sum('checked'), different: sum('different'), refused: sum('refused') };
}
