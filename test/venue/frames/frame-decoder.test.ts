import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../../src/domain/ids.ts';
import type { Offer } from '../../../src/domain/stream.ts';
import { FrameDecoder } from '../../../src/venue/frames/frame-decoder.ts';
import { type DecodedEntry, readFrame } from '../../../src/venue/wire/frame.ts';
import { silentSurvey } from '../../../src/venue/wire/survey.ts';
import { assertUntil } from '../../support/covering.ts';
import { BLANKS, stringify, TIGHT } from '../../support/json-styles.ts';
import { wireOffer } from '../support/samples.ts';
import { damage, damaged, frameRun } from './frames.ts';

const utf8 = new TextEncoder();
const plain = (frame: Uint8Array) => readFrame(frame, silentSurvey);

const level = (price: number, max: number) => ({
  effective: { price, min: ['USDT', 5], max: ['USDT', max] },
});
const offers = (count: number, max: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => [
    'offer',
    wireOffer({ bet_type: `for,ah,h,${n}`, price_list: [level(2.5, max(n)), level(2.48, 0.1), level(2, 3)] }),
  ]);
const frame = (entries: unknown, style = TIGHT) =>
  utf8.encode(stringify({ ts: '2026-01-01T00:00:00Z', data: entries }, style));

const offersOf = (entries: readonly DecodedEntry[]): Offer[] =>
  entries.flatMap((entry) => (entry.tag === 'offer' ? [entry.offer] : []));

/** The offers of the second frame that are those of the first. */
function same(first: readonly DecodedEntry[], second: readonly DecodedEntry[]): boolean[] {
  const known = offersOf(first);
  return offersOf(second).map((offer) => known.includes(offer));
}

