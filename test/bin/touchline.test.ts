import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const COMMAND = path.resolve(import.meta.dirname, '../../bin/touchline');

/** Stands in for the daemon: prints how it was started, waits for a signal on request, and exits with a code. */
const MAIN = `
const args: string[] = process.argv.slice(2);
const arenas = process.env.MALLOC_ARENA_MAX ?? null;
const of = { args, options: process.execArgv, arenas };
const greeting = JSON.stringify({ ...of, pid: process.pid, node: process.versions.node });
if (args[0] === 'wait') {
  process.on('SIGTERM', () => process.exit(42));
  setInterval(() => undefined, 1000);
} else {
  process.exitCode = Number(args[0] ?? 0) || 0;
}
console.log(greeting);
`;

/** A `node` that only prints its version. */
const oldNode = (version: string): string => `#!/bin/sh\necho ${version}\n`;

let folder: string;

function put(file: string, text: string, mode = 0o644): string {
  const target = path.join(folder, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, text, { mode });
  return target;
}

function packagedNode(): void {
  fs.mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  fs.symlinkSync(process.execPath, path.join(folder, 'node_modules/.bin/node'));
}

/** PATH with the tools that a shell needs, and no node except the given one. */
function searchPath(node?: string): string {
  const tools = path.join(folder, 'tools');
  fs.mkdirSync(tools, { recursive: true });
  for (const tool of ['dirname', 'readlink']) {
    fs.symlinkSync(
      fs.existsSync(`/usr/bin/${tool}`) ? `/usr/bin/${tool}` : `/bin/${tool}`,
      path.join(tools, tool),
    );
  }
  if (node !== undefined) put('tools/node', node, 0o755);
  return tools;
}

function run(
  command: string,
  args: readonly string[],
  PATH: string,
  env: Readonly<Record<string, string>> = {},
) {
  return spawnSync(command, args, { encoding: 'utf8', env: { ...env, PATH }, cwd: os.tmpdir() });
}

