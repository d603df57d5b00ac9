import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventKey } from '../../src/domain/events.ts';
import type { SelectionId } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { type PricedSelection, SourcePrices } from '../../src/market/source-prices.ts';
import { EVENT, FB, FIXTURE, sportEvent } from './support.ts';

const STALE_MS = 5_000;
/** A selection counts as quoted for so long after it was viewed. */
const QUOTED_MS = 10_000;
const OUTCOMES = ['h', 'd', 'a'] as const;
const KEYS = ['x', 'y'] as const;
const NAME = 'odds';

/** The event as it is described now. Its home team decides which key its outcomes have, so that several may have one. */
const TITLES = ['hda', 'hd-a', 'none'] as const;
const EVENTS = TITLES.map((home) => ({ ...sportEvent(), homeTeam: { name: home } }));
const keyFor = (title: string, outcome: string): string | null => {
  if (title === 'none') return null;
  return title === 'hda' || outcome !== 'a' ? 'x' : 'y';
};

const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 900, STALE_MS, QUOTED_MS, 12_000) }),
  fc.record({
    kind: fc.constant('note' as const),
    outcome: fc.constantFrom(...OUTCOMES),
    title: fc.nat(2),
    marketType: fc.constantFrom('wdw', 'ml'),
  }),
  fc.record({ kind: fc.constant('forget' as const), outcome: fc.constantFrom(...OUTCOMES) }),
  fc.record({
    kind: fc.constant('price' as const),
    key: fc.constantFrom(...KEYS),
    price: fc.constantFrom(null, 2, 3),
    lateMs: fc.constantFrom(0, 800, STALE_MS + 1),
  }),
);

interface Told {
  readonly price: number;
  readonly atMs: number;
  readonly lateMs: number;
}

/** What is right: the last price of each key, and the quoted selections with the keys of their last description. */
class Naive {
  nowMs = 0;
  readonly told = new Map<string, Told>();
  readonly noted = new Map<string, { readonly key: string | null; viewedMs: number }>();

  fresh(key: string): Told | null {
    const told = this.told.get(key);
    if (told === undefined || this.nowMs - told.atMs + told.lateMs > STALE_MS) return null;
    return told;
  }

  quotedBy(key: string): readonly string[] {
    const isQuoted = (of: { readonly key: string | null; viewedMs: number }): boolean =>
      of.key === key && this.nowMs - of.viewedMs <= QUOTED_MS;
    return [...this.noted].filter(([, of]) => isQuoted(of)).map(([outcome]) => outcome);
  }

  view(outcome: string): number | null {
    const key = this.noted.get(outcome)?.key ?? null;
    if (key === null || this.quotedBy(key).length > 1) return null;
    return this.fresh(key)?.price ?? null;
  }
}

it('the prices of a source are those of the quoted selections, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(step, { size: 'max', maxLength: 40 }), (steps) => {
      const titleOf = (event: object): string => (event as { homeTeam: { name: string } }).homeTeam.name;
      const prices = new SourcePrices([
        {
          name: NAME,
          staleAfterMs: STALE_MS,
          match: { sports: [], competitions: [], marketTypes: [] },
          keyOf: ({ outcome }, event) => keyFor(titleOf(event), outcome),
        },
      ]);
      const naive = new Naive();
      const idOf = (outcome: string): SelectionId => selectionId(FB, EVENT, outcome);
      for (const each of steps) {
        const { nowMs } = naive;
        if (each.kind === 'wait') naive.nowMs += each.ms;
        else if (each.kind === 'forget') {
          naive.noted.delete(each.outcome);
          prices.forget(idOf(each.outcome));
        } else if (each.kind === 'note') {
          const { outcome, marketType } = each;
          naive.noted.set(outcome, { key: keyFor(TITLES[each.title] ?? '', outcome), viewedMs: nowMs });
          const book = { id: idOf(outcome), outcome, marketType } as PricedSelection;
          prices.note([book], EVENTS[each.title]!, nowMs);
        } else {
          const { key, price, lateMs } = each;
          const before = naive.fresh(key)?.price ?? null;
          if (price === null) naive.told.delete(key);
          else naive.told.set(key, { price, atMs: nowMs, lateMs });
          const isChange = before !== (naive.fresh(key)?.price ?? null);
          const at = { monotonicMs: nowMs, wallMs: 1e12 + nowMs };
          const batch = { source: NAME, prices: [{ key, price, atMs: at.wallMs - lateMs }] };
          const changed = prices.take(batch, at).map(eventKey);
          if (!isChange) expect(changed).toEqual([]);
          else if (naive.quotedBy(key).length > 0) expect(changed).toEqual([eventKey(FIXTURE)]);
        }
        for (const [outcome, { viewedMs }] of naive.noted)
          if (naive.nowMs - viewedMs <= QUOTED_MS)
            expect(prices.view(idOf(outcome), naive.nowMs)[NAME]?.price ?? null).toBe(naive.view(outcome));
        const [state] = prices.states(naive.nowMs);
        const fresh = KEYS.filter((key) => naive.fresh(key) !== null);
        const read = KEYS.filter((key) => naive.quotedBy(key).length > 0);
        expect(state?.keys).toBe(fresh.length);
        expect(new Set(state?.unmapped)).toEqual(new Set(fresh.filter((key) => !read.includes(key))));
        expect(new Set(state?.missing)).toEqual(new Set(read.filter((key) => !fresh.includes(key))));
        expect(new Set(state?.ambiguous)).toEqual(
          new Set(read.filter((key) => naive.quotedBy(key).length > 1)),
        );
      }
    }),
    { numRuns: 300 },
  );
});

it('a source that has too many keys causes no change by those that are dropped', () => {
  const prices = new SourcePrices([
    {
      name: NAME,
      staleAfterMs: STALE_MS,
      match: { sports: [], competitions: [], marketTypes: [] },
      keyOf: ({ outcome }) => outcome,
    },
  ]);
  const at = { monotonicMs: 0, wallMs: 1e12 };
  prices.note([{ id: selectionId(FB, EVENT, 'h'), outcome: 'h', marketType: 'wdw' }], sportEvent(), 0);
  const others = Array.from({ length: 20_000 }, (_, index) => ({ key: `${index}`, price: 2 }));
  expect(prices.take({ source: NAME, prices: others }, at)).toEqual([]);
  expect(prices.take({ source: NAME, prices: [{ key: 'h', price: 2 }] }, at)).toEqual([]);
  expect(prices.states(0)).toMatchObject([{ keys: 20_000, dropped: 1, missing: ['h'] }]);
});