describe('the frame decoder', () => {
  it('reads runs of frames as JSON.parse does, whatever changes, in whatever order', () => {
    fc.assert(
      fc.property(frameRun, (frames) => {
        const decoder = new FrameDecoder(silentSurvey);
        for (const bytes of frames) expect(decoder.decode(bytes)).toEqual(plain(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads cut and mutated frames as JSON.parse does, and those that follow', () => {
    fc.assert(
      fc.property(frameRun, fc.array(damage, { minLength: 1, maxLength: 12 }), (frames, damages) => {
        const decoder = new FrameDecoder(silentSurvey);
        for (const bytes of frames) {
          decoder.decode(bytes);
          for (const each of damages) {
            const broken = damaged(bytes, each);
            expect(decoder.decode(broken)).toEqual(plain(broken));
          }
          expect(decoder.decode(bytes)).toEqual(plain(bytes));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tells the last text of each offer that it recognises', () => {
    const told = (text: Uint8Array): Uint8Array =>
      utf8.encode(`{"ts":"2026-01-01T00:00:00Z","data":[${new TextDecoder().decode(text)}]}`);
    let texts = 0;
    assertUntil(
      () => texts > 100,
      fc.property(frameRun, fc.array(damage, { maxLength: 3 }), (frames, damages) => {
        const decoder = new FrameDecoder(silentSurvey);
        for (const bytes of frames) {
          for (const each of damages) decoder.decode(damaged(bytes, each));
          for (const offer of offersOf(decoder.decode(bytes).entries))
            for (const [known, text] of decoder.textsOf(offer)) {
              texts += 1;
              expect(plain(told(text)).entries).toEqual([{ tag: 'offer', offer: known }]);
            }
        }
      }),
      { numRuns: 100 },
    );
    expect(texts).toBeGreaterThan(100);

    const decoder = new FrameDecoder(silentSurvey);
    for (const max of [1, 1_000, 20]) {
      const entries = offers(3, (n) => max + n);
      const seen = offersOf(decoder.decode(frame(entries)).entries);
      const event = seen[0] as Offer;
      const known = decoder.textsOf(event);
      expect(seen.map((offer) => new TextDecoder().decode(known.get(offer)))).toEqual(
        entries.map((entry) => JSON.stringify(entry)),
      );
      expect(decoder.textsOf({ ...event, sport: sport('fb_ht') }).size).toBe(0);
    }
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('loses only that offer with a price that is %s', (price) => {
    const decoder = new FrameDecoder(silentSurvey);
    const named = wireOffer({ bet_type: 'for,"x":NaN', market_type: 'Infinity' });
    const text = new TextDecoder().decode(frame([...offers(2, () => 3), ['offer', named]]));
    decoder.decode(utf8.encode(text));
    const bytes = utf8.encode(text.replace('2.5', price));
    const { entries } = decoder.decode(bytes);
    expect(entries).toEqual(plain(bytes).entries);
    expect(offersOf(entries).map((offer) => offer.betType)).toEqual(['for,ah,h,1', 'for,"x":NaN']);
    expect(offersOf(entries)[1]?.marketType).toBe('Infinity');
  });

  it('omits levels without stake as the general reader does', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const empty = frame([['offer', wireOffer({ price_list: [level(2.5, 0), level(2.4, 4)] })]]);
    for (const bytes of [frame(offers(1, () => 1)), empty, empty])
      expect(decoder.decode(bytes)).toEqual(plain(bytes));
  });

  it('merges levels of one price as the general reader does', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const twice = frame([['offer', wireOffer({ price_list: [level(2.5, 3), level(2.5, 4)] })]]);
    for (const bytes of [frame(offers(1, () => 1)), twice, twice])
      expect(decoder.decode(bytes)).toEqual(plain(bytes));
  });

  it('reads every beginning of a frame as JSON.parse does', () => {
    const whole = frame(offers(3, (n) => n));
    const decoder = new FrameDecoder(silentSurvey);
    decoder.decode(whole);
    for (let length = 0; length < whole.length; length++) {
      const cut = whole.subarray(0, length);
      expect(decoder.decode(cut)).toEqual(plain(cut));
    }
  });

  it('reads a frame with any one byte changed as JSON.parse does', () => {
    const whole = frame(offers(2, (n) => n + 0.5));
    const decoder = new FrameDecoder(silentSurvey);
    for (let at = 0; at < whole.length; at++) {
      for (const byte of utf8.encode('"]}09.,\\e ')) {
        const changed = whole.slice();
        changed[at] = byte;
        decoder.decode(whole);
        expect(decoder.decode(changed)).toEqual(plain(changed));
      }
    }
  });

  it.each([
    ['without blanks', TIGHT],
    ['with blanks', BLANKS],
  ])('returns an unchanged offer as the identical object, %s', (_name, style) => {
    const decoder = new FrameDecoder(silentSurvey);
    const first = decoder.decode(
      frame(
        offers(50, (n) => n),
        style,
      ),
    ).entries;
    const second = decoder.decode(
      frame(
        offers(50, (n) => (n % 10 === 0 ? n + 0.5 : n)),
        style,
      ),
    ).entries;
    expect(same(first, second)).toEqual(second.map((_, n) => n % 10 !== 0));
  });

  it('keeps the others recognised when price lists become longer and shorter again', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const stakes = (isLong: boolean) =>
      frame(offers(50, (n) => (isLong && n % 10 === 0 ? n + 1_000.123_456 : n)));
    let before = decoder.decode(stakes(false)).entries;
    for (const isLong of [true, false, true]) {
      const { entries } = decoder.decode(stakes(isLong));
      expect(entries).toEqual(plain(stakes(isLong)).entries);
      expect(same(before, entries)).toEqual(entries.map((_, n) => n % 10 !== 0));
      before = entries;
    }
  });

  it('returns the identical object whatever the order', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const all = offers(50, (n) => n);
    const first = decoder.decode(frame(all)).entries;
    const second = decoder.decode(frame([...all].reverse())).entries;
    expect(second).toEqual([...first].reverse());
    expect(same(first, second)).not.toContain(false);
  });

  it('returns another object when the text was another in between', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const first = decoder.decode(frame(offers(1, () => 1))).entries;
    decoder.decode(frame(offers(1, () => 2)));
    const third = decoder.decode(frame(offers(1, () => 1))).entries;
    expect(third).toEqual(first);
    expect(same(first, third)).toEqual([false]);
  });

  it('reads the same numbers from the same list, however they are spelled', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const first = decoder.decode(frame(offers(1, () => 12345))).entries;
    const spelled = new TextDecoder().decode(frame(offers(1, () => 12345))).replace('12345', '12345.00');
    expect(same(first, decoder.decode(utf8.encode(spelled)).entries)).toEqual([true]);
  });

  it('reads anew an offer of which more than the list changed, before it or behind it', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const all = (running: boolean) =>
      offers(20, (n) => n).map(([tag, offer], n) => {
        const { in_running: _, ...others } = offer as Record<string, unknown>;
        return [tag, n === 7 ? { ...others, in_running: running } : { in_running: running, ...others }];
      });
    decoder.decode(frame(all(false)));
    const changed = decoder.decode(frame(all(true))).entries;
    expect(changed).toEqual(plain(frame(all(true))).entries);
    expect(same(changed, decoder.decode(frame(all(true))).entries)).not.toContain(false);
  });

  it('stays within bounds when every text is a new one', () => {
    const decoder = new FrameDecoder(silentSurvey);
    let most = 0;
    for (let n = 0; n < 60; n++) {
      const repeated = offers(100, (i) => i).map(([tag, offer]) => [
        tag,
        { ...(offer as object), market_type: n },
      ]);
      decoder.decode(frame(repeated));
      most = Math.max(most, decoder.size);
    }
    expect(most).toBe(5_000);
    expect(decoder.size).toBe(1_000);
  });

  it('reads numbers to the last digit', () => {
    const decoder = new FrameDecoder(silentSurvey);
    decoder.decode(frame(offers(1, () => 1)));
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e10, noNaN: true }),
        fc.integer({ min: 0, max: 20 }),
        (max, digits) => {
          for (const text of [String(max), max.toFixed(digits)]) {
            const bytes = utf8.encode(
              new TextDecoder().decode(frame(offers(1, () => 12345))).replace('12345', text),
            );
            expect(decoder.decode(bytes)).toEqual(plain(bytes));
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('forgets what the exchange removes', () => {
    const decoder = new FrameDecoder(silentSurvey);
    decoder.decode(frame(offers(5, (n) => n)));
    expect(decoder.size).toBe(5);
    decoder.decode(frame([['remove_event', { sport: 'fb', event_id: '2026-01-01,10,20' }]]));
    expect(decoder.size).toBe(0);
    decoder.decode(frame(offers(5, (n) => n)));
    decoder.decode(frame([['clear_events', null], ...offers(2, (n) => n)]));
    expect(decoder.size).toBe(2);
  });

  it('forgets only the offers of one sport where several share an event id', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const event = { event_id: '2026-01-01,10,20' };
    decoder.decode(frame(['fb', 'fb_ht'].map((code) => ['offer', wireOffer({ sport: code, ...event })])));
    decoder.decode(frame([['remove_event', { sport: 'fb', ...event }]]));
    expect(decoder.size).toBe(1);
    decoder.forget({ sport: sport('fb_ht'), eventId: eventId(event.event_id) });
    expect(decoder.size).toBe(0);
  });

  it('does not mistake the text in a forgotten place for the forgotten offer', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const [ours, gone, fresh] = [
      ['offer', wireOffer()],
      ['offer', wireOffer({ event_id: '2026-01-01,77,78', bet_type: 'for,h' })],
      ['offer', wireOffer({ event_id: '2026-01-01,77,78', bet_type: 'for,a' })],
    ];
    decoder.decode(frame([ours, gone]));
    decoder.decode(frame([['remove_event', { sport: 'fb', event_id: '2026-01-01,77,78' }]]));
    decoder.decode(frame([fresh]));
    const last = frame([ours, fresh]);
    expect(decoder.decode(last)).toEqual(plain(last));
  });

  it('is not fooled by a list that only looks like the price list', () => {
    const decoder = new FrameDecoder(silentSurvey);
    const text = (inner: string, outer: string) =>
      utf8.encode(
        `{"ts":1,"data":[["offer",{"sport":"fb","event_id":"e","bet_type":"b","x":{"price_list":${inner}},"price_list":${outer}}]]}`,
      );
    const [one, two] = [JSON.stringify([level(2, 1)]), JSON.stringify([level(3, 1)])];
    for (const bytes of [text(one, one), text(two, one), text(two, two), text('[]', '[]'), text(one, '[]')]) {
      expect(decoder.decode(bytes)).toEqual(plain(bytes));
    }
  });
});
