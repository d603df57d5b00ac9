/** The arithmetic of `npm run bench -- --against`: figures from output, medians, ratios and verdicts. */
import type { Figure, FigureKind } from './figures.ts';

/** The figures that one tree printed, one list per run. */
export type Runs = readonly (readonly Figure[])[];

/**
 * `worse` if both the median and the best run are worse by more than the tolerance: a slow change slows every run, while a busy
 * machine spares some of them. The tail of a distribution is `not judged`.
 */
export type Verdict = 'fine' | 'worse' | 'not judged';

/** A figure that both trees have: medians over their runs. */
export interface ComparedFigure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly theirs: number;
  /** Our median over theirs. */
  readonly ratio: number;
  /** Our best run over their best run. */
  readonly bestRatio: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  readonly figures: readonly ComparedFigure[];
  /** Names of figures that only one tree printed: they are not judged. */
  readonly onlyOurs: readonly string[];
  readonly onlyTheirs: readonly string[];
}

const MARK = '{"figure":';

/** The figures in a bench's output. Throws for a line that begins like a figure and is not one. */
export function figuresIn(output: string): readonly Figure[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith(MARK))
    .map(figureIn);
}

function figureIn(line: string): Figure {
  const { figure: name, value, unit, kind } = JSON.parse(line) as Record<string, unknown>;
  const isSound = typeof name === 'string' && typeof value === 'number' && typeof unit === 'string';
  if (!isSound || !isKind(kind)) throw new Error(`not a figure: ${line}`);
  return { name, value, unit, kind };
}

const KINDS: readonly unknown[] = ['cost', 'rate', 'tail'] satisfies readonly FigureKind[];
const isKind = (text: unknown): text is FigureKind => KINDS.includes(text);

/** The middle value, or the mean of the two in the middle. Throws without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const above = sorted[Math.floor(sorted.length / 2)];
  const below = sorted[Math.floor((sorted.length - 1) / 2)];
  if (above === undefined || below === undefined) throw new Error('a median needs a value');
  return (below + above) / 2;
}

/** Compares the medians and the best runs of figures with the same name. `tolerance` is a share: 0.1 allows ours to be 10 % worse. */
export function compareRuns(ours: Runs, theirs: Runs, tolerance: number): Comparison {
  const mine = byName(ours);
  const other = byName(theirs);
  const figures = [...mine].flatMap(([name, own]) => {
    const others = other.get(name);
    return others === undefined ? [] : [compareFigure(name, own, others, tolerance)];
  });
  return { figures, onlyOurs: missingFrom(other, mine), onlyTheirs: missingFrom(mine, other) };
}

const byName = (runs: Runs): ReadonlyMap<string, readonly Figure[]> =>
  Map.groupBy(runs.flat(), ({ name }) => name);

const missingFrom = (
  there: ReadonlyMap<string, unknown>,
  here: ReadonlyMap<string, unknown>,
): readonly string[] => [...here.keys()].filter((name) => !there.has(name));

function compareFigure(
  name: string,
  own: readonly Figure[],
  others: readonly Figure[],
  tolerance: number,
): ComparedFigure {
  const { unit = '', kind = 'cost' } = own[0] ?? {};
  const mine = own.map(({ value }) => value);
  const other = others.map(({ value }) => value);
  const best = kind === 'rate' ? Math.max : Math.min;
  const [ours, theirs] = [median(mine), median(other)];
  const ratio = ratioOf(ours, theirs);
  const bestRatio = ratioOf(best(...mine), best(...other));
  const verdict = judge(kind, [ratio, bestRatio], tolerance);
  return { name, unit, ours, theirs, ratio, bestRatio, verdict };
}

const ratioOf = (ours: number, theirs: number): number => (ours === theirs ? 1 : ours / theirs);

function judge(kind: FigureKind, ratios: readonly number[], tolerance: number): Verdict {
  if (kind === 'tail') return 'not judged';
  const isWorse = (ratio: number): boolean =>
    kind === 'cost' ? ratio > 1 + tolerance : ratio < 1 - tolerance;
  return ratios.every(isWorse) ? 'worse' : 'fine';
}

/** The comparison as a table for people, one line per figure, and the figures that only one tree has. */
export function tableOf({ figures, onlyOurs, onlyTheirs }: Comparison): string {
  const head = ['', 'this tree', 'the other', 'ratio', 'best runs'];
  const rows = figures.map(({ name, unit, ours, theirs, ratio, bestRatio, verdict }) => [
    name,
    `${rounded(ours)} ${unit}`,
    `${rounded(theirs)} ${unit}`,
    ratio.toFixed(3),
    `${bestRatio.toFixed(3).padStart('best runs'.length)}${verdict === 'fine' ? '' : `  ${verdict}`}`,
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === 0 || at === row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [
    ...[head, ...rows].map(lineOf),
    ...onlyOurs.map((name) => `only this tree measures: ${name}`),
    ...onlyTheirs.map((name) => `only the other measures: ${name}`),
  ].join('\n');
}

/** Four significant digits, and no exponent. */
const rounded = (value: number): string => String(Number(value.toPrecision(4)));
