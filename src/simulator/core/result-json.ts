/** The `result` of an event in the form of its sport (the operator's description: one shape for each kind of sport). */
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { EventRecord } from './model.ts';

type ScoreResult = Extract<EventResult, { kind: 'score' }>;
type Pair = readonly [home: number, away: number];
type Fields = Record<string, number | null>;

/** Sports of two halves. Their parts (`basket_q1`, `fb_corn`) have the same form. */
const OF_TWO_HALVES: ReadonlySet<string> = new Set(['fb', 'basket', 'af', 'rl', 'ru', 'arf', 'hand']);

const TENNIS_SETS = 5;
const HOCKEY_PERIODS = 3;
const TABLE_TENNIS_GAMES = 7;

/** Positions of runners that have no place in the finishing order. */
const NON_RUNNER = -2;
const ELIMINATED = -3;

/** Null while the result is unknown, for a void event, and where only the settlements are known. */
export function resultJson({
  info,
  result,
}: Pick<EventRecord, 'info' | 'result'>): Record<string, unknown> | null {
  if (result === null || result.kind === 'settled') return null;
  if (result.kind === 'places') {
    return placesJson(
      result.places,
      info.teams.map(({ teamId }) => teamId),
    );
  }
  switch (info.sport) {
    case 'tennis':
      return { ...numbered(result, TENNIS_SETS, (n, side) => `set${n}_p${side}`), who_retired: null };
    case 'tt':
      return numbered(result, TABLE_TENNIS_GAMES, (n, side) => `game${n}_${SIDES[side]}`);
    case 'ih':
      return hockeyJson(result);
    default:
      return matchJson(info.sport, result);
  }
}

/**
 * The finishing order of an outright. A runner without a place did not run. Whoever is placed behind the whole field was beaten, at
 * a place that is not known.
 */
function placesJson(
  places: ReadonlyMap<number, number>,
  teamIds: readonly number[],
): { runner_results: { team_id: number; position: number }[]; non_runner_count: number } {
  const ids = [...new Set([...teamIds, ...places.keys()])];
  const positionOf = (id: number): number => {
    const place = places.get(id);
    if (place === undefined) return NON_RUNNER;
    return place > ids.length ? ELIMINATED : place;
  };
  const results = ids.map((id) => ({ team_id: id, position: positionOf(id) }));
  return {
    runner_results: results,
    non_runner_count: results.filter(({ position }) => position === NON_RUNNER).length,
  };
}

/** The half-time score is omitted for sports of a single period. */
function matchJson(sport: string, { home, away, halfTimeHome, halfTimeAway }: ScoreResult): Fields {
  const fullTime = { ft_home: home, ft_away: away };
  if (!OF_TWO_HALVES.has(sport.split('_')[0] ?? '')) return fullTime;
  return { ht_home: halfTimeHome, ht_away: halfTimeAway, ...fullTime };
}

/** `tall_*` is the total of the three periods, without overtime and shootout. */
function hockeyJson(result: ScoreResult): Fields {
  const regular = (result.periods ?? []).slice(0, HOCKEY_PERIODS);
  const total = (side: 0 | 1): number => regular.reduce((sum, pair) => sum + pair[side], 0);
  const [home, away] = regular.length === 0 ? [result.home, result.away] : [total(0), total(1)];
  return {
    ...numbered(result, HOCKEY_PERIODS, (n, side) => `tp${n}_${SIDES[side]}`),
    tall_home: home,
    tall_away: away,
    pen_home: null,
    pen_away: null,
  };
}

const SIDES = { 1: 'home', 2: 'away' } as const;

/** A pair of fields for each period of the sport; null for periods that were not played, or are not known. */
function numbered(
  { periods = [] }: ScoreResult,
  most: number,
  nameOf: (period: number, side: 1 | 2) => string,
): Fields {
  const fields: Fields = {};
  for (let n = 1; n <= most; n++) {
    const [home, away]: Pair | [null, null] = periods[n - 1] ?? [null, null];
    fields[nameOf(n, 1)] = home;
    fields[nameOf(n, 2)] = away;
  }
  return fields;
}
