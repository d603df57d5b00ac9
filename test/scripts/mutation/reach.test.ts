import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkerErrors,
  compiling,
  rounds,
  type Check,
  type CheckerError,
} from '../../../scripts/mutation/compile.ts';
import type { Mutant } from '../../../scripts/mutation/mutants.ts';
import { mutationOptions, UsageError } from '../../../scripts/mutation/options.ts';
import { isStale, type RanPlaces } from '../../../scripts/mutation/ran-places.ts';
import { costOf, loadedBy, loadedThrough, reaching, within } from '../../../scripts/mutation/reach.ts';
import { isIn, ranSpans, union } from '../../../scripts/mutation/spans.ts';
import { withMistakes } from '../../../scripts/mutation/tree.ts';

const mutant = (file: string, start: number, rest: Partial<Mutant> = {}): Mutant => ({
  file,
  start,
  end: start + 1,
  line: start,
  text: '',
  mutator: 'bound',
  isLoaded: false,
  ...rest,
});

const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count });

describe('spans', () => {
  it('hold what ran inside of functions, without the branches that did not', () => {
    expect(
      ranSpans([
        { ranges: [range(0, 100, 1)] },
        { ranges: [range(10, 50, 2), range(20, 30, 0)] },
        { ranges: [range(60, 70, 0)] },
        { ranges: [range(40, 45, 0)] },
        { ranges: [range(80, 90, 1), range(82, 88, 0), range(84, 86, 3)] },
      ]),
    ).toEqual([10, 20, 30, 40, 45, 50, 80, 82, 84, 86, 88, 90]);
  });

  it('join where they touch', () => {
    expect(ranSpans([{ ranges: [range(10, 50, 2), range(20, 30, 5)] }])).toEqual([10, 50]);
    expect(union([1, 3, 8, 9], [2, 5, 5, 6])).toEqual([1, 6, 8, 9]);
  });

  it('have a union that holds what either holds', () => {
    const spans = fc
      .uniqueArray(fc.nat(30), { minLength: 2, maxLength: 8 })
      .map((places) => places.toSorted((a, b) => a - b).slice(places.length % 2));
    fc.assert(
      fc.property(spans, spans, fc.nat(31), (a, b, at) => {
        expect(isIn(union(a, b), at)).toBe(isIn(a, at) || isIn(b, at));
      }),
    );
  });

  it('begin at their first place and end before their last', () => {
    expect([9, 10, 11, 12].map((at) => isIn([10, 12], at))).toEqual([false, true, true, false]);
  });
});

const FILE = 'src/orders/plan/waits.ts';

const places = (test: string, ms: number, rest: Partial<RanPlaces> = {}): RanPlaces => ({
  test,
  ms,
  wallMs: 2 * ms,
  hasFailed: false,
  ran: { [FILE]: [10, 20] },
  loaded: {},
  hashes: {},
  ...rest,
});

describe('reaching', () => {
  const loads = (file: string): readonly string[] => (file === 'test/importer.test.ts' ? [FILE] : []);
  const near = places('test/orders/plan/waits.test.ts', 900);
  const far = places('test/app/a.test.ts', 100);
  const elsewhere = places('test/app/b.test.ts', 1, { ran: { [FILE]: [30, 40] } });
  const importer = places('test/importer.test.ts', 1, { ran: {} });
  const all = [far, elsewhere, importer, near];

  it('takes the tests that ran the place, the likeliest first', () => {
    expect(reaching(mutant(FILE, 10), all, loads)).toEqual([
      { test: near.test, ms: 900, wallMs: 1_800 },
      { test: far.test, ms: 100, wallMs: 200 },
    ]);
  });

  it('adds the tests that load the file, if the place runs at that time', () => {
    expect(reaching(mutant(FILE, 25, { isLoaded: true }), all, loads)).toEqual([
      { test: importer.test, ms: 1, wallMs: 2 },
    ]);
    const loading = places('test/app/c.test.ts', 1, { ran: {}, loaded: { [FILE]: [25, 26] } });
    expect(reaching(mutant(FILE, 25), [...all, loading], loads)).toEqual([
      { test: importer.test, ms: 1, wallMs: 2 },
    ]);
    expect(reaching(mutant(FILE, 26), [...all, loading], loads)).toEqual([]);
  });

  it('weighs the time of a test with its distance', () => {
    expect(costOf(FILE, 'test/orders/plan/waits.test.ts', 0)).toBe(300 / 27);
    expect(costOf(FILE, 'test/orders/waits.test.ts', 0)).toBe(100);
    expect(costOf(FILE, 'test/app/a.test.ts', 600)).toBe(900);
  });

  it('ends when the time is spent, but has one test', () => {
    const tests = [50, 40, 20, 10].map((ms) => ({ test: `${ms}`, ms, wallMs: ms }));
    expect(within(tests, 100).map(({ ms }) => ms)).toEqual([50, 40]);
    expect(within(tests, 90).map(({ ms }) => ms)).toEqual([50, 40]);
    expect(within(tests, 1).map(({ ms }) => ms)).toEqual([50]);
  });
});

