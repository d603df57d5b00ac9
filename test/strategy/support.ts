import type { EventView, SelectionView } from '../../src/domain/event-view.ts';
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
