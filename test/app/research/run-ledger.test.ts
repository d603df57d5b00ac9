import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  enterRun,
  enterSplit,
  entriesOf,
  marketNames,
  runName,
  splitsIn,
} from '../../../src/app/research/run-ledger.ts';
import { strategyText } from '../../../src/app/research/strategy-text.ts';
import { tapeOf } from '../../support/tapes.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-ledger-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const enter = (
  identity: Record<string, unknown>,
  markets: readonly string[] = ['1.1', '1.2'],
  atMs = 5,
): number => enterRun(folder, markets, identity, atMs).runs;

describe('the ledger of backtests', () => {
  it('counts different runs of some markets, and the same run once', () => {
    expect([enter({ a: 1 }), enter({ a: 2 }), enter({ a: 1 }), enter({ a: 1 }, ['1.3'])]).toEqual([
      1, 2, 2, 1,
    ]);
  });

  it('counts on for data that share a market, in whatever order, and not for others', () => {
    enter({ a: 1 }, ['1.1', '1.2', '1.3']);
    expect(enter({ a: 2 }, ['1.2', '1.1'])).toBe(2);
    expect(enter({ a: 3 }, ['1.3', '1.9'])).toBe(2);
    expect(enter({ a: 4 }, ['1.9'])).toBe(2);
    expect(enter({ a: 4 }, ['1.8'])).toBe(1);
    // The same run on more data is the same try.
    expect(enter({ a: 2 }, ['1.1', '1.2', '1.3'])).toBe(3);
  });

  it('counts as a list of all entered runs that share a market with theirs does', () => {
    const run = fc.record({
      markets: fc
        .subarray(['1.1', '1.2', '1.3', '1.4', '1.5'], { minLength: 1 })
        .chain((some) => fc.shuffledSubarray(some, { minLength: some.length })),
      seed: fc.integer({ min: 1, max: 4 }),
      atMs: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 8, size: 'max' }), (runs) => {
        const own = mkdtempSync(join(folder, 'property-'));
        const entered: { readonly data: string; readonly seed: number; readonly atMs: number }[] = [];
        for (const { markets, seed, atMs } of runs) {
          const data = markets.toSorted().join();
          if (!entered.some((each) => each.data === data && each.seed === seed))
            entered.push({ data, seed, atMs });
          const shared = entered.filter((each) => markets.some((market) => each.data.includes(market)));
          expect(enterRun(own, markets, { seed }, atMs)).toEqual({
            runs: new Set(shared.map((each) => each.seed)).size,
            firstMs: Math.min(...shared.map((each) => each.atMs)),
          });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('knows when the first of the tries was', () => {
    enter({ a: 1 }, ['1.1'], 70);
    enter({ a: 2 }, ['1.2'], 60);
    expect(enterRun(folder, ['1.1', '1.2'], { a: 3 }, 80)).toEqual({ runs: 3, firstMs: 60 });
  });

  it('knows a run whatever the order of its members', () => {
    expect(runName({ a: 1, b: { c: 2, d: 3 } })).toBe(runName({ b: { d: 3, c: 2 }, a: 1 }));
    expect(runName({ a: 1 })).not.toBe(runName({ a: 2 }));
  });

  it('survives a line that a crash has cut', () => {
    enter({ a: 1 });
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    appendFileSync(join(folder, file), '{"run":"ab');
    expect(enter({ a: 2 })).toBe(2);
    expect(enter({ a: 2 })).toBe(2);
    expect(
      entriesOf('{"run":"ab\n{"run":"b","atMs":5,"identity":{"a":2}}\nnull\n{"run":3,"atMs":1}'),
    ).toEqual([{ run: 'b', atMs: 5, identity: { a: 2 } }]);
  });

  it('keeps every split, also after a line that a crash has cut', () => {
    expect(splitsIn(folder)).toEqual([]);
    const [first, second] = [
      { atMs: 1, aside: ['1.1'], kept: ['1.2'] },
      { atMs: 2, aside: [], kept: ['1.3'] },
    ] as const;
    enterSplit(folder, first);
    appendFileSync(join(folder, 'splits.jsonl'), '{"aside":["1.9"]}\n{"aside":[');
    enterSplit(folder, second);
    expect(splitsIn(folder)).toEqual([first, second]);
  });
});

describe('the names of markets', () => {
  it('are the ids of their source, or their event and type where the source has no ids', () => {
    const tape = tapeOf([], { markets: [{ marketId: '1.7' }, { marketId: 'ah', marketType: 'ah' }] });
    expect(marketNames(tape)).toEqual(['1.7', `fb|${tape.event.eventId}|ah`]);
  });
});

describe('the text of a strategy', () => {
  it('holds the files that it imports from beside it, each once, and no package', () => {
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    write('one.ts', "import { two } from './two.ts';\nimport fs from 'node:fs';\nimport './absent.ts';\n");
    write('two.ts', "export * from './three.ts';\nconst four = await import('./four.ts');\n");
    write('three.ts', "import { one } from './one.ts'; // three\n");
    write('four.ts', '// four\n');
    const text = strategyText(join(folder, 'one.ts'));
    expect(text.match(/import fs/g)).toHaveLength(1);
    expect(text).toContain('// three');
    expect(text).toContain('// four');
    write('four.ts', '// 4\n');
    expect(strategyText(join(folder, 'one.ts'))).not.toBe(text);
  });
});
