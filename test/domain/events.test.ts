import { expect, it } from 'vitest';
import { eventKey, eventNameOf, isSameEvent, writtenEvent } from '../../src/domain/events.ts';
import { eventId, sport } from '../../src/domain/ids.ts';

const MATCH = { sport: sport('fb'), eventId: eventId('2026-01-31,1,2') };
const HALF = { ...MATCH, sport: sport('fb_ht') };
const OTHER = { ...MATCH, eventId: eventId('2026-01-31,1,3') };

it('an event is named by its sport and its id together', () => {
  expect(isSameEvent(MATCH, { ...MATCH })).toBe(true);
  for (const other of [HALF, OTHER, { ...HALF, eventId: OTHER.eventId }])
    expect([isSameEvent(MATCH, other), isSameEvent(other, MATCH)]).toEqual([false, false]);
  expect(new Set([MATCH, HALF, OTHER, { ...MATCH }].map(eventKey)).size).toBe(3);
  expect(eventNameOf({ ...HALF, title: 'A v B' } as typeof HALF)).toEqual(HALF);
  expect(writtenEvent(HALF)).toBe('fb_ht/2026-01-31,1,2');
});
