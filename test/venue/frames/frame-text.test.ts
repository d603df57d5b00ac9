import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hashBytes, sameBytes } from '../../../src/venue/frames/bytes.ts';
import { FrameDecoder } from '../../../src/venue/frames/frame-decoder.ts';
import { endOfEntry, isClosing, readOpening, skipBlanks } from '../../../src/venue/frames/frame-text.ts';
import type { DecodedEntry } from '../../../src/venue/wire/frame.ts';
import { silentSurvey } from '../../../src/venue/wire/survey.ts';
import { wireOffer } from '../support/samples.ts';

const utf8 = new TextEncoder();
const encode = (text: string): Uint8Array => utf8.encode(text);

/** The text of `ts` and the text behind the bracket; null where the beginning is unexpected. */
function opening(text: string): readonly string[] | null {
  const found = readOpening(encode(text));
  return found && [text.slice(found.tsFrom, found.tsTo), text.slice(found.entries)];
}

describe('the beginning of a frame', () => {
  it.each([
    ['{"ts":1,"data":[rest', ['1', 'rest']],
    ['{"ts": \n\r\t1.5e+7 , "data" :[', null],
    ['{"ts": \n\r\t-1.5E+7 \n,\t"data":\r [ rest', ['-1.5E+7', ' rest']],
    ['{"ts":"2026-01-01","data":[', ['"2026-01-01"', '']],
    ['{"ts":"","data":[]}', ['""', ']}']],
    ['{"ts":0123456789.e+-E,"data":[', ['0123456789.e+-E', '']],
    ['{"ts":"a\\"","data":[', null],
    ['{"ts":"a\u001f","data":[', null],
    ['{"ts":"a ","data":[', ['"a "', '']],
    ['{"ts":"a', null],
    ['{"ts":,"data":[', null],
    ['{"ts":/,"data":[', null],
    ['{"ts"::,"data":[', null],
    ['{"ts":1;"data":[', null],
    ['{"ts":1,"date":[', null],
    ['{"ts":1,"data":{', null],
    ['{"ts":1,"data":', null],
    ['{"tx":1,"data":[', null],
    [' {"ts":1,"data":[', null],
    ['{"ts":null,"data":[', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(opening(text)).toEqual(expected);
  });
});

describe('the end of a frame', () => {
  it.each([
    ['}', true],
    [' \n}\t\r ', true],
    ['', false],
    [' ', false],
    [']', false],
    ['},', false],
    ['} x', false],
    [',}', false],
  ])('%j closes it: %s', (text, isEnd) => {
    expect(isClosing(encode(`[]${text}`), 2)).toBe(isEnd);
  });

  it('is found behind blanks, which are the four of JSON', () => {
    expect(skipBlanks(encode('x \t\r\n \u000b'), 1)).toBe(6);
    expect(skipBlanks(encode('ab'), 1)).toBe(1);
    expect(skipBlanks(encode('a '), 1)).toBe(2);
  });
});

describe('the end of an entry', () => {
  it.each([
    ['[]', 2],
    ['[1,[2],{"a":[{}]}],[3]', 18],
    ['["]"],', 5],
    ['["[{"]]', 6],
    ['["\\"]"]]', 7],
    ['["\\\\"]]', 6],
    ['[{"a":"}"}]x', 11],
    ['[', -1],
    ['[[]', -1],
    ['["]', -1],
    ['["a\\"]', -1],
    ['{}', -1],
    ['x[]', -1],
    ['', -1],
  ])('of %j is at %i', (text, end) => {
    expect(endOfEntry(encode(text), 0)).toBe(end);
    // The place in the frame makes no difference.
    expect(endOfEntry(encode(`["é"]${text}`), 6)).toBe(end < 0 ? end : end + 6);
  });
});

describe('bytes', () => {
  const some = fc.uint8Array({ maxLength: 40, size: 'max' });

  it('are the same exactly if they are equal one by one, at any length and place', () => {
    fc.assert(
      fc.property(some, some, some, fc.nat({ max: 40 }), (before, after, body, cut) => {
        const [a, b] = [
          bytesOf(Uint8Array.from([...before, ...body])),
          bytesOf(Uint8Array.from([...body, ...after])),
        ];
        expect(sameBytes(a, before.length, b, 0, body.length)).toBe(true);
        if (body.length === 0) return;
        const other = body.slice();
        other[cut % body.length]! ^= 1;
        expect(sameBytes(bytesOf(other), 0, b, 0, body.length)).toBe(false);
      }),
    );
  });

  it('beyond the end are the same as none', () => {
    const bytes = bytesOf(encode('0123456789'));
    for (const length of [3, 9]) {
      expect(sameBytes(bytes, 10 - length, bytes, 10 - length, length)).toBe(true);
      expect(sameBytes(bytes, 11 - length, bytes, 10 - length, length)).toBe(false);
      expect(sameBytes(bytes, 10 - length, bytes, 11 - length, length)).toBe(false);
    }
  });

  it('have a hash of their own, which their place does not change', () => {
    fc.assert(
      fc.property(some, fc.uint8Array({ minLength: 1, maxLength: 20, size: 'max' }), (before, body) => {
        const hash = hashBytes(bytesOf(body), 0, body.length);
        const all = Uint8Array.from([...before, ...body, 7]);
        expect(hashBytes(bytesOf(all), before.length, before.length + body.length)).toBe(hash);
        expect(hash).toBe(hash | 0);
        for (let at = 0; at < body.length; at++) {
          const other = body.slice();
          other[at]! ^= 1;
          expect(hashBytes(bytesOf(other), 0, other.length)).not.toBe(hash);
        }
        expect(hashBytes(bytesOf(Uint8Array.from([...body, 0])), 0, body.length + 1)).not.toBe(hash);
      }),
    );
  });

  it('of the names of offers have hardly ever the same hash', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => encode(`"bet_type":"for,ah,h,${at}"`));
    const hashes = names.map((name) => hashBytes(bytesOf(name), 0, name.length));
    expect(new Set(hashes).size).toBeGreaterThan(2_995);
  });
});

