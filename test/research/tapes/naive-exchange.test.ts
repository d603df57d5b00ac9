/** Tapes of what an exchange sent against a reading that keeps every entry and asks the whole list anew. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { ExchangeTapes } from '../../../src/research/tapes/from-exchange.ts';

const NAMES = ['1', '2'].flatMap((id) =>
  ['fb', 'fb_ht'].map((code) => ({ sport: sport(code), eventId: eventId(`2026-01-03,${id},9`) })),
);
const MARKETS: Readonly<Record<string, string>> = { h: 'wdw', d: 'wdw', 'over,2.5': 'ou' };
const OUTCOMES = Object.keys(MARKETS);
const PRICES = [2, 2.02, 2.04, 2.1];

const name = fc.constantFrom(...NAMES);
const taken = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom('for', 'against'),
});
const levels = fc
  .array(fc.tuple(fc.constantFrom(...PRICES), fc.integer({ min: 1, max: 5 })), { maxLength: 3 })
  .map((all) => all.flatMap(([price, stake]) => [price, -1, toMicros(stake)]));

const entry: fc.Arbitrary<StreamEntry> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ name, taken, levels, inRunning: fc.constantFrom(false, false, false, true) })
      .map((given) => ({
        tag: 'offer' as const,
        offer: {
          ...given.name,
          betType: betType(`${given.taken.direction},${given.taken.outcome}`),
          marketType: MARKETS[given.taken.outcome] ?? '',
          inRunning: given.inRunning,
          priceList: given.levels,
        },
      })),
  },
  fc.record({ name, taken }).map((given) => ({
    tag: 'remove_offer' as const,
    ...given.name,
    betType: betType(`${given.taken.direction},${given.taken.outcome}`),
  })),
  fc.record({ name, score: fc.tuple(fc.nat(1), fc.nat(1)) }).map((given) => ({
    tag: 'event_score' as const,
    ...given.name,
    score: given.score,
  })),
  fc.record({ name, redCards: fc.tuple(fc.nat(1), fc.nat(1)) }).map((given) => ({
    tag: 'event_red_cards' as const,
    ...given.name,
    redCards: given.redCards,
  })),
  fc.constant({ tag: 'clear_events' as const }),
  fc.constant({ tag: 'sync' as const, sessionId: null }),
);

/** Instants that ascend, some of them equal. */
const entries = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), entry), { minLength: 5, maxLength: 40, size: 'max' })
  .map((all) => {
    let [atMs, isLost] = [1_000, false];
    return all.flatMap(([afterMs, each]) => {
      atMs += afterMs;
      // Until it has sent that it is in sync, an exchange tells nothing.
      if (isLost && each.tag !== 'sync' && each.tag !== 'clear_events') return [];
      isLost = each.tag === 'clear_events';
      return [[atMs, each] as const];
    });
  });
type Entries = readonly (readonly [atMs: number, entry: StreamEntry])[];

const isOf = (each: StreamEntry, { sport: code, eventId: id }: (typeof NAMES)[number]): boolean => {
  const told = each.tag === 'offer' ? each.offer : each;
  return 'eventId' in told && told.eventId === id && told.sport === code;
};

/** The last offer for takers of a direction, as micros by tick. */
function offered(all: Entries, direction: string, outcome: string): Map<number, number> {
  const ladder = new Map<number, number>();
  const type = `${direction},${outcome}`;
  const last = all.findLast(
    ([, each]) =>
      (each.tag === 'offer' && each.offer.betType === type) ||
      (each.tag === 'remove_offer' && each.betType === type),
  )?.[1];
  const list = last?.tag === 'offer' ? last.offer.priceList : [];
  for (let at = 0; at < list.length; at += 3) {
    const tick = tickOf(list[at] ?? NaN) ?? -1;
    ladder.set(tick, (ladder.get(tick) ?? 0) + (list[at + 2] ?? NaN));
  }
  return ladder;
}

