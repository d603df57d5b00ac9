import { beforeEach, describe, expect, it } from 'vitest';
import type { HeartbeatId } from '../../../src/domain/ids.ts';
import type { HeartbeatOrigin, PresenceRules } from '../../../src/orders/heartbeats/presence.ts';
import { HeartbeatSightings } from '../../../src/orders/heartbeats/sightings.ts';
import { OWN } from '../../support/claims.ts';

const [A, B, MINE] = ['a', 'b', 'mine'] as [HeartbeatId, HeartbeatId, HeartbeatId];
const WATCH_MS = 8_000;

let nowMs: number;
let rules: PresenceRules;
let sightings: HeartbeatSightings;

beforeEach(() => {
  nowMs = 1_000;
  rules = {
    installation: OWN,
    earlierOwner: 'unknown',
    isSoleUser: false,
    takesOver: false,
    toleratesHeartbeats: false,
    watchMs: WATCH_MS,
    lingerMs: 60_000,
  };
  sightings = new HeartbeatSightings({
    isMine: (id) => id === MINE,
    monotonicMs: () => nowMs,
    rules: () => rules,
  });
});

const recall = (origins: Readonly<Record<string, HeartbeatOrigin>>): void =>
  sightings.recall((id) => origins[id] ?? 'unknown');
const beats = (seen: Readonly<Record<string, number | null>>) =>
  Object.entries(seen).map(([id, expiryMs]) => ({ heartbeatId: id as HeartbeatId, expiryMs }));
/** A listing that is asked for and answered at this instant. */
function observe(atMs: number, seen: Readonly<Record<string, number | null>>): void {
  nowMs = atMs;
  sightings.observe(beats(seen), atMs);
}
const all = () => [...sightings.all()];

describe('a heartbeat that this process did not create', () => {
  it('is seen with its origin from its first listing on, and forgotten with the first that does not show it', () => {
    recall({ a: 'journal' });
    observe(1_000, { a: 90_000, b: 90_000, mine: 90_000 });
    expect(all()).toEqual([
      { heartbeatId: A, origin: 'journal', expiryMs: 90_000, stillSinceMs: 1_000, movedMs: null },
      { heartbeatId: B, origin: 'unknown', expiryMs: 90_000, stillSinceMs: 1_000, movedMs: null },
    ]);
    expect(sightings.ofEarlierRuns()).toEqual([A]);
    sightings.observe(beats({ b: 90_000 }), 1_500);
    expect([all().map(({ heartbeatId }) => heartbeatId), sightings.listedMs]).toEqual([[B], 1_500]);
  });

  it.each([
    ['a second later', 91_000, false],
    ['more than a second later', 91_001, true],
    ['earlier', 80_000, false],
    ['without an expiry', null, false],
  ])('moves if a listing shows its end %s', (_, expiryMs, moves) => {
    observe(1_000, { a: 90_000 });
    observe(5_000, { a: expiryMs });
    expect(all()).toEqual([
      moves
        ? { heartbeatId: A, origin: 'unknown', expiryMs, stillSinceMs: 5_000, movedMs: 5_000 }
        : { heartbeatId: A, origin: 'unknown', expiryMs: 90_000, stillSinceMs: 1_000, movedMs: null },
    ]);
  });

  it('whose end was not told is compared from the first end on', () => {
    observe(1_000, { a: null });
    observe(2_000, { a: 90_000 });
    expect(all()).toMatchObject([{ expiryMs: 90_000, movedMs: null, stillSinceMs: 1_000 }]);
    observe(3_000, { a: 95_000 });
    expect(all()).toMatchObject([{ expiryMs: 95_000, movedMs: 3_000 }]);
  });

  it('moves by the sum of small steps, too', () => {
    observe(1_000, { a: 90_000 });
    observe(2_000, { a: 90_600 });
    observe(3_000, { a: 91_200 });
    expect(all()).toMatchObject([{ movedMs: 3_000 }]);
  });

  it('may be that of an unanswered request for a time, unless it is refreshed or of the journal', () => {
    recall({ b: 'journal' });
    sightings.expectUnanswered(10_000);
    observe(10_999, { a: 90_000, b: 90_000 });
    expect(all().map(({ origin }) => origin)).toEqual(['unanswered', 'journal']);
    expect([sightings.isUnanswered(A), sightings.isUnanswered(B)]).toEqual([true, false]);
    expect(sightings.ofEarlierRuns()).toEqual([A, B]);
    observe(11_000, { a: 95_000, b: 95_000, late: 90_000 });
    expect(all().map(({ origin }) => origin)).toEqual(['unknown', 'journal', 'unknown']);
    expect(sightings.isUnanswered('not seen' as HeartbeatId)).toBe(false);
  });
});

describe('the deletion of a heartbeat that this process did not create', () => {
  it.each<[what: string, over: Partial<PresenceRules>, may: boolean]>([
    ['the only user', { isSoleUser: true }, true],
    ['the successor of a dead owner', { earlierOwner: 'dead' }, true],
    ['the successor of an owner that may live', {}, false],
  ])('is open to %s where no listing has shown it', (_, over, may) => {
    rules = { ...rules, ...over };
    expect(sightings.isAbandoned(A)).toBe(may);
  });

  it('of the journal waits until it has gone unrefreshed for the watch', () => {
    recall({ a: 'journal' });
    observe(1_000, { a: 90_000 });
    sightings.observe(beats({ a: 90_000 }), 1_000 + WATCH_MS - 1);
    expect(sightings.isAbandoned(A)).toBe(false);
    sightings.observe(beats({ a: 90_000 }), 1_000 + WATCH_MS);
    expect(sightings.isAbandoned(A)).toBe(true);
  });

  it('of unknown origin is open to nobody but the only user', () => {
    observe(1_000, { a: 90_000 });
    observe(90_000, { a: 90_000 });
    rules = { ...rules, earlierOwner: 'dead' };
    expect(sightings.isAbandoned(A)).toBe(false);
    rules = { ...rules, isSoleUser: true };
    expect(sightings.isAbandoned(A)).toBe(true);
  });
});

describe('a listing after the creation of ours', () => {
  const isContested = (...ids: readonly HeartbeatId[]): boolean =>
    sightings.isContested(ids.map((heartbeatId) => ({ heartbeatId, expiryMs: 90_000 })));

  it('is not contested by ours alone, and is by one that was never seen', () => {
    expect([isContested(), isContested(MINE), isContested(MINE, A)]).toEqual([false, false, true]);
  });

  it.each([
    ['stands', false, false, true],
    ['stands, also where others are tolerated', false, true, true],
    ['moves', true, false, true],
    ['moves, and is tolerated', true, true, false],
  ])(
    'is contested by one of unknown origin that %s: %s %s %s',
    (_, moves, toleratesHeartbeats, contested) => {
      rules = { ...rules, toleratesHeartbeats };
      observe(1_000, { a: 90_000 });
      if (moves) observe(2_000, { a: 95_000 });
      expect(isContested(MINE, A)).toBe(contested);
    },
  );

  it.each([
    ['that its owner may still refresh', WATCH_MS - 1, true],
    ['that nobody refreshes', WATCH_MS, false],
  ])('is contested by one of the journal %s', (_, afterMs, contested) => {
    recall({ a: 'journal' });
    observe(1_000, { a: 90_000 });
    observe(1_000 + afterMs, { a: 90_000 });
    expect(isContested(A, MINE)).toBe(contested);
  });
});
