import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourcePriceView } from '../../src/domain/event-view.ts';
import type { EventId, SelectionId } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import type { SourcePrice } from '../../src/domain/source-price.ts';
import { keysFrom, type SourceRules } from '../../src/market/index.ts';
import { EVENT, eventEntry, FB, FIXTURE, FOR, HOME, offer, offerEntry, rig, sportEvent } from './support.ts';

const DRAW = selectionId(FB, EVENT, 'd');
const STALE_MS = 5_000;
const FLAT = { ifWinMicros: 0, ifLoseMicros: 0 };
const KEY = 'A v B|wdw|h';

const rules = (changes: Partial<SourceRules> = {}): SourceRules => ({
  name: 'odds',
  staleAfterMs: STALE_MS,
  match: { sports: [], competitions: [], marketTypes: [] },
  keyOf: keysFrom('{home} v {away}|{marketType}|{outcome}'),
  ...changes,
});

/** A market with the home win and the draw, and these sources. */
function priced(...sources: readonly SourceRules[]) {
  const made = rig({ priceSources: sources });
  made.frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('for,d', FOR)]);
  const { clock, market, changes, sourcePrices$ } = made;
  return {
    ...made,
    send: (...prices: readonly SourcePrice[]): number => {
      const before = changes.length;
      sourcePrices$.next({ source: 'odds', prices });
      return changes.length - before;
    },
    show: (id: SelectionId = HOME): SourcePriceView | undefined =>
      made.view([HOME, DRAW], FLAT)?.selections.find(({ selectionId: each }) => each === id)?.sourcePrices[
        'odds'
      ],
    state: () => market.priceSources()[0],
    pass: (ms: number) => clock.advance(ms),
  };
}

describe('the price of a source', () => {
  it('is shown with its age and with the time that it took to arrive', async () => {
    const { send, show, pass, clock } = priced(rules());
    send({ key: KEY, price: 2.1, atMs: clock.wallMs() - 300 }, { key: 'A v B|wdw|d', price: 3.4 });
    await pass(1_200);
    expect(show()).toEqual({ price: 2.1, ageMs: 1_200, latencyMs: 300 });
    expect(show(DRAW)).toEqual({ price: 3.4, ageMs: 1_200, latencyMs: null });
  });

  it('has a negative latency if the clock of the source is ahead, and is not fresher for it', async () => {
    const { send, show, pass, clock } = priced(rules());
    send({ key: KEY, price: 2.1, atMs: clock.wallMs() + 60_000 });
    expect(show()?.latencyMs).toBe(-60_000);
    await pass(STALE_MS + 1);
    expect(show()).toBeUndefined();
  });

  it('is absent once it is stale, and back when the source repeats it', async () => {
    const { send, show, pass } = priced(rules());
    send({ key: KEY, price: 2.1 });
    await pass(STALE_MS);
    expect(show()?.ageMs).toBe(STALE_MS);
    await pass(1);
    expect(show()).toBeUndefined();
    send({ key: KEY, price: 2.1 });
    expect(show()).toEqual({ price: 2.1, ageMs: 0, latencyMs: null });
  });

  it('is stale at once if it took too long to arrive', () => {
    const { send, show, clock } = priced(rules());
    send({ key: KEY, price: 2.1, atMs: clock.wallMs() - STALE_MS - 1 });
    expect(show()).toBeUndefined();
  });

  it('is absent after the source withdraws it', () => {
    const { send, show } = priced(rules());
    send({ key: KEY, price: 2.1 }, { key: KEY, price: null });
    expect(show()).toBeUndefined();
  });

  it.each([
    ['sports', ['ih']],
    ['competitions', ['Cup']],
    ['marketTypes', ['ah']],
  ])('is absent where %s do not match', (field, names) => {
    const match = { sports: [], competitions: [], marketTypes: [], [field]: names };
    const { send, show } = priced(rules({ match }));
    send({ key: KEY, price: 2.1 });
    expect(show()).toBeUndefined();
  });

  it('is shown where sport, competition and market type match', () => {
    const match = { sports: ['fb'], competitions: ['7'], marketTypes: ['ah', 'wdw'] };
    const { send, show } = priced(rules({ match }));
    send({ key: KEY, price: 2.1 });
    expect(show()?.price).toBe(2.1);
  });

  it('follows the names that the exchange gives', () => {
    const { send, show, frame } = priced(rules());
    send({ key: KEY, price: 2.1 }, { key: 'A v C|wdw|h', price: 2.5 });
    expect(show()?.price).toBe(2.1);
    frame([eventEntry({ away: 'C' })]);
    expect(show()?.price).toBe(2.5);
  });

  it('is absent where two quoted selections have the same key', async () => {
    const { send, show, state, pass } = priced(rules({ keyOf: keysFrom('{home} v {away}') }));
    send({ key: 'A v B', price: 2.1 });
    expect([show(HOME), show(DRAW)]).toEqual([undefined, undefined]);
    expect(state()?.ambiguous).toEqual(['A v B']);
    await pass(1_000);
    expect(show(HOME)).toBeUndefined();
  });

  it('returns to a selection whose twin is no longer quoted', async () => {
    const { send, view, pass } = priced(rules({ keyOf: keysFrom('{home} v {away}') }));
    const price = (chosen: readonly SelectionId[]) =>
      view(chosen, FLAT)?.selections[0]?.sourcePrices['odds']?.price;
    expect(price([HOME, DRAW])).toBeUndefined();
    for (let s = 0; s < 11; s++) {
      await pass(1_000);
      send({ key: 'A v B', price: 2.1 });
      view([HOME], FLAT);
    }
    expect(price([HOME])).toBe(2.1);
  });

  it('keeps each source apart, and ignores a source that is not configured', () => {
    const { view, sourcePrices$ } = priced(rules(), rules({ name: 'model' }));
    for (const [index, source] of ['odds', 'model', 'other'].entries())
      sourcePrices$.next({ source, prices: [{ key: KEY, price: 2 + index }] });
    expect(view([HOME], FLAT)?.selections[0]?.sourcePrices).toMatchObject({
      odds: { price: 2 },
      model: { price: 3 },
    });
  });

  it('is gone with its event', () => {
    const { send, show, frame, state } = priced(rules());
    send({ key: KEY, price: 2.1 });
    show();
    frame([{ tag: 'remove_event', ...FIXTURE }]);
    expect(state()).toMatchObject({ unmapped: [KEY], missing: [] });
    expect(send({ key: KEY, price: 2.2 })).toBe(0);
  });
});

