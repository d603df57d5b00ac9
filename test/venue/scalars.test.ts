import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ProtocolError } from '../../src/domain/errors.ts';
import { readLevel, readPriceList } from '../../src/venue/wire/price-list.ts';
import { arrayReader, lenientArrayReader, noteValue, objectReader } from '../../src/venue/wire/reader.ts';
import * as scalars from '../../src/venue/wire/scalars.ts';
import type { Survey } from '../../src/venue/wire/survey.ts';

const noting = (): { readonly noted: string[]; readonly survey: Survey } => {
  const noted: string[] = [];
  return { noted, survey: { note: (kind, name) => void noted.push(`${kind} ${name}`) } };
};

describe('a text of the exchange', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['', undefined],
    ['{"a":', undefined],
    ['{"a":NaN,"b":[Infinity,-Infinity]}', { a: null, b: [null, null] }],
    ['{"NaN":"-Infinity","b":NaN,"c":"\\"NaN\\\\"}', { NaN: '-Infinity', b: null, c: '"NaN\\' }],
    ['{"a":NaNa}', undefined],
    ['{"a":NaN', undefined],
    ['"NaN"', 'NaN'],
    ['NaN', null],
  ])('%j is read as %j', (text, value) => {
    expect(scalars.parseJson(text)).toEqual(value);
  });
});

describe('a number', () => {
  it.each([
    ['1.25', 1.25],
    [' -2 ', -2],
    ['1E3', 1_000],
    ['1e-3', 0.001],
    ['.5', null],
    ['5.', null],
    ['+5', null],
    ['1 2', null],
    [0, 0],
    [-1e300, -1e300],
    [NaN, null],
    [undefined, null],
    [{}, null],
  ])('%j is read as %s', (value, number) => {
    expect(scalars.readNumber(value)).toBe(number);
  });
});

describe('money', () => {
  // Beyond this, a micro is no exact number.
  const MOST = Number.MAX_SAFE_INTEGER / 1e6 - 1;
  it.each([
    [['USDT', 1], 1e6],
    [['USDT', '2.5'], 2.5e6],
    [['USDT', 1, 2], null],
    [['usdt', 1], null],
    [['USDT', null], null],
    ['USDT', null],
    [['USDT', MOST - 1], Math.round((MOST - 1) * 1e6)],
    [['USDT', -(MOST - 1)], -Math.round((MOST - 1) * 1e6)],
    [['USDT', MOST], null],
    [['USDT', -MOST], null],
  ])('%j is read as %s', (value, micros) => {
    expect(scalars.readMoney(value)).toBe(micros);
    expect(scalars.moneyOrNull.parse(value)).toBe(micros);
    expect(scalars.money.safeParse(value).success).toBe(micros !== null);
  });

  it('or a bare amount is read where either may be', () => {
    const read = (value: unknown) => scalars.amountOrNull.parse(value);
    expect([['USDT', 2], 3, '4', ['EUR', 5], null, 'x'].map(read)).toEqual([2e6, 3e6, 4e6, null, null, null]);
    expect([scalars.amount.parse(3), scalars.amount.safeParse(['USDT', 3]).success]).toEqual([3e6, false]);
  });
});

describe('an instant', () => {
  const NOON = Date.UTC(2026, 0, 1, 12);
  it.each([
    ['2026-01-01T12:00:00Z', NOON],
    ['2026-01-01 12:00:00', NOON],
    ['2026-01-01T12:00', NOON],
    ['2026-01-01T14:00:00+02:00', NOON],
    ['2026-01-01T14:00:00+0200', NOON],
    ['2026-01-01T10:00:00-02:00', NOON],
    ['2026-01-01', null],
    ['at 2026-01-01T12:00:00Z', null],
    ['2026-01-01T12:00:00 noon', null],
    [1e11, 1e14],
    [1e11 + 1, 1e11 + 1],
    [8.64e15, 8.64e15],
    [8.64e15 + 1, null],
    [-8.64e12, -8.64e15],
    [-8.64e12 - 1, null],
    [0, 0],
    [{}, null],
  ])('%j is read as %s', (value, ms) => {
    expect(scalars.readTimestamp(value)).toBe(ms);
    expect(scalars.timestampOrNull.parse(value)).toBe(ms);
  });
});

it.each([
  [
    [1, 2],
    [1, 2],
  ],
  [
    ['3', 0],
    [3, 0],
  ],
  [{ home: 1, away: '2' }, [1, 2]],
  [{ home: 1 }, null],
  [[1], null],
  [[null, 1], null],
  [null, null],
  ['1:2', null],
])('the score %j is read as %j', (value, score) => {
  expect(scalars.readScore(value)).toEqual(score);
  expect(scalars.scoreOrNull.parse(value)).toEqual(score);
});

