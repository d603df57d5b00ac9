import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../src/app/strategies/scenarios.ts';
import { collectParameters } from '../../src/cli/input/arguments.ts';
import { BUNDLED_STRATEGIES } from '../../src/strategy/loader.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { commandLine } from '../support/invoked.ts';
import { PROJECT_ROOT } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const touchline = commandLine();
const strategy = (...args: readonly string[]) => touchline(['strategy', ...args]);

const PARTS = `name: 'mine', description: 'd', parameters: z.strictObject({ stake: z.number().default(2) })`;
const faulty = folder.file(
  'faulty.mjs',
  `export default ({ defineStrategy, z }) => defineStrategy({ ${PARTS},
  quote(view, { stake }) {
    if (stake > 2) throw new Error('stake is ' + stake);
    return [];
  } });`,
);

describe('touchline strategy list', () => {
  it('prints each bundled strategy with its parameters and what they mean', async () => {
    const { code, stdout } = await strategy('list');
    expect(code).toBe(0);
    for (const name of BUNDLED_STRATEGIES)
      expect(stdout).toMatch(new RegExp(`^${name} \\((pure|stream)\\): `, 'm'));
    expect(stdout).toMatch(/^ {2}stake +20 +number from 0.01 to 1000000 +\S/m);
  });

  it('prints them as JSON', async () => {
    const listed = JSON.parse((await strategy('list', '--json')).stdout) as {
      name: string;
      parameters: unknown[];
    }[];
    expect(listed.map(({ name }) => name)).toEqual(BUNDLED_STRATEGIES);
    expect(listed[0]?.parameters[0]).toEqual({
      name: 'halfSpread',
      type: 'number from 0.0001 to 5',
      default: 0.03,
      meaning: 'distance of each quote from fair, in log-odds',
    });
  });
});

describe('touchline strategy test', () => {
  it('prints what a strategy did in each scenario', async () => {
    const { code, stdout } = await strategy('test', faulty);
    expect(code).toBe(0);
    for (const { name } of SCENARIOS) expect(stdout).toMatch(new RegExp(`^${name} +0 % `, 'm'));
  });

  it('prints one scenario with other parameters and another market as JSON', async () => {
    const played = async (...args: readonly string[]) => {
      const { stdout } = await strategy('test', 'symmetric', '--scenario', 'quiet', '--json', ...args);
      return JSON.parse(stdout) as readonly Record<string, unknown>[];
    };
    const [first, ...others] = await played('--param', 'stake=7', '--seed', '3');
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      scenario: 'quiet',
      seed: 3,
      views: 600,
      problems: [],
    });
    expect(first?.['largest_stake_usdt']).toBeLessThanOrEqual(7);
    expect(first?.['positions']).not.toEqual([]);
    expect(await played('--param', 'stake=7', '--seed', '4')).not.toEqual([first]);
  });

  it('names where a strategy threw, and exits with 1', async () => {
    const { code, stdout } = await strategy('test', faulty, '--scenario', 'goal', '--param', 'stake=3');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^goal: threw: stake is 3 \(.*faulty.mjs:3\), first at second 0, 600 times$/m);
  });

  it.each([
    [['test', 'symmetric', '--scenario', 'storm'], 2, /no scenario is called storm; there are quiet, trend/],
    [['test', 'symmetric', '--param', 'stake'], 2, /expected key=value/],
    [['test', 'symmetric', '--param', 'stake=-1'], 78, /strategy symmetric: stake = -1/],
    [['test', folder.file('broken.mjs', 'const a = ;\n')], 78, /cannot be loaded: .* \(.*broken\.mjs:1\)/],
    [['test', 'nothing'], 78, /"nothing" is neither bundled/],
  ])('refuses %j with exit code %i', async (args, code, message) => {
    const refused = await strategy(...args);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toMatch(message);
  });

  it('reads a parameter as JSON, and as a text if it is none', () => {
    expect(collectParameters('placement=model', collectParameters('a={"b":[1]}'))).toEqual({
      a: { b: [1] },
      placement: 'model',
    });
  });
});

describe('touchline strategy check', () => {
  it('prints a line for each part, with place and advice, and exits with 1 at a fault', async () => {
    const { code, stdout } = await strategy('check', faulty, '--param', 'stake=3', '--scenario', 'quiet');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {3}contract {5}mine: pure form, contract 1$/m);
    expect(stdout).toMatch(/^skip types /m);
    expect(stdout).toMatch(/^FAIL answers .*faulty.mjs:3: threw: stake is 3 /m);
    expect(stdout).toMatch(/^ +→ handle this case, or return no quotes for it$/m);
  });

  it('advises on the path where there is no file, and on the export where there is one', async () => {
    const absent = await strategy('check', './absent.mjs');
    expect(absent.stdout).toMatch(
      /^FAIL contract .*not found at .*absent\.mjs\n +→ name a file that exists; a relative path counts from \//m,
    );
    const other = await strategy('check', folder.file('other.mjs', 'export const a = 1;\n'));
    expect(other.stdout).toMatch(/→ the default export must be what defineStrategy returns/);
  });

  it('prints its findings as JSON', async () => {
    const { stdout } = await strategy('check', './nowhere.mjs', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ check: 'contract', state: 'fault' }]);
  });
});

describe('touchline strategy new', () => {
  const FILES = ['package.json', 'tsconfig.json', 'README.md', 'strategy.ts', 'strategy.test.ts'];

  it.each([
    ['pure', []],
    ['stream', ['--stream']],
  ])('writes a %s strategy with its test, and says what to do next', async (form, flags) => {
    const dir = join(folder.path, form);
    const { code, stdout, stderr } = await strategy('new', 'my-edge', '--dir', dir, ...flags);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((file) => file.split('/').at(-1)),
    ).toEqual(FILES);
    expect(stderr).toMatch(/^next: \(cd .* && npm install && npm test\)$/m);
    expect(FILES.filter((file) => !existsSync(join(dir, file)))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: 'my-edge',
      dependencies: { touchline: `file://${PROJECT_ROOT}` },
    });
    expect(readFileSync(join(dir, 'strategy.ts'), 'utf8')).toContain("name: 'my-edge'");
  });

  it('names no package that npm would look for in its registry where Touchline is installed around the folder', async () => {
    const dir = join(folder.path, 'project/edge');
    mkdirSync(join(folder.path, 'project/node_modules'), { recursive: true });
    symlinkSync(PROJECT_ROOT, join(folder.path, 'project/node_modules/touchline'));
    const { stderr } = await strategy('new', 'edge', '--dir', dir);
    expect(stderr).toMatch(/^next: \(cd .*edge && npm test\)$/m);
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  it('overwrites nothing', async () => {
    const dir = join(folder.path, 'taken');
    mkdirSync(dir);
    writeFileSync(join(dir, 'strategy.ts'), 'mine');
    const { code, stderr } = await strategy('new', 'edge', '--dir', dir);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${dir} is not empty`) as string]);
    expect(readFileSync(join(dir, 'strategy.ts'), 'utf8')).toBe('mine');
  });

  it.each([
    ['My Edge', /not of small letters/],
    ['../edge', /not of small letters/],
    ['symmetric', /is the name of a bundled strategy/],
  ])('refuses the name %s', async (name, message) => {
    const { code, stderr } = await strategy('new', name);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
