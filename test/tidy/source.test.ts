import { describe, expect, it } from 'vitest';
import { PRODUCT_MODULES, projectFiles, read } from './project.ts';

const LONGEST_FILE = 500;

/** Marks of unfinished work and of ways around the type checker. */
const BANNED_PHRASES = [
  'TODO',
  'FIXME',
  'XXX',
  'as any',
  'as unknown as',
  '@ts-ignore',
  '@ts-expect-error',
].concat([
  '@ts-nocheck',
  'eslint-disable',
  'oxfmt-ignore',
  'prettier-ignore',
  'istanbul ignore',
  'v8 ignore',
]);

/** A comment that would switch a rule of the linter off. In parts, so that this line is none. */
const LINTER_SWITCH = new RegExp(['ox', 'lint-(dis|en)able'].join(''));

function bannedPhrases(file: string, text: string): string[] {
  return BANNED_PHRASES.filter((phrase) => new RegExp(`(^|\\W)${phrase}(\\W|$)`).test(text)).map(
    (phrase) => `${file}: ${phrase}`,
  );
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

describe('source files', () => {
  it(`are at most ${LONGEST_FILE} lines long`, () => {
    const long = PRODUCT_MODULES.filter((file) => lineCount(read(file)) > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  it('have no way around the types and no unfinished work', () => {
    expect(PRODUCT_MODULES.flatMap((file) => bannedPhrases(file, read(file)))).toEqual([]);
  });

  it('nowhere have a comment that disables a linter rule', () => {
    const files = projectFiles('*.{js,ts}', '{src,strategies,test,bench,scripts}/**/*.{js,ts}');
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((file) => LINTER_SWITCH.test(read(file)))).toEqual([]);
    expect(LINTER_SWITCH.test(['// ox', 'lint-disable-next-line no-var'].join(''))).toBe(true);
  });

  it('merge no class with an interface of the same name, which would promise members that no code sets', () => {
    const merged = (text: string): string[] =>
      [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => new RegExp(`^(?:export )?interface ${name}\\b`, 'm').test(text));
    expect(merged('export class A {}\ninterface A {}\nclass B {}\ninterface BC {}')).toEqual(['A']);
    const files = projectFiles('{src,strategies,test,bench,scripts}/**/*.ts');
    expect(files.flatMap((file) => merged(read(file)).map((name) => `${file}: ${name}`))).toEqual([]);
  });

  it('are all TypeScript that the checks read', () => {
    const others = projectFiles(
      'src/**/*.{js,cjs,mjs,mts,cts,jsx}',
      'strategies/**/*.{js,cjs,mjs,mts,cts,jsx}',
    );
    expect(others).toEqual([]);
  });

  it.each([
    ['x as any;', 1],
    ['x as unknown as Y;', 1],
    ['// TODO: later', 1],
    ['// eslint-disable-next-line', 1],
    ['is as anything', 0],
    ['a method without marks', 0],
  ])('the search for phrases reads %s', (text, count) => {
    expect(bannedPhrases('planted.ts', text)).toHaveLength(count);
  });
});
