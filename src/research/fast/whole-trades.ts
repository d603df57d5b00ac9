/**
 * How much of the filled stake the rule for recorded trades decides (`fills/traded-falls.ts`): what the orders of a run would have got
 * besides if every trade moved the queue at its price by its whole size. The orders are those of the run, at the instants at which they
 * rested and closed: nothing feeds back.
 */
import type { FillModel } from '../../fills/fill-model.ts';
import { LADDER, type Tick } from '../../domain/ladder.ts';
import type { Micros } from '../../domain/money.ts';
import type { Direction } from '../../domain/selection.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { intentKey } from '../../domain/quote-intent.ts';
import { countUntil } from '../../fair/steps.ts';
import { seededRandom } from '../../lib/random.ts';
import { type EventTape, OP } from '../tape.ts';
import { newOrder, type OwnOrder } from './exchange/own-order.ts';
import { RecordedExchange } from './exchange/recorded-exchange.ts';
import { play } from './fixed-quotes.ts';
import { fastSettings } from './settings.ts';

/** An order of a run that reached its book. Rows are those of the tape: how many were applied by then. */
export interface RestedOrder {
  /** Position in `EventTape.selections`. */
  readonly selection: number;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly filledMicros: Micros;
  readonly fromRow: number;
  readonly toRow: number;
}

/** An order that is closed now, after so many rows; nothing if it never reached its book. */
export function restedOrder(order: OwnOrder, toRow: number): RestedOrder[] {
  const { selection, direction, tick, stakeMicros, filledMicros, restedFromRow: fromRow } = order;
  return fromRow === null ? [] : [{ selection, direction, tick, stakeMicros, filledMicros, fromRow, toRow }];
}

/** The stake that the orders, in the order in which they came, would have got besides. `tape` is without `OP.clear`. */
export function besidesAtWholeSize(
  tape: EventTape,
  orders: readonly RestedOrder[],
  model: FillModel,
): Micros {
  if (model.atWholeSize === undefined || !tape.hasTrades) return 0;
  const unmatched = unmatchedTrades(tape);
  const reached = new Set(
    orders.filter((order) => isReached(unmatched, order)).map(({ selection }) => selection),
  );
  if (reached.size === 0) return 0;
  const concerned = orders.filter(({ selection }) => reached.has(selection));
  const filled = filledAt(tape, concerned, model.atWholeSize);
  return concerned.reduce(
    (sum, { filledMicros }, at) => sum + Math.max(0, (filled[at] as Micros) - filledMicros),
    0,
  );
}

/** The fills that each of the orders gets of a model. */
function filledAt(tape: EventTape, orders: readonly RestedOrder[], model: FillModel): Micros[] {
  const nothing = (): void => undefined;
  const exchange = new RecordedExchange(tape, model, fastSettings(), seededRandom(1, 'whole trades'), {
    onFill: nothing,
    onClosed: nothing,
    onQuotes: nothing,
    onState: nothing,
    onInPlay: nothing,
  });
  const own = orders.map((order, at) => orderOf(tape, order, at));
  const acts = orders.flatMap(({ fromRow, toRow, filledMicros, stakeMicros }, at) => {
    const order = own[at] as OwnOrder;
    const rests = { row: fromRow, run: () => exchange.stand(order) };
    // A filled order was closed by its fill.
    return filledMicros < stakeMicros ? [rests, { row: toRow, run: () => exchange.close(order) }] : [rests];
  });
  acts.sort((a, b) => a.row - b.row);
  let next = 0;
  play(tape, exchange, (_, row) => {
    for (let act = acts[next]; act !== undefined && act.row <= row; act = acts[++next]) act.run();
  });
  return own.map(({ filledMicros }) => filledMicros);
}

const orderOf = (tape: EventTape, terms: RestedOrder, id: number): OwnOrder => {
  const { selection, direction, tick, stakeMicros } = terms;
  const selectionId = tape.selections[selection]?.selectionId ?? ('' as SelectionId);
  const key = intentKey({ selectionId, direction, level: id });
  return newOrder(
    { id, selection, direction, tick, stakeMicros, key, level: id },
    { sentMs: 0, answeredMs: 0, expiryMs: Infinity },
  );
};

/** The rows of trades by which their level did not fall, by the price of a side. */
type UnmatchedTrades = ReadonlyMap<number, Float64Array>;

const found = new WeakMap<EventTape, UnmatchedTrades>();

function unmatchedTrades(tape: EventTape): UnmatchedTrades {
  const known = found.get(tape) ?? searchUnmatched(tape);
  found.set(tape, known);
  return known;
}

/** The trades and the fall at a price at one instant. */
interface Sale {
  tradedMicros: Micros;
  readonly rows: number[];
  /** Whether the level fell once, after all trades and by no less than them: then both rules agree. */
  isMatched: boolean;
}

function searchUnmatched({ updates }: EventTape): UnmatchedTrades {
  const { length, atMs, op, of, tick, micros } = updates;
  const held = new Map<number, Micros>();
  const unmatched = new Map<number, number[]>();
  for (let at = 0; at < length;) {
    const nowMs = atMs[at] as number;
    const sales = new Map<number, Sale>();
    for (; at < length && atMs[at] === nowMs; at++) {
      const kind = op[at] as number;
      if (kind > OP.tradedAgainst) continue;
      const isFor = kind === OP.restingFor || kind === OP.tradedFor;
      const price = priceKey(of[at] as number, isFor, tick[at] as number);
      const sale = sales.get(price) ?? { tradedMicros: 0, rows: [], isMatched: false };
      sales.set(price, sale);
      const size = micros[at] as number;
      if (kind > OP.restingAgainst) noteTrade(sale, size, at);
      else {
        noteFall(sale, (held.get(price) ?? 0) - size);
        held.set(price, size);
      }
    }
    keepUnmatched(sales, unmatched);
  }
  return new Map(Array.from(unmatched, ([price, rows]) => [price, Float64Array.from(rows)]));
}

function noteTrade(sale: Sale, micros: Micros, row: number): void {
  sale.isMatched = false;
  sale.tradedMicros += micros;
  sale.rows.push(row);
}

function noteFall(sale: Sale, fallMicros: Micros): void {
  sale.isMatched = sale.rows.length > 0 && fallMicros >= sale.tradedMicros;
  sale.tradedMicros = Infinity;
}

function keepUnmatched(sales: ReadonlyMap<number, Sale>, unmatched: Map<number, number[]>): void {
  for (const [price, { rows, isMatched }] of sales) {
    if (isMatched || rows.length === 0) continue;
    const all = unmatched.get(price) ?? [];
    all.push(...rows);
    unmatched.set(price, all);
  }
}

function isReached(unmatched: UnmatchedTrades, order: RestedOrder): boolean {
  const { selection, direction, tick, fromRow, toRow } = order;
  const rows = unmatched.get(priceKey(selection, direction === 'for', tick));
  return rows !== undefined && (rows[countUntil(rows, fromRow, false)] ?? Infinity) < toRow;
}

const priceKey = (selection: number, isFor: boolean, tick: Tick): number =>
  LADDER.length * (2 * selection + Number(isFor)) + tick;