it('fields of other forms have their own way to be absent', () => {
  const odd = [undefined, null, 7, 'x', true, []];
  const read = (schema: z.ZodType) => odd.map((value) => schema.safeParse(value).data);
  expect(read(scalars.label)).toEqual(['', '', '', 'x', '', '']);
  expect(read(scalars.textOrNull)).toEqual([null, null, null, 'x', null, null]);
  expect(read(scalars.text)).toEqual([undefined, undefined, undefined, 'x', undefined, undefined]);
  expect(read(scalars.flag)).toEqual([false, false, false, false, true, false]);
  expect(read(scalars.flagOrNull)).toEqual([null, null, null, null, true, null]);
  expect(read(scalars.numberOrNull)).toEqual([null, null, 7, null, null, null]);
  expect(read(scalars.number)).toEqual([undefined, undefined, 7, undefined, undefined, undefined]);
  expect(['5', 5.5, 2 ** 53].map((value) => scalars.integer.safeParse(value).data)).toEqual([
    5,
    undefined,
    undefined,
  ]);
  expect(read(scalars.listed(scalars.number))).toEqual(Array(6).fill([]));
  expect(scalars.listed(scalars.number).parse([1, 'x', '2'])).toEqual([1, 2]);
  expect([{}, [], null, 'x'].map(scalars.isRecord)).toEqual([true, false, false, false]);
});

describe('a level of prices', () => {
  const level = (part: object) => ({ effective: { price: 2, min: ['USDT', 1], max: ['USDT', 9], ...part } });
  const READ = { price: 2, minMicros: 1e6, maxMicros: 9e6 };
  it.each<[string, unknown, object | null, readonly string[]]>([
    ['whole', level({}), READ, []],
    ['without a minimum', level({ min: null }), { ...READ, minMicros: null }, []],
    ['that lacks a minimum', level({ min: undefined }), { ...READ, minMicros: null }, []],
    ['with a minimum in another currency', level({ min: ['EUR', 1] }), null, []],
    ['with a minimum that is none', level({ min: 7 }), null, []],
    ['with a minimum below nothing', level({ min: ['USDT', -1] }), null, ['price_list.min=-1, refused']],
    ['without a maximum', level({ max: null }), null, []],
    ['with a maximum in another currency', level({ max: ['EUR', 9] }), null, []],
    ['with a maximum of nothing', level({ max: ['USDT', 0] }), { ...READ, maxMicros: 0 }, []],
    ['with a maximum below nothing', level({ max: ['USDT', -1] }), null, ['price_list.max=-1, refused']],
    ['with a price that is none', level({ price: 'x' }), null, []],
    ['with a price out of bounds', level({ price: 1 }), null, ['price_list.price=1, refused']],
    ['that is no object', 7, null, []],
    ['without its object', {}, null, []],
  ])('%s is read, or not', (_, raw, read, out) => {
    const { noted, survey } = noting();
    expect(readLevel(raw, survey)).toEqual(read);
    expect(noted).toEqual(out.map((each) => `out-of-bounds ${each}`));
  });

  it('is merged with another at its price, whose smaller minimum and both maxima count', () => {
    const list = [level({}), level({ price: 3 }), level({ min: ['USDT', 4], max: ['USDT', 1] })];
    expect(readPriceList(list)).toEqual([3, 1e6, 9e6, 2, 1e6, 10e6]);
    expect(readPriceList([level({}), level({ min: null })])).toEqual([2, -1, 18e6]);
    expect(readPriceList([level({ min: null }), level({})])).toEqual([2, -1, 18e6]);
    expect(readPriceList([level({}), 7])).toBeNull();
    expect([readPriceList([]), readPriceList({}), readPriceList([level({ max: ['USDT', 0] })])]).toEqual([
      [],
      null,
      [],
    ]);
  });
});

describe('a reader', () => {
  const read = objectReader(
    'thing',
    { a: scalars.number, b: scalars.text, c: scalars.text, d: scalars.text },
    (x) => x,
  );
  const item = objectReader('thing', { a: scalars.number }, ({ a }) => a);

  it('names its first three faults, and none of what was sent', () => {
    const { survey } = noting();
    expect(() => read({ a: 'secret', b: 7, c: 7, d: 7 }, survey)).toThrow(
      'unreadable thing: a: expected a number; b: Invalid input: expected string, received number; c: Invalid input: expected string, received number',
    );
    expect(() => read(7, survey)).toThrow('unreadable thing: value: ');
  });

  it('notes each field that it does not know', () => {
    const { noted, survey } = noting();
    expect(item({ a: 1, toString: 1, b: 2 }, survey)).toBe(1);
    expect(noted).toEqual(['field thing.toString', 'field thing.b']);
  });

  it('of a list takes all of it, or all but what cannot be read', () => {
    const { noted, survey } = noting();
    const list = [{ a: 1 }, { a: 'x' }, { a: 3 }];
    expect(() => arrayReader('things', item)(list, survey)).toThrow(ProtocolError);
    expect(arrayReader('things', item)([{ a: 1 }], survey)).toEqual([1]);
    expect(lenientArrayReader('things', item)(list, survey)).toEqual([1, 3]);
    expect(noted).toEqual(['bad-entry things: unreadable thing: a: expected a number']);
    for (const reader of [arrayReader('things', item), lenientArrayReader('things', item)])
      expect(() => reader({}, survey)).toThrow('unreadable things: expected an array');
  });

  it('lets a fault of ours pass', () => {
    const broken = lenientArrayReader('things', () => {
      throw new TypeError('a bug');
    });
    expect(() => broken([1], noting().survey)).toThrow('a bug');
  });

  it('notes no value that is null or known', () => {
    const { noted, survey } = noting();
    for (const value of [null, 'known', 'new']) noteValue(survey, 'field', value, new Set(['known']));
    expect(noted).toEqual(['value field=new']);
  });
});
