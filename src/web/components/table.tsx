import type { ComponentChildren, JSX } from 'preact';

/** A column of a table. Numbers are aligned to the right. */
export interface Column<T> {
  readonly title: string;
  readonly number?: boolean;
  /** `cut`: a long text ends in an ellipsis, and its title has all of it. `wraps`: it goes on in further lines. */
  readonly text?: 'cut' | 'wraps';
  readonly cell: (row: T) => ComponentChildren;
  /** What rows are sorted by; a column without it cannot be sorted. */
  readonly sortBy?: (row: T) => number | string;
}

/** The class of a column's cells. */
export const classOf = <T,>({ number, text }: Column<T>): string =>
  [...(number === true ? ['number'] : []), ...(text === undefined ? [] : [`text-${text}`])].join(' ');

/** What a cell that is cut says in full. */
export const titleOf = <T,>({ text }: Column<T>, cell: ComponentChildren): string | undefined =>
  text === 'cut' && typeof cell === 'string' ? cell : undefined;

interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
}

/** A table of few rows. It scrolls by itself on a narrow screen. The first column names the row. */
export function Table<T>({ caption, columns, rows }: TableProps<T>): JSX.Element {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th scope="row">{column.cell(row)}</th>
                ) : (
                  <td class={classOf(column)}>{column.cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
