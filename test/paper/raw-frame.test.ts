import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RawEntry,
  rawEntryOf,
  rawFrame,
  type ReadEntry,
  readPayload,
  readRawFrame,
} from '../../src/paper/raw-frame.ts';
import { FrameDecoder, readEntry, silentSurvey } from '../../src/venue/index.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const decoder = (): FrameDecoder => new FrameDecoder(silentSurvey);

const offer = (betType: string, stake: number): [string, object] => [
  'offer',
  {
    sport: 'fb',
    event_id: '2026-03-01,1,2',
    bet_type: betType,
    market_type: 'wdw',
    in_running: false,
    price_list: [{ effective: { price: 2.1, min: null, max: ['USDT', stake] } }],
  },
];

const frameOf = (entries: readonly unknown[], space?: number): Uint8Array =>
  bytes(JSON.stringify({ ts: '2026-03-01T12:00:00Z', data: entries }, null, space));

const payloadIn = (text: Uint8Array): unknown => (JSON.parse(Buffer.from(text).toString()) as unknown[])[1];

const offersIn = (entries: readonly ReadEntry[]): unknown[] =>
  entries.flatMap(({ entry }) => (entry?.tag === 'offer' ? [entry.offer] : []));

const entries$ = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom('for,h', 'against,h', 'for,é'), fc.integer({ min: 1, max: 9 }))
      .map(([type, stake]) => offer(type, stake)),
    fc.tuple(
      fc.constantFrom('order', 'info', 'ünknown', 'a "tag"', 'sync', 'remove_event'),
      fc.json().map((text) => JSON.parse(text) as unknown),
    ),
  ),
  { maxLength: 8 },
);

describe('a frame of the real exchange, entry by entry', () => {
  it('has the tags, payloads and meanings of its JSON, however it is written and whatever came before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(entries$, fc.constantFrom(undefined, 1, 3)), { maxLength: 5 }),
        (frames) => {
          const reading = decoder();
          for (const [entries, space] of frames) {
            const data = frameOf(entries, space);
            const frame = readRawFrame(data, reading);
            expect(frame?.entries.map(({ tag }) => tag)).toEqual(entries.map(([tag]) => tag));
            expect(frame?.entries.map(readPayload)).toEqual(entries.map(([, payload]) => payload));
            expect(frame?.entries.map(({ entry }) => entry)).toEqual(
              entries.map((each) => readEntry(each, silentSurvey)),
            );
            expect(
              rawFrame(data)?.entries.map(({ tag, bytes: text }) => [tag, Buffer.from(text).toString()]),
            ).toEqual(frame?.entries.map(({ tag, bytes: text }) => [tag, Buffer.from(text).toString()]));
            expect(frame?.with(frame.entries)).toBe(data);
          }
        },
      ),
    );
  });

  it('has the entries that it is given in their order: some of its own, and others among them', () => {
    const fates = fc.array(fc.constantFrom('kept', 'kept', 'left out', 'replaced', 'twice'), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(entries$, fates, fc.constantFrom(undefined, 1, 3), (entries, fate, space) => {
        const frame = readRawFrame(frameOf(entries, space), decoder());
        const own = rawEntryOf('ours', { é: '[,' });
        const changed = frame?.entries.flatMap((entry, at): RawEntry[] => {
          if (fate[at] === 'twice') return [entry, entry];
          if (fate[at] === 'replaced') return [own];
          return fate[at] === 'kept' ? [entry] : [];
        });
        const data = frame?.with(changed ?? []) ?? null;
        const shown =
          data === null
            ? { data: [] }
            : (JSON.parse(Buffer.from(data).toString()) as { ts?: string; data: unknown[] });
        expect(shown.data).toEqual(changed?.map(({ tag, bytes: text }) => [tag, payloadIn(text)]));
        if (data !== null) expect(shown).toHaveProperty('ts', '2026-03-01T12:00:00Z');
      }),
    );
  });

  it('has the identical offer while its text stays the same', () => {
    const reading = decoder();
    const read = (...offers: [string, object][]): unknown[] =>
      offersIn(readRawFrame(frameOf(offers), reading)?.entries ?? []);
    const [home, against] = read(offer('for,h', 5), offer('against,h', 5));
    const [changed, same] = read(offer('for,h', 6), offer('against,h', 5));
    expect(same).toBe(against);
    expect(changed).not.toBe(home);
    expect(read(offer('against,h', 5), offer('for,h', 6))).toEqual([against, changed]);
  });

  it('is read as JSON if its text is unexpected, and is nothing if it is no frame', () => {
    const turned = bytes(JSON.stringify({ data: [offer('for,h', 5), ['info', {}], 7], ts: 1 }));
    const read = readRawFrame(turned, decoder());
    expect(read?.entries.map(({ tag, entry }) => [tag, entry?.tag])).toEqual([
      ['offer', 'offer'],
      ['info', 'other'],
    ]);
    for (const text of ['', '[]', '{"ts":1}', '{"ts":1,"data":[["offer",{}', '{"ts":1,"data":7}'])
      expect(readRawFrame(bytes(text), decoder())).toBeNull();
  });
});
