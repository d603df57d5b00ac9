import { describe, expect, it } from 'vitest';
import {
  keyOf,
  parseResults,
  resultIn,
  resultPayload,
  settledBy,
} from '../../../src/research/import/given-results.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { tapeOf } from '../../support/tapes.ts';

describe('a file of results', () => {
  it('has a row for each event, with its line', () => {
    const rows = parseResults(
      '\uFEFFevent_id,sport,score,half_time\n"2026-01-03,11,22",,2-1,1-0\n\n"2026-01-03,33,44",tennis,2:0,\nx,fb,void,\n',
    );
    expect(rows).toEqual([
      { line: 2, sport: 'fb', eventId: '2026-01-03,11,22', score: { home: 2, away: 1, halfTime: [1, 0] } },
      { line: 4, sport: 'tennis', eventId: '2026-01-03,33,44', score: { home: 2, away: 0, halfTime: null } },
      { line: 5, sport: 'fb', eventId: 'x', score: null },
    ]);
  });

  it.each([
    ['', 'there is no line of column names'],
    ['event_id,result\nx,2-1', 'line 1: unknown columns result; known are sport, event_id, score, half_time'],
    ['event_id\nx', 'line 1: the columns score are missing'],
    [
      'event_id,score\nx,two\n,1-0',
      'line 2: score: "two" is neither a score such as 2-1 nor void; line 3: event_id is missing',
    ],
    ['event_id,score,half_time\nx,2-1,early', 'line 2: half_time: "early" is not a score'],
    ['event_id,score\n"x,2-1', 'Quote Not Closed'],
  ])('that is wrong is an error with its lines: %j', (csv, message) => {
    expect(() => parseResults(csv)).toThrow(message);
  });

  it('names a few of many faults', () => {
    const csv = `event_id,score\n${'x,\n'.repeat(7)}`;
    expect(() => parseResults(csv)).toThrow(/line 6: .*; and 2 more$/);
  });
});

describe('given results', () => {
  const tape = tapeOf([[0, 'for', 2.5, 10]], {
    selections: ['h', 'd', 'over,2.5', 'ah,h,-3', 'top,2,7'].map((outcome) => ({ outcome })),
  });
  const settlements = (settled: EventTape): unknown[] =>
    settled.selections.map(({ settlement }) => settlement && [settlement.won, settlement.lost]);
  const given = (sport: string, score: Parameters<typeof resultPayload>[0]['score']) =>
    new Map([[keyOf(sport, tape.event.eventId), { sport, eventId: tape.event.eventId, score }]]);

  it('settle what the score decides', () => {
    const settled = settledBy(tape, given('fb', { home: 2, away: 1, halfTime: null }));
    expect(settlements(settled)).toEqual([[1, 0], [0, 1], [1, 0], [0.5, 0], null]);
  });

  it('return every stake of a void event', () => {
    expect(settlements(settledBy(tape, given('fb', null)))).toEqual(Array.from({ length: 5 }, () => [0, 0]));
  });

  it('leave settlements that are known, and other events', () => {
    const known = {
      ...tape,
      selections: tape.selections.map((one) => ({ ...one, settlement: { won: 0, lost: 1 } })),
    };
    expect(settledBy(known, given('fb', { home: 2, away: 1, halfTime: null }))).toEqual(known);
    expect(settledBy(tape, given('tennis', { home: 2, away: 1, halfTime: null }))).toBe(tape);
  });

  it('settle a half by the score of the half, if it is known', () => {
    const half = { ...tape, event: { ...tape.event, sport: 'fb_ht' as typeof tape.event.sport } };
    const of = (halfTime: readonly [number, number] | null): unknown =>
      settlements(settledBy(half, given('fb', { home: 2, away: 1, halfTime })))[0];
    expect([of([0, 0]), of([1, 0]), of(null)]).toEqual([[0, 1], [1, 0], null]);
  });

  it.each([{ home: 2, away: 1, halfTime: [1, 0] as const }, { home: 0, away: 0, halfTime: null }, null])(
    'are kept in a recording: %j',
    (score) => {
      const result = { sport: 'fb', eventId: 'x', score };
      expect(resultIn(resultPayload(result))).toEqual(result);
    },
  );
});
