import { describe, expect, it } from 'vitest';
import { LOSS, type Settlement, WIN } from '../../../src/domain/payoff.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { intentKey } from '../../../src/domain/quote-intent.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { QuoteLines } from '../../../src/research/replay/quote-lines.ts';
import { type QuoteChange, worthOf } from '../../../src/research/replay/worth.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

const MINUTE_MS = 60_000;
const BOOK: readonly Step[] = [
  [0, 'for', 2.6, 100],
  [0, 'against', 2.3, 100],
];

/** The quote of the only selection. */
const quote = (tape: EventTape, direction: Direction, price: number, stake: number) => ({
  selectionId: tape.selections[0]?.selectionId as never,
  direction,
  level: 0,
  tick: tickOf(price) ?? -1,
  stakeMicros: toMicros(stake),
});

/** One way to quote: from each minute on, this price or nothing. */
function linesOf(tape: EventTape, direction: Direction, prices: readonly (number | null)[]) {
  const lines = new QuoteLines();
  for (const [minute, price] of prices.entries())
    lines.note(
      tape.event,
      price === null ? [] : [quote(tape, direction, price, 20)],
      TAPE_START_MS + minute * MINUTE_MS,
    );
  return lines.lines(TAPE_START_MS + prices.length * MINUTE_MS);
}

const changeAt = (tape: EventTape, direction: Direction, minute: number): QuoteChange => ({
  event: tape.event,
  key: intentKey(quote(tape, direction, 2.4, 20)),
  atMs: TAPE_START_MS + minute * MINUTE_MS,
});

const tape = (steps: readonly Step[], settlement: Settlement | null): EventTape =>
  tapeOf([...BOOK, ...steps, [10 * MINUTE_MS, 'for', 2.6, 100]], {
    selections: [{ outcome: 'h', settlement }],
  });

describe('lines of quotes', () => {
  it('last as long as price and stake stay the same', () => {
    const market = tape([], null);
    const found = linesOf(market, 'for', [2.4, 2.4, 2.42, null, 2.4]);
    const minutes = found.map(({ tick, fromMs, toMs }) => [
      tick,
      ...[fromMs, toMs].map((ms) => (ms - TAPE_START_MS) / MINUTE_MS),
    ]);
    expect(minutes).toEqual([
      [tickOf(2.4), 0, 2],
      [tickOf(2.42), 2, 3],
      [tickOf(2.4), 4, 5],
    ]);
  });
});

describe('the worth of a replay', () => {
  /** A trade of 5 reaches quotes at 2.4 or better for its taker: at 2.4 in minute 1, and again in minute 3. */
  const TRADES: readonly Step[] = [
    [1.4 * MINUTE_MS, 'for', 2.4, 5],
    [1.5 * MINUTE_MS, 'trade for', 2.4, 5],
    [1.5 * MINUTE_MS, 'for', 2.4, 0],
    [3.4 * MINUTE_MS, 'for', 2.4, 5],
    [3.5 * MINUTE_MS, 'trade for', 2.4, 5],
    [3.5 * MINUTE_MS, 'for', 2.4, 0],
  ];

  it('is what the fills of one way settled for, less those of the other', () => {
    const market = tape(TRADES, LOSS);
    const ways = {
      recorded: linesOf(market, 'for', [2.44, 2.44, 2.44, 2.44]),
      now: linesOf(market, 'for', [2.4, 2.4, 2.44, 2.44]),
    };
    const found = worthOf([market], ways, [changeAt(market, 'for', 0), changeAt(market, 'for', 2)]);
    expect(found.recorded).toEqual({ touch: 0, queue: 0, through: 0 });
    // A lost bet of 5. The trade printed at the price of the quote, not beyond it.
    expect(found.now).toEqual({ touch: -5e6, queue: -5e6, through: 0 });
    expect(found.changes).toEqual([
      { touch: -5e6, queue: -5e6, through: 0 },
      { touch: 0, queue: 0, through: 0 },
    ]);
    expect(found.unseen).toBe(0);
  });

  it('counts what the recorded quotes got against the others', () => {
    const market = tape(TRADES, WIN);
    const ways = {
      recorded: linesOf(market, 'for', [2.4, 2.4, 2.4, 2.4]),
      now: linesOf(market, 'for', [2.4, 2.4, null, null]),
    };
    const found = worthOf([market], ways, [changeAt(market, 'for', 2)]);
    expect(found.recorded.touch).toBe(2 * 5e6 * 1.4);
    expect(found.now.touch).toBe(5e6 * 1.4);
    expect(found.changes).toEqual([{ touch: -7e6, queue: -7e6, through: 0 }]);
  });

  it('counts a fill at the instant of a change to that change, and to those of its own quote alone', () => {
    const market = tape(TRADES, LOSS);
    const ways = { recorded: [], now: linesOf(market, 'for', [2.4, 2.4, null]) };
    const other = { ...changeAt(market, 'for', 1.2), key: intentKey(quote(market, 'against', 2.4, 20)) };
    const changes = [
      changeAt(market, 'for', 0),
      other,
      changeAt(market, 'for', 1.5),
      changeAt(market, 'for', 2),
    ];
    expect(worthOf([market], ways, changes).changes.map((each) => each?.touch)).toEqual([0, 0, -5e6, 0]);
  });

  it('is at the last fair value without a result, and unknown without the market', () => {
    const market = tape(TRADES, null);
    const ways = { recorded: [], now: linesOf(market, 'for', [2.4, 2.4]) };
    const fair = 1 / (1 + Math.sqrt(1.6 * 1.3));
    const { now } = worthOf([market], ways, [changeAt(market, 'for', 0)]);
    expect(now.touch).toBe(Math.round(5e6 * (fair * 2.4 - 1)));
    const unseen = worthOf([], ways, [changeAt(market, 'for', 0)]);
    expect(unseen).toMatchObject({ changes: [null], now: { touch: 0 }, unseen: 1 });
  });
});
