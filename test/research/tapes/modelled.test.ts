import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/lib/random.ts';
import { PRICE_TIME } from '../../../src/fills/price-time.ts';
import { RecordedExchange } from '../../../src/research/fast/exchange/recorded-exchange.ts';
import { fastSettings } from '../../../src/research/fast/settings.ts';
import { modelledEvening } from '../../../src/research/tapes/modelled.ts';
import { type EventTape, OP } from '../../../src/research/tape.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import type { Market } from '../../../src/simulator/core/api.ts';
import { createExchange } from '../../../src/simulator/core/exchange.ts';
import { observedFeed } from '../../../src/simulator/core/observed-feed.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';

const EVENING = {
  seed: 4,
  startMs: Date.parse('2026-01-03T17:00:00Z'),
  eveningMs: 140 * 60_000,
  events: 1,
  leadMinutes: 70,
  marketTypes: ['wdw'],
};

const nothing = (): void => undefined;

/** Applies the whole tape to a recorded market, and counts the instants at which a selection had a crossed book. */
function played(tape: EventTape): { crossed: number; traded: number; overTraded: number } {
  const listener = {
    onFill: nothing,
    onClosed: nothing,
    onQuotes: nothing,
    onState: nothing,
    onInPlay: nothing,
  };
  const market = new RecordedExchange(tape, PRICE_TIME, fastSettings(), seededRandom(1), listener);
  const { updates } = tape;
  let [crossed, traded, overTraded] = [0, 0, 0];
  for (let at = 0; at < updates.length; at++) {
    const op = updates.op[at] ?? -1;
    const book = market.books[updates.of[at] ?? -1];
    if (op === OP.tradedFor || op === OP.tradedAgainst) {
      traded++;
      const held = (op === OP.tradedFor ? book?.for : book?.against)?.stakes[updates.tick[at] ?? -1] ?? 0;
      if ((updates.micros[at] ?? 0) > held) overTraded++;
    }
    market.apply(updates, at);
    if (updates.atMs[at + 1] === updates.atMs[at]) continue;
    for (const { for: lay, against: back } of market.books)
      if (lay.best >= 0 && back.best >= 0 && back.best >= lay.best) crossed++;
  }
  return { crossed, traded, overTraded };
}

describe('a tape of the modelled market', () => {
  const [tape, ...more] = modelledEvening(EVENING);
  if (tape === undefined) throw new Error('no event ended');

  it('covers an event from before its start to its result', () => {
    expect(more).toEqual([]);
    const { updates, selections, markets, inPlayMs, startMs } = tape;
    expect(markets.map(({ marketType }) => marketType)).toEqual(['wdw']);
    expect(selections.map(({ outcome }) => outcome).toSorted()).toEqual(['a', 'd', 'h']);
    expect(selections.reduce((sum, { settlement }) => sum + (settlement?.won ?? NaN), 0)).toBe(1);
    expect(inPlayMs).toBeGreaterThanOrEqual(startMs);
    expect(updates.atMs[0]).toBeLessThan(startMs);
    expect(updates.atMs).toEqual(updates.atMs.toSorted());
  });

  it('trades what rests, or what came and was taken at once, and is never left crossed', () => {
    const { crossed, traded, overTraded } = played(tape);
    expect(traded).toBeGreaterThan(100);
    expect(crossed).toBe(0);
    expect(overTraded / traded).toBeLessThan(0.1);
  });

  it('trades as much of each outcome as takers took on the exchange', () => {
    const taken = new Map<string, number>();
    const feed = createModelFeed({
      seed: EVENING.seed,
      startWallMs: EVENING.startMs,
      events: 1,
      leadMinutes: 70,
    });
    const observe = (market: Market): Partial<Market> => ({
      take: (at, direction, limitPrice, stakeMicros, nowMs) => {
        const micros = market.take(at, direction, limitPrice, stakeMicros, nowMs);
        const key = `${at.eventId} ${at.outcome} ${direction}`;
        taken.set(key, (taken.get(key) ?? 0) + micros);
        return micros;
      },
    });
    const exchange = createExchange({
      accounts: [],
      feeds: [observedFeed(feed, observe)],
      parseBetType,
      startMs: EVENING.startMs,
      random: seededRandom(EVENING.seed, 'exchange'),
      settings: { priceConvention: 'lay', offersLagMs: 0 },
    });
    const endMs = EVENING.startMs + EVENING.eveningMs;
    for (let dueMs = exchange.nextDueMs(); dueMs !== null && dueMs <= endMs; dueMs = exchange.nextDueMs()) {
      exchange.advance(dueMs);
      exchange.drain();
    }
    const { updates, selections, event } = tape;
    for (const [selection, { outcome }] of selections.entries())
      for (const [direction, op] of [
        ['for', OP.tradedAgainst],
        ['against', OP.tradedFor],
      ] as const) {
        const traded = updates.micros.reduce(
          (sum, micros, at) => (updates.op[at] === op && updates.of[at] === selection ? sum + micros : sum),
          0,
        );
        expect(traded).toBeGreaterThan(0);
        expect(traded).toBe(taken.get(`${event.eventId} ${outcome} ${direction}`));
      }
  });

  it('is the same for the same seed, and another for another', () => {
    expect(modelledEvening(EVENING)).toEqual([tape]);
    expect(modelledEvening({ ...EVENING, seed: 5 })).not.toEqual([tape]);
  });
});
