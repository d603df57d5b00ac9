import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scoresIn, withScores } from '../../../src/app/research/score-files.ts';
import { tapeOf } from '../../support/tapes.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-scores-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const lineOf = (pt: number, marketId: string, runs: number): string =>
  JSON.stringify({
    op: 'ccm',
    pt,
    cc: [
      {
        marketId,
        fixtureInfo: { homeTeam: 'Home', awayTeam: 'Away' },
        matchStats: {
          currentInnings: 1,
          inningsStats: [{ inningsNum: 1, battingTeam: 'Home', inningsRuns: runs }],
        },
      },
    ],
  });

it('a tape gets the scores of the first of its markets that has some, of whatever file', async () => {
  const write = (name: string, ...lines: readonly string[]): string => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    return join(folder, name);
  };
  const files = [
    write('one.json', lineOf(1_000, '1.1', 4), lineOf(2_000, '1.2', 7), lineOf(3_000, '1.1', 6)),
    write('two.json', lineOf(1_500, '1.3', 9)),
  ];
  const scored = withScores(await scoresIn(files));
  const runsOf = (...marketIds: readonly string[]) => {
    const { scores } = scored(tapeOf([], { markets: marketIds.map((marketId) => ({ marketId })) }));
    return scores?.map(({ atMs, score }) => [atMs, score?.[0]]);
  };
  expect(runsOf('1.1')).toEqual([
    [1_000, 4],
    [3_000, 6],
  ]);
  expect(runsOf('1.9', '1.3', '1.2')).toEqual([[1_500, 9]]);
  expect(runsOf('1.9')).toBeUndefined();
  await expect(scoresIn([write('none.json', '{"op":"mcm"}')])).rejects.toThrow(
    /none.json has no scores.*1 lines are others/,
  );
});
