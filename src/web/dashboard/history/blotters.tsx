import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { instant, odds, PAGE } from '../../../lib/formats.ts';
import { labelOnExchange } from '../../../read-model/bet-terms.ts';
import type { RecordedFill } from '../../../read-model/live/records.ts';
import type { OrderRow } from '../../../read-model/status.ts';
import { saveFile } from '../../adapters/save-file.ts';
import { toneOf } from '../../components/figure.tsx';
import { LongTable } from '../../components/long-table.tsx';
import type { Column } from '../../components/table.tsx';
import { type BlotterRow, countInWords, csvOf, isKept } from './blotter-rows.ts';
import { gainOf } from './profits.ts';

const share = (value: number | null): string => PAGE.percentGain(value);

/** A fill or an order, as far as both are listed alike. */
type Bet = Pick<
  OrderRow,
  'atMs' | 'event' | 'outcome' | 'direction' | 'price' | 'stake' | 'exchange' | 'strategy'
>;

/** The price of the selection; over it, what the bet is called and priced on the exchange. */
const priceCell = ({ price: at, exchange }: Bet): JSX.Element | string =>
  exchange === undefined ? (
    odds(at)
  ) : (
    <span title={`on the exchange ${labelOnExchange(exchange)}`}>{odds(at)}</span>
  );

const BET_COLUMNS: readonly Column<Bet>[] = [
  { title: 'time (UTC)', cell: ({ atMs }) => instant(atMs), sortBy: ({ atMs }) => atMs },
  { title: 'event', cell: ({ event }) => event, sortBy: ({ event }) => event },
  { title: 'selection', cell: ({ outcome }) => outcome, sortBy: ({ outcome }) => outcome },
  { title: 'side', cell: ({ direction }) => direction, sortBy: ({ direction }) => direction },
  { title: 'price', number: true, cell: priceCell, sortBy: ({ price: at }) => at },
  { title: 'stake', number: true, cell: ({ stake }) => PAGE.money(stake), sortBy: ({ stake }) => stake },
];

const STRATEGY_COLUMN: Column<Bet> = {
  title: 'strategy',
  cell: ({ strategy }) => strategy ?? PAGE.nothing,
  sortBy: ({ strategy }) => strategy ?? '',
};

const FILL_COLUMNS: readonly Column<RecordedFill>[] = [
  ...BET_COLUMNS,
  {
    title: 'after 1 s',
    number: true,
    cell: ({ markout1 }) => share(markout1),
    sortBy: ({ markout1 }) => markout1 ?? 0,
  },
  {
    title: '10 s',
    number: true,
    cell: ({ markout10 }) => share(markout10),
    sortBy: ({ markout10 }) => markout10 ?? 0,
  },
  {
    title: '60 s',
    number: true,
    cell: ({ markout60 }) => share(markout60),
    sortBy: ({ markout60 }) => markout60 ?? 0,
  },
  {
    title: '10 s, USDT',
    number: true,
    cell: (fill) => <span class={toneOf(gainOf(fill))}>{PAGE.gain(gainOf(fill))}</span>,
    sortBy: (fill) => gainOf(fill) ?? 0,
  },
  { title: 'as', cell: ({ role, voided }) => (voided ? 'void' : role), sortBy: ({ role }) => role },
  STRATEGY_COLUMN,
];

const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  ...BET_COLUMNS,
  { title: 'filled', number: true, cell: ({ filled }) => PAGE.money(filled), sortBy: ({ filled }) => filled },
  { title: 'state', cell: ({ state }) => state, sortBy: ({ state }) => state },
  STRATEGY_COLUMN,
];

export const FillBlotter = ({ fills }: { readonly fills: readonly RecordedFill[] }): JSX.Element => (
  <Blotter name="Fills" rows={fills} columns={FILL_COLUMNS} file="fills.csv" />
);

interface OrderBlotterProps {
  readonly orders: readonly OrderRow[];
  /** Orders that the daemon lists, and those that it has placed. */
  readonly listed: number;
  readonly placed: number;
}

export const OrderBlotter = ({ orders, listed, placed }: OrderBlotterProps): JSX.Element => (
  <Blotter
    name="Orders of this run"
    rows={orders}
    columns={ORDER_COLUMNS}
    file="orders.csv"
    listed={listed}
    all={placed}
  />
);

interface BlotterProps<T> {
  readonly name: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly file: string;
  /** Rows of all events, and how many there would be if none were left out. Default: these. */
  readonly listed?: number;
  readonly all?: number;
}

/** A list that can be sorted, filtered and saved. */
function Blotter<T extends BlotterRow & Pick<Bet, 'exchange'>>({
  name,
  rows,
  columns,
  file,
  listed = rows.length,
  all = listed,
}: BlotterProps<T>): JSX.Element {
  const [text, setText] = useState('');
  const [side, setSide] = useState('');
  const kept = useMemo(() => rows.filter((row) => isKept(row, text, side)), [rows, text, side]);
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <div class="bar">
        <label>
          Find
          <input
            type="search"
            placeholder="event, selection, strategy"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          Side
          <select value={side} onChange={(event) => setSide(event.currentTarget.value)}>
            <option value="">both</option>
            <option value="for">for</option>
            <option value="against">against</option>
          </select>
        </label>
        <button type="button" onClick={() => saveFile(file, csvOf(kept))}>
          Save as CSV
        </button>
        <span role="status" class="quiet">
          {countInWords(kept.length, listed, all)}
        </span>
      </div>
      <LongTable caption={name} columns={columns} rows={kept} />
    </section>
  );
}
