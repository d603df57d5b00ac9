import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { patient } from '../support/patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-forgetting-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KILL_POINTS = new URL('../crash/kill-points.ts', import.meta.url).href;
const FORGETTING = new URL('../crash/retention-process.ts', import.meta.url).pathname;

/** Runs until its point is reached for the `after`-th time, and dies there as by kill -9. */
function liveAndDie(path: string, point: string, after: number): void {
  const { signal, stderr } = spawnSync(process.execPath, ['--import', KILL_POINTS, FORGETTING, path], {
    env: { ...process.env, KILL_AT: point, KILL_AFTER: String(after) },
    timeout: patient(20_000),
  });
  expect([signal, stderr.toString()]).toEqual(['SIGKILL', '']);
}

it(
  'loses nothing when it is killed at any moment of the removal',
  () => {
    const path = join(folder, 'killed.sqlite');
    let [last, root] = [0, 0];
    const points = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'before-commit' : 'after-commit'));
    for (const [turn, point] of points.entries()) {
      liveAndDie(path, point, 20 + turn);
      const journal = openSqliteJournal(path, systemClock);
      const records = [...journal.read()];
      [last, root] = [expectGrown(last, journal.lastSeq()), expectGrown(root, journal.rootSeq())];
      const kept = records.filter(({ seq }) => seq <= root);
      expect(kept.map(({ seq }) => seq)).toEqual(staying(root));
      expect(records.filter(({ seq }) => seq > root).map(({ seq }) => seq)).toEqual(range(root + 1, last));
      expect(records.every(({ seq, data }) => seq === data)).toBe(true);
      journal.close();
    }
  },
  patient(60_000),
);

function expectGrown(before: number, now: number): number {
  expect(now).toBeGreaterThan(before);
  return now;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The second of each three records is of the kind that stays. */
const staying = (root: number): number[] => range(1, root).filter((seq) => seq % 3 === 2);
