import { clip, coloured, DIM, filled } from './styles.ts';

/** A part of the screen that can be shown in more or fewer rows. */
export interface Block {
  /** The rows in which it is whole. */
  readonly height: number;
  /** At most so many lines. */
  lines(rows: number): readonly string[];
}

/** The lines that fit; the last one gives the number of the others. */
export function fitted(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  if (rows <= 0) return [];
  return [...lines.slice(0, rows - 1), coloured(`… ${lines.length - rows + 1} more`, DIM)];
}

/** Lines below a heading that stays. */
export const tableBlock = (heading: string, table: readonly string[]): Block => ({
  height: table.length + 1,
  lines: (rows) => (rows <= 0 ? [] : [heading, ...fitted(table, rows - 1)]),
});

/** The lower block keeps so many rows where there is little room. */
const LEAST_BELOW = 6;

/** Stacks two blocks with an empty line between them. The upper block stays whole until the lower one has its least rows. */
export const stacked = (above: Block, below: Block): Block => ({
  height: above.height + 1 + below.height,
  lines: (rows) => {
    const upper = above.lines(Math.max(0, rows - 1 - Math.min(LEAST_BELOW, below.height)));
    return [...upper, '', ...below.lines(rows - upper.length - 1)].slice(0, Math.max(0, rows));
  },
});

/** Columns between blocks that stand beside each other. */
const GAP = 2;

/** A block in so many columns, and another one right of it. */
export const beside = (left: Block, columns: number, right: Block): Block => ({
  height: Math.max(left.height, right.height),
  lines: (rows) => {
    const [ours, theirs] = [left.lines(rows), right.lines(rows)];
    return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
      const other = theirs[at] ?? '';
      const line = ours[at] ?? '';
      return other === '' ? clip(line, columns) : filled(line, columns) + ' '.repeat(GAP) + other;
    });
  },
});

/** The columns that are left beside a block of so many. */
export const besideOf = (columns: number, taken: number): number => columns - GAP - taken;
