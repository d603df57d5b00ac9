import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/lib/nearest.ts';

describe('the nearest word', () => {
  const KNOWN = ['durationS', 'renewLeadS', 'drainTimeoutS', 'level', 'live', 'fb'];

  it.each([
    ['durationS', 'durationS'],
    ['duratoinS', 'durationS'],
    ['duration', 'durationS'],
    ['duration_s', 'durationS'],
    ['durationSeconds', 'durationS'],
    ['renewLeedS', 'renewLeadS'],
    ['lvie', 'live'],
    ['levle', 'level'],
    ['fbb', 'fb'],
    ['liv', 'live'],
    ['Level', 'level'],
    ['dura', 'durationS'],
    ['dur', null],
    ['elephant', null],
    ['xy', null],
    ['', null],
  ])('to %j is %j', (text, word) => {
    expect(nearest(text, KNOWN)).toBe(word);
  });

  it('is the first of equally near ones, and none where none is known', () => {
    expect([nearest('cat', ['bat', 'hat']), nearest('cat', [])]).toEqual(['bat', null]);
  });

  it('is a known word itself', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
    fc.assert(fc.property(words, (known) => void expect(nearest(known.at(-1)!, known)).toBe(known.at(-1))));
  });

  it('survives one swap of neighbours in a long word', () => {
    const swapped = fc.nat(6).map((at) => {
      const letters = [...'quotetimeout'];
      [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!];
      return letters.join('');
    });
    fc.assert(
      fc.property(swapped, (text) => void expect(nearest(text, ['quoteTimeout'])).toBe('quoteTimeout')),
    );
  });

  it('is asked for in brackets', () => {
    expect([didYouMean('lvie', KNOWN), didYouMean('elephant', KNOWN)]).toEqual([
      ' (did you mean "live"?)',
      '',
    ]);
  });
});
