import type { EventSighting, SelectionSighting } from '../../../src/risk/index.ts';
import { ask, FIXTURE, live, START_MS } from './harness.ts';

/** The selection of `ask()`. */
export const SELECTION = live(ask()).selectionId;
export const NO_PRICES = { for: null, against: null };

/** The event of `ask()` before its start, as the guards see it. */
export const eventSeen = (changes: Partial<EventSighting> = {}): EventSighting => ({
  ...FIXTURE,
  inRunning: false,
  startTimeMs: START_MS,
  score: [0, 0],
  redCards: [0, 0],
  suspended: false,
  ...changes,
});

/** The selection of `ask()`, without prices, as the guards see it. */
export const selectionSeen = (changes: Partial<SelectionSighting> = {}): SelectionSighting => ({
  ...FIXTURE,
  selectionId: SELECTION,
  fair: 0.5,
  offers: NO_PRICES,
  quotes: NO_PRICES,
  ...changes,
});
