import { describe, expect, it } from 'vitest';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';
import { resultJson } from '../../../src/simulator/core/result-json.ts';
import { event } from './harness.ts';

const score = (more: Partial<Extract<EventResult, { kind: 'score' }>> = {}): EventResult => ({
  kind: 'score',
  home: 2,
  away: 1,
  halfTimeHome: 1,
  halfTimeAway: 0,
  ...more,
});

const shown = (sport: string, result: EventResult | null, teamIds: readonly number[] = []): unknown =>
  resultJson({
    info: event({ sport, teams: teamIds.map((teamId) => ({ teamId, name: `${teamId}` })) }),
    result,
  });

describe('the result of an event', () => {
  it.each(['fb', 'fb_ht', 'fb_corn', 'basket', 'basket_q1', 'af', 'rl', 'ru', 'arf', 'hand'])(
    'has a half-time and a full-time score in %s',
    (sport) => {
      expect(shown(sport, score())).toEqual({ ht_home: 1, ht_away: 0, ft_home: 2, ft_away: 1 });
    },
  );

  it.each(['cricket', 'baseball', 'esports', 'darts', 'politics', 'a sport to come'])(
    'has only a full-time score in %s',
    (sport) => {
      expect(shown(sport, score())).toEqual({ ft_home: 2, ft_away: 1 });
    },
  );

  it('has the games of each set in tennis, null for sets that were not played', () => {
    const periods = [
      [6, 4],
      [3, 6],
      [7, 6],
    ] as const;
    expect(shown('tennis', score({ periods }))).toEqual({
      set1_p1: 6,
      set1_p2: 4,
      set2_p1: 3,
      set2_p2: 6,
      set3_p1: 7,
      set3_p2: 6,
      set4_p1: null,
      set4_p2: null,
      set5_p1: null,
      set5_p2: null,
      who_retired: null,
    });
    expect(shown('tennis', score())).toMatchObject({ set1_p1: null, set1_p2: null });
  });

  it('has the periods of ice hockey, and the total of the three without overtime', () => {
    const periods = [
      [1, 0],
      [0, 2],
      [1, 0],
      [1, 0],
    ] as const;
    expect(shown('ih', score({ home: 3, away: 2, periods }))).toEqual({
      tp1_home: 1,
      tp1_away: 0,
      tp2_home: 0,
      tp2_away: 2,
      tp3_home: 1,
      tp3_away: 0,
      tall_home: 2,
      tall_away: 2,
      pen_home: null,
      pen_away: null,
    });
    expect(shown('ih', score())).toMatchObject({ tp1_home: null, tall_home: 2, tall_away: 1 });
  });

  it('has the points of each game in table tennis', () => {
    const periods = [
      [11, 9],
      [12, 10],
    ] as const;
    const result = shown('tt', score({ periods })) as Record<string, number | null>;
    expect(Object.keys(result)).toHaveLength(14);
    expect(result).toMatchObject({ game1_home: 11, game1_away: 9, game2_home: 12, game2_away: 10 });
    expect([result['game3_home'], result['game7_away']]).toEqual([null, null]);
  });

  it('is the finishing order of an outright, whatever its sport, with its non-runners and the beaten', () => {
    const places = new Map([
      [5, 1],
      [7, 1],
      [6, 3],
      [9, 6],
    ]);
    for (const sport of ['horse', 'fb', 'tennis']) {
      expect(shown(sport, { kind: 'places', places }, [5, 6, 7, 8, 9])).toEqual({
        runner_results: [
          { team_id: 5, position: 1 },
          { team_id: 6, position: 3 },
          { team_id: 7, position: 1 },
          { team_id: 8, position: -2 },
          { team_id: 9, position: -3 },
        ],
        non_runner_count: 1,
      });
    }
  });

  it('keeps the last place of the field, and names runners that the event does not', () => {
    const places = new Map([
      [5, 2],
      [6, 1],
    ]);
    expect(shown('horse', { kind: 'places', places }, [5])).toEqual({
      runner_results: [
        { team_id: 5, position: 2 },
        { team_id: 6, position: 1 },
      ],
      non_runner_count: 0,
    });
  });

  it('is null while it is unknown', () => {
    expect(shown('fb', null)).toBeNull();
    expect(shown('horse', null, [1, 2])).toBeNull();
  });
});
