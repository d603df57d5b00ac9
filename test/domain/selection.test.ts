import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import {
  eventOfSelection,
  isSelectionOf,
  selectionFrom,
  directionOf,
  opposite,
  selectionId,
  selectionIdOf,
  selectionOf,
  splitBetType,
} from '../../src/domain/selection.ts';

const FB = sport('fb');
const EVENT = eventId('2026-11-21,10,20');

describe('a selection’s name', () => {
  it('can be split into the parts that it was made of, whatever the outcome is called', () => {
    fc.assert(
      fc.property(fc.string(), (outcome) => {
        const id = selectionId(FB, EVENT, outcome);
        expect(selectionFrom(id)).toEqual({ id, sport: FB, eventId: EVENT, outcome });
        expect(eventOfSelection(id)).toEqual({ sport: FB, eventId: EVENT });
        expect(isSelectionOf({ sport: FB, eventId: EVENT }, id)).toBe(true);
        expect(isSelectionOf({ sport: sport('f'), eventId: EVENT }, id)).toBe(false);
        expect(isSelectionOf({ sport: sport('fb_ht'), eventId: EVENT }, id)).toBe(false);
      }),
    );
  });

  it('is the same for both directions, and for no other bet type', () => {
    const of = (name: string): SelectionId | undefined => selectionOf(FB, EVENT, betType(name))?.id;
    expect(of('for,ah,h,-4')).toBe(of('against,ah,h,-4'));
    expect(of('for,ah,h,-4')).not.toBe(of('for,ah,a,-4'));
    expect(of('sideways,h')).toBeUndefined();
  });

  it('is not read from any other text', () => {
    for (const text of ['', 'fb', 'fb|2026-11-21,10,20'])
      expect(selectionFrom(text as SelectionId)).toBeNull();
  });
});

describe('the direction of a bet type', () => {
  it.each([
    ['for,ah,h,-4', 'for', 'ah,h,-4'],
    ['against,ah,h,-4', 'against', 'ah,h,-4'],
    ['for,', 'for', ''],
    ['against,for,h', 'against', 'for,h'],
  ])('of %s is %s, and the rest is the outcome', (name, direction, outcome) => {
    expect(splitBetType(name)).toEqual({ direction, outcome });
    expect(directionOf(betType(name))).toBe(direction);
    expect(selectionOf(FB, EVENT, betType(name))).toEqual({
      id: `fb|2026-11-21,10,20|${outcome}`,
      sport: FB,
      eventId: EVENT,
      outcome,
    });
  });

  it.each(['for', 'against', 'fort,h', 'h,for,', 'h,against,', 'For,h', ''])('of %j is not known', (name) => {
    expect([splitBetType(name), directionOf(betType(name))]).toEqual([null, null]);
    const market = { sport: FB, eventId: EVENT, betType: betType(name) };
    expect(selectionIdOf(market)).toBe(`fb|2026-11-21,10,20|${name}`);
  });

  it('has an opposite', () => {
    expect([opposite('for'), opposite('against')]).toEqual(['against', 'for']);
  });

  it('makes no other selection of a market', () => {
    const of = (name: string) => selectionIdOf({ sport: FB, eventId: EVENT, betType: betType(name) });
    expect([of('for,h'), of('against,h')]).toEqual(['fb|2026-11-21,10,20|h', 'fb|2026-11-21,10,20|h']);
  });
});
