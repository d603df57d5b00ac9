import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import {
  eventOfSelection,
  isSelectionOf,
  selectionFrom,
  selectionId,
  selectionOf,
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
