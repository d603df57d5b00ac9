import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { logit } from '../../../src/domain/odds.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { consensusOf, MarketWatch } from '../../../src/engine/risk-inputs/market-watch.ts';
import type { Ledger } from '../../../src/ledger/index.ts';
import type { Risk, SelectionSighting } from '../../../src/risk/index.ts';
import {
  AGAINST,
  eventEntry,
  FIXTURE,
  FOR,
  HOME,
  liveOrder,
  offerEntry,
  prices,
  quoteEntry,
  rig,
  sportEvent,
  STALE_MS,
} from '../../market/support.ts';

/** A market that is watched, with all that guards and ledger are shown. */
function watched(held: readonly SelectionId[] = [], decided: (id: SelectionId) => 0 | 1 | null = () => null) {
  const market = rig();
  const events: unknown[] = [];
  const selections: SelectionSighting[] = [];
  const fairs: unknown[] = [];
  const guards = {
    onEvent: (seen: unknown) => void events.push(seen),
    onSelection: (seen: SelectionSighting) => void selections.push(seen),
  } as object as Risk['guards'];
  const ledger = {
    onFair: (...seen: unknown[]) => void fairs.push(seen),
    selections: () => held,
  } as object as Ledger;
  const watch = new MarketWatch(market.market, { guards, decided }, ledger, market.clock);
  const sides = (of: number, against: number): StreamEntry[] => [
    offerEntry('for,h', prices([of, 100])),
    offerEntry('against,h', prices([against, 100])),
  ];
  return {
    ...market,
    watch,
    events,
    selections,
    fairs,
    sides,
    see: () => {
      watch.see(FIXTURE, [HOME]);
      return selections.at(-1);
    },
  };
}

const middle = (one: number, other: number): number => (1 / one + 1 / other) / 2;
const NONE = { for: null, against: null };

describe('what guards are shown', () => {
  it('is the state of the event, described as it is now', () => {
    const { frame, watch, events } = watched();
    watch.see(FIXTURE, []);
    expect(events).toEqual([]);
    frame([
      eventEntry({ startTimeMs: 5 }),
      { tag: 'event_score', ...FIXTURE, score: [1, 0] },
      { tag: 'event_red_cards', ...FIXTURE, redCards: [0, 2] },
    ]);
    watch.see(FIXTURE, []);
    const score = { score: [1, 0], redCards: [0, 2] };
    const seen = { ...FIXTURE, inRunning: false, startTimeMs: 5, ...score };
    expect(events).toEqual([{ ...seen, suspended: null }]);
    frame([{ tag: 'event', event: sportEvent({ irStatus: 'in_running', startTimeMs: null }) }]);
    frame([offerEntry('for,h', [])]);
    watch.see(FIXTURE, []);
    expect(events.at(-1)).toEqual({ ...seen, inRunning: true, startTimeMs: null, suspended: true });
  });

  it('is each quoted selection that the market knows, with the best prices of each source and the fair value', () => {
    const { frame, watch, selections, fairs, clock } = watched();
    frame([
      eventEntry(),
      offerEntry('for,h', FOR),
      offerEntry('against,h', AGAINST),
      quoteEntry('for,h', prices([2.02, 5])),
    ]);
    watch.see(FIXTURE, ['fb|none|h' as SelectionId, HOME]);
    const fair = middle(2.02, 2.04);
    expect(selections).toEqual([
      {
        ...FIXTURE,
        selectionId: HOME,
        fair,
        offers: { for: 2, against: 2.04 },
        quotes: { for: 2.02, against: null },
      },
    ]);
    expect(fairs).toEqual([[HOME, fair, clock.wallMs()]]);
  });

  it('is no fair value and no price where nothing fresh is offered, and the ledger then hears nothing', async () => {
    const { frame, see, sides, fairs, clock } = watched();
    frame([eventEntry(), ...sides(2, 2.1)]);
    see();
    await clock.advance(STALE_MS + 1);
    expect(see()).toEqual({ ...FIXTURE, selectionId: HOME, fair: null, offers: NONE, quotes: NONE });
    expect(fairs).toHaveLength(1);
  });
});

