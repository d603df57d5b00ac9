/** The import and the feed of generated files against a reading of the docs alone. */
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../../src/domain/payoff.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import type { ImportedEvent } from '../../../src/research/import/event-import.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { createBetfairFeed } from '../../../src/simulator/feeds/betfair/index.ts';
import { imported } from '../../support/betfair-lines.ts';
import {
  type GeneratedEvent,
  generatedFile,
  type GeneratedFile,
  linesOf,
} from '../../support/generated-betfair.ts';
import { recordingOf } from '../../support/recorded-file.ts';
import { RecordingMarket } from '../../support/recording-market.ts';
import { type NaiveLadder, type NaiveMarket, naiveMarkets, type NaiveMoment } from './naive-import.ts';

const FILES = 20;
const files = Array.from({ length: FILES }, (_, number) => generatedFile(number));

/** The tape of an event, with its markets as the second reading has them: those with bet types, in the tape's order. */
interface Read {
  readonly event: GeneratedEvent;
  readonly tape: EventTape;
  readonly markets: readonly NaiveMarket[];
}

async function readOf(file: GeneratedFile): Promise<Read[]> {
  const { events } = await imported([linesOf(file)]);
  const naive = naiveMarkets(file);
  const tapes = events.flatMap((event: ImportedEvent) => event.tapes);
  expect(tapes).toHaveLength(file.events.length);
  return file.events.map((event) => {
    const ids = new Set(event.markets.map(({ id }) => id));
    const tape = tapes.find(({ markets }) => markets.some(({ marketId }) => ids.has(marketId)));
    if (tape === undefined) throw new Error(`${event.eventName} has no tape`);
    return {
      event,
      tape,
      markets: tape.markets.map(({ marketId }) => naive.get(marketId) as NaiveMarket),
    };
  });
}

type NamedRemoval = readonly [atMs: number, market: number, outcome: string | null, factor: number | null];

/** Removals of one instant are in no order. */
const byInstantAndName = (a: NamedRemoval, b: NamedRemoval): number =>
  a[0] - b[0] || a[1] - b[1] || (String(a[2]) < String(b[2]) ? -1 : 1);

const shown = (ladder: NaiveLadder | undefined): unknown => [...(ladder ?? [])].toSorted(([a], [b]) => a - b);

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

const momentAt = (market: NaiveMarket | undefined, atMs: number): NaiveMoment | undefined =>
  market?.moments.findLast((moment) => moment.atMs <= atMs);

const instantsOf = (markets: readonly NaiveMarket[]): number[] =>
  [...new Set(markets.flatMap(({ moments }) => moments.map(({ atMs }) => atMs)))].toSorted((a, b) => a - b);

/** A close before which the market opens again is a suspension, in the phase from before it. */
function stateOf({ moments }: NaiveMarket, at: number): number {
  const { status } = moments[at] as NaiveMoment;
  const reopens = moments.slice(at).some((moment) => moment.status !== 'CLOSED');
  if (status === 'CLOSED' && !reopens) return MARKET_STATE.closed;
  const told =
    status === 'CLOSED' ? moments.slice(0, at).findLast((moment) => moment.status !== 'CLOSED') : moments[at];
  return (
    (status === 'OPEN' ? MARKET_STATE.open : MARKET_STATE.suspended) +
    (told?.inPlay === true ? MARKET_STATE.inPlay : 0)
  );
}

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

const SIDES = ['for', 'against'] as const;

