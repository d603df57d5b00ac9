import { describe, expect, it } from 'vitest';
import type { HeartbeatId, OrderId } from '../../../src/domain/ids.ts';
import type { EarlierOwner, InstallationId } from '../../../src/domain/installation.ts';
import {
  type HeartbeatOrigin,
  type Presence,
  presenceInWords,
  presenceOf,
  type PresenceRules,
  type SeenHeartbeat,
  type SeenOrder,
} from '../../../src/orders/heartbeats/presence.ts';
import { OTHER, OWN } from '../../support/claims.ts';

const NOW = 1_000_000;
const WATCH = 8_000;
const RULES: PresenceRules = {
  installation: OWN,
  earlierOwner: 'unknown',
  isSoleUser: false,
  takesOver: false,
  toleratesHeartbeats: false,
  watchMs: WATCH,
  lingerMs: 120_000,
};

/** Open orders with Touchline’s mark that the journal lacks: none, another installation’s, a copy’s. */
const MARKS = { none: null, other: OTHER, own: OWN, 'another form': null } as const;
const HEARTBEATS = ['none', 'still', 'moving'] as const;
/** The journal’s knowledge: nothing; the visible heartbeat and every order; less than the exchange shows. */
const JOURNALS = ['new', 'equal', 'behind'] as const;
const OWNERS: readonly EarlierOwner[] = ['alive', 'dead', 'unknown'];

const order = (installation: InstallationId | null, isOpen: boolean, placedAgoMs = 1_000): SeenOrder => ({
  orderId: 1 as OrderId,
  installation,
  isOpen,
  placedMs: NOW - placedAgoMs,
});

const heartbeat = (origin: HeartbeatOrigin, stillMs: number, moves = false): SeenHeartbeat => ({
  heartbeatId: 'hb-1' as HeartbeatId,
  origin,
  stillSinceMs: NOW - stillMs,
  movedMs: moves ? NOW - stillMs : null,
});

interface Seen {
  readonly orders?: readonly SeenOrder[];
  readonly heartbeats?: readonly SeenHeartbeat[];
  readonly watchedMs?: number;
}

const judge = (
  { orders = [], heartbeats = [], watchedMs = 0 }: Seen,
  rules: Partial<PresenceRules> = {},
): Presence =>
  presenceOf(
    { orders, heartbeats, watchedSinceMs: NOW - watchedMs, listedMs: NOW },
    { ...RULES, ...rules },
    NOW,
  );

interface Row {
  readonly marks: keyof typeof MARKS;
  readonly beats: (typeof HEARTBEATS)[number];
  readonly journal: (typeof JOURNALS)[number];
  readonly owner: EarlierOwner;
}

const rows: readonly Row[] = (Object.keys(MARKS) as Row['marks'][]).flatMap((marks) =>
  HEARTBEATS.flatMap((beats) =>
    JOURNALS.flatMap((journal) => OWNERS.map((owner) => ({ marks, beats, journal, owner }))),
  ),
);

/** The expected decision, restated from the rows of the table. */
function expected({ marks, beats, journal, owner }: Row, isWatched: boolean): Presence['kind'] {
  if (marks !== 'none') return 'present';
  const listsHeartbeat = journal === 'equal';
  if (beats === 'still' && !listsHeartbeat) return 'present';
  if (beats === 'moving') return listsHeartbeat && owner === 'dead' ? 'free' : 'present';
  return owner === 'dead' || isWatched ? 'free' : 'watching';
}

function seen({ marks, beats, journal }: Row, watchedMs: number): Seen {
  const origin = journal === 'equal' ? 'journal' : 'unknown';
  const stillMs = beats === 'moving' ? 1_000 : watchedMs;
  return {
    orders: marks === 'none' ? [] : [order(MARKS[marks], true)],
    heartbeats: beats === 'none' ? [] : [heartbeat(origin, stillMs, beats === 'moving')],
    watchedMs,
  };
}

describe('the right to trade the account', () => {
  it.each(rows)('depends on marks $marks, heartbeat $beats, journal $journal, owner $owner', (row) => {
    for (const isWatched of [false, true]) {
      const presence = judge(seen(row, isWatched ? WATCH : 0), { earlierOwner: row.owner });
      expect(presence.kind).toBe(expected(row, isWatched));
    }
  });

  it.each(rows)('always belongs to the only user of an account: $marks, $beats, $journal, $owner', (row) => {
    expect(judge(seen(row, 0), { isSoleUser: true, earlierOwner: row.owner }).kind).toBe('free');
  });
});

describe('an installation that has no open order', () => {
  it.each([
    [119_999, 'present'],
    [120_000, 'free'],
  ] as const)('%d ms after its last order is %s', (agoMs, kind) => {
    expect(judge({ orders: [order(OTHER, false, agoMs)], watchedMs: WATCH }).kind).toBe(kind);
  });

  it('is gone when a person says so', () => {
    const signs = { orders: [order(OTHER, false, 1_000)], watchedMs: WATCH };
    expect(judge(signs, { takesOver: true }).kind).toBe('free');
    expect(judge({ ...signs, orders: [order(OTHER, true)] }, { takesOver: true }).kind).toBe('present');
  });
});

describe('a heartbeat that this process did not create', () => {
  it.each([
    [
      'is tolerated when it is refreshed and the setting allows it',
      heartbeat('unknown', 1_000, true),
      'free',
    ],
    [
      'is waited for while it is not refreshed, whatever the setting',
      heartbeat('unknown', 60_000),
      'present',
    ],
    [
      'of the journal shows a copy of it when it is refreshed, whatever the setting',
      heartbeat('journal', 1_000, true),
      'present',
    ],
  ] as const)('%s', (_, seenOne, kind) => {
    expect(judge({ heartbeats: [seenOne], watchedMs: WATCH }, { toleratesHeartbeats: true }).kind).toBe(kind);
  });

  it('of a lost request is waited for although the owner of the lock is dead', () => {
    const judged = (stillMs: number) =>
      judge({ heartbeats: [heartbeat('unanswered', stillMs)] }, { earlierOwner: 'dead' }).kind;
    expect([judged(WATCH - 1), judged(WATCH)]).toEqual(['watching', 'free']);
  });

  it('has to run out where a person takes over, unless its owner is dead', () => {
    const judged = (earlierOwner: EarlierOwner) =>
      judge(
        { heartbeats: [heartbeat('journal', 60_000)], watchedMs: WATCH },
        { earlierOwner, takesOver: true },
      );
    expect(judged('unknown').kind).toBe('present');
    expect(judged('dead').kind).toBe('free');
  });
});

it.each([
  [{ kind: 'open_order', order: order(OTHER, true) }, 'installation installation-other: its order 1 is open'],
  [
    { kind: 'recent_order', order: order(OWN, false) },
    /^a copy of this journal .* placed order 1 a short time ago$/,
  ],
  [{ kind: 'open_order', order: order(null, true) }, /^another program that marks its orders/],
  [
    { kind: 'moving_heartbeat', heartbeat: heartbeat('unknown', 0, true) },
    'a process that keeps heartbeat hb-1',
  ],
  [
    { kind: 'moving_heartbeat', heartbeat: heartbeat('journal', 0, true) },
    /^a copy of this journal .*, which this journal lists$/,
  ],
  [
    { kind: 'standing_heartbeat', heartbeat: heartbeat('unknown', 0) },
    /hb-1 of another process has not run out$/,
  ],
] as const)('names the other and the evidence for it: %j', (sign, text) => {
  expect(presenceInWords(sign, OWN)).toMatch(text);
});
