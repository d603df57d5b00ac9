import { describe, expect, it } from 'vitest';
import type { Intervention, SimEventName } from '../../../../src/simulator/core/api.ts';
import { createBetfairFeed } from '../../../../src/simulator/feeds/betfair/index.ts';
import { recordingOf } from '../../../support/recorded-file.ts';
import { RecordingMarket } from '../../../support/recording-market.ts';

const T0 = Date.parse('2024-05-01T12:00:00Z');
const WALL_MS = Date.parse('2030-01-02T12:00:00Z');
const EVENT: SimEventName = { sport: 'tennis', eventId: '2030-01-02,1,2' };

const RUNNERS = [
  { id: 1, status: 'ACTIVE', sortPriority: 1, name: 'Ann' },
  { id: 2, status: 'ACTIVE', sortPriority: 2, name: 'Bea' },
];

/** A line with the market's status, `atS` seconds into the recording. */
function standing(atS: number, status: string, runners: readonly object[] = RUNNERS): string {
  const marketDefinition = {
    eventTypeId: '2',
    marketType: 'MATCH_ODDS',
    marketTime: '2024-05-01T12:10:00Z',
    inPlay: false,
    status,
    numberOfWinners: 1,
    runners,
  };
  const mc = [{ id: '1.5', img: false, marketDefinition, rc: [] }];
  return JSON.stringify({ op: 'mcm', pt: T0 + atS * 1000, mc });
}

function replay(lines: readonly string[]) {
  const market = new RecordingMarket();
  const feed = createBetfairFeed({
    recording: recordingOf(lines),
    fromMs: T0,
    speed: 1,
    startWallMs: WALL_MS,
  });
  feed.start(market, WALL_MS);
  feed.advance(market, WALL_MS);
  const act = (what: Intervention, atS: number, event = EVENT) =>
    feed.intervene?.(market, event, what, WALL_MS + atS * 1000);
  const until = (atS: number): void => feed.advance(market, WALL_MS + atS * 1000);
  return { market, act, until };
}

describe('an intervention in a recorded market', () => {
  it('suspends it until the intervention ends, whatever was recorded', () => {
    const { market, act, until } = replay([
      standing(0, 'OPEN'),
      standing(10, 'OPEN'),
      standing(20, 'SUSPENDED'),
      standing(30, 'OPEN'),
      standing(50, 'SUSPENDED'),
    ]);
    expect(act({ kind: 'suspend' }, 5)).toBe(true);
    for (const atS of [10, 20, 30]) {
      until(atS);
      expect(market.isSuspended(EVENT)).toBe(true);
    }
    expect(act({ kind: 'resume' }, 40)).toBe(true);
    expect(market.isSuspended(EVENT)).toBe(false);
    until(50);
    expect(market.isSuspended(EVENT)).toBe(true);
  });

  it.each([
    ['a result', { kind: 'score', home: 0, away: 1, halfTimeHome: 0, halfTimeAway: 0 } as const, 'settle'],
    ['a void', null, 'voidEvent'],
  ])('ends it for good with %s', (_what, result, call) => {
    const winners = RUNNERS.map((runner, i) => ({ ...runner, status: i === 0 ? 'WINNER' : 'LOSER' }));
    const { market, act, until } = replay([standing(0, 'OPEN'), standing(20, 'CLOSED', winners)]);
    expect(act({ kind: 'end', result }, 5)).toBe(true);
    until(30);
    const ends = market.calls
      .map((line) => line.split(' ')[1])
      .filter((name) => /settle|void/.test(name ?? ''));
    expect(ends).toEqual([call]);
    // Corrections are left to the exchange itself.
    expect(act({ kind: 'end', result: null }, 40)).toBe(false);
  });

  it('leaves scores, starts and other events to the exchange', () => {
    const { market, act } = replay([standing(0, 'OPEN'), standing(10, 'OPEN')]);
    const before = market.calls.length;
    expect(act({ kind: 'goal', side: 'home' }, 1)).toBe(false);
    expect(act({ kind: 'in_running' }, 1)).toBe(false);
    expect(act({ kind: 'suspend' }, 1, { ...EVENT, eventId: 'other' })).toBe(false);
    expect(act({ kind: 'suspend' }, 1, { ...EVENT, sport: 'basket' })).toBe(false);
    expect(market.calls).toHaveLength(before);
  });
});
