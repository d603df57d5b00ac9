import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asksForMore,
  EXCHANGE_MODES,
  haveSameMatching,
  isUnmatched,
  isVoided,
  type MatchingTerms,
  matchingTermsOf,
  modeOf,
  RESTING_MODES,
} from '../../src/domain/orders.ts';

describe('the mode of an intent or record', () => {
  it('is the one that it names, else that of a take or of a quote', () => {
    for (const mode of EXCHANGE_MODES)
      for (const take of [undefined, 'a', {}]) expect(modeOf({ mode, take })).toBe(mode);
    expect([modeOf({}), modeOf({ take: undefined }), modeOf({ take: 'a' })]).toEqual([
      'make_and_take',
      'make_and_take',
      'take_only',
    ]);
    expect(EXCHANGE_MODES.filter((mode) => !RESTING_MODES.includes(mode))).toEqual(['take_only']);
  });
});

describe('what an order asks for beside its price and stake', () => {
  const sources = fc.dictionary(fc.constantFrom('pin', 'thin'), fc.constantFrom(1e6, 2e6));
  const terms: fc.Arbitrary<MatchingTerms> = fc.record(
    {
      keepOpenInRunning: fc.boolean(),
      excludeDanger: fc.boolean(),
      minTakerWantStakeMicros: fc.constantFrom(1e6, 2e6),
      sourceMinStakesMicros: sources,
    },
    { requiredKeys: [] },
  );
  /** In words that are alike exactly where two orders ask for the same. */
  const inWords = (of: MatchingTerms): string =>
    [
      of.keepOpenInRunning === true ? 'kept' : '',
      of.excludeDanger === true ? 'shy' : '',
      of.minTakerWantStakeMicros ?? '',
      Object.entries(of.sourceMinStakesMicros ?? {})
        .map(([name, micros]) => `${name} ${micros}`)
        .toSorted()
        .join(),
    ].join('|');

  it('is the same or not in each of its parts', () => {
    let same = 0;
    fc.assert(
      fc.property(terms, terms, (a, b) => {
        const isSame = inWords(a) === inWords(b);
        if (isSame) same++;
        expect([haveSameMatching(a, b), haveSameMatching(b, a)]).toEqual([isSame, isSame]);
        expect(haveSameMatching(a, { ...a })).toBe(true);
        expect(asksForMore(a)).toBe(inWords(a) !== inWords({}));
      }),
      { numRuns: 3_000 },
    );
    expect(same).toBeGreaterThan(20);
  });

  it('is told without what is off, and without anything else', () => {
    fc.assert(
      fc.property(terms, (of) => {
        const told = matchingTermsOf({ ...of, price: 2 } as MatchingTerms);
        expect(inWords(told)).toBe(inWords(of));
        expect(Object.values(told)).not.toContain(false);
        expect(told).not.toHaveProperty('price');
      }),
    );
  });

  it.each<readonly [MatchingTerms, MatchingTerms]>([
    [{ sourceMinStakesMicros: { pin: 1 } }, { sourceMinStakesMicros: { thin: 1 } }],
    [{ sourceMinStakesMicros: { pin: 1 } }, { sourceMinStakesMicros: { pin: 2 } }],
    [{ sourceMinStakesMicros: { pin: 1 } }, { sourceMinStakesMicros: { pin: 1, thin: 1 } }],
    [{ sourceMinStakesMicros: { pin: 1 } }, {}],
    [{ minTakerWantStakeMicros: 1 }, {}],
    [{ keepOpenInRunning: true }, { excludeDanger: true }],
  ])('%o is not %o', (a, b) => {
    expect([haveSameMatching(a, b), haveSameMatching(b, a)]).toEqual([false, false]);
  });
});

it.each([
  ['success', false, false],
  ['danger', false, false],
  ['unplaced', true, false],
  ['void', true, true],
  ['failed', true, true],
  ['rejected', true, true],
  ['cancelled', true, true],
  ['some later word', false, false],
])('a bet of the status %s is unmatched: %s, and voided: %s', (statusCode, unmatched, voided) => {
  const bet = { statusCode } as Parameters<typeof isVoided>[0];
  expect([isUnmatched(bet), isVoided(bet)]).toEqual([unmatched, voided]);
});
