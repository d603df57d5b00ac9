import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ambiguity, findNamed, type Named } from '../../src/domain/named.ts';

const named = (id: string, event: string, name: string): Named<string> => ({
  value: id,
  name: `${event}: ${name}`,
  aliases: [id, name, id.split('|')[2]!],
});

const ALL = [
  named('fb|1|over,2.5', 'Northgate v Tallberga FF', 'Over 2.5'),
  named('fb|1|ahover,10', 'Northgate v Tallberga FF', 'Over 2.5 (Asian)'),
  named('fb|1|ah,a,-1', 'Northgate v Tallberga FF', 'Tallberga FF +0.25'),
  named('fb|2|over,2.5', 'Malmö v Åre', 'Over 2.5'),
  named('fb|2|h', 'Malmö v Åre', 'Malmö'),
];

const idOf = (text: string): unknown => {
  const found = findNamed(text, ALL);
  return found.kind === 'several' ? found.names.length : found.kind === 'none' ? null : found.value;
};

describe('a name', () => {
  it.each([
    ['Northgate v Tallberga FF: Over 2.5', 'fb|1|over,2.5'],
    ['northgate v tallberga ff over 2.5', 'fb|1|over,2.5'],
    ['  Northgate  v Tallberga FF : Over 2.5 ', 'fb|1|over,2.5'],
    ['Tallberga FF +0.25', 'fb|1|ah,a,-1'],
    ['+0.25', 'fb|1|ah,a,-1'],
    ['ah,a,-1', 'fb|1|ah,a,-1'],
    ['fb|2|over,2.5', 'fb|2|over,2.5'],
    ['Asian', 'fb|1|ahover,10'],
    ['Malmo', 'fb|2|h'],
    ['åre over', 'fb|2|over,2.5'],
    ['over malmo', 'fb|2|over,2.5'],
    ['Tallberga over asian', 'fb|1|ahover,10'],
    ['Over 2.5', 2],
    ['over,2.5', 2],
    ['Over', 3],
    ['Northgate', 3],
    ['Liverpool', null],
    ['', null],
    ['  ', null],
  ])('%j means %j', (text, id) => {
    expect(idOf(text)).toBe(id);
  });

  it('that several have is answered with their whole names', () => {
    const found = findNamed('Over 2.5', ALL);
    expect(found).toEqual({
      kind: 'several',
      names: ['Malmö v Åre: Over 2.5', 'Northgate v Tallberga FF: Over 2.5'],
    });
    expect(ambiguity('Over 2.5', ['A: x', 'B: x'])).toBe(
      '"Over 2.5" may mean 2 things: A: x; B: x. Write more of the name, or an id',
    );
    const many = Array.from({ length: 12 }, (_, i) => `n${i}`);
    expect(ambiguity('n', many)).toMatch(/^"n" may mean 12 things: .*n9; and 2 more\. Write/);
    expect(ambiguity('n', many)).not.toContain('n10');
  });

  it.each([
    [1, /things: n0\. Write/],
    [9, /; n8\. Write/],
    [10, /; n9\. Write/],
    [11, /; n9; and 1 more\. Write/],
  ])('lists %d names, and counts only those beyond ten', (count, pattern) => {
    const names = Array.from({ length: count }, (_, i) => `n${i}`);
    expect(ambiguity('n', names)).toMatch(pattern);
  });

  it('takes any kind of minus', () => {
    const minus = [named('x|1|a', 'A v B', 'A -0.5'), named('x|1|b', 'A v B', 'A +0.5')];
    expect(findNamed('A −0.5', minus)).toMatchObject({ kind: 'one', value: 'x|1|a' });
  });

  it('in full, and an id, always mean one thing', () => {
    const words = fc.stringMatching(/^[a-z0-9+.-]{1,6}( [a-z0-9+.-]{1,6}){0,2}$/);
    const things = fc.uniqueArray(fc.tuple(words, words), {
      selector: ([a, b]) => `${a}: ${b}`,
      minLength: 1,
    });
    fc.assert(
      fc.property(things, (pairs) => {
        const all = pairs.map(([event, name], i) => named(`ID|${i}|${i}`, event, name));
        for (const { value, name } of all) {
          expect(findNamed(value, all)).toMatchObject({ kind: 'one', value });
          const byName = findNamed(name, all);
          if (byName.kind === 'one') expect(byName.value).toBe(value);
        }
      }),
    );
  });
});
