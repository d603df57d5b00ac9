import { shareOf } from './draw.ts';
import { mutated, type Mutant } from './mutants.ts';

/** A mutant ends in one of these ways. */
export type Fate = 'caught' | 'timeout' | 'survived' | 'not reached' | 'equivalent';

/** A mutant that was judged. */
export interface Judged {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

/** The folders where a mistake costs money. */
const CORE: ReadonlySet<string> = new Set([
  'orders',
  'account',
  'risk',
  'domain',
  'engine',
  'ledger',
  'history',
  'market',
  'fills',
  'venue',
]);

/** What a group of mutants must reach. */
const BOUNDS = { core: { share: 0.95, low: 0.9 }, elsewhere: { share: 0.9, low: 0 } };

/** At most this share of a sample may be declared equivalent. */
const MOST_EQUIVALENT = 0.05;

/** The folder of a file: `orders`, `web`, `strategies`. */
export function folderOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return top === 'src' ? folder : top;
}

interface Row {
  readonly name: string;
  readonly counts: Readonly<Record<Fate, number>>;
}

function rowOf(name: string, judged: readonly Judged[]): Row {
  const counts = { caught: 0, timeout: 0, survived: 0, 'not reached': 0, equivalent: 0 };
  for (const { fate } of judged) counts[fate]++;
  return { name, counts };
}

/** The share that the tests caught. A hang counts as caught, an equivalent mutant does not count. */
function caughtShare({ counts }: Row) {
  const caught = counts.caught + counts.timeout;
  return shareOf(caught, caught + counts.survived + counts['not reached']);
}

function pooled(judged: readonly Judged[]): readonly [Row, Row] {
  const isCore = ({ mutant }: Judged): boolean => CORE.has(folderOf(mutant.file));
  return [
    rowOf([...CORE].join(', '), judged.filter(isCore)),
    rowOf(
      'elsewhere',
      judged.filter((each) => !isCore(each)),
    ),
  ];
}

const percent = (share: number): string => (Number.isNaN(share) ? '-' : (100 * share).toFixed(1));

function line(row: Row): string {
  const { counts } = row;
  const { share, low, high } = caughtShare(row);
  const numbers = [
    counts.caught,
    counts.timeout,
    counts.survived,
    counts['not reached'],
    counts.equivalent,
    percent(share),
    `${percent(low)} to ${percent(high)}`,
  ];
  return `| ${row.name} | ${numbers.join(' | ')} |`;
}

const HEAD = [
  '| folder | caught | timeout | survived | not reached | equivalent | caught, % | 95 % interval |',
  '|---|---|---|---|---|---|---|---|',
];

/** The table of a run: a row a folder, then the two pooled rows. */
export function table(judged: readonly Judged[]): string {
  const folders = Map.groupBy(judged, ({ mutant }) => folderOf(mutant.file));
  const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, some]) => rowOf(name, some));
  return [...HEAD, ...[...rows, ...pooled(judged)].map(line)].join('\n');
}

/** The bounds that a run misses, a line each. A group without mutants misses none. */
export function missed(judged: readonly Judged[]): readonly string[] {
  const [core, elsewhere] = pooled(judged);
  const lines: string[] = [];
  for (const [row, bound] of [
    [core, BOUNDS.core],
    [elsewhere, BOUNDS.elsewhere],
  ] as const) {
    const { share, low } = caughtShare(row);
    if (share < bound.share)
      lines.push(`${row.name}: ${percent(share)} % caught, less than ${percent(bound.share)} %`);
    if (!Number.isNaN(share) && low < bound.low)
      lines.push(`${row.name}: the interval begins at ${percent(low)} %, below ${percent(bound.low)} %`);
  }
  const equivalent = judged.filter(({ fate }) => fate === 'equivalent').length;
  if (equivalent > MOST_EQUIVALENT * judged.length)
    lines.push(
      `${equivalent} of ${judged.length} mutants are declared equivalent, more than ${percent(MOST_EQUIVALENT)} %`,
    );
  return lines;
}

const CONTEXT = 3;

/** The lines of a text that ends with a line break. */
const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** A patch that makes one mutant, after a line with its place and mutator. `text` is the source without the mistake. */
export function hunk(mutant: Mutant, text: string): string {
  const before = linesOf(text);
  const after = linesOf(mutated(text, mutant));
  const first = text.slice(0, mutant.start).split('\n').length - 1;
  const last = text.slice(0, mutant.end).split('\n').length;
  const grown = after.length - before.length;
  const from = Math.max(0, first - CONTEXT);
  const to = Math.min(before.length, last + CONTEXT);
  return [
    `# ${mutant.file}:${mutant.line} ${mutant.mutator}`,
    `--- a/${mutant.file}`,
    `+++ b/${mutant.file}`,
    `@@ -${from + 1},${to - from} +${from + 1},${to - from + grown} @@`,
    ...before.slice(from, first).map((row) => ` ${row}`),
    ...before.slice(first, last).map((row) => `-${row}`),
    ...after.slice(first, last + grown).map((row) => `+${row}`),
    ...before.slice(last, to).map((row) => ` ${row}`),
    '',
  ].join('\n');
}
