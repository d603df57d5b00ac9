/** The import of generated files against a reading of the docs alone. */
import { describe, expect, it } from 'vitest';
import { type EventTape, OP } from '../../../src/research/tape.ts';
import { type NaiveMarket, stateOf } from './naive-import.ts';
import { settlementOf } from './naive-results.ts';
import { expectBooks, files, type Read, readOf, shown } from './read-files.ts';

type NamedRemoval = readonly [atMs: number, market: number, outcome: string | null, factor: number | null];

/** Removals of one instant are in no order. */
const byInstantAndName = (a: NamedRemoval, b: NamedRemoval): number =>
  a[0] - b[0] || a[1] - b[1] || (String(a[2]) < String(b[2]) ? -1 : 1);

/** The books of a tape after each instant: by selection and side. */
function booksOf({ updates, selections }: EventTape, untilMs: number): Map<string, Map<number, number>> {
  const books = new Map<string, Map<number, number>>();
  for (let row = 0; row < updates.length && (updates.atMs[row] as number) <= untilMs; row++) {
    const kind = updates.op[row];
    if (kind !== OP.restingFor && kind !== OP.restingAgainst) continue;
    const key = `${selections[updates.of[row] ?? -1]?.outcome} ${kind === OP.restingFor ? 'for' : 'against'}`;
    const book = books.get(key) ?? new Map<number, number>();
    books.set(key, book);
    const micros = updates.micros[row] as number;
    if (micros === 0) book.delete(updates.tick[row] as number);
    else book.set(updates.tick[row] as number, micros);
  }
  return books;
}

const instantsOf = (markets: readonly NaiveMarket[]): number[] =>
  [...new Set(markets.flatMap(({ moments }) => moments.map(({ atMs }) => atMs)))].toSorted((a, b) => a - b);

function expectStates(tape: EventTape, market: NaiveMarket, of: number): void {
  const { op, of: subjects, tick, micros, atMs, length } = tape.updates;
  const rows = Array.from({ length }, (_, row) => row).filter(
    (row) => op[row] === OP.state && subjects[row] === of,
  );
  for (const [at, moment] of market.moments.entries()) {
    // Two messages of one instant are one state.
    if (market.moments[at + 1]?.atMs === moment.atMs) continue;
    const row = rows.findLast((each) => (atMs[each] as number) <= moment.atMs) ?? -1;
    expect([of, moment.atMs, tick[row], micros[row]]).toEqual([
      of,
      moment.atMs,
      stateOf(market, at),
      moment.betDelayMs,
    ]);
  }
}

const tradesOf = ({ updates, selections }: EventTape): string[] => {
  const { op, of, tick, micros, atMs, length } = updates;
  return Array.from({ length }, (_, row) => row)
    .filter((row) => op[row] === OP.tradedFor || op[row] === OP.tradedAgainst)
    .map((row) => {
      const side = op[row] === OP.tradedFor ? 'for' : 'against';
      return `${atMs[row]} ${selections[of[row] ?? -1]?.outcome} ${side} ${tick[row]} ${micros[row]}`;
    })
    .toSorted();
};

/** The terms of the event, its markets and its selections. */
function expectTerms({ event, tape, markets }: Read): void {
  expect([tape.event.sport, tape.eventName]).toEqual([event.sport, event.eventName]);
  expect(tape.event.eventId).toBe(`2026-01-03,${event.numbers}`);
  expect(tape.markets).toEqual(
    markets.map(({ given, commissionRate }) => ({
      marketId: given.id,
      marketType: FAMILIES[given.type],
      commissionRate,
      winners: given.winners,
      otherRunners: 0,
      betDelayModels: ['PASSIVE'],
    })),
  );
  expect(tape.selections.map(({ outcome, market }) => [market, outcome])).toEqual(
    markets.flatMap(({ given }, at) => given.runners.map(({ outcome }) => [at, outcome])),
  );
  expect(tape.startMs).toBe(markets[0]?.startMs);
  const played = markets.flatMap(({ inPlayMs }) => inPlayMs ?? []);
  expect(tape.inPlayMs).toBe(played.length === 0 ? null : Math.min(...played));
}

function expectTrades({ tape, markets }: Read): void {
  const trades = markets.flatMap((market) => market.trades);
  expect(tradesOf(tape)).toEqual(
    trades
      .map(({ atMs, outcome, side, tick, micros }) => `${atMs} ${outcome} ${side} ${tick} ${micros}`)
      .toSorted(),
  );
  expect(tape.hasTrades).toBe(trades.length > 0);
}

function expectTurns({ tape, markets }: Read): void {
  expect(tape.gaps).toEqual(
    markets
      .flatMap(({ gaps }, market) => gaps.map((gap) => ({ ...gap, market })))
      .toSorted((a, b) => a.fromMs - b.fromMs),
  );
  const removals = tape.removals.map(({ atMs, market, selection, factor }): NamedRemoval => {
    return [atMs, market, tape.selections[selection ?? -1]?.outcome ?? null, factor];
  });
  const expected = markets.flatMap((market, at) =>
    market.removals.map(({ atMs, outcome, factor }): NamedRemoval => [atMs, at, outcome, factor]),
  );
  expect(removals.toSorted(byInstantAndName)).toEqual(expected.toSorted(byInstantAndName));
  const instants = removals.map(([atMs]) => atMs);
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
}

function expectResults({ tape, markets }: Read): void {
  for (const { outcome, market, startingPrice, settlement } of tape.selections) {
    const naive = markets[market] as NaiveMarket;
    const expected = [naive.startingPrices.get(outcome), settlementOf(outcome, naive, markets)];
    expect([outcome, startingPrice, settlement]).toEqual([outcome, ...expected]);
  }
}

describe('the import of generated files', () => {
  it.each(files.map((file, number) => [number, file] as const))(
    'is that of a naive reading of the docs: file %i',
    async (_, file) => {
      for (const read of await readOf(file)) {
        const { tape, markets } = read;
        expectTerms(read);
        for (const atMs of instantsOf(markets)) {
          const books = booksOf(tape, atMs);
          expectBooks(markets, atMs, (outcome, side) => shown(books.get(`${outcome} ${side}`)));
        }
        for (const [at, market] of markets.entries()) expectStates(tape, market, at);
        expectTrades(read);
        expectTurns(read);
        expectResults(read);
      }
    },
  );

  it('has everything that it is compared for', async () => {
    const all = (await Promise.all(files.map(readOf))).flat();
    const sumOf = (count: (read: Read) => number): number => all.reduce((sum, read) => sum + count(read), 0);
    expect(sumOf(({ tape }) => tape.gaps.length)).toBeGreaterThan(8);
    expect(sumOf(({ tape }) => tape.removals.length)).toBeGreaterThan(12);
    expect(sumOf(({ tape }) => tradesOf(tape).length)).toBeGreaterThan(300);
    expect(
      sumOf(({ tape }) => tape.selections.filter(({ settlement }) => settlement === null).length),
    ).toBeGreaterThan(3);
    expect(sumOf(({ tape }) => Number(tape.inPlayMs !== null))).toBeGreaterThan(5);
  });
});

const FAMILIES: Readonly<Record<string, string>> = {
  MATCH_ODDS: 'wdw',
  OVER_UNDER_25: 'ou',
  ASIAN_HANDICAP: 'ah',
  WIN: 'win',
  PLACE: 'top',
};
