import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { LADDER, tickOf } from '../../../src/domain/ladder.ts';
import { OP, type Updates } from '../../../src/research/tape.ts';
import { FIRST_MS, type GivenMarket, imported, line, opening } from '../../support/betfair-lines.ts';

const ODDS: GivenMarket = { id: '1.1', type: 'MATCH_ODDS', runners: [{ id: 11 }, { id: 22 }, { id: 58805 }] };

const updatesOf = async (...lines: readonly string[]): Promise<Updates> => {
  const { events } = await imported([[opening(ODDS), ...lines]]);
  const updates = events[0]?.tapes[0]?.updates;
  if (updates === undefined) throw new Error('no tape');
  return updates;
};

const change = (ms: number, rc: object, more: object = {}): string =>
  line(ms, { id: ODDS.id, rc: [{ id: 11, ...rc }], ...more });

/** Each update as operation, price of the ladder and stake. */
const shown = ({ op, tick, micros, length }: Updates): unknown[] =>
  Array.from({ length }, (_, at) => [
    op[at],
    op[at] === OP.state ? null : LADDER[tick[at] ?? 0],
    (micros[at] ?? 0) / 1e6,
  ]).slice(1);

describe('the updates of a market', () => {
  it('are levels: available to back rests against, available to lay rests for', async () => {
    const updates = await updatesOf(
      change(5, { atb: [[2, 10]], atl: [[2.04, 7.5]] }),
      change(9, { atb: [[2, 0]] }),
    );
    expect(shown(updates)).toEqual([
      [OP.restingAgainst, 2, 10],
      [OP.restingFor, 2.04, 7.5],
      [OP.restingAgainst, 2, 0],
    ]);
    expect([...updates.atMs]).toEqual([0, 5, 5, 9].map((ms) => FIRST_MS + ms));
  });

  it('are trades, halved, of the side that was hit, before the levels of their instant', async () => {
    const book = change(5, { atb: [[2, 10]], atl: [[2.04, 10]] });
    const updates = await updatesOf(
      book,
      change(6, { atb: [[2, 4]], trd: [[2, 12]] }),
      change(7, { trd: [[2.04, 6]] }),
      change(8, {
        trd: [
          [2, 12],
          [2.04, 5],
        ],
      }),
    );
    expect(shown(updates).slice(2)).toEqual([
      [OP.tradedAgainst, 2, 6],
      [OP.restingAgainst, 2, 4],
      [OP.tradedFor, 2.04, 3],
    ]);
  });

  it('forget the book before an image, whose volume was traded unseen', async () => {
    const { events } = await imported([
      [
        opening(ODDS),
        change(5, { atb: [[2, 10]], trd: [[2, 4]] }),
        change(60, { atb: [[1.9, 3]], trd: [[2, 100]] }, { img: true }),
        change(70, { trd: [[2, 110]] }),
      ],
    ]);
    const tape = events[0]?.tapes[0];
    expect(tape?.gaps).toEqual([{ fromMs: FIRST_MS + 5, toMs: FIRST_MS + 60, market: 0 }]);
    const updates = tape?.updates as Updates;
    expect(shown(updates)).toEqual([
      [OP.tradedAgainst, 2, 2],
      [OP.restingAgainst, 2, 10],
      [OP.restingAgainst, 2, 0],
      [OP.restingAgainst, 1.9, 3],
      [OP.tradedAgainst, 2, 5],
    ]);
  });

  it('stand at the tick that is worse for takers where a price is between two', async () => {
    const updates = await updatesOf(
      change(5, { atb: [[2.01, 10]], atl: [[2.03, 5]] }),
      change(6, { atb: [[2, 7]] }),
    );
    expect(shown(updates)).toEqual([
      [OP.restingAgainst, 2, 10],
      [OP.restingFor, 2.04, 5],
      [OP.restingAgainst, 2, 17],
    ]);
  });

  it('follow the ranks of files that have the best levels alone', async () => {
    const updates = await updatesOf(
      change(5, {
        batb: [
          [0, 2, 10],
          [1, 1.99, 5],
        ],
      }),
      change(6, {
        batb: [
          [0, 2.02, 1],
          [1, 2, 10],
        ],
      }),
      change(7, { batb: [[1, 0, 0]] }),
    );
    expect(shown(updates)).toEqual([
      [OP.restingAgainst, 2, 10],
      [OP.restingAgainst, 1.99, 5],
      [OP.restingAgainst, 1.99, 0],
      [OP.restingAgainst, 2.02, 1],
      [OP.restingAgainst, 2, 0],
    ]);
  });

  it('are none for last prices alone', async () => {
    expect(shown(await updatesOf(change(5, { ltp: 2.5 }), change(6, { ltp: 2.52 })))).toEqual([]);
  });

  it('give the book of a naive reader, whatever comes', async () => {
    const price = fc.constantFrom(1.99, 2, 2.01, 2.02, 2.03, 2.04);
    const levels = fc.array(fc.tuple(price, fc.integer({ min: 0, max: 3 })), { maxLength: 3 });
    const step = fc.record({ isImage: fc.boolean(), atb: levels, atl: levels });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const updates = await updatesOf(
          ...steps.map(({ isImage, atb, atl }, at) => change(at + 1, { atb, atl }, { img: isImage })),
        );
        const naive = { atb: new Map<number, number>(), atl: new Map<number, number>() };
        for (const { isImage, ...sides } of steps)
          for (const side of ['atb', 'atl'] as const) {
            if (isImage) naive[side].clear();
            for (const [at, size] of sides[side]) naive[side].set(at, size);
          }
        const book = new Map<string, number>();
        for (let at = 0; at < updates.length; at++) {
          const [op, tick] = [updates.op[at], updates.tick[at]];
          if (op === OP.clear) book.clear();
          else if (op === OP.restingFor || op === OP.restingAgainst)
            book.set(`${op} ${tick}`, updates.micros[at] ?? 0);
        }
        const expected = new Map<string, number>();
        for (const [op, side, ticks] of [
          [OP.restingAgainst, naive.atb, { 2.01: 2, 2.03: 2.02 }],
          [OP.restingFor, naive.atl, { 2.01: 2.02, 2.03: 2.04 }],
        ] as const)
          for (const [given, size] of side) {
            const key = `${op} ${tickOf((ticks as Record<number, number>)[given] ?? given)}`;
            expected.set(key, (expected.get(key) ?? 0) + toMicros(size));
          }
        const standing = (all: Map<string, number>): unknown[] =>
          [...all].filter(([, micros]) => micros > 0).sort();
        expect(standing(book)).toEqual(standing(expected));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a bad file', () => {
  const good = change(5, { atb: [[2, 10]] });
  it.each<[string, readonly string[], string]>([
    ['not JSON', [opening(ODDS), '{"op":"mc'], 'file 1, line 2: '],
    [
      'another format',
      ['{"name":"x"}', '[1]', 'null'],
      'file 1, line 3: has no message of the Betfair stream format (op mcm)',
    ],
    ['nothing', [], 'file 1: is empty'],
    [
      'a clock that runs backwards',
      [opening(ODDS), good, change(4, {})],
      'file 1, line 3: pt: the clock runs backwards',
    ],
    ['no instant', ['{"op":"mcm","mc":[]}'], 'file 1, line 1: pt: is not an instant'],
    [
      'no market',
      [`{"op":"mcm","pt":5,"mc":[{"rc":[]}]}`],
      'file 1, line 1: mc.id: is not the id of a market',
    ],
    [
      'a definition without a start',
      [line(0, { id: '1.1', marketDefinition: { eventId: '1', eventTypeId: '1' } })],
      'file 1, line 1: marketDefinition.marketTime',
    ],
    ['a level that is no number', [opening(ODDS), change(5, { atb: [[2, 'x']] })], 'file 1, line 2: '],
  ])('with %s is named with its line', async (_, lines, message) => {
    await expect(imported([lines])).rejects.toThrow(message);
  });

  it('leaves nothing behind: another file may have its market', async () => {
    const { MarketsInMemory } = await import('../../../src/research/tapes/in-memory.ts');
    const { BetfairImport } = await import('../../../src/research/import/betfair.ts');
    const markets = new MarketsInMemory();
    const reading = new BetfairImport(markets);
    const linesOf = async function* (lines: readonly string[]): AsyncGenerator<readonly string[]> {
      yield lines;
    };
    await expect(reading.read({ file: 'bad', lines: linesOf([opening(ODDS), good, 'x']) })).rejects.toThrow(
      'bad, line 3',
    );
    await reading.read({ file: 'good', lines: linesOf([opening(ODDS), good]) });
    expect(markets.events()[0]?.tapes[0]?.updates.length).toBe(2);
    await expect(reading.read({ file: 'again', lines: linesOf([opening(ODDS)]) })).rejects.toThrow(
      'again, line 1: market 1.1 was imported already, from good; leave one of the two out',
    );
  });

  it('counts lines of other kinds, and markets that are never defined', async () => {
    const { summaries } = await imported([
      [opening(ODDS), '', '{"op":"status"}', line(9, { id: '1.2', rc: [] })],
    ]);
    expect(summaries).toEqual([
      {
        file: 'file 1',
        lines: 4,
        markets: 1,
        undefinedMarkets: ['1.2'],
        cut: null,
        otherLines: new Map([['status', { count: 1, first: 'status' }]]),
      },
    ]);
  });
});