describe('the sources of a selection on which we have orders', () => {
  it('are without our own stake, but as they are shown where that is nearer for three seconds after a change', async () => {
    const { frame, see, order, watch, clock } = watched();
    const shown = (best: number): StreamEntry[] => [
      offerEntry('for,h', prices([best, 10], [2, 100])),
      quoteEntry('for,h', prices([best, 10], [1.98, 100])),
    ];
    frame([eventEntry(), ...shown(2.02)]);
    expect(see()).toMatchObject({ offers: { for: 2.02 }, quotes: { for: 2.02 } });
    order(liveOrder({ tick: 100, createdMonotonicMs: clock.monotonicMs() }));
    await clock.advance(5_000);
    frame(shown(2.02));
    // Without our own order the two sources differ; with it they do not.
    expect(see()).toMatchObject({ offers: { for: 2 }, quotes: { for: 1.98 } });
    watch.onOwnOrder(HOME);
    expect(see()).toMatchObject({ offers: { for: 2.02 }, quotes: { for: 2.02 } });
    await clock.advance(2_999);
    frame(shown(2.02));
    expect(see()).toMatchObject({ offers: { for: 2.02 }, quotes: { for: 2.02 } });
    await clock.advance(1);
    frame(shown(2.02));
    expect(see()).toMatchObject({ offers: { for: 2 }, quotes: { for: 1.98 } });
  });

  it('are without our own stake after a change, too, where that is nearer', async () => {
    const { frame, see, order, watch, clock } = watched();
    order(liveOrder({ tick: 100, createdMonotonicMs: clock.monotonicMs() }));
    await clock.advance(5_000);
    frame([
      eventEntry(),
      offerEntry('for,h', prices([2.02, 10], [2, 100])),
      quoteEntry('for,h', prices([2, 100])),
    ]);
    watch.onOwnOrder(HOME);
    expect(see()).toMatchObject({ offers: { for: 2 }, quotes: { for: 2 } });
  });
});