/** What each selection of the second reading has at an instant, beside what `shownOf` says. */
function expectBooks(
  markets: readonly NaiveMarket[],
  atMs: number,
  shownOf: (outcome: string, side: 'for' | 'against') => unknown,
): void {
  const books = markets.flatMap((market) => [...(momentAt(market, atMs)?.books ?? [])]);
  for (const [outcome, book] of books)
    for (const side of SIDES)
      expect([atMs, outcome, side, shownOf(outcome, side)]).toEqual([atMs, outcome, side, shown(book[side])]);
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

/** What a bet for pays after a score: the won and the lost share of the stake. */
function paidAfter(outcome: string, home: number, away: number): Settlement {
  const all = (isWon: boolean): Settlement => (isWon ? { won: 1, lost: 0 } : { won: 0, lost: 1 });
  if (outcome === 'h') return all(home > away);
  if (outcome === 'a') return all(away > home);
  if (outcome === 'd') return all(home === away);
  if (outcome === 'over,2.5') return all(home + away > 2.5);
  if (outcome === 'under,2.5') return all(home + away < 2.5);
  const [, side = '', quarters = ''] = outcome.split(',');
  // A quarter line is half of either line beside it.
  const line = Number(quarters) / 4;
  const halves = Number(quarters) % 2 === 0 ? [line, line] : [line - 0.25, line + 0.25];
  const margins = halves.map((each) => (side === 'h' ? 1 : -1) * (home - away + each));
  return {
    won: margins.filter((margin) => margin > 0).length / 2,
    lost: margins.filter((margin) => margin < 0).length / 2,
  };
}

function settlementOf(
  outcome: string,
  market: NaiveMarket,
  markets: readonly NaiveMarket[],
): Settlement | null {
  const status = market.statuses.get(outcome) ?? '';
  if (status === 'REMOVED') return { won: 0, lost: 0 };
  if (market.given.type === 'WIN' || market.given.type === 'PLACE') {
    const won = [...market.statuses.values()].filter((each) => each === 'WINNER').length;
    if (status !== 'WINNER') return { won: 0, lost: 1 };
    if (won <= market.given.winners) return { won: 1, lost: 0 };
    // A dead heat for one place divides it; for the last of several nobody knows who shares it.
    return market.given.winners === 1 ? { won: 1 / won, lost: 1 - 1 / won } : null;
  }
  const scores = Array.from({ length: 400 }, (_, at) => [Math.floor(at / 20), at % 20] as const).filter(
    ([home, away]) =>
      markets.every(({ statuses }) => {
        return [...statuses].every(([each, told]) => {
          const { won, lost } = paidAfter(each, home, away);
          // Of a level line both sides have one status.
          const pushes = won === 0 && lost === 0;
          const isLevel = isPushed(each, statuses);
          if (isLevel) return pushes;
          return told === 'WINNER' ? won > 0 : lost > 0;
        });
      }),
  );
  if (isPushed(outcome, market.statuses)) return { won: 0, lost: 0 };
  const paid = scores.map(([home, away]) => paidAfter(outcome, home, away));
  const [first] = paid;
  if (first !== undefined && paid.every(({ won, lost }) => won === first.won && lost === first.lost))
    return first;
  const isQuarter = outcome.startsWith('ah,') && Number(outcome.split(',')[2]) % 2 !== 0;
  if (isQuarter) return null;
  return status === 'WINNER' ? { won: 1, lost: 0 } : { won: 0, lost: 1 };
}

/** A whole line whose sides have one status. */
function isPushed(outcome: string, statuses: ReadonlyMap<string, string>): boolean {
  const [family, side, quarters] = outcome.split(',');
  if (family !== 'ah' || Number(quarters) % 4 !== 0) return false;
  const other = `ah,${side === 'h' ? 'a' : 'h'},${quarters}`;
  return statuses.get(outcome) === statuses.get(other);
}

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

describe('the feed of generated files', () => {
  it.each(files.map((file, number) => [number, file] as const))(
    'shows what a naive reading of the docs has: file %i',
    async (_, file) => {
      const reads = await readOf(file);
      const [firstMs, market] = [file.messages[0]?.pt ?? NaN, new RecordingMarket()];
      const recording = recordingOf(linesOf(file));
      const feed = createBetfairFeed({ recording, fromMs: firstMs, speed: 1, startWallMs: firstMs });
      feed.start(market, firstMs);
      for (const atMs of [...new Set(file.messages.map(({ pt }) => pt))].slice(0, -1)) {
        feed.advance(market, atMs);
        // An event that is over follows its file no longer.
        for (const read of reads)
          if (!read.markets.every((naive) => isClosed(naive, atMs))) expectShown(market, read, atMs);
      }
    },
  );
});

/** Whether a market is closed by an instant, for good. */
const isClosed = (market: NaiveMarket, atMs: number): boolean =>
  stateOf(
    market,
    market.moments.findLastIndex((moment) => moment.atMs <= atMs),
  ) === MARKET_STATE.closed;

/** Whether the outcomes of each market are paused. */
function pausedIn(calls: readonly string[]): ReadonlyMap<string, boolean> {
  return new Map(
    calls
      .map((call) => call.split(' '))
      .filter(([, name]) => name === 'setPaused')
      .map(([, , , outcomes = '', isPaused]) => [outcomes, isPaused === 'true'] as const),
  );
}