describe('loadedBy', () => {
  it('finds what a file loads, and nothing of types alone', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from './b.ts';",
      "import { type C } from '../c.ts';",
      "export * from './d.ts';",
      "export type { E } from './e.ts';",
      "import './f.ts';",
      "const g = await import('./g.ts');",
      "new Worker(new URL('./h.ts', import.meta.url));",
      "import fs from 'node:fs';",
    ].join('\n');
    expect(loadedBy('src/x/y.ts', text)).toEqual([
      'src/x/a.ts',
      'src/c.ts',
      'src/x/d.ts',
      'src/x/f.ts',
      'src/x/g.ts',
      'src/x/h.ts',
    ]);
  });

  it('follows modules through others, and round a circle', () => {
    const loads: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['a'] };
    expect([...loadedThrough('a', (file) => loads[file] ?? [])]).toEqual(['a', 'b', 'c']);
  });
});

describe('isStale', () => {
  const known = places('test/a.test.ts', 1, {
    hashes: { 'test/a.test.ts': '1', [FILE]: '2', 'src/b.ts': '3' },
  });

  it.each([
    ['nothing', {}, false],
    ['the test', { 'test/a.test.ts': 'x' }, true],
    ['a file of the sample', { [FILE]: 'x' }, true],
    ['another file', { 'src/b.ts': 'x' }, false],
  ])('asks whether %s has changed', (_, changed: Record<string, string>, expected) => {
    expect(isStale(known, new Set([FILE]), (file) => changed[file] ?? known.hashes[file] ?? '')).toBe(
      expected,
    );
  });
});

describe('rounds', () => {
  it('keep mutants of the same characters apart', () => {
    const [a, b, c, d] = [mutant('a', 1), mutant('a', 2), mutant('b', 1), mutant('a', 5)];
    expect(rounds([a, b, c, d])).toEqual([[a, c, d], [b]]);
  });
});

describe('compiling', () => {
  /** A checker that finds an error at a place while any of some mutants is there. */
  const checker =
    (errors: readonly { readonly by: Mutant; readonly at: CheckerError }[]): Check =>
    async (mutants) =>
      Promise.resolve(errors.filter(({ by }) => mutants.includes(by)).map(({ at }) => at));

  const [a, near, far, b] = [mutant('a', 1), mutant('b', 10), mutant('b', 90), mutant('c', 1)];
  const all = [a, near, far, b];

  it('keeps all that have no errors', async () => {
    expect(await compiling(all, checker([]))).toEqual(all);
    expect(await compiling([], checker([]))).toEqual([]);
  });

  it('blames the nearest mutant of a file', async () => {
    expect(await compiling(all, checker([{ by: far, at: { file: 'b', line: 80 } }]))).toEqual([a, near, b]);
  });

  it('finds a mutant whose error is in another file', async () => {
    expect(await compiling(all, checker([{ by: near, at: { file: 'z', line: 1 } }]))).toEqual([a, far, b]);
    expect(await compiling([near], checker([{ by: near, at: { file: 'z', line: 1 } }]))).toEqual([]);
  });

  it('tries again what is left after an error', async () => {
    const errors = [
      { by: a, at: { file: 'a', line: 1 } },
      { by: b, at: { file: 'z', line: 1 } },
    ];
    expect(await compiling(all, checker(errors))).toEqual([near, far]);
  });

  it('reads what the type checker prints', () => {
    const output =
      'src/a.ts(12,3): error TS2322: Type A.\n  The type (1,2): error is no place.\nsrc/web/b.ts(4,1): error TS1: B.\n';
    expect(checkerErrors(output)).toEqual([
      { file: 'src/a.ts', line: 12 },
      { file: 'src/web/b.ts', line: 4 },
    ]);
  });
});

describe('withMistakes', () => {
  it('puts mistakes in, keeps the numbers of lines, and takes them out even after a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
    try {
      mkdirSync(join(folder, 'src'));
      const read = (): string => readFileSync(join(folder, 'src/a.ts'), 'utf8');
      writeFileSync(join(folder, 'src/a.ts'), 'f(\n1);\ng(2);\n');
      const two = [mutant('src/a.ts', 0, { end: 6 }), mutant('src/a.ts', 9, { end: 10, text: '3' })];
      expect(await withMistakes(folder, two, async () => Promise.resolve(read()))).toBe('\n\ng(3);\n');
      await expect(withMistakes(folder, two, async () => Promise.reject(new Error('no')))).rejects.toThrow(
        'no',
      );
      expect(read()).toBe('f(\n1);\ng(2);\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('mutationOptions', () => {
  it('has defaults', () => {
    expect(mutationOptions([])).toMatchObject({
      sample: 200,
      seed: 1,
      minutes: 30,
      folders: ['src/', 'strategies/'],
    });
  });

  it('takes folders and files', () => {
    expect(mutationOptions(['--folders', 'src/orders, src/risk/,src/domain/odds.ts']).folders).toEqual([
      'src/orders/',
      'src/risk/',
      'src/domain/odds.ts',
    ]);
  });

  it.each([
    ['--sample', '0'],
    ['--sample', '1.5'],
    ['--minutes', '0'],
    ['--seed', '-1'],
    ['--folders', 'test'],
    ['--folders', 'srcs'],
    ['--folders', ''],
    ['--unknown', '1'],
  ])('refuses %s %s', (name, value) => {
    expect(() => mutationOptions([`${name}=${value}`])).toThrow(UsageError);
  });
});
