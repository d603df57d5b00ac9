import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKey, eventNameOf } from '../../../src/domain/events.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { selectionIdOf } from '../../../src/domain/selection.ts';
import { ExposureBook, type ScopeKind } from '../../../src/risk/exposure/book.ts';
import { type Bet, BetTypeGrids } from '../../../src/risk/exposure/payoffs.ts';
import type { EventFacts } from '../../../src/risk/index.ts';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { FACTS, START_MS } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { directionOfKind } from '../../../src/domain/odds.ts';
import { KINDS_OF_BETS } from '../support/books.ts';

const EVENTS = ['2026-11-21,1,2', '2026-11-22,3,4', '2026-11-22,5,6'].map(eventId);
const SPORTS = ['fb', 'fb_ht', 'basket'].map(sport);
/** Types on the grid, in a market of one winner, and alone. */
const TYPES = ['h', 'd', 'ah,h,-1', 'win,1', 'win,2', 'win,3', 'odd', 'x'];
const ON_GRID = ['for,h', 'against,d', 'for,ah,h,-1'];

function createGrids(): BetTypeGrids {
  const grids = new BetTypeGrids(['fb', 'fb_ht']);
  for (const type of ON_GRID) {
    const parsed = parseBetType('fb', type);
    if (parsed === null) throw new Error(`no such bet type: ${type}`);
    grids.set(null, betType(type), winLossGrid(parsed));
  }
  return grids;
}

const GRIDS = createGrids();
const FACTS_OF = new Map<string, EventFacts>([
  [EVENTS[0] as string, FACTS],
  [EVENTS[1] as string, { ...FACTS, competitionId: 8 }],
  [EVENTS[2] as string, { ...FACTS, startTimeMs: START_MS + 86_400_000 }],
]);
const createBook = (grids = GRIDS): ExposureBook =>
  new ExposureBook(
    {
      outcomes: (bet) => grids.outcomes(bet),
      isAwaited: () => false,
      winnerMarket: (bet) => (bet.betType.includes('win') ? 'win' : null),
    },
    ({ eventId: id }) => FACTS_OF.get(id) ?? null,
  );

const randomBet: fc.Arbitrary<Bet> = fc
  .record({
    sport: fc.constantFrom(...SPORTS),
    eventId: fc.constantFrom(...EVENTS),
    type: fc.tuple(fc.constantFrom(...KINDS_OF_BETS), fc.constantFrom(...TYPES)),
    price: fc.constantFrom(1.25, 2, 2.5, 4, 11),
    stakeMicros: fc.integer({ min: 1, max: 9 }).map((stake) => stake * 1_000_003),
  })
  .map(({ type: [[of, priceKind], outcome], ...rest }) => {
    const market = { ...rest, betType: betType(`${of},${outcome}`) };
    const direction = directionOfKind(priceKind);
    return { ...market, direction, priceKind, selectionId: selectionIdOf(market) };
  });
const entry = fc.record({ bet: randomBet, matched: fc.boolean() });
type Entries = readonly { readonly bet: Bet; readonly matched: boolean }[];

function filled(entries: Entries, book = createBook()): ExposureBook {
  for (const [i, { bet, matched }] of entries.entries()) book.put(`${i}`, bet, matched);
  return book;
}

/** Worst case and gross of each scope of a bet. */
function scopesOf(book: ExposureBook, bet: Bet): Record<ScopeKind, readonly [worst: number, gross: number]> {
  const event = book.event(bet);
  const { worstMicros, grossMicros } = event?.exposure() ?? { worstMicros: 0, grossMicros: 0 };
  const facts = FACTS_OF.get(bet.eventId);
  const names = {
    competition: `${facts?.competitionId}`,
    sport: bet.sport as string,
    day: new Date(facts?.startTimeMs ?? 0).toISOString().slice(0, 10),
    account: '',
  };
  const wider = (kind: keyof typeof names): readonly [number, number] => {
    const found = book.wider().find((scope) => scope.kind === kind && scope.name === names[kind]);
    return [found?.worstMicros ?? 0, found?.grossMicros ?? 0];
  };
  return {
    selection: [event?.selectionWorst(bet.selectionId) ?? 0, 0],
    event: [worstMicros, grossMicros],
    competition: wider('competition'),
    sport: wider('sport'),
    day: wider('day'),
    account: wider('account'),
  };
}

const heldOf = (entries: Entries): Entries => entries.filter(({ matched }) => matched);

const worstOf = (book: ExposureBook, bet: Bet): number => book.event(bet)?.worst() ?? 0;
const everything = (book: ExposureBook) => ({
  account: book.account(),
  wider: [...book.wider()].sort((a, b) => `${a.kind}${a.name}`.localeCompare(`${b.kind}${b.name}`)),
  events: [...book.events()]
    .map((bets) => [eventKey(bets.event), bets.exposure(), bets.size] as const)
    .sort(([a], [b]) => a.localeCompare(b)),
});

describe('the book', () => {
  it('shows before a bet is placed the book with that bet', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), randomBet, (entries, next) => {
        const [before, open, matched] = [filled(entries), filled(entries), filled(entries)];
        open.put('next', next, false);
        matched.put('next', next, true);
        const { reduces, scopes } = before.preview(next);
        const [held, heldWith] = [filled(heldOf(entries)), filled(heldOf(entries))];
        heldWith.put('next', next, true);
        const improves = worstOf(heldWith, next) > worstOf(held, next);
        expect(reduces).toBe(improves && worstOf(matched, next) >= worstOf(before, next));
        const [now, then] = [scopesOf(before, next), scopesOf(open, next)];
        for (const kind of Object.keys(then) as ScopeKind[]) {
          const { worstMicros, worstAfterMicros, grossAfterMicros } = scopes[kind];
          expect([kind, worstMicros, worstAfterMicros]).toEqual([kind, now[kind][0], then[kind][0]]);
          expect([kind, grossAfterMicros]).toEqual([kind, then[kind][1]]);
        }
        expect(everything(before)).toEqual(everything(filled(entries)));
      }),
      runs(300),
    );
  });

  it('equals a book without the bet once it is removed or replaced', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), randomBet, fc.boolean(), (entries, other, matched) => {
        const book = filled(entries);
        for (const i of entries.keys())
          book.put(`${i}`, { ...other, ...eventNameOf(entries[i]!.bet) }, matched);
        filled(entries, book);
        book.put('other', other, matched);
        book.put('other', { ...other, stakeMicros: 0 }, matched);
        expect(everything(book)).toEqual(everything(filled(entries)));
        for (const { bet } of entries) expect(scopesOf(book, bet)).toEqual(scopesOf(filled(entries), bet));
        for (const [i, { bet }] of entries.entries()) book.remove(bet, `${i}`);
        expect(everything(book)).toEqual(everything(createBook()));
      }),
      runs(200),
    );
  });

  it('is the same rebuilt or filled anew, when more grids become known', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const grids = new BetTypeGrids(['fb', 'fb_ht']);
        const book = filled(entries, createBook(grids));
        for (const type of ON_GRID) {
          const parsed = parseBetType('fb', type);
          if (parsed !== null) grids.set(null, betType(type), winLossGrid(parsed));
        }
        book.rebuild();
        expect(everything(book)).toEqual(everything(filled(entries)));
        for (const { bet } of entries) expect(scopesOf(book, bet)).toEqual(scopesOf(filled(entries), bet));
      }),
      runs(100),
    );
  });
});
