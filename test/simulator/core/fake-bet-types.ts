import { HALF_LOSS, HALF_WIN, LOSS, PUSH, type Settlement, WIN } from '../../../src/domain/payoff.ts';
import { splitBetType } from '../../../src/domain/selection.ts';
import type { EventResult, ParsedBetType } from '../../../src/domain/bet-types/result.ts';

type Decide = (home: number, away: number) => Settlement;

const OUTCOMES: Readonly<Record<string, Decide>> = {
  h: (home, away) => (home > away ? WIN : LOSS),
  d: (home, away) => (home === away ? WIN : LOSS),
  a: (home, away) => (home < away ? WIN : LOSS),
  'dnb,h': (home, away) => (home === away ? PUSH : home > away ? WIN : LOSS),
  'over,2.25': (home, away) => {
    const goals = home + away;
    if (goals === 2) return HALF_LOSS;
    return goals > 2 ? WIN : LOSS;
  },
  'over,1.75': (home, away) => {
    const goals = home + away;
    if (goals === 2) return HALF_WIN;
    return goals > 2 ? WIN : LOSS;
  },
};

/** A small grammar: enough outcomes for every kind of settlement, and winners of outrights. */
export function fakeParseBetType(_sport: string, betType: string): ParsedBetType | null {
  const split = splitBetType(betType);
  if (split === null) return null;
  const { direction, outcome } = split;
  const facts = {
    direction,
    outcome,
    marketType: outcome.split(',')[0] ?? '',
    description: `${direction} ${outcome}`,
  };
  const decide = OUTCOMES[outcome];
  if (decide !== undefined) return { ...facts, marketType: 'wdw', onGrid: true, settle: byScore(decide) };
  const winner = /^win,(\d+)$/.exec(outcome);
  return winner === null ? null : { ...facts, onGrid: false, settle: byPlace(Number(winner[1])) };
}

const byScore =
  (decide: Decide) =>
  (result: EventResult): Settlement | null =>
    result.kind === 'score' ? decide(result.home, result.away) : null;

const byPlace =
  (teamId: number) =>
  (result: EventResult): Settlement | null => {
    if (result.kind !== 'places' || !result.places.has(teamId)) return null;
    return result.places.get(teamId) === 1 ? WIN : LOSS;
  };
