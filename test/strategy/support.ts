import type { EventView, SelectionView } from '../../src/domain/event-view.ts';
import { floorTick } from '../../src/domain/ladder.ts';
import type { PriceKind } from '../../src/domain/odds.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { eventId, requestUuid, type SelectionId, sport } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import { aFill, anEvent, aSelection, aView, type Levels } from '../../src/testing/index.ts';

export type { Levels };

export const FB = sport('fb');
export const EVENT = eventId('2026-11-21,10,20');

/** A selection with these offers to takers: `[price, stake in USDT]` pairs; null for no fresh market. */
export const selectionView = (
  forTakers: Levels | null,
  againstTakers: Levels | null,
  changes: Partial<SelectionView> = {},
): SelectionView => aSelection({ forTakers, againstTakers, ...changes });

export const eventView = (
  selections: readonly SelectionView[],
  changes: Partial<EventView> = {},
): EventView => aView({ ...anEvent({ home: 'A', away: 'B' }), selections, ...changes });

/** A fill of an order of ours on `EVENT`. Its bet has this number. */
export const ownFill = (number: number, selectionId: SelectionId, changes: Partial<Fill> = {}): Fill =>
  aFill({ selectionId }, { number, atMs: number, requestUuid: requestUuid(`uuid-${number}`), ...changes });

export type Kinds = Readonly<Record<Direction, PriceKind>>;

/** What the prices of our orders are on an exchange of odds, by the second side. */
export const ODDS: Kinds = { for: 'odds-for', against: 'odds-against' };
export const LAID: Kinds = { for: 'odds-for', against: 'lay-for' };

/** A selection around a price; without kinds, on an exchange where every price is the price of the selection. */
export const selectionIn = (kinds: Kinds | undefined, price = 2.3): SelectionView =>
  selectionView([[price, 100]], [[price * 1.04, 100]], kinds === undefined ? {} : { priceKinds: kinds });

/** The tick at a price, or the next one below. */
export const at = (price: number): number => floorTick(price) as number;
