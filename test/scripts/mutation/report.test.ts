import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn, shareOf } from '../../../scripts/mutation/draw.ts';
import { isEquivalent } from '../../../scripts/mutation/equivalents.ts';
import { mutantsOf, mutated, type Mutant } from '../../../scripts/mutation/mutants.ts';
import { folderOf, hunk, missed, table, type Fate, type Judged } from '../../../scripts/mutation/report.ts';

const MUTANT: Mutant = {
  file: 'src/orders/a.ts',
  line: 1,
  start: 0,
  end: 1,
  text: '',
  mutator: 'bound',
  isLoaded: false,
};

const judged = (file: string, fates: Partial<Record<Fate, number>>): Judged[] =>
  Object.entries(fates).flatMap(([fate, count]) =>
    Array.from({ length: count }, () => ({ mutant: { ...MUTANT, file }, fate: fate as Fate })),
  );

describe('drawn', () => {
  const items = Array.from({ length: 50 }, (_, at) => at);

  it('has each item once, in an order that the seed decides', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(drawn(items, seed).toSorted((a, b) => a - b)).toEqual(items);
        expect(drawn(items, seed)).toEqual(drawn(items, seed));
      }),
    );
    expect(drawn(items, 1)).not.toEqual(drawn(items, 2));
  });

  it('puts each item first about as often as any other', () => {
    const counts = new Map<number | undefined, number>();
    for (let seed = 0; seed < 3_000; seed++) {
      const [first] = drawn([0, 1, 2], seed);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(130);
  });
});

describe('shareOf', () => {
  it.each([
    [95, 100, 0.8882, 0.9785],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [190, 200, 0.9104, 0.9726],
  ])('gives the interval of %i of %i by Wilson', (hits, of, low, high) => {
    const share = shareOf(hits, of);
    expect(share.share).toBe(hits / of);
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  it('knows nothing of an empty sample', () => {
    expect(shareOf(0, 0)).toEqual({ share: Number.NaN, low: 0, high: 1 });
  });
});

describe('folderOf', () => {
  it('names folders of src and those beside it', () => {
    expect(folderOf('src/app/operate/a.ts')).toBe('app');
    expect(folderOf('strategies/symmetric.ts')).toBe('strategies');
  });
});

describe('table', () => {
  it('has a row a folder and the pooled rows', () => {
    const lines = table([
      ...judged('src/venue/a.ts', { caught: 8, timeout: 1, survived: 1, equivalent: 2 }),
      ...judged('src/web/a.ts', { caught: 1, 'not reached': 1 }),
      ...judged('src/orders/a.ts', { caught: 1 }),
    ]).split('\n');
    expect(lines.slice(2)).toEqual([
      '| orders | 1 | 0 | 0 | 0 | 0 | 100.0 | 20.7 to 100.0 |',
      '| venue | 8 | 1 | 1 | 0 | 2 | 90.0 | 59.6 to 98.2 |',
      '| web | 1 | 0 | 0 | 1 | 0 | 50.0 | 9.5 to 90.5 |',
      '| orders, account, risk, domain, engine, ledger, history, market, fills, venue | 9 | 1 | 1 | 0 | 2 | 90.9 | 62.3 to 98.4 |',
      '| elsewhere | 1 | 0 | 0 | 1 | 0 | 50.0 | 9.5 to 90.5 |',
    ]);
  });
});

describe('missed', () => {
  it.each([
    ['src/risk/a.ts', { caught: 190, survived: 10 }, 0],
    ['src/risk/a.ts', { caught: 180, timeout: 10, survived: 10 }, 0],
    ['src/risk/a.ts', { caught: 189, survived: 11 }, 2 - 1],
    ['src/risk/a.ts', { caught: 189, 'not reached': 11 }, 2 - 1],
    ['src/risk/a.ts', { caught: 20 }, 1],
    ['src/risk/a.ts', { caught: 1, survived: 1 }, 2],
    ['src/app/a.ts', { caught: 9, survived: 1 }, 0],
    ['src/app/a.ts', { caught: 89, survived: 11 }, 1],
    ['src/app/a.ts', { caught: 95, equivalent: 5 }, 0],
    ['src/app/a.ts', { caught: 94, equivalent: 6 }, 1],
  ])('judges %s with %o', (file, fates, lines) => {
    expect(missed(judged(file, fates))).toHaveLength(lines);
  });

  it('judges both groups', () => {
    expect(
      missed([...judged('src/risk/a.ts', { survived: 1 }), ...judged('src/web/a.ts', { survived: 1 })]),
    ).toHaveLength(3);
    expect(missed([])).toEqual([]);
  });
});

describe('hunk', () => {
  const code = ['export function f(a: number): number {', '  g(a,', '    1);', '  return a;', '}', ''].join(
    '\n',
  );

  it('is a patch that makes the mistake', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hunk-'));
    try {
      mkdirSync(join(folder, 'src'));
      for (const mutant of mutantsOf('src/f.ts', code)) {
        writeFileSync(join(folder, 'src/f.ts'), code);
        writeFileSync(join(folder, 'one.patch'), hunk(mutant, code));
        execFileSync('git', ['apply', '--whitespace=nowarn', 'one.patch'], { cwd: folder });
        expect(readFileSync(join(folder, 'src/f.ts'), 'utf8')).toBe(mutated(code, mutant));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('begins with the place and the mutator', () => {
    const [mutant] = mutantsOf('src/f.ts', code);
    expect(mutant && hunk(mutant, code).split('\n')[0]).toBe('# src/f.ts:2 dropped statement');
  });
});

describe('isEquivalent', () => {
  const code = 'f(a < b);\nf(a < b || c);\n';
  const [mutant] = mutantsOf('src/f.ts', code).filter(({ mutator }) => mutator === 'bound');
  const one = {
    file: 'src/f.ts',
    mutator: 'bound',
    line: 'f(a < b);',
    becomes: 'f(a <= b);',
    reason: 'a is never b',
  };

  it('finds a declared mutant again, wherever its line is', () => {
    const shifted = `\n\n${code}`;
    const [later] = mutantsOf('src/f.ts', shifted).filter(({ mutator }) => mutator === 'bound');
    expect(mutant && isEquivalent(mutant, code, [one])).toBe(true);
    expect(later && isEquivalent(later, shifted, [one])).toBe(true);
  });

  it.each([
    { file: 'src/g.ts' },
    { mutator: 'sign' },
    { line: 'f(a < c);' },
    { becomes: 'f(a > b);' },
    { reason: '' },
  ])('takes no mutant for another one: %o', (other) => {
    expect(mutant && isEquivalent(mutant, code, [{ ...one, ...other }])).toBe(false);
  });
});