describe('an offer that is repeated', () => {
  const level = { effective: { price: 2, min: null, max: ['USDT', 9] } };
  const named = (betType: string, part: object = {}): [string, object] => [
    ...(['offer', wireOffer({ bet_type: betType, price_list: [level], ...part })] as [string, object]),
  ];
  const decoder = (): ((...entries: readonly unknown[]) => readonly (object | null)[]) => {
    const one = new FrameDecoder(silentSurvey);
    const objectOf = (entry: DecodedEntry): object | null => (entry.tag === 'offer' ? entry.offer : null);
    return (...entries) => one.decode(encode(JSON.stringify({ ts: 1, data: entries }))).entries.map(objectOf);
  };

  it('is the same object among others that came or left, in any order', () => {
    const decode = decoder();
    const [a, b, c] = [named('for,h'), named('for,a'), named('for,d')];
    const first = decode(a, b);
    const [again, , anew] = decode(b, c, a);
    expect([again === first[1], anew === first[0]]).toEqual([true, true]);
    const [last] = decode(c);
    expect(decode(['sync', {}], c)[1]).toBe(last);
  });

  it('is another object where its market, its state or its event is another', () => {
    const decode = decoder();
    const [known] = decode(named('for,h'));
    for (const part of [
      { market_type: 'ah' },
      { in_running: true },
      { event_id: '2026-01-02,1,2' },
      { sport: 'x' },
    ])
      expect(decode(named('for,h', part))[0]).not.toEqual(known);
    expect(decode(named('for,h'))[0]).toEqual(known);
  });

  it('keeps its names and has its new prices where those change', () => {
    const decode = decoder();
    const [known] = decode(named('for,h'));
    const [changed] = decode(named('for,h', { price_list: [] }));
    expect(changed).toEqual({ ...known, priceList: [] });
    expect(decode(named('for,h', { price_list: [] }))[0]).toBe(changed);
  });

  it('is remembered apart from the order of its fields, and not where its list comes before its name', () => {
    const decode = decoder();
    const { price_list: list, ...rest } = wireOffer({ price_list: [level] });
    const early = ['offer', { price_list: list, ...rest }];
    const [first] = decode(early);
    expect(decode(early)[0]).toEqual(first);
    const late = ['offer', { ...rest, later: 'x', price_list: list }];
    const [one] = decode(late);
    expect(decode(late)[0]).toBe(one);
  });
});
