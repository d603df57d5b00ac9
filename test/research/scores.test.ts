import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scoresIn } from '../../src/app/research/score-files.ts';
import { ScoreLines } from '../../src/research/scores.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/data/scores');

const fixtureInfo = { homeTeam: 'North', awayTeam: 'South' };
const innings = (number: number, team: string | null, runs: number, overs = '1.0', wickets = 0) => ({
  inningsNum: number,
  inningsRuns: runs,
  inningsOvers: overs,
  inningsWickets: wickets,
  ...(team === null ? {} : { battingTeam: team }),
});

function read(...lines: readonly unknown[]) {
  const reading = new ScoreLines();
  for (const line of lines) reading.line(typeof line === 'string' ? line : JSON.stringify(line));
  return { scores: reading.byMarket().get('1.1') ?? [], skipped: reading.skipped };
}

const message = (pt: unknown, change: object) => ({ op: 'ccm', pt, cc: [{ marketId: '1.1', ...change }] });
const stats = (currentInnings: number, ...inningsStats: readonly object[]) => ({
  matchStats: { currentInnings, inningsStats },
});

describe('score lines', () => {
  it('give the runs of both teams and the innings, each change once', () => {
    const { scores, skipped } = read(
      message(1_000, { fixtureInfo }),
      message(2_000, stats(1, innings(1, 'North', 4))),
      message(3_000, stats(1, innings(1, 'North', 4))),
      message(4_000, stats(2, innings(1, 'North', 4), innings(2, 'South', 6, '0.3', 1), innings(3, null, 0))),
    );
    const clock = (period: string) => ({ period, minutes: null });
    expect(skipped).toBe(0);
    expect(scores).toEqual([
      { atMs: 2_000, score: [4, 0], redCards: null, clock: clock('innings 1, 1.0 overs, 0 wickets') },
      { atMs: 4_000, score: [4, 6], redCards: null, clock: clock('innings 2, 0.3 overs, 1 wickets') },
    ]);
  });

  it('add up the innings of a team', () => {
    const played = [innings(1, 'North', 200), innings(2, 'South', 150), innings(3, 'South', 90)];
    const { scores } = read(
      message(1_000, { fixtureInfo, ...stats(3, ...played) }),
      message(2_000, stats(4, ...played, innings(4, 'North', 30))),
    );
    expect(scores.map(({ score }) => score)).toEqual([
      [200, 240],
      [230, 240],
    ]);
  });

  it('tell no score while a team is not known, and keep what was known', () => {
    const { scores } = read(
      message(1_000, stats(1, innings(1, 'North', 4))),
      message(2_000, { fixtureInfo, ...stats(1, innings(1, 'North', 5)) }),
      message(3_000, stats(1, innings(1, 'Nobody', 9, '2.0'))),
    );
    expect(scores.map(({ score }) => score)).toEqual([null, [5, 0], [5, 0]]);
  });

  it('skip what is no message of scores', () => {
    const { scores, skipped } = read('', 'no JSON', { op: 'mcm', pt: 1, mc: [] }, message('x', {}), {
      pt: 1,
      cc: [null, { marketId: 7 }, { marketId: '1.1', matchStats: { inningsStats: [null, 3] } }],
    });
    expect(scores).toEqual([]);
    expect(skipped).toBe(3);
  });

  it('never go back in time', () => {
    const { scores } = read(
      message(5_000, { fixtureInfo, ...stats(1, innings(1, 'North', 4)) }),
      message(4_000, stats(1, innings(1, 'North', 5))),
    );
    expect(scores.map(({ atMs }) => atMs)).toEqual([5_000, 5_000]);
  });
});

describe.runIf(existsSync(FOLDER))('the recorded score stream', () => {
  it('ends with the result of its match', async () => {
    const scores = (await scoresIn([FOLDER])).get('1.200806927') ?? [];
    expect(scores.at(-1)).toMatchObject({
      score: [163, 111],
      clock: { period: expect.stringMatching(/^innings 2, 19\.4/) },
    });
    expect(scores.length).toBeGreaterThan(200);
  });
});
