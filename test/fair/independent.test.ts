/** What judges fills against a reading of the docs alone, over generated events with markets, gaps, removals and results of all kinds. */
import { describe, expect, it } from 'vitest';
import { compareEvent, nothingCompared } from './independent.ts';
import { generatedEvent } from './generated-event.ts';

const EVENTS = 18;
const FILLS = 40;

describe('what judges fills', () => {
  it('is what the docs say, on generated events', () => {
    const compared = nothingCompared();
    for (let number = 0; number < EVENTS; number++)
      compareEvent(generatedEvent(number), FILLS, 1, compared, number % 4 === 0);
    expect(compared.differences).toEqual([]);
    expect(compared.fills).toBe(EVENTS * FILLS);
    expect(compared.known).toBeGreaterThan(0);
  });
});
