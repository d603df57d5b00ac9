import { describe, expect, it } from 'vitest';
import { bestSides, levelsOf } from '../../src/strategy/sdk.ts';
import { aFill, anEvent, anOrder, aSelection, aView, prices } from '../../src/testing/index.ts';

describe('the builders of views', () => {
  it('make a two-sided market at even money an hour before the start', () => {
    const view = aView();
    const [selection] = view.selections;
    const { forTakers, againstTakers } = bestSides(aSelection().market);
    expect([forTakers?.price, againstTakers?.price]).toEqual([1.98, 2.02]);
    expect(selection).toEqual(aSelection());
    expect(view).toMatchObject({
      startsInMs: 3_600_000,
      inRunning: false,
      home: 'Home United',
      holdings: [],
    });
  });

  it('tell a market without offers from one that is not known', () => {
    const { market } = aSelection({ forTakers: [], againstTakers: null });
    expect([market.for?.priceList, market.against]).toEqual([[], null]);
  });

  it('take levels in any order', () => {
    const side = prices(
      [
        [1.9, 5],
        [2.1, 7],
      ],
      { source: 'quote', ageMs: 30 },
    );
    expect(levelsOf(side?.priceList ?? []).map(({ price, maxMicros }) => [price, maxMicros])).toEqual([
      [2.1, 7e6],
      [1.9, 5e6],
    ]);
    expect(side).toMatchObject({ source: 'quote', ageMs: 30 });
  });

  it('derive holdings from positions', () => {
    const position = { ifWinMicros: 5e6, ifLoseMicros: -4e6 };
    const selection = aSelection({ position });
    expect(aView({ selections: [selection, aSelection({ outcome: 'd' })] }).holdings).toEqual([
      { selectionId: selection.selectionId, position, grid: null },
    ]);
  });

  it('freeze a view to its depths', () => {
    const view = aView();
    expect(() => Object.assign(view.selections[0]?.position ?? {}, { ifWinMicros: 1 })).toThrow(TypeError);
    expect(() => (view.selections as unknown[]).push(1)).toThrow(TypeError);
  });

  it('make a bet of its own of each fill, so that two fills of an order both count', () => {
    const selection = aSelection();
    const fills = [aFill(selection), aFill(selection), aFill(selection, { number: 7 }), aFill(selection)];
    expect(new Set(fills.map(({ betId }) => betId)).size).toBe(4);
    expect(fills.map(({ orderId }) => orderId)).toEqual([1, 1, 7, 1]);
    expect(fills[0]?.requestUuid).toBe(anOrder(selection).requestUuid);
    const { betId } = fills[0]!;
    expect(aFill(selection, { betId }).betId).toBe(betId);
  });

  it('put selections, fills and orders on the event that they are given', () => {
    const event = anEvent({ sport: 'tennis', eventId: '2026-11-22,1,2', home: 'Anna', away: 'Berta' });
    const selection = aSelection({ event, outcome: 'h' });
    const named = { sport: 'tennis', eventId: '2026-11-22,1,2', betType: 'against,h' };
    expect(event.eventName).toBe('Anna v Berta');
    expect(aFill(selection, { number: 7, direction: 'against' })).toMatchObject({
      ...named,
      betId: 7,
      requestUuid: 'order-7',
      selectionId: selection.selectionId,
    });
    expect(anOrder(selection, { direction: 'against', state: 'closed' })).toMatchObject({
      ...named,
      state: 'closed',
    });
  });
});
