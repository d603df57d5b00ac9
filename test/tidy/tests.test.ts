import { describe, expect, it } from 'vitest';
import { parse, projectFiles, read } from './project.ts';
import { fixedBounds, idleTests, loadedHooks, marks, testCount } from './tests.ts';

const TEST_FILES = projectFiles('test/**/*.test.ts');
/** Only tests of whole processes use its hook, and each file of those has a process of its own. */
const OF_WHOLE_PROCESSES = 'test/support/process.ts';
const sources = TEST_FILES.map((file) => parse(file, read(file)));

describe('test files', () => {
  it('have no skipped and no focused test', () => {
    expect(sources.flatMap(marks)).toEqual([]);
  });

  it('have no test without an assertion', () => {
    expect(sources.flatMap(idleTests)).toEqual([]);
  });

  it('have no bound that is the same on a slow machine', () => {
    const all = projectFiles('test/**/*.ts').map((file) => parse(file, read(file)));
    expect(all.flatMap(fixedBounds)).toEqual([]);
  });

  it.each([
    ["it('a', () => run(), 5_000);", 1],
    ["it('a', { timeout: 5_000 }, () => run());", 1],
    ["it.each([1])('a', () => run(), LONGEST_MS);", 1],
    ['beforeAll(() => run(), 5_000);', 1],
    ['expect.poll(() => run(), { timeout: 5_000 }).toBe(1);', 1],
    ['vi.waitFor(() => run());', 1],
    ['vi.waitUntil(() => run(), { timeout: 60_000 });', 1],
    ["it('a', () => run(), patient(5_000));", 0],
    ["it('a', { timeout: patient(5_000) }, () => run());", 0],
    ['expect.poll(() => run()).toBe(1); post({ timeout: 60 });', 0],
  ])('the search for fixed bounds reads %s', (text, count) => {
    expect(fixedBounds(parse('planted.test.ts', text))).toHaveLength(count);
  });

  it('hold at least one test each, or declare them through a shared suite', () => {
    const empty = sources.filter((source) => testCount(source) === 0 && !/Contract|Suite/.test(source.text));
    expect(empty.map((source) => source.fileName)).toEqual([]);
  });

  it('share no module that registers a hook as it is loaded', () => {
    const shared = projectFiles('test/**/*.ts').filter(
      (file) => !file.endsWith('.test.ts') && file !== OF_WHOLE_PROCESSES,
    );
    expect(shared.flatMap((file) => loadedHooks(parse(file, read(file))))).toEqual([]);
    const planted = 'export const a = 1; afterEach(() => a); export const use = () => afterEach(() => a);';
    expect(loadedHooks(parse('planted.ts', planted))).toHaveLength(1);
  });

  it('all end in .test.ts, so that they are run', () => {
    const misnamed = projectFiles('test/**/*.{spec,tests}.ts', 'src/**/*.test.ts', 'strategies/**/*.test.ts');
    expect(misnamed).toEqual([]);
  });

  // Built here from parts, so that a plain search for such marks finds none in the project.
  it.each([
    ['it', 'only', "('a', f);"],
    ['describe', 'skip', "('a', f);"],
    ['it', 'todo', "('a');"],
    ['test', 'skip', ".each([])('a', f);"],
  ])('the search for marks finds %s with %s', (name, mark, rest) => {
    expect(marks(parse('planted.test.ts', `${name}.${mark}${rest}`))).toHaveLength(1);
  });

  it.each([
    ["it('a', () => { run(); });", 1],
    ["it.each([1])('a', (x) => { run(x); });", 1],
    ["it('a', () => { expect(1).toBe(1); });", 0],
    ["it('a', () => { fc.assert(property); });", 0],
    ["it('a', () => { check(1); }); function check(x: number) { expect(x).toBe(1); }", 0],
    ["it('a', () => { check(1); }); function check(x: number) { check(x); }", 1],
    ["import { check } from '../support/check.ts'; it('a', () => { check(1); });", 0],
    ["import { run } from '../../src/run.ts'; it('a', () => { run(1); });", 1],
  ])('the search for idle tests reads %s', (text, count) => {
    expect(idleTests(parse('planted.test.ts', text))).toHaveLength(count);
  });
});
