import { describe, expect, it } from 'vitest';
import { mutantsOf, mutated } from '../../../scripts/mutation/mutants.ts';

/** What each mutant of a piece of code makes of it, by mutator. */
function mistakes(code: string): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const mutant of mutantsOf('src/a.ts', code))
    (all[mutant.mutator] ??= []).push(mutated(code, mutant).replaceAll(/\s+/g, ' ').trim());
  return all;
}

const only = (code: string, mutator: string): string[] | undefined => mistakes(code)[mutator];

describe('operators', () => {
  it.each([
    ['a < b;', 'bound', ['a <= b;']],
    ['a <= b;', 'bound', ['a < b;']],
    ['a > b;', 'bound', ['a >= b;']],
    ['a >= b;', 'bound', ['a > b;']],
    ['a === b;', 'equality', ['a !== b;']],
    ['a !== b;', 'equality', ['a === b;']],
    ['a + b;', 'sign', ['a - b;']],
    ['a -= b;', 'sign', ['a += b;']],
    ['f(-a);', 'sign', ['f(a);']],
    ['a++;', 'sign', ['a--;']],
    ['--a;', 'sign', ['++a;']],
    ['a * b;', 'arithmetic', ['a / b;']],
    ['a % b;', 'arithmetic', ['a * b;']],
    ['a && b;', 'logic', ['a || b;']],
    ['a || b;', 'logic', ['a && b;']],
    ['a ??= b;', 'logic', ['a = b;']],
    ['a && b;', 'forgotten operand', ['a;', 'b;']],
    ['a ?? b;', 'forgotten operand', ['a;', 'b;']],
    ['f(!a);', 'negation', ['f(a);']],
    ['a ? b : c;', 'swapped branches', ['a ? c : b;']],
    ['a ? b : c;', 'condition', ['(b);', '(c);']],
    ['if (a.b) f(); else g();', 'negation', ['if (!(a.b)) f(); else g();']],
    ['if (a.b) f(); else g();', 'condition', ['if (true) f(); else g();']],
  ])('changes %s', (code, mutator, expected) => {
    expect(only(code, mutator)).toEqual(expected);
  });

  it('turns a condition around once only', () => {
    expect(only('if (!a) f();', 'negation')).toEqual(['if (a) f();']);
    expect(only('if (a === b) f();', 'negation')).toBeUndefined();
  });
});

describe('statements', () => {
  it.each([
    ['{ f(); }', ['{ }']],
    ['{ a = 1; }', ['{ }']],
    ['{ if (a) b; }', ['{ }', '{ if (a) {} }']],
    ['for (const a of b) { continue; }', ['for (const a of b) { }']],
    ['() => { return; };', ['', '() => { };']],
    ['throw a;', ['']],
  ])('drops statements of %s', (code, expected) => {
    expect(only(code, 'dropped statement')).toEqual(expected);
  });

  it('keeps statements on which others depend', () => {
    expect(only('const f = () => { return 1; };', 'dropped statement')).toBeUndefined();
    expect(only('{ if (a) b; else c; }', 'dropped statement')).toEqual([
      '{ if (a) {} else c; }',
      '{ if (a) b; else {} }',
    ]);
  });

  it('drops a case, but none that another one runs into', () => {
    const code = "switch (a) { case 'x': case 'y': f(); break; case 'z': g(); }";
    expect(only(code, 'dropped case')).toEqual(["switch (a) { case 'x': case 'y': f(); break; }"]);
  });

  it('drops an await where somebody may notice', () => {
    expect(only('async () => { await a; };', 'dropped await')).toEqual(['async () => { a; };']);
    expect(only('async () => { return await a; };', 'dropped await')).toBeUndefined();
    expect(only('async () => await a;', 'dropped await')).toBeUndefined();
    expect(only('async () => { try { return await a; } catch {} };', 'dropped await')).toEqual([
      'async () => { try { return a; } catch {} };',
    ]);
  });
});

describe('values', () => {
  it.each([
    ['f(0);', 'number', ['f(1);']],
    ['f(1);', 'number', ['f(0);']],
    ['f(10);', 'number', ['f(11);']],
    ['f(60_000);', 'number', ['f(120000);']],
    ['f(1n, 3n);', 'number', ['f(0n, 3n);', 'f(1n, 4n);']],
    ['f(true, false);', 'boolean', ['f(false, false);', 'f(true, true);']],
    ["f('id');", 'no text', ["f('');"]],
    ['f([a, b, ...c]);', 'removed spread', ['f([a, b]);']],
    ['f({ ...a, b });', 'removed spread', ['f({ b });']],
    ['f([a]);', 'removed element', ['f([]);']],
  ])('changes %s', (code, mutator, expected) => {
    expect(only(code, mutator)).toEqual(expected);
  });

  it('removes one item of a long list', () => {
    expect(only('f([a, b, c, d]);', 'removed element')).toHaveLength(1);
  });

  it('keeps texts for people, keys and compared names', () => {
    expect(only("f('for people', { 'a-b': c }, a['key']);", 'no text')).toBeUndefined();
  });
});

describe('calls', () => {
  it.each([
    ['f(a.some(b));', 'other method', ['f(a.every(b));']],
    ['f(Math.min(a, b));', 'other method', ['f(Math.max(a, b));']],
    ['f(a.filter(b));', 'forgotten call', ['f(a);']],
    ['f(Math.abs(a));', 'forgotten call', ['f((a));']],
    ['f(a.pipe(b, c));', 'left-out step', ['f(a.pipe(c));', 'f(a.pipe(b));']],
  ])('changes %s', (code, mutator, expected) => {
    expect(only(code, mutator)).toEqual(expected);
  });

  it('takes no inherited name for a twin', () => {
    expect(only('f(a.toString());', 'other method')).toBeUndefined();
  });
});

describe('what is left out', () => {
  it.each([
    "import { a } from './a.ts';",
    'type A = 1 | true;',
    'interface A { readonly b: 1; }',
    "this.#log.warn('text', { count: 1 + 2 });",
    "invariant(a === b, 'text');",
    "const options = { help: 'word' };",
  ])('has no mutant of %s', (code) => {
    expect(mutantsOf('src/a.ts', code)).toEqual([]);
  });

  it('keeps the texts of an error, and forgets to throw it', () => {
    expect(mistakes("{ throw new UsageError('word', 1); }")).toEqual({ 'dropped statement': ['{ }'] });
  });
});

describe('places', () => {
  it('tells the line, and whether the code runs when the module is loaded', () => {
    const code = ['const a = 3;', 'const f = () => 4;', 'class B {', '  c = 5;', '  static d = 6;', '}'];
    expect(
      mutantsOf('src/a.ts', code.join('\n')).map(({ file, line, isLoaded }) => ({ file, line, isLoaded })),
    ).toEqual([
      { file: 'src/a.ts', line: 1, isLoaded: true },
      { file: 'src/a.ts', line: 2, isLoaded: false },
      { file: 'src/a.ts', line: 4, isLoaded: false },
      { file: 'src/a.ts', line: 5, isLoaded: true },
    ]);
  });
});