describe('without a source', () => {
  it('every selection shares one empty object', () => {
    const { view } = priced();
    const [home, draw] = view([HOME, DRAW], FLAT)?.selections ?? [];
    expect(home?.sourcePrices).toEqual({});
    expect(home?.sourcePrices).toBe(draw?.sourcePrices);
    expect(Object.isFrozen(home?.sourcePrices)).toBe(true);
  });
});

describe('a batch of prices', () => {
  it('changes an event only if the price of a quoted selection changed', async () => {
    const { send, show, pass, changes } = priced(rules());
    expect(send({ key: KEY, price: 2.1 })).toBe(0);
    show();
    expect(send({ key: KEY, price: 2.2 }, { key: 'A v B|wdw|d', price: 3 })).toBe(1);
    expect(changes.at(-1)).toEqual({ cause: 'source', epoch: 1, events: [FIXTURE] });
    expect(send({ key: KEY, price: 2.2 }, { key: 'X v Y|wdw|h', price: 9 })).toBe(0);
    await pass(STALE_MS + 1);
    expect(send({ key: KEY, price: 2.2 })).toBe(1);
    expect(send({ key: KEY, price: null })).toBe(1);
    expect(send({ key: KEY, price: null })).toBe(0);
  });

  it('names each changed event once', () => {
    const made = priced(rules());
    const other = { eventId: '2026-11-21,7,8' as EventId };
    made.frame([
      { tag: 'event', event: sportEvent({ ...other, home: 'C' }) },
      { tag: 'offer', offer: offer('for,h', FOR, other) },
    ]);
    const away = selectionId(FB, other.eventId, 'h');
    made.show();
    made.market.view({ sport: FB, ...other }, [away], { ...NOBODY }, { monotonicMs: 0, wallMs: 0 });
    made.send({ key: KEY, price: 2 }, { key: 'C v B|wdw|h', price: 3 }, { key: 'A v B|wdw|d', price: 4 });
    expect(made.changes.at(-1)?.events).toEqual([FIXTURE, { sport: FB, ...other }]);
  });
});

const NOBODY = { position: () => FLAT, held: [], realisedMicros: 0, budgets: null };

describe('the state of a source', () => {
  it('names keys that fit no quoted selection, and keys that have no price', async () => {
    const { send, show, state, pass } = priced(rules());
    expect(state()).toEqual({
      name: 'odds',
      ageMs: null,
      keys: 0,
      unmapped: [],
      missing: [],
      ambiguous: [],
      dropped: 0,
    });
    show();
    send({ key: KEY, price: 2.1 }, { key: 'X', price: 2 });
    await pass(700);
    expect(state()).toMatchObject({ ageMs: 700, keys: 2, unmapped: ['X'], missing: ['A v B|wdw|d'] });
  });

  it('drops the keys of a source that has too many, until old ones are stale', async () => {
    const { send, state, pass } = priced(rules());
    const flood = (from: number) =>
      Array.from({ length: 20_001 }, (_, index) => ({ key: `k${from + index}`, price: 2 }));
    send(...flood(0));
    expect(state()).toMatchObject({ keys: 20_000, dropped: 1 });
    await pass(11_000);
    send(...flood(50_000));
    expect(state()).toMatchObject({ keys: 20_000, dropped: 2 });
  });
});

type Step =
  | { readonly kind: 'send'; readonly key: string; readonly price: number | null; readonly lateMs: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'view' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    key: fc.constantFrom(KEY, 'A v B|wdw|d', 'X'),
    price: fc.option(fc.constantFrom(1.5, 2, 3), { nil: null }),
    lateMs: fc.constantFrom(-500, 0, 900, STALE_MS + 1),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 2_000, STALE_MS + 1, 15_000) }),
  fc.record({ kind: fc.constant('view' as const) }),
);

it('shows, after any course of prices and time, the last price of a key until it is stale', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { send, show, pass, clock } = priced(rules());
      let last: { readonly price: number; readonly sinceMs: number; readonly lateMs: number } | null = null;
      for (const each of steps) {
        if (each.kind === 'wait') await pass(each.ms);
        else if (each.kind === 'send') {
          const { key, price, lateMs } = each;
          send({ key, price, atMs: clock.wallMs() - lateMs });
          if (key === KEY) last = price === null ? null : { price, sinceMs: clock.monotonicMs(), lateMs };
        }
        const ageMs = clock.monotonicMs() - (last?.sinceMs ?? 0);
        const isFresh = last !== null && ageMs + Math.max(0, last.lateMs) <= STALE_MS;
        expect(show()).toEqual(isFresh ? { price: last?.price, ageMs, latencyMs: last?.lateMs } : undefined);
      }
    }),
    { numRuns: 150 },
  );
});
