/**
 * Scores and clocks of matches from Betfair's score stream (`op: ccm`), as lines of JSON. Read leniently: what is missing or of another
 * form says nothing, and what was known before stays. The stream describes cricket: the score is the runs of both teams, and the
 * clock names the innings with its overs and wickets.
 */
import type { Score } from '../domain/events.ts';
import { isSameClock, isSamePair, type TapeScore, UNTOLD } from './tape.ts';

type Members = Readonly<Record<string, unknown>>;

/** The scores of one market's messages so far. */
interface Told {
  readonly scores: TapeScore[];
  home: string | null;
  away: string | null;
}

export class ScoreLines {
  /** Lines that say nothing: no JSON, or no message of scores. */
  skipped = 0;
  readonly #markets = new Map<string, Told>();

  line(text: string): void {
    const message = membersOf(parsed(text));
    const [atMs, changes] = [message?.['pt'], message?.['cc']];
    if (typeof atMs !== 'number' || !Number.isFinite(atMs) || !Array.isArray(changes)) {
      if (text.trim() !== '') this.skipped++;
      return;
    }
    for (const change of changes) this.#change(membersOf(change) ?? {}, atMs);
  }

  /** The changes of score and clock by the id of the market, instants ascending. */
  byMarket(): ReadonlyMap<string, readonly TapeScore[]> {
    return new Map([...this.#markets].map(([marketId, { scores }]) => [marketId, scores]));
  }

  #change(change: Members, atMs: number): void {
    const marketId = change['marketId'];
    if (typeof marketId !== 'string') return;
    const told = this.#markets.get(marketId) ?? { scores: [], home: null, away: null };
    this.#markets.set(marketId, told);
    const fixture = membersOf(change['fixtureInfo']);
    told.home = textIn(fixture, 'homeTeam') ?? told.home;
    told.away = textIn(fixture, 'awayTeam') ?? told.away;
    const stats = membersOf(change['matchStats']);
    const listed = stats?.['inningsStats'];
    if (!Array.isArray(listed)) return;
    // Later innings are listed before they begin, without a team.
    const innings = listed.map(membersOf).filter((each) => textIn(each, 'battingTeam') !== null);
    const present = innings.find((each) => each?.['inningsNum'] === stats?.['currentInnings']);
    note(told.scores, runsOf(innings, told), inningsClock(present ?? null), atMs);
  }
}

/** Adds what has changed. */
function note(scores: TapeScore[], score: Score | null, period: string | null, atMs: number): void {
  const before = scores.at(-1) ?? UNTOLD;
  const now = score ?? before.score;
  const clock = period === null ? before.clock : { period, minutes: null };
  if (isSamePair(now, before.score) && isSameClock(clock, before.clock)) return;
  scores.push({ atMs: Math.max(atMs, before.atMs), score: now, redCards: null, clock });
}

/** The runs of home and away over all innings; null if the team of one is not known. */
function runsOf(innings: readonly (Members | null)[], { home, away }: Told): Score | null {
  const runs: [number, number] = [0, 0];
  if (home === null || away === null || innings.length === 0) return null;
  for (const each of innings) {
    const team = [home, away].indexOf(textIn(each, 'battingTeam') ?? '');
    const scored = each?.['inningsRuns'];
    if (team === -1 || typeof scored !== 'number' || !Number.isFinite(scored)) return null;
    runs[team as 0 | 1] += scored;
  }
  return runs;
}

function inningsClock(innings: Members | null): string | null {
  const [number, overs, wickets] = [
    innings?.['inningsNum'],
    innings?.['inningsOvers'],
    innings?.['inningsWickets'],
  ];
  if (typeof number !== 'number') return null;
  const parts = [`innings ${number}`];
  if (typeof overs === 'string' || typeof overs === 'number') parts.push(`${overs} overs`);
  if (typeof wickets === 'number') parts.push(`${wickets} wickets`);
  return parts.join(', ');
}

const membersOf = (value: unknown): Members | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Members) : null;

function textIn(it: Members | null, field: string): string | null {
  const value = it?.[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
