import type { EventView, MarketSide, SelectionView } from '../../src/domain/event-view.ts';
import {
  type BetId,
  type BetType,
  eventId,
  type OrderId,
  type RequestUuid,
  type SelectionId,
  sport,
} from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { packLevels } from '../../src/domain/price-list.ts';
import { selectionId } from '../../src/domain/selection.ts';

export const FB = sport('fb');
export const EVENT = eventId('2026-11-21,10,20');

export type Levels = readonly (readonly [price: number, stake: number])[];

/** The offers to takers: `[price, stake in USDT]` pairs; null for no fresh market. */
export const side = (levels: Levels | null): MarketSide | null =>
  levels && {
    priceList: packLevels(
      levels.map(([price, stake]) => ({ price, minMicros: null, maxMicros: Math.round(stake * 1e6) })),
    ),
    source: 'offer',
    ageMs: 0,
  };

export function selectionView(
  forTakers: Levels | null,
  againstTakers: Levels | null,
  changes: Partial<SelectionView> = {},
): SelectionView {
  const outcome = changes.outcome ?? 'h';
  return {
    ...{ selectionId: selectionId(FB, EVENT, outcome), marketType: 'wdw', outcome, name: outcome },
    market: { for: side(forTakers), against: side(againstTakers) },
    position: { ifWinMicros: 0, ifLoseMicros: 0 },
    quotes: [],
    mids: [],
    ...changes,
  };
}

export function eventView(selections: readonly SelectionView[], changes: Partial<EventView> = {}): EventView {
  return {
    ...{ eventId: EVENT, sport: FB, nowMs: 1_700_000_000_000, startsInMs: 3_600_000 },
    ...{ eventName: 'A v B', competitionName: 'League', competitionId: 7, home: 'A', away: 'B' },
    ...{ inRunning: false, score: null, redCards: null, matchClock: null, selections },
    ...{ profit: { realisedMicros: 0, openMicros: 0 }, budgets: null },
    ...changes,
  };
}

/** A fill of an order of ours on `EVENT`. Its bet has this number. */
export const ownFill = (number: number, selection: SelectionId, changes: Partial<Fill> = {}): Fill => ({
  ...{ betId: number as unknown as BetId, orderId: number as unknown as OrderId },
  ...{ requestUuid: `uuid-${number}` as RequestUuid, selectionId: selection, sport: FB, eventId: EVENT },
  ...{
    betType: 'for,h' as BetType,
    direction: 'for',
    price: 2,
    stakeMicros: 5e6,
    role: 'maker',
    atMs: number,
  },
  ...changes,
});
