import type { SimEventName } from '../../../src/simulator/core/api.ts';

export const START_MS = Date.parse('2026-03-01T12:00:00Z');

export const EVENT_ID = '2026-03-01,1001,1002';
export const SECOND_EVENT_ID = '2026-03-01,2001,2002';
export const EVENT: SimEventName = { sport: 'fb', eventId: EVENT_ID };
export const SECOND_EVENT: SimEventName = { sport: 'fb', eventId: SECOND_EVENT_ID };

/** The first account has two keys and a read-only one. The other has a single key. */
export const KEY = 'key-anna';
export const SECOND_KEY = 'key-anna-2';
export const READ_KEY = 'key-anna-read';
export const OTHER_KEY = 'key-ben';
