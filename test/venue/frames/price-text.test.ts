import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY_PRICE_LIST, type PriceList } from '../../../src/domain/price-list.ts';
import { bytesOf } from '../../../src/venue/frames/bytes.ts';
import { PriceText } from '../../../src/venue/frames/price-text.ts';
import { BOUNDS } from '../../../src/venue/wire/bounds.ts';
import { readPriceList } from '../../../src/venue/wire/price-list.ts';

const { least: LEAST, most: MOST } = BOUNDS['price_list.price'];
const { most: MOST_STAKE } = BOUNDS['price_list.max'];
const { most: MOST_MINIMUM } = BOUNDS['price_list.min'];

/** Prices and amounts in and out of their bounds, near them, and written in unusual ways. */
const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 101, max: 2_000 }).map((hundredths) => `${hundredths / 100}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        LEAST,
        LEAST - 0.0001,
        LEAST + 0.0001,
        MOST,
        MOST - 0.01,
        MOST + 0.01,
        1_001,
        5_000,
        1,
        0,
        0.5,
        -2,
      ].map(String),
      '2.50',
      '1e2',
      '1E0',
      '02',
      '2.',
      '"2"',
      'null',
      '1000000000000000',
      '2.123456789012345678',
    ),
  },
);
const amount = (most: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((cents) => `${cents / 100}`) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[0, 0, 0, most, most + 1, most + 0.5, most * 10, 0.0000001, 0.0000005, 0.000001, -1].map(String),
        '0.0',
        '00',
        '1e3',
        'null',
        '"5"',
      ),
    },
  );
const pair = (text: fc.Arbitrary<string>, blank: string) =>
  fc
    .record({ text, currency: fc.integer({ min: 0, max: 30 }) })
    .map(({ text: value, currency }) => `["${currency === 0 ? 'EUR' : 'USDT'}",${blank}${value}]`);

const level = (blank: string) =>
  fc
    .record({
      price,
      min: fc.oneof({ weight: 3, arbitrary: fc.constant('null') }, pair(amount(MOST_MINIMUM), blank)),
      max: pair(amount(MOST_STAKE), blank),
    })
    .map(({ price: at, min, max }) =>
      `{"effective": {"price": ${at}, "min": ${min}, "max": ${max}}}`
        .replaceAll(': ', `:${blank}`)
        .replaceAll(', "', `,${blank}"`),
    );

const lists = fc.constantFrom('', ' ').chain((blank) =>
  fc
    .record({ levels: fc.array(level(blank), { maxLength: 5 }), isSorted: fc.boolean() })
    .map(({ levels, isSorted }) => {
      const priceOf = (text: string): number => Number(/"price": ?([^,]+)/.exec(text)?.[1]);
      const all = isSorted ? levels.toSorted((a, b) => priceOf(b) - priceOf(a)) : levels;
      return `[${all.join(`,${blank}`)}]`;
    }),
);

/** What the fast reader makes of a text; null when it leaves it to the general one. */
function fast(text: string, previous: PriceList = EMPTY_PRICE_LIST): PriceList | null {
  const reader = new PriceText();
  const before = '"price_list":';
  const data = bytesOf(new TextEncoder().encode(`${before}${text}}`));
  const list = reader.read(data, before.length, previous);
  if (list !== null) expect(reader.end).toBe(before.length + text.length);
  return list;
}

function general(text: string): PriceList | null | 'no JSON' {
  try {
    return readPriceList(JSON.parse(text));
  } catch {
    return 'no JSON';
  }
}

it('reads no list that the general reader refuses, and every other one alike', () => {
  const seen = { read: 0, left: 0 };
  fc.assert(
    fc.property(lists, (text) => {
      const list = fast(text);
      seen[list === null ? 'left' : 'read']++;
      if (list !== null) expect([text, list]).toEqual([text, general(text)]);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.read, seen.left)).toBeGreaterThan(200);
});

const levelText = (at: number | string, max: number | string, min: string = 'null'): string =>
  `{"effective":{"price":${at},"min":${min},"max":["USDT",${max}]}}`;

it.each([
  [MOST, true],
  [LEAST, true],
  [MOST + 0.01, false],
  [5_000, false],
  [LEAST - 0.00001, false],
  [1, false],
])('treats a level at %d alike with and without stake: read %s', (at, isRead) => {
  for (const max of [0, 10]) {
    const text = `[${levelText(at, max)}]`;
    expect(fast(text) !== null).toBe(isRead);
    expect(general(text) !== null).toBe(isRead);
  }
});

it('reads usual lists itself, and gives back the previous one if nothing changed', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 101, max: 100_000 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 }),
      (hundredths, stakes) => {
        const levels = hundredths
          .toSorted((a, b) => b - a)
          .map((each, at) => levelText(each / 100, stakes[at] ?? 0, at % 2 === 0 ? 'null' : '["USDT",1.5]'));
        const text = `[${levels.join(',')}]`;
        const list = fast(text);
        expect(list).toEqual(general(text));
        expect(list).not.toBeNull();
        expect(fast(text, list ?? [])).toBe(list);
      },
    ),
  );
});
