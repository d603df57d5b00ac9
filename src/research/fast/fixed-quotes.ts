/**
 * The fills that a fixed sequence of orders would have got of a recorded market. No strategy takes part, so inventory does not feed back: for the
 * same orders `touch` fills at least as much as `queue`, and `queue` at least as much as `through`, order by order, as long as no order
 * takes when it arrives.
 */
import type { FillModel } from '../../fills/fill-model.ts';
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import { intentKey } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import { seededRandom } from '../../lib/random.ts';
import { explicitLevels } from '../explicit-levels.ts';
import { turnsOf } from '../removals.ts';
import type { EventTape } from '../tape.ts';
import { newOrder, type OwnOrder } from './exchange/own-order.ts';
import { RecordedExchange } from './exchange/recorded-exchange.ts';
import type { FillCause } from './exchange/selection-book.ts';
import { type FastSettings, fastSettings } from './settings.ts';

/** An order by its times at the exchange, wall-clock milliseconds. */
export interface FixedQuote {
  /** Position in `EventTape.selections`. */
  readonly selection: number;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** When the create request reaches the exchange. */
  readonly placedMs: number;
  /** When the request to close it reaches the exchange; null: never. */
  readonly closedMs: number | null;
  /** When it lapses; absent: never. */
  readonly expiryMs?: number;
}

export interface QuoteFill {
  readonly atMs: number;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  readonly cause: FillCause;
}

/** The fate of a quote. */
export interface QuoteFate {
  readonly fills: readonly QuoteFill[];
  readonly filledMicros: Micros;
  /** When it began to rest; null if it never did. */
  readonly restedFromMs: number | null;
  readonly queueAheadMicros: Micros;
  readonly tradedMicros: Micros;
}

/** Options of a run of fixed quotes. Default: the real settings, and seed 1 for the delays that they draw. */
export interface FixedOptions {
  readonly settings?: FastSettings;
  readonly seed?: number;
}

/** The fate of each quote, in the given order. Quotes are placed in the order of their times, and equal times in the given order. */
export function fillsOfQuotes(
  tape: EventTape,
  quotes: readonly FixedQuote[],
  model: FillModel,
  { settings = fastSettings(), seed = 1 }: FixedOptions = {},
): readonly QuoteFate[] {
  const fills = quotes.map((): QuoteFill[] => []);
  const orders = quotes.map((quote, at) => orderOf(tape, quote, at));
  const nothing = (): void => undefined;
  const exchange = new RecordedExchange(tape, model, settings, seededRandom(seed, 'fixed quotes'), {
    onFill: (order, tick, stakeMicros, cause) =>
      fills[order.id]?.push({ atMs: exchange.nowMs, tick, stakeMicros, cause }),
    onClosed: nothing,
    onQuotes: nothing,
    onState: nothing,
    onInPlay: nothing,
  });
  for (const [at, { placedMs, closedMs }] of quotes.entries()) {
    const order = orders[at] as OwnOrder;
    exchange.place(order, placedMs);
    if (closedMs !== null) exchange.cancel(order, closedMs);
  }
  play(tape, exchange);
  return orders.map((order, at) => ({
    fills: fills[at] ?? [],
    filledMicros: order.filledMicros,
    restedFromMs: order.restedFromMs,
    queueAheadMicros: order.queueAheadMicros,
    tradedMicros: order.tradedMicros,
  }));
}

/**
 * Plays a tape through its exchange: tasks of orders before the updates of an instant. `before` is called before each update, after the
 * tasks that were due.
 */
export function play(
  tape: EventTape,
  exchange: RecordedExchange,
  before?: (nowMs: number, row: number) => void,
): void {
  const updates = explicitLevels(tape.updates);
  const turns = turnsOf(tape);
  let turn = 0;
  for (let at = 0; at < updates.length; at++) {
    const nowMs = updates.atMs[at] as number;
    for (let next = turns[turn]; next !== undefined && next.atMs <= nowMs; next = turns[++turn]) {
      while (exchange.nextTaskMs <= next.atMs) exchange.runTask();
      exchange.nowMs = next.atMs;
      exchange.pass(next);
    }
    if (nowMs !== updates.atMs[at - 1]) while (exchange.nextTaskMs <= nowMs) exchange.runTask();
    before?.(nowMs, at);
    exchange.nowMs = nowMs;
    exchange.apply(updates, at);
  }
}

const orderOf = (tape: EventTape, quote: FixedQuote, at: number): OwnOrder => {
  const { selection, direction, tick, stakeMicros, placedMs, expiryMs = Infinity } = quote;
  const selectionId = tape.selections[selection]?.selectionId ?? ('' as never);
  const key = intentKey({ selectionId, direction, level: at });
  return newOrder(
    { id: at, selection, direction, tick, stakeMicros, key, level: at },
    { sentMs: placedMs, answeredMs: placedMs, expiryMs },
  );
};
