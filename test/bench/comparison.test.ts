import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns, figuresIn, median, tableOf } from '../../bench/comparison.ts';
import type { Figure } from '../../bench/figures.ts';

const cost = (name: string, value: number): Figure => ({ name, value, unit: 'µs', kind: 'cost' });
const rate = (name: string, value: number): Figure => ({ name, value, unit: '/s', kind: 'rate' });
const tail = (name: string, value: number): Figure => ({ name, value, unit: 'µs', kind: 'tail' });
const runs = (...values: readonly number[]): Figure[][] => values.map((value) => [cost('decode', value)]);

describe('figuresIn', () => {
  it('reads the figures between the lines for people', () => {
    const output = [
      'decode 63 µs (0.17)',
      '{"figure":"decode","value":62.7,"unit":"µs","kind":"cost"}',
      '{"other":1}',
      '{"figure":"offers","value":45000,"unit":"/s","kind":"rate"}',
      '',
    ];
    expect(figuresIn(output.join('\n'))).toEqual([cost('decode', 62.7), rate('offers', 45_000)]);
  });

  it.each([
    '{"figure":"decode"}',
    '{"figure":"decode","value":"1","unit":"µs","kind":"cost"}',
    '{"figure":"decode","value":null,"unit":"µs","kind":"cost"}',
    '{"figure":"decode","value":1,"unit":"µs","kind":"smaller"}',
    '{"figure":"decode","val',
  ])('refuses a figure that it cannot read: %s', (line) => {
    expect(() => figuresIn(line)).toThrow();
  });
});

describe('median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[10, 1, 2, 9], 5.5],
    [[100, 20, 3], 20],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('leaves the values in their order, and needs one', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
    expect(() => median([])).toThrow('a median needs a value');
  });
});

describe('compareRuns', () => {
  it('compares the medians, so that one busy round decides nothing', () => {
    const { figures } = compareRuns(runs(10, 500, 11), runs(10, 11, 10), 0.1);
    expect(figures).toEqual([
      { name: 'decode', unit: 'µs', ours: 11, theirs: 10, ratio: 1.1, bestRatio: 1, verdict: 'fine' },
    ]);
  });

  it('does not blame a tree for busy rounds when its best run is as good', () => {
    const { figures } = compareRuns(runs(10, 20, 21), runs(10, 11, 20), 0.1);
    expect(figures).toMatchObject([{ ratio: 20 / 11, bestRatio: 1, verdict: 'fine' }]);
  });

  it('finds a slower tree among busy rounds', () => {
    const { figures } = compareRuns(runs(24, 12, 12), runs(10, 20, 10), 0.1);
    expect(figures).toMatchObject([{ ratio: 1.2, bestRatio: 1.2, verdict: 'worse' }]);
  });

  it('finds a slower tree at any speed of the machine', () => {
    const run = fc.record({ busy: fc.double({ min: 1, max: 3, noNaN: true }) });
    const rounds = fc.array(run, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(rounds, fc.double({ min: 1.2, max: 3, noNaN: true }), (all, slower) => {
        const theirs = all.map(({ busy }) => 100 * busy);
        const ours = theirs.map((value) => value * slower);
        expect(compareRuns(runs(...ours), runs(...theirs), 0.1).figures).toMatchObject([
          { verdict: 'worse' },
        ]);
      }),
    );
  });

  it.each([
    ['a cost above the tolerance', cost('x', 111), cost('x', 100), 'worse'],
    ['a cost at the tolerance', cost('x', 110), cost('x', 100), 'fine'],
    ['a lower cost', cost('x', 1), cost('x', 100), 'fine'],
    ['a rate below the tolerance', rate('x', 89), rate('x', 100), 'worse'],
    ['a rate at the tolerance', rate('x', 90), rate('x', 100), 'fine'],
    ['a higher rate', rate('x', 900), rate('x', 100), 'fine'],
    ['a cost where there was none', cost('x', 1), cost('x', 0), 'worse'],
    ['no cost on either side', cost('x', 0), cost('x', 0), 'fine'],
    ['no tail', tail('x', 900), tail('x', 100), 'not judged'],
  ])('judges %s', (_, ours, theirs, verdict) => {
    expect(compareRuns([[ours]], [[theirs]], 0.1).figures).toMatchObject([{ verdict }]);
  });

  it('names the figures that only one tree has, and judges none of them', () => {
    const compared = compareRuns([[cost('a', 9), cost('b', 1)]], [[cost('b', 1), cost('c', 1)]], 0.1);
    expect(compared.figures.map(({ name }) => name)).toEqual(['b']);
    expect(compared).toMatchObject({ onlyOurs: ['a'], onlyTheirs: ['c'] });
  });
});

it('prints a line for each figure with both medians, the ratio and the verdict', () => {
  const ours = [[cost('decode', 120), cost('join', 63.456_78), tail('p99', 300), cost('new', 1)]];
  const theirs = [[cost('decode', 100), cost('join', 63.4), tail('p99', 100), cost('old', 1)]];
  expect(tableOf(compareRuns(ours, theirs, 0.1)).split('\n')).toEqual([
    '        this tree  the other  ratio  best runs',
    'decode     120 µs     100 µs  1.200      1.200  worse',
    'join     63.46 µs    63.4 µs  1.001      1.001',
    'p99        300 µs     100 µs  3.000      3.000  not judged',
    'only this tree measures: new',
    'only the other measures: old',
  ]);
});
