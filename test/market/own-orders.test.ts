import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import { OwnStakes } from '../../src/market/own-stake.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FIXTURE,
  FOR,
  HOME,
  liveOrder,
  offerEntry,
  prices,
  rig,
} from './support.ts';

describe('our own orders', () => {
  it('are subtracted from the opposite market at their price', async () => {
    const { market, frame, order, changes, clock } = rig({ ownLingerMs: 1_000 });
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    order(liveOrder({ direction: 'against', tick: 99, stakeMicros: 30e6, filledMicros: 10e6 }));
    expect(changes.at(-1)).toMatchObject({ cause: 'own', events: [FIXTURE] });
    expect(market.marketOf(HOME)).toEqual({ for: prices([2, 80], [1.99, 50]), against: AGAINST });
    order(liveOrder({ direction: 'for', tick: 101, stakeMicros: 40e6 }));
    await clock.advance(1_000);
    frame([offerEntry('against,h', AGAINST)]);
    expect(market.marketOf(HOME).against).toEqual(prices([2.06, 70]));
    expect(market.selection(HOME)?.offers.against?.priceList).toEqual(AGAINST);
  });

  it('are not subtracted from prices seen before they were made', async () => {
    const { market, frame, order, clock } = rig({ ownLingerMs: 1_000 });
    frame([offerEntry('for,h', FOR)]);
    await clock.advance(500);
    order(liveOrder({ tick: 99, createdMonotonicMs: 400 }));
    expect(market.marketOf(HOME).for).toEqual(FOR);
    await clock.advance(999);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    await clock.advance(1);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(prices([2, 90], [1.99, 50]));
  });

  it('are still subtracted after a fill or close until newer prices can show it', async () => {
    const { market, frame, order, clock } = rig({ ownLingerMs: 1_000 });
    const open = liveOrder({ tick: 99 });
    order(open);
    frame([offerEntry('for,h', FOR)]);
    order({ ...open, filledMicros: 4e6 });
    order({ ...open, filledMicros: 4e6, state: 'closed' });
    const without = prices([2, 90], [1.99, 50]);
    await clock.advance(999);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(without);
    await clock.advance(1);
    frame([offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(FOR);
    expect(market.selection(HOME)?.orders).toEqual([]);
  });

  it('leave no level behind after the exchange rounds up to cents', () => {
    const { market, frame, order } = rig();
    order(liveOrder({ tick: 99, stakeMicros: 8_325_000 }));
    const shown = (ours: number) => offerEntry('for,h', prices([2, ours], [1.99, 50]));
    frame([eventEntry(), shown(8.33)]);
    expect(market.marketOf(HOME).for).toEqual(prices([1.99, 50]));
    frame([shown(8.34)]);
    expect(market.marketOf(HOME).for).toEqual(prices([2, 0.015], [1.99, 50]));
  });

  it('outlive the catalogue', () => {
    const { market, frame, order } = rig();
    order(liveOrder({ tick: 99 }));
    frame([{ tag: 'clear_events' }]);
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    expect(market.marketOf(HOME).for).toEqual(prices([2, 90], [1.99, 50]));
  });

  it('are separated from what others showed by data since the catalogue was cleared', () => {
    const { market, frame, order } = rig();
    frame([eventEntry(), offerEntry('for,h', prices([2, 100]))]);
    expect(market.marketOf(HOME).for).toEqual(prices([2, 100]));
    frame([{ tag: 'clear_events' }]);
    order(liveOrder({ tick: 99, stakeMicros: 30e6 }));
    frame([eventEntry(), offerEntry('for,h', prices([2, 60]))]);
    expect(market.marketOf(HOME).for).toEqual(prices([2, 30]));
  });

  it('show in the view, with the position that the caller gives', () => {
    const { view: viewOf, frame, order } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    order(liveOrder({ direction: 'against', tick: 99, stakeMicros: 30e6 }));
    const view = viewOf([HOME], { ifWinMicros: 5, ifLoseMicros: -3 }, [HOME]);
    expect(view).toMatchObject({ eventId: EVENT, startsInMs: 3_600_000, inRunning: false, score: null });
    expect(view?.selections).toEqual([
      {
        selectionId: HOME,
        marketType: 'wdw',
        outcome: 'h',
        market: {
          for: { priceList: prices([2, 70], [1.99, 50]), source: 'offer', ageMs: 0 },
          against: { priceList: AGAINST, source: 'offer', ageMs: 0 },
        },
        position: { ifWinMicros: 5, ifLoseMicros: -3 },
        quotes: [
          { direction: 'against', tick: 99, unfilledMicros: 30e6, phase: 'delayed', aheadMicros: null },
        ],
        grid: null,
        recentFills: [],
        sourcePrices: {},
        name: 'A',
        mids: [1_700_000_000_000, (1 / 2 + 1 / 2.04) / 2],
        mid: (1 / 2 + 1 / 2.04) / 2,
        lastTraded: null,
        tradedVolume: null,
        betDelayMs: null,
        betDelayModels: null,
        suspension: 'none',
      },
    ]);
    const position = { ifWinMicros: 5, ifLoseMicros: -3 };
    expect(view?.holdings).toEqual([{ selectionId: HOME, position, grid: null }]);
  });

  it.each([
    ['all', ['DYNAMIC'], 'delayed'],
    ['takers', ['PASSIVE'], 'resting'],
  ] as const)('rest at once where a bet delay holds up takers alone: %s wait', async (_, models, phase) => {
    const facts = {
      lastTraded: null,
      tradedVolume: null,
      suspension: null,
      betDelayMs: 8_000,
      betDelayModels: models,
    };
    const { clock, view, frame, order } = rig({ recordedFacts: () => facts });
    frame([eventEntry(), offerEntry('for,h', FOR), offerEntry('against,h', AGAINST)]);
    order(liveOrder({ state: 'live', createdMonotonicMs: clock.monotonicMs() }));
    await clock.advance(2_000);
    const shown = view([HOME], { ifWinMicros: 0, ifLoseMicros: 0 })?.selections[0]?.quotes;
    expect(shown?.map((each) => each.phase)).toEqual([phase]);
  });

  it('are forgotten once they are over, though their selection is never reported again', () => {
    const own = new OwnStakes(1_000, 10_000);
    for (let event = 0; event < 100; event++) {
      const order = liveOrder({ selectionId: `fb|e${event}|h` as SelectionId });
      own.update(order, event * 60_000);
      own.update({ ...order, state: 'closed' }, event * 60_000 + 30_000);
    }
    expect(own.selectionsFollowed).toBe(1);
  });
});