describe('the fair value', () => {
  it('is the middle of both best prices, and the last one seen where there is none', async () => {
    const { frame, watch, sides, clock } = watched();
    frame([eventEntry(), ...sides(2, 2.1)]);
    expect(watch.fairOf(HOME)).toBe(middle(2, 2.1));
    await clock.advance(STALE_MS + 1);
    expect(watch.fairOf(HOME)).toBeNull();
    frame(sides(2, 2.1));
    expect(watch.seeFair(HOME)).toBe(middle(2, 2.1));
    await clock.advance(STALE_MS + 1);
    expect([watch.fairOf(HOME), watch.seeFair(HOME)]).toEqual([middle(2, 2.1), middle(2, 2.1)]);
    frame([offerEntry('for,h', prices([3, 100]))]);
    expect(watch.fairOf(HOME)).toBe(middle(2, 2.1));
  });

  it.each([0, 1] as const)(
    'is %s once the score decides the selection, until the score goes back',
    (decided) => {
      let now: 0 | 1 | null = null;
      const { frame, watch, sides } = watched([HOME], () => now);
      frame([eventEntry(), ...sides(2, 2.1)]);
      const before = middle(2, 2.1);
      expect([watch.fairOf(HOME), watch.seeFair(HOME)]).toEqual([before, before]);
      now = decided;
      expect([watch.fairOf(HOME), watch.seeFair(HOME)]).toEqual([decided, decided]);
      frame([offerEntry('for,h', []), offerEntry('against,h', [])]);
      expect([watch.fairOf(HOME), watch.seeFair(HOME)]).toEqual([decided, decided]);
      expect(watch.fairsHeld()).toEqual([[HOME, before]]);
      now = null;
      expect(watch.fairOf(HOME)).toBe(before);
    },
  );

  it('stays within both prices where they are more than 1 apart in log-odds, and follows nothing else there', () => {
    const { frame, watch, sides } = watched();
    const last = middle(2, 2.1);
    // The log-odds of a price p are those of the probability 1 / p.
    const width = (one: number, other: number): number => Math.abs(logit(1 / one) - logit(1 / other));
    expect([width(1.8, 3.2) > 1, width(1.8, 3.15) > 1]).toEqual([true, false]);
    frame([eventEntry(), ...sides(1.8, 3.2)]);
    expect(watch.fairOf(HOME)).toBe(middle(1.8, 3.2));
    frame(sides(2, 2.1));
    watch.seeFair(HOME);
    frame(sides(1.8, 3.2));
    expect(watch.fairOf(HOME)).toBe(last);
    frame(sides(1.8, 3.15));
    expect(watch.fairOf(HOME)).toBe(middle(1.8, 3.15));
    frame(sides(2.5, 9));
    expect(watch.fairOf(HOME)).toBe(1 / 2.5);
    frame(sides(1.1, 1.5));
    expect(watch.fairOf(HOME)).toBe(1 / 1.5);
  });

  it('is limited by the same prices whichever of them is the higher', () => {
    const { frame, watch, sides } = watched();
    frame([eventEntry(), ...sides(2, 2.1)]);
    watch.seeFair(HOME);
    frame(sides(9, 2.5));
    expect(watch.fairOf(HOME)).toBe(1 / 2.5);
  });

  it('is saved of what is held, and recalled', () => {
    const unseen = 'fb|2026-11-21,10,20|d' as SelectionId;
    const { frame, watch, sides } = watched([HOME, unseen]);
    frame([eventEntry(), ...sides(2, 2.1)]);
    expect(watch.fairsHeld()).toEqual([[HOME, middle(2, 2.1)]]);
    watch.recall([[unseen, 0.25]]);
    expect(watch.fairsHeld()).toEqual([
      [HOME, middle(2, 2.1)],
      [unseen, 0.25],
    ]);
    const other = 'fb|2026-11-21,10,20|a' as SelectionId;
    watch.recall([[other, 0.3]]);
    expect(watch.fairsHeld([other, HOME]).slice(2)).toEqual([[other, 0.3]]);
  });
});

describe('the reference', () => {
  it('has both best prices, the fair value and the age of the youngest fresh price', async () => {
    const { frame, market, clock } = watched();
    expect(consensusOf(market, HOME)).toBeNull();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    await clock.advance(400);
    frame([offerEntry('against,h', AGAINST)]);
    await clock.advance(100);
    const both = { forBest: 2, againstBest: 2.04, fair: middle(2, 2.04) };
    expect(consensusOf(market, HOME)).toEqual({ ...both, ageMs: 100 });
    expect(market.bestOf(HOME)).toEqual({ for: 2, against: 2.04, ageMs: 100 });
    frame([quoteEntry('for,h', prices([2.02, 5]))]);
    await clock.advance(30);
    expect(consensusOf(market, HOME)).toEqual({
      ...both,
      forBest: 2.02,
      fair: middle(2.02, 2.04),
      ageMs: 30,
    });
    frame([quoteEntry('against,h', prices([2.1, 5]))]);
    expect(consensusOf(market, HOME)).toMatchObject({ againstBest: 2.1, ageMs: 0 });
  });

  it('has what is fresh alone, and is none without that', async () => {
    const { frame, market, clock } = watched();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    await clock.advance(STALE_MS);
    frame([offerEntry('against,h', AGAINST)]);
    await clock.advance(1);
    expect(consensusOf(market, HOME)).toEqual({ forBest: null, againstBest: 2.04, fair: null, ageMs: 1 });
    await clock.advance(STALE_MS);
    expect([consensusOf(market, HOME), market.bestOf(HOME), market.marketOf(HOME)]).toEqual([
      null,
      null,
      NONE,
    ]);
  });
});
