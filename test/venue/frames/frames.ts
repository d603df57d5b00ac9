import fc from 'fast-check';
import { jsonStyle, stringify } from '../../support/json-styles.ts';

/** Arbitrary frames in the order in which an exchange might send them, as bytes. */

const EVENTS = ['2026-01-01,1,2', '2026-01-01,3,4'];
const BET_TYPES = [
  'for,h',
  'against,h',
  'for,ah,h,-4',
  'against,ah,h,-4',
  'for,"price_list"',
  'for,ümlaut',
  'win,1',
];

const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 101, max: 100_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(1, 0, -2, '2.5', null, 1e21, 1.0000000000000002, 2.5e-7) },
);
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1e9 }).map((n) => n / 100) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1e10, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('7', -1, 1e300, 123456789012345680, null) },
);
const money = fc.tuple(fc.constantFrom('USDT', 'USDT', 'USDT', 'USDT', 'EUR'), amount);

const level = fc
  .record(
    { price, min: fc.oneof(fc.constant(null), money), max: money },
    { requiredKeys: ['price', 'max', 'min'] },
  )
  .map((effective) => ({ effective }));

const priceList = fc
  .array(level, { maxLength: 4 })
  .map((levels) =>
    levels.some(({ effective }) => typeof effective.price !== 'number')
      ? levels
      : levels.sort((a, b) => Number(b.effective.price) - Number(a.effective.price)),
  );

const extra = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ x: fc.record({ price_list: priceList }) }) },
  { weight: 1, arbitrary: fc.record({ note: fc.constantFrom('price_list', '}]', '\\"', '[{', 'é') }) },
);

const offer = fc
  .record({
    sport: fc.constantFrom('fb', 'tennis'),
    event_id: fc.constantFrom(...EVENTS),
    bet_type: fc.constantFrom(...BET_TYPES),
    market_type: fc.constantFrom('wdw', 'ah', 'price_list'),
    in_running: fc.boolean(),
    before: extra,
    price_list: priceList,
    after: extra,
    flip: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ before, after, flip, price_list, ...names }): [string, unknown] => [
    'offer',
    flip === 0 ? { price_list, ...names, ...after } : { ...names, ...before, price_list, ...after },
  ]);

const other: fc.Arbitrary<[string, unknown]> = fc.oneof(
  fc.constant<[string, unknown]>(['sync', { session_id: '"]}' }]),
  fc.constantFrom(...EVENTS).map((id): [string, unknown] => ['remove_event', { sport: 'fb', event_id: id }]),
  fc.constant<[string, unknown]>(['clear_events', null]),
  fc.constant<[string, unknown]>(['response', { status: 'ok' }]),
  fc.tuple(fc.constantFrom('info', 'unknown'), fc.jsonValue()),
);

const entry = fc.oneof({ weight: 8, arbitrary: offer }, { weight: 1, arbitrary: other });

/** Changes that turn the offers of one frame into the next. */
interface Step {
  readonly keep: number;
  readonly fresh: readonly [string, unknown][];
  readonly shuffle: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  keep: fc.double({ min: 0, max: 1, noNaN: true }),
  fresh: fc.array(entry, { maxLength: 4 }),
  shuffle: fc.nat(3),
});

/** Most entries stay unchanged, some are new. Now and then the order changes. */
function follow(entries: readonly [string, unknown][], { keep, fresh, shuffle }: Step): [string, unknown][] {
  const kept = entries.filter((_, i) => ((i * 7919 + 13) % 100) / 100 < keep || keep > 0.9);
  const all = [...kept, ...fresh];
  return shuffle === 0 ? all.reverse() : all;
}

/** Price lists of some offers replaced by those of others: the usual change. */
function reprice(entries: readonly [string, unknown][], by: number): [string, unknown][] {
  const lists = entries.map(([, payload]) => (payload as { price_list?: unknown } | null)?.price_list);
  return entries.map(([tag, payload], i): [string, unknown] => {
    const list = lists[(i + by) % lists.length];
    const change = by > 0 && i % 3 === 0 && tag === 'offer' && list !== undefined;
    return change ? [tag, { ...(payload as object), price_list: list }] : [tag, payload];
  });
}

const timestamp = fc.constantFrom<unknown>('2026-01-01T00:00:00.123Z', 1767225600.25, 'é', null, '', '\\');

const utf8 = new TextEncoder();

/** A run of well-formed frames, each like the one before. */
export const frameRun: fc.Arbitrary<Uint8Array[]> = fc
  .record({
    first: fc.array(entry, { maxLength: 12 }),
    steps: fc.array(fc.tuple(step, fc.nat(3), timestamp), { minLength: 1, maxLength: 6 }),
    style: jsonStyle,
  })
  .map(({ first, steps, style }) => {
    let entries = first;
    return steps.map(([each, by, ts]) => {
      entries = reprice(follow(entries, each), by);
      return utf8.encode(stringify({ ts, data: entries }, style));
    });
  });

/** Changes to the bytes of a frame. */
export interface Damage {
  readonly kind: 'cut' | 'flip' | 'insert' | 'drop';
  readonly at: number;
  readonly byte: number;
}

export const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('cut' as const, 'flip' as const, 'insert' as const, 'drop' as const),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.oneof(
    fc.constantFrom(...utf8.encode('{}[]",:.0123456789eE-\\ tn')),
    fc.integer({ min: 0, max: 255 }),
  ),
});

export function damaged(frame: Uint8Array, { kind, at, byte }: Damage): Uint8Array {
  const place = Math.floor(at * frame.length);
  const [before, after] = [frame.subarray(0, place), frame.subarray(place)];
  const parts = {
    cut: [before],
    flip: [before, [byte], after.subarray(1)],
    insert: [before, [byte], after],
    drop: [before, after.subarray(1)],
  }[kind];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