describe.runIf(process.platform !== 'win32')('bin/touchline', () => {
  let command: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'touchline-bin-'));
    command = put('bin/touchline', fs.readFileSync(COMMAND, 'utf8'), 0o755);
    put('src/cli/main.ts', MAIN);
    put('package.json', '{"type":"module"}');
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  it('is executable', () => {
    expect(fs.statSync(COMMAND).mode & 0o111).toBe(0o111);
  });

  it('runs on the packaged node when the one on PATH is too old, with arguments and exit code kept', () => {
    packagedNode();
    const { stdout, status } = run(command, ['7', 'two words', '--flag=*'], searchPath(oldNode('20.20.2')));
    expect(JSON.parse(stdout)).toMatchObject({
      args: ['7', 'two words', '--flag=*'],
      node: process.versions.node,
    });
    expect(status).toBe(7);
  });

  it('starts it so that no signal opens a debugger', () => {
    packagedNode();
    expect(JSON.parse(run(command, [], searchPath()).stdout)).toMatchObject({
      args: [],
      options: ['--disable-sigusr1'],
    });
  });

  it('bounds the young part of the heap of a daemon, and of nothing else, unless the environment bounds it', () => {
    packagedNode();
    const PATH = searchPath();
    const bound = ['--disable-sigusr1', '--max-semi-space-size=4'];
    const optionsOf = (args: readonly string[], NODE_OPTIONS = ''): unknown =>
      (JSON.parse(run(command, args, PATH, { NODE_OPTIONS }).stdout) as { options: unknown }).options;
    expect([optionsOf(['run']), optionsOf(['start', '--json'])]).toEqual([bound, bound]);
    for (const args of [[], ['runs'], ['backtest', 'run'], ['0', 'start']])
      expect(optionsOf(args)).toEqual(['--disable-sigusr1']);
    expect(optionsOf(['run'], '--max-semi-space-size=4')).toEqual(['--disable-sigusr1']);
    expect(optionsOf(['run'], '--max-old-space-size=400')).toEqual(bound);
  });

  it('gives a daemon few arenas, and nothing else, unless the environment says otherwise', () => {
    packagedNode();
    const PATH = searchPath();
    const arenasOf = (args: readonly string[], env: Readonly<Record<string, string>> = {}): unknown =>
      (JSON.parse(run(command, args, PATH, env).stdout) as { arenas: unknown }).arenas;
    expect([arenasOf(['run']), arenasOf(['start', '--json']), arenasOf(['backtest', 'run'])]).toEqual([
      '2',
      '2',
      null,
    ]);
    expect(arenasOf(['run'], { MALLOC_ARENA_MAX: '8' })).toBe('8');
  });

  it('says in one line what to do in a clone without its packages', () => {
    const newEnough = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
    const { stdout, stderr, status } = run(command, ['start'], searchPath(newEnough));
    expect([stdout, status]).toEqual(['', 69]);
    expect(stderr).toBe(
      `touchline: the packages that it needs are not installed; run 'npm ci' in ${folder}\n`,
    );
  });

  it('advises the package, and nothing that cannot help, where the source was installed', () => {
    const installed = put('node_modules/touchline/bin/touchline', fs.readFileSync(COMMAND, 'utf8'), 0o755);
    put('node_modules/touchline/src/cli/main.ts', MAIN);
    packagedNode();
    const { stdout, stderr, status } = run(installed, ['start'], searchPath());
    expect([stdout, status]).toEqual(['', 69]);
    expect(stderr).toBe(
      `touchline: ${path.dirname(path.dirname(installed))} holds the source, which runs only in a clone; ` +
        "install the package that 'npm run package' builds there\n",
    );
  });

  it('runs on the node of PATH when none is packaged and it is new enough', () => {
    fs.mkdirSync(path.join(folder, 'node_modules'));
    const { stdout, status } = run(command, ['0'], searchPath(`#!/bin/sh\nexec ${process.execPath} "$@"\n`));
    expect(JSON.parse(stdout)).toMatchObject({ args: ['0'] });
    expect(status).toBe(0);
  });

  it('passes over a packaged node that does not run here', () => {
    put('node_modules/.bin/node', 'not a program', 0o755);
    const { status } = run(command, ['3'], searchPath(`#!/bin/sh\nexec ${process.execPath} "$@"\n`));
    expect(status).toBe(3);
  });

  it('finds its package through symbolic links, relative and absolute', () => {
    packagedNode();
    fs.mkdirSync(path.join(folder, 'links'));
    fs.symlinkSync('../bin/touchline', path.join(folder, 'links/relative'));
    fs.symlinkSync(path.join(folder, 'links/relative'), path.join(folder, 'links/absolute'));
    const { stdout, status } = run(path.join(folder, 'links/absolute'), ['5'], searchPath());
    expect(JSON.parse(stdout)).toMatchObject({ args: ['5'] });
    expect(status).toBe(5);
  });

  it.each(['20.20.2', '24.11.9', '23.99.0'])('says in one line that node %s will not do', (version) => {
    const { stdout, stderr, status } = run(command, ['0'], searchPath(oldNode(version)));
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      new RegExp(`^touchline: needs Node 24.12 or newer, found ${version}; run 'npm ci' .*\n$`),
    );
    expect(status).toBe(69);
  });

  it('says in one line that there is no node', () => {
    const { stderr, status } = run(command, [], searchPath());
    expect(stderr).toMatch(/^touchline: needs Node 24.12 or newer; run 'npm ci' .*\n$/);
    expect(status).toBe(69);
  });

  it('runs the compiled program where there is one, and advises no build there', () => {
    put('lib/main.js', 'process.exit(Number(process.argv[2]));');
    fs.rmSync(path.join(folder, 'src'), { recursive: true });
    const PATH = searchPath();
    expect(run(command, [], PATH).stderr).toBe('touchline: needs Node 24.12 or newer; install one\n');
    packagedNode();
    expect(run(command, ['4'], PATH).status).toBe(4);
  });

  it('becomes the daemon: a signal sent to it reaches the daemon, and its exit code comes back', async () => {
    packagedNode();
    const child = spawn(command, ['wait'], {
      env: { PATH: searchPath() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ pid: child.pid });
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(42);
  });
});