function heldAt(
  { updates, selections }: EventTape,
  untilMs: number,
  side: number,
  outcome: string,
): Map<number, number> {
  const held = new Map<number, number>();
  for (let row = 0; row < updates.length; row++) {
    const isOwn = updates.op[row] === side && selections[updates.of[row] ?? -1]?.outcome === outcome;
    if (!isOwn || (updates.atMs[row] ?? NaN) > untilMs) continue;
    const [tick, micros] = [updates.tick[row] ?? -1, updates.micros[row] ?? NaN];
    if (micros === 0) held.delete(tick);
    else held.set(tick, micros);
  }
  return held;
}

const sorted = (ladder: ReadonlyMap<number, number>): unknown => [...ladder].toSorted(([a], [b]) => a - b);

/** From the first loss until the next sync; a stretch before the first offer of an event is none of it. */
function gapsOf(all: Entries, first: number): unknown[] {
  const gaps: { fromMs: number; toMs: number; market: null }[] = [];
  let fromMs: number | null = null;
  for (const [atMs, { tag }] of all.slice(first)) {
    if (tag === 'clear_events') fromMs ??= atMs;
    if (tag !== 'sync') continue;
    if (fromMs !== null && fromMs < atMs) gaps.push({ fromMs, toMs: atMs, market: null });
    fromMs = null;
  }
  return gaps;
}

it('tapes of an exchange are those of a naive reading of its entries', () => {
  let [tapes, gaps] = [0, 0];
  fc.assert(
    fc.property(entries, (all) => {
      const reading = new ExchangeTapes();
      for (const [atMs, each] of all) reading.entry(each, atMs);
      const found = reading.tapes();
      const offering = NAMES.filter((each) => all.some(([, one]) => one.tag === 'offer' && isOf(one, each)));
      expect(found).toHaveLength(offering.length);
      for (const event of offering) {
        const own = all.filter(([, each]) => isOf(each, event));
        const tape = found.find(
          (each) => each.event.sport === event.sport && each.event.eventId === event.eventId,
        );
        if (tape === undefined) throw new Error('no tape');
        tapes++;
        for (const [atMs] of own)
          for (const outcome of tape.selections.map((each) => each.outcome)) {
            const until = own.filter(([ms]) => ms <= atMs);
            // Takers for get what rests against, and the other way round.
            expect(sorted(heldAt(tape, atMs, OP.restingAgainst, outcome))).toEqual(
              sorted(offered(until, 'for', outcome)),
            );
            expect(sorted(heldAt(tape, atMs, OP.restingFor, outcome))).toEqual(
              sorted(offered(until, 'against', outcome)),
            );
          }
        for (const { outcome, market } of tape.selections)
          expect(tape.markets[market]?.marketType).toBe(MARKETS[outcome]);
        const played = own.find(([, each]) => each.tag === 'offer' && each.offer.inRunning)?.[0] ?? null;
        expect(tape.inPlayMs).toBe(played);
        const { op, tick, micros, atMs } = tape.updates;
        // The stream names no bet delay.
        for (const [row, kind] of op.entries()) if (kind === OP.state) expect(micros[row]).toBe(0);
        for (const [row, kind] of op.entries())
          if (kind === OP.state && played !== null && (atMs[row] ?? NaN) > played)
            expect(tick[row]).toBe(MARKET_STATE.open + MARKET_STATE.inPlay);
        expect(tape.scores ?? []).toEqual(scoresOf(own));
        expect(tape.gaps).toEqual(
          gapsOf(
            all,
            all.findIndex(([, each]) => each.tag === 'offer' && isOf(each, event)),
          ),
        );
        gaps += tape.gaps.length;
      }
    }),
    { numRuns: 300 },
  );
  expect([tapes > 300, gaps > 5]).toEqual([true, true]);
});

/** Each change of what is known of score and red cards. */
function scoresOf(own: Entries): unknown[] {
  const scores: { atMs: number; score: unknown; redCards: unknown; clock: null }[] = [];
  for (const [atMs, each] of own) {
    const before = scores.at(-1) ?? { score: null, redCards: null };
    const score = each.tag === 'event_score' ? each.score : before.score;
    const redCards = each.tag === 'event_red_cards' ? each.redCards : before.redCards;
    if (JSON.stringify([score, redCards]) !== JSON.stringify([before.score, before.redCards]))
      scores.push({ atMs, score, redCards, clock: null });
  }
  return scores;
}
