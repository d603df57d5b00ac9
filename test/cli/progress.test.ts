import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/output/progress.ts';

const shownBy = (isTTY: boolean, steps: readonly (readonly [atMs: number, done: number])[]): string[] => {
  const written: string[] = [];
  let nowMs = 0;
  const write = (text: string): boolean => {
    written.push(text);
    return true;
  };
  const line = progressLine({ isTTY, write: write as NodeJS.WriteStream['write'] }, 'backtest', () => nowMs);
  for (const [atMs, done] of steps) {
    nowMs = atMs;
    line.show(done, 1_000);
  }
  line.end();
  return written.map((text) => text.replace('\r\u001B[K', ''));
};

it('shows how far a work is and how long it still takes, five times a second at most', () => {
  const steps = [
    [1_000, 100],
    [1_100, 150],
    [2_000, 500],
    [60_000, 400],
    [70_000, 1_000],
  ] as const;
  expect(shownBy(true, steps)).toEqual([
    'backtest [##..................] 10 %, 9 s left',
    'backtest [##########..........] 50 %, 2 s left',
    'backtest [########............] 40 %, 1 min 30 s left',
    'backtest [####################] 100 %, 0 s left',
    '',
  ]);
});

it('writes nothing where nobody watches', () => {
  expect(shownBy(false, [[1_000, 100]])).toEqual([]);
});
