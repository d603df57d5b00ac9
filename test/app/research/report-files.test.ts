import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtText } from '../../../src/app/pages/built-pages.ts';
import { writeBacktest, writeComparison } from '../../../src/app/research/report-files.ts';
import { generatedReport } from '../../support/backtest-report.ts';

const report = generatedReport({ events: 2, fillsPerEvent: 5 });

describe('the files of a backtest', () => {
  let folder = '';
  const inFolder = (...names: string[]): string => path.join(folder, ...names);
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'touchline-backtest-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are the result, its tables and a page of its own', async () => {
    expect(await writeBacktest(inFolder('a'), report)).toEqual({
      path: inFolder('a/report.html'),
      missing: null,
    });
    expect(readdirSync(inFolder('a'))).toEqual(
      expect.arrayContaining(['backtest.json', 'fills.csv', 'fills.parquet', 'report.html']),
    );
    expect(JSON.parse(readFileSync(inFolder('a/backtest.json'), 'utf8'))).toEqual(report);
    const html = readFileSync(inFolder('a/report.html'), 'utf8');
    expect(html).toContain('"kind":"report"');
    expect(html).not.toMatch(/(src|href)=["']?http/);
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+';/);
  });

  it('give a comparison of two folders', async () => {
    await writeBacktest(inFolder('a'), report);
    await writeBacktest(inFolder('b'), { ...report, tries: 4 });
    expect(await writeComparison(inFolder('c'), inFolder('a'), inFolder('b'))).toEqual({
      path: inFolder('c/compare.html'),
      missing: null,
    });
    expect(readFileSync(inFolder('c/compare.html'), 'utf8')).toContain('"kind":"compare"');
  });

  it.each([
    ['nothing', null, /backtest\.json cannot be read: ENOENT.*touchline backtest --out writes it/],
    ['half a file', '{"result": ', /backtest\.json cannot be read: /],
    ['another file', '{"result": {"format": "x"}}', /backtest\.json is not the result of a backtest/],
  ])('cannot be compared where there is %s', async (_, text, complaint) => {
    mkdirSync(inFolder('bad'));
    if (text !== null) writeFileSync(inFolder('bad/backtest.json'), text);
    await expect(writeComparison(inFolder('c'), inFolder('bad'), inFolder('bad'))).rejects.toThrow(complaint);
  });
});

describe('the built page', () => {
  it('is built once, and then the same', async () => {
    const [first, second] = [await builtText('report.html'), await builtText('report.html')];
    expect(first).toEqual(second);
    expect(first).toHaveProperty('text', expect.stringMatching(/^<!doctype html>/));
  });
});
