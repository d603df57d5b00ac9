/** The goals of a comparison, and its words. */
import { compareModel, type Estimate, liveMarks, type ModelComparison, Trades } from './compare.ts';
import type { WorldFills } from './fills.ts';

export interface Judgement {
  readonly ok: boolean;
  readonly live: {
    readonly fills: number;
    readonly stake: number;
    readonly marks: readonly [Estimate, Estimate];
  };
  readonly models: readonly ModelComparison[];
  /** The model that finds most, of precision and recall the smaller one. */
  readonly best: string;
  readonly problems: readonly string[];
}

/** Least precision and recall, and the largest difference of filled stake, under the best model. */
export const GOALS = { found: 0.7, stake: 0.15 } as const;

export function judge({ live, paper, trades: all }: WorldFills, seed: number): Judgement {
  const trades = new Trades(all);
  const models = Object.entries(paper).map(([model, fills]) =>
    compareModel(model, live, fills, trades, seed),
  );
  const found = ({ precision, recall }: ModelComparison): number => Math.min(precision.value, recall.value);
  const best = models.reduce((a, b) => (found(b) > found(a) ? b : a));
  const marks = liveMarks(live, seed);
  const problems = problemsOf(best, marks);
  const stake = live.reduce((sum, fill) => sum + fill.stake, 0);
  return {
    ok: problems.length === 0,
    live: { fills: live.length, stake, marks },
    models,
    best: best.model,
    problems,
  };
}

function problemsOf(best: ModelComparison, live: readonly [Estimate, Estimate]): readonly string[] {
  const problems: string[] = [];
  const { model, precision, recall, stakeDifference, marks, missed, extra } = best;
  if (!(precision.value >= GOALS.found)) problems.push(`${model}: precision ${percent(precision.value)}`);
  if (!(recall.value >= GOALS.found)) problems.push(`${model}: recall ${percent(recall.value)}`);
  if (!(Math.abs(stakeDifference.value) <= GOALS.stake))
    problems.push(`${model}: filled stake ${percent(stakeDifference.value)} apart`);
  for (const [at, after] of ['10 s', '60 s'].entries()) {
    const [own, theirs] = [marks[at], live[at]];
    if (own === undefined || theirs === undefined || !(own.value >= theirs.low && own.value <= theirs.high))
      problems.push(`${model}: the mark after ${after} is outside the live interval`);
  }
  if ('other' in missed || 'other' in extra) problems.push(`${model}: a difference without a cause`);
  return problems;
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

const interval = ({ value, low, high }: Estimate): string =>
  `${percent(value)} (${percent(low)} to ${percent(high)})`;

const causes = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([cause, count]) => `${cause} ${count}`)
    .join(', ') || 'none';

/** The result as a person reads it. */
export function* lines({ live, models, best, problems }: Judgement): Iterable<string> {
  const marksOf = ([ten, sixty]: readonly [Estimate, Estimate]): string =>
    `marks 10 s ${interval(ten)}, 60 s ${interval(sixty)}`;
  yield `live     fills ${live.fills}, stake ${live.stake.toFixed(0)}, ${marksOf(live.marks)}`;
  for (const {
    model,
    fills,
    stake,
    recall,
    recallInTime,
    precision,
    stakeDifference,
    marks,
    missed,
    extra,
  } of models) {
    yield `${model.padEnd(8)} fills ${fills}, stake ${stake.toFixed(0)}, ${marksOf(marks)}`;
    yield `         recall ${interval(recall)}, in time ${percent(recallInTime.value)}, precision ${interval(precision)}, stake ${interval(stakeDifference)}`;
    yield `         missed: ${causes(missed)}`;
    yield `         extra: ${causes(extra)}`;
  }
  yield `best: ${best}; ${problems.length === 0 ? 'every goal is met' : problems.join('; ')}`;
}
