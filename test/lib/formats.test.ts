import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  age,
  axisInstant,
  betweenTicks,
  exactOdds,
  factor,
  instant,
  minute,
  odds,
  PAGE,
  second,
  shortAge,
  significant,
  TERMINAL,
  timeOfDay,
} from '../../src/lib/formats.ts';

const AT_MS = Date.UTC(2026, 0, 3, 19, 45, 0, 250);

describe('a figure on a page and on the terminal', () => {
  it.each<[what: string, page: string, terminal: string, expected: readonly [string, string]]>([
    ['no amount', PAGE.money(null), TERMINAL.money(null), ['–', '-']],
    ['an amount', PAGE.money(12.345), TERMINAL.money(12.345), ['12.35', '12.35']],
    ['a loss', PAGE.money(-12.3), TERMINAL.money(-12.3), ['−12.30', '-12.30']],
    ['a loss of less than a cent', PAGE.money(-0.004), TERMINAL.money(-0.004), ['0.00', '0.00']],
    ['an amount from 1,000 on', PAGE.money(-12_345.6), TERMINAL.money(-12_345.6), ['−12\u2009346', '-12346']],
    ['nearly 1,000', PAGE.money(999.996), TERMINAL.gain(999.996), ['1\u2009000', '+1000']],
    ['no gain', PAGE.gain(null), TERMINAL.gain(null), ['–', '-']],
    ['a gain', PAGE.gain(2), TERMINAL.gain(2), ['+2.00', '+2.00']],
    ['a gain of less than a cent', PAGE.gain(0.004), TERMINAL.gain(0.004), ['0.00', '0.00']],
    ['a large gain', PAGE.gain(1_000), TERMINAL.gain(1_000), ['+1\u2009000', '+1000']],
    [
      'cents',
      PAGE.cents(1_234_567.89),
      TERMINAL.cents(1_234_567.89),
      ['1\u2009234\u2009567.89', '1234567.89'],
    ],
    [
      'a gain in cents',
      PAGE.gainInCents(1_234.5),
      TERMINAL.gainInCents(1_234.5),
      ['+1\u2009234.50', '+1234.50'],
    ],
    ['a loss in cents', PAGE.gainInCents(-0.005), TERMINAL.gainInCents(-0.005), ['−0.01', '-0.01']],
    ['a count', PAGE.whole(-13_016), TERMINAL.whole(-13_016), ['−13\u2009016', '-13016']],
    ['a percentage', PAGE.percent(-0.123), TERMINAL.percent(-0.123), ['−12.3 %', '-12.3 %']],
    ['no percentage', PAGE.percent(null), TERMINAL.percentGain(null), ['–', '-']],
    ['a gain in percent', PAGE.percentGain(0.0123), TERMINAL.percentGain(0.0123), ['+1.23 %', '+1.23 %']],
    ['hardly a gain', PAGE.percentGain(0.00001), TERMINAL.percentGain(-0.00001), ['0.00 %', '0.00 %']],
    ['a length', PAGE.lasting(-90_000), TERMINAL.lasting(1_500), ['−1.5 min', '1.5 s']],
    ['a whole length', PAGE.lasting(250), TERMINAL.lasting(86_400_000), ['250 ms', '1 d']],
    ['a number', PAGE.decimal(-2.25, 1), TERMINAL.decimal(null, 1), ['−2.3', '-']],
  ])('is, for %s, %s and %s', (_what, page, terminal, expected) => {
    expect([page, terminal]).toEqual(expected);
  });

  it.each<[amount: number, expected: string]>([
    [0, '0'],
    [12, '12'],
    [12.34, '12.3'],
    [99.94, '99.9'],
    [99.96, '100'],
    [999.4, '999'],
    [999.6, '1.0k'],
    [-1_250, '-1.3k'],
    [9_960, '10k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [35_000_000, '35M'],
    [9_949_000_000, '9949M'],
  ])('is, for %d in the narrowest place, %s', (amount, expected) => {
    expect(TERMINAL.short(amount)).toBe(expected);
  });

  it('has at most five characters and a sign in the narrowest place', () => {
    fc.assert(
      fc.property(fc.double({ min: -9.9e9, max: 9.9e9, noNaN: true }), (amount) => {
        expect(TERMINAL.short(amount).replace('-', '').length).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('differs in signs alone', () => {
    const written = (text: string): string =>
      text.replaceAll('−', '-').replaceAll('\u2009', '').replaceAll('–', '-');
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (amount) => {
        for (const name of [
          'money',
          'gain',
          'cents',
          'gainInCents',
          'short',
          'whole',
          'percent',
          'percentGain',
          'lasting',
        ] as const)
          expect(written(PAGE[name](amount))).toBe(TERMINAL[name](amount));
      }),
    );
  });
});

describe('a price', () => {
  it.each<[price: number, expected: string]>([
    [2, '2.00'],
    [2.36, '2.36'],
    [175 / 75, '2.333'],
    [9.9996, '10.00'],
    [103 / 3, '34.33'],
    [110, '110'],
    [1_000, '1000'],
  ])('of %d is %s', (price, expected) => {
    expect(odds(price)).toBe(expected);
  });

  it('is exact where all of it matters, and of one width between ticks', () => {
    expect([exactOdds(175 / 75), exactOdds(2)]).toEqual(['2.333333', '2']);
    expect([betweenTicks(2.3), betweenTicks(175 / 75)]).toEqual(['2.300', '2.333']);
    expect([factor(0.5), factor(1 / 3)]).toEqual(['0.5', '0.3333']);
    expect([significant(0, 3), significant(0.012345, 2), significant(1_234, 3)]).toEqual([
      '0',
      '0.012',
      '1230',
    ]);
  });
});

describe('a time', () => {
  it.each<[written: string, expected: string]>([
    [instant(AT_MS), '2026-01-03 19:45:00.250'],
    [second(AT_MS), '2026-01-03 19:45:00'],
    [minute(AT_MS), '2026-01-03 19:45'],
    [timeOfDay(AT_MS), '19:45:00'],
    [shortAge(-5), '0s'],
    [shortAge(99_000), '99s'],
    [shortAge(100_000), '2m'],
    [shortAge(5_940_000), '99m'],
    [shortAge(6_000_000), '2h'],
    [age(-5), '0 s'],
    [age(119_000), '119 s'],
    [age(120_000), '2 min'],
    [age(7_200_000), '2 h'],
    [axisInstant(1_767_484_800, 86_400, false), '01-04'],
    [axisInstant(1_767_484_800, 86_400, true), '2026-01-04'],
    [axisInstant(1_767_484_800, 3600, false), '00:00\n01-04'],
    [axisInstant(1_767_484_860, 60, false), '00:01'],
    [axisInstant(1_767_484_860, 10, true), '00:01:00\n2026-01-04'],
  ])('is written as %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
