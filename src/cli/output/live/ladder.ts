import { betweenTicks, odds, TERMINAL } from '../../../lib/formats.ts';
import { plainText } from '../../../lib/plain-text.ts';
import type { Level, LiveQuote, LiveSelection } from '../../../read-model/live/message.ts';
import { nearestTick, type Rung, rungsOf, type Span } from '../../../read-model/live/rungs.ts';
import { BACK, BOLD, coloured, DIM, fittedName, LAY, LOOK, rightAligned } from './styles.ts';

/** Our stake `against`, what others offer `for`, the price, what they offer `against`, our stake `for`: as in the rows of selections. */
const TITLES = ['our ag', 'for', 'price', 'ag', 'our for'];
const WIDTHS = [7, 6, 7, 6, 8];
/** The mark of the fair price stands right of the price. */
const PRICE_AT = 2;

/** Columns that a ladder takes. */
export const LADDER_COLUMNS = WIDTHS.reduce((sum, width) => sum + width, 1);

/** Lines above the first price. */
export const LADDER_HEAD = 3;

/** Why this ladder is shown, in a word, such as `pinned`. */
export interface LadderTitle {
  readonly event: string;
  readonly why: string;
}

/** Every tick of a span in a line, the highest first, below its title; never more than so many lines. Runs without anything are left out if need be. */
export function ladderLines(
  selection: LiveSelection,
  { event, why }: LadderTitle,
  span: Span | null,
  rows: number,
): readonly string[] {
  const fair =
    selection.fair === null || selection.fair <= 0 || selection.fair >= 1 ? null : 1 / selection.fair;
  const fairText = fair === null ? '' : `  fair ${betweenTicks(fair)} <`;
  const name = fittedName(plainText(selection.name), LADDER_COLUMNS - fairText.length);
  const head = [
    `${coloured(fittedName(plainText(event), LADDER_COLUMNS - why.length - 2), BOLD)}  ${coloured(why, DIM)}`,
    name + coloured(fairText, DIM),
    coloured(row(TITLES), DIM),
  ];
  if (span === null) return [...head, coloured('no price is known', LOOK)].slice(0, rows);
  const fairTick = fair === null ? null : nearestTick(fair);
  const shown = withoutGaps(rungsOf(selection, span), fairTick, rows - head.length);
  return [...head, ...shown.map((rung) => (rung === null ? GAP : rungLine(rung, fairTick)))].slice(0, rows);
}

const GAP = coloured(
  rightAligned(
    '…',
    WIDTHS.slice(0, PRICE_AT + 1).reduce((sum, width) => sum + width),
  ),
  DIM,
);

const row = (cells: readonly string[], colours: readonly string[] = [], mark = ' '): string =>
  cells
    .map((cell, at) => {
      const text = coloured(rightAligned(cell, WIDTHS[at] as number), colours[at] ?? '');
      return at === PRICE_AT ? text + mark : text;
    })
    .join('');

function rungLine(rung: Rung, fairTick: number | null): string {
  const { price, toBack, toLay, against, for: ours, tick } = rung;
  const cells = [unfilled(against), stakeOf(toBack), odds(price), stakeOf(toLay), unfilled(ours)];
  return row(cells, [BOLD, BACK, '', LAY, BOLD], tick === fairTick ? '<' : ' ');
}

const unfilled = (quotes: readonly LiveQuote[]): string => shortSum(quotes.map((quote) => quote.unfilled));
const stakeOf = (levels: readonly Level[]): string => shortSum(levels.map(([, stake]) => stake));

const shortSum = (stakes: readonly number[]): string =>
  stakes.length === 0 ? '' : TERMINAL.short(stakes.reduce((sum, stake) => sum + stake, 0));

/** The rungs if they fit; else those around where something stands; else only those where something stands, with null for the others between. */
function withoutGaps(
  rungs: readonly Rung[],
  fairTick: number | null,
  rows: number,
): readonly (Rung | null)[] {
  if (rungs.length <= rows) return rungs;
  const isFull = ({ toBack, toLay, against, for: ours, tick }: Rung): boolean =>
    tick === fairTick || [toBack, toLay, against, ours].some((here) => here.length > 0);
  const [first, last] = [rungs.findIndex(isFull), rungs.findLastIndex(isFull)];
  const spare = rows - (last - first + 1);
  if (spare >= 0) {
    const start = Math.min(Math.max(0, first - Math.ceil(spare / 2)), rungs.length - rows);
    return rungs.slice(start, start + rows);
  }
  const full = rungs.slice(first, last + 1).flatMap((rung, at, all): readonly (Rung | null)[] => {
    const [before, after] = [all[at - 1], all[at + 1]];
    if (isFull(rung) || (before && after && isFull(before) && isFull(after))) return [rung];
    return before && isFull(before) ? [null] : [];
  });
  const from = Math.max(0, Math.floor((full.length - rows) / 2));
  return full.slice(from, from + Math.max(0, rows));
}
