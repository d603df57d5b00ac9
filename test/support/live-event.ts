import type { EventKey } from '../../src/domain/ids.ts';
import type { LiveEvent } from '../../src/read-model/live/message.ts';

/** An event of a page, quoted whole before its start. */
export const liveEvent = (key: string, over: Partial<LiveEvent> = {}): LiveEvent => ({
  key: key as EventKey,
  name: key,
  sport: 'fb',
  competition: 'Northern League',
  startMs: null,
  inRunning: false,
  clock: null,
  score: null,
  scoreSinceMs: null,
  redCards: null,
  suspended: null,
  restriction: null,
  adjustments: [],
  quoted: true,
  owner: null,
  throws: null,
  refused: null,
  selections: 3,
  wanted: 3,
  met: 3,
  waits: null,
  ordersOpen: 0,
  openStake: 0,
  worst: 0,
  worstMatched: over.worst ?? 0,
  profit: null,
  withoutFair: 0,
  ...over,
});
