import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Order, orderedBy, visibleRows } from './rows.ts';
import { classOf, type Column, titleOf } from './table.tsx';

/** `--row` of the tokens. */
const ROW_PX = 24;

interface LongTableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** The row that stands out. */
  readonly selected?: T | null;
}

/** A table of any length: only the rows in view exist in the page. A click on a title sorts. */
export function LongTable<T>({ caption, columns, rows, selected }: LongTableProps<T>): JSX.Element {
  const [order, setOrder] = useState<Order | null>(null);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => {
    const sortBy = order === null ? undefined : columns[order.column]?.sortBy;
    return order === null || sortBy === undefined ? rows : orderedBy(rows, sortBy, order.descending);
  }, [rows, order, columns]);
  const { from, to } = visibleRows(sorted.length, top, box.current?.clientHeight ?? 420, ROW_PX);
  return (
    <div
      class="scroll tall"
      role="region"
      aria-label={caption}
      tabIndex={0}
      ref={box}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={sorted.length + 1}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <Title
                column={column}
                order={order?.column === at ? order : null}
                onSort={() => setOrder({ column: at, descending: order?.column === at && !order.descending })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={from} columns={columns.length} />
          {sorted.slice(from, to).map((row, at) => (
            <tr key={from + at} aria-rowindex={from + at + 2} class={row === selected ? 'selected' : ''}>
              {columns.map((column) => (
                <Cell column={column} row={row} />
              ))}
            </tr>
          ))}
          <Space rows={sorted.length - to} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

interface TitleProps<T> {
  readonly column: Column<T>;
  /** How the table is sorted by this column; null if it is not. */
  readonly order: Order | null;
  readonly onSort: () => void;
}

function Title<T>({ column, order, onSort }: TitleProps<T>): JSX.Element {
  const direction = order === null ? 'none' : order.descending ? 'descending' : 'ascending';
  if (column.sortBy === undefined) return <th class={classOf(column)}>{column.title}</th>;
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction}>
      <button type="button" onClick={onSort}>
        {column.title} <span aria-hidden="true">{MARKS[direction]}</span>
      </button>
    </th>
  );
}

const MARKS = { none: '', ascending: '▲', descending: '▼' } as const;

/** Holds the place of rows that are out of view. */
function Space({ rows, columns }: { readonly rows: number; readonly columns: number }): JSX.Element | null {
  if (rows <= 0) return null;
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  );
}

interface CellProps<T> {
  readonly column: Column<T>;
  readonly row: T;
}

function Cell<T>({ column, row }: CellProps<T>): JSX.Element {
  const cell = column.cell(row);
  return (
    <td class={classOf(column)} title={titleOf(column, cell)}>
      {cell}
    </td>
  );
}
