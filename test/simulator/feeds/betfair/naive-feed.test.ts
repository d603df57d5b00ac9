/** The feed of generated files against a reading of the docs alone. */
import { describe, expect, it } from 'vitest';
import { parseBetType } from '../../../../src/domain/bet-types/index.ts';
import { priceOf, tickOf } from '../../../../src/domain/ladder.ts';
import { eventKey } from '../../../../src/simulator/core/catalogue.ts';
import { createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import {
  isClosed,
  momentAt,
  type NaiveMarket,
  type NaiveMoment,
} from '../../../research/import/naive-import.ts';
import { settlementOf } from '../../../research/import/naive-results.ts';
import { expectBooks, files, type Read, readOf } from '../../../research/import/read-files.ts';
import { linesOf } from '../../../support/generated-betfair.ts';
import { recordingOf } from '../../../support/recorded-file.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

/** Of an event that is not over: which of its markets match, what they hold, and whether it is in play. */
function expectShown(market: RecordingMarket, { tape, markets }: Read, atMs: number): void {
  const paused = pausedIn(market.calls);
  for (const naive of markets) {
    const { status } = momentAt(naive, atMs) as NaiveMoment;
    const outcomes = naive.given.runners.map(({ outcome }) => outcome ?? '').join(',');
    const isInGap = naive.gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
    const matches = !market.isSuspended(tape.event) && paused.get(outcomes) !== true;
    if (!isClosed(naive, atMs))
      expect([atMs, naive.given.id, matches]).toEqual([atMs, naive.given.id, status === 'OPEN' && !isInGap]);
  }
  expectBooks(markets, atMs, (outcome, side) =>
    market
      .levels({ ...tape.event, outcome }, side)
      .map(({ price, stakeMicros }) => [tickOf(price) ?? -1, stakeMicros] as const)
      .toSorted(([a], [b]) => a - b),
  );
  expect(market.isInRunning(tape.event)).toBe(tape.inPlayMs !== null && tape.inPlayMs <= atMs);
}

/** When every market of an event has closed for good. */
const overMs = ({ markets }: Read): number =>
  Math.min(
    ...markets
      .flatMap(({ moments }) => moments.map(({ atMs }) => atMs))
      .filter((atMs) => markets.every((naive) => isClosed(naive, atMs))),
  );

/** The trades until an event is over, each of which meets the book of its instant. */
function expectTrades(market: RecordingMarket, read: Read): void {
  const { tape, markets } = read;
  const untilMs = overMs(read);
  const trades = markets
    .flatMap((naive) => naive.trades)
    .filter(({ atMs }) => atMs < untilMs)
    .map(({ atMs, outcome, side, tick, micros }) =>
      [atMs, 'trade', eventKey(tape.event), outcome, side, priceOf(tick), micros].join(' '),
    );
  const told = market.calls.filter((call) => call.includes(` trade ${eventKey(tape.event)} `));
  expect(told.filter((call) => Number(call.split(' ')[0]) < untilMs).toSorted()).toEqual(trades.toSorted());
}

/** Removals with what they do to the other runners of their market. */
function expectRemovals(market: RecordingMarket, reads: readonly Read[]): void {
  const expected = reads.flatMap((read) =>
    read.markets.flatMap(({ given, removals }) => {
      const outcomes = given.runners.map(({ outcome }) => outcome);
      const untilMs = overMs(read);
      return removals
        .filter(({ toldMs }) => toldMs <= untilMs)
        .map(({ atMs, outcome, factor }) => ({
          removed: outcome,
          others: outcomes.filter((other) => other !== outcome),
          market: given.type === 'WIN' ? 'win' : 'place',
          factor,
          fromMs: atMs,
        }));
    }),
  );
  const inOrder = (removals: readonly object[]): string[] =>
    removals.map((removal) => JSON.stringify(removal, Object.keys(removal).toSorted())).toSorted();
  expect(inOrder(market.removals)).toEqual(inOrder(expected));
}

/** The result pays each outcome what the last definition says. */
function expectResult(market: RecordingMarket, { tape, markets }: Read): void {
  const result = market.results.get(eventKey(tape.event));
  for (const { outcome, market: of } of tape.selections) {
    const expected = settlementOf(outcome, markets[of] as NaiveMarket, markets);
    if (result === undefined) expect([outcome, expected]).toEqual([outcome, { won: 0, lost: 0 }]);
    else {
      const paid = parseBetType(tape.event.sport, `for,${outcome}`)?.settle(result) ?? null;
      expect([outcome, paid]).toEqual([outcome, expected]);
    }
  }
}

describe('the feed of generated files', () => {
  it.each(files.map((file, number) => [number, file] as const))(
    'shows what a naive reading of the docs has: file %i',
    async (_, file) => {
      const reads = await readOf(file);
      const [firstMs, market] = [file.messages[0]?.pt ?? NaN, new RecordingMarket()];
      const recording = recordingOf(linesOf(file));
      const feed = createBetfairFeed({ recording, fromMs: firstMs, speed: 1, startWallMs: firstMs });
      feed.start(market, firstMs);
      const instants = [...new Set(file.messages.map(({ pt }) => pt))];
      for (const atMs of instants.slice(0, -1)) {
        feed.advance(market, atMs);
        // An event that is over follows its file no longer.
        for (const read of reads)
          if (!read.markets.every((naive) => isClosed(naive, atMs))) expectShown(market, read, atMs);
      }
      feed.advance(market, instants.at(-1) ?? NaN);
      expectRemovals(market, reads);
      for (const read of reads) {
        expectTrades(market, read);
        expectResult(market, read);
      }
    },
  );
});

/** Whether the outcomes of each market are paused. */
function pausedIn(calls: readonly string[]): ReadonlyMap<string, boolean> {
  return new Map(
    calls
      .map((call) => call.split(' '))
      .filter(([, name]) => name === 'setPaused')
      .map(([, , , outcomes = '', isPaused]) => [outcomes, isPaused === 'true'] as const),
  );
}
