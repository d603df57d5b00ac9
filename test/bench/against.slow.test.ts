import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, it } from 'vitest';

const BENCH = join(import.meta.dirname, '../../bench');
const MACHINERY = readdirSync(BENCH).filter((name) => name.endsWith('.ts') && !name.endsWith('.bench.ts'));
const LOCK = { lockfileVersion: 3, requires: true, packages: { '': { name: 'tiny' } } };
/** The comparison must print the figure of the given source. The link to the packages is part of the test. */
const TINY = `
import { existsSync } from 'node:fs';
import { COST } from '../src/cost.ts';
import { figure } from './figures.ts';
console.log('costs ' + COST);
figure('cost', COST, 'µs');
figure('packages', existsSync(import.meta.dirname + '/../node_modules/marker') ? 1 : 0, 'found', 'rate');
`;
const HANGING = `
import { writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
writeFileSync(process.env.STARTED, String(child.pid));
setInterval(() => {}, 1000);
`;

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((clean) => clean()));

/** A project with a bench, and two folders of its own: a repository and one for temporary files. */
class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'against-'));
  readonly root = join(this.folder, 'project');
  readonly temporary = join(this.folder, 'tmp');

  constructor() {
    cleanups.push(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.temporary);
    this.write('package.json', '{"name":"tiny","type":"module"}');
    this.write('package-lock.json', JSON.stringify(LOCK));
    this.write('.gitignore', 'node_modules\n');
    this.write('node_modules/marker', '');
    this.git('init', '--quiet');
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  bringMachinery(): void {
    for (const name of MACHINERY) cpSync(join(BENCH, name), join(this.root, 'bench', name));
  }

  commit(cost: number): void {
    this.write('src/cost.ts', `export const COST = ${cost};\n`);
    this.git('add', '--all');
    this.git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message=x');
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  start(...args: readonly string[]) {
    const env = { ...process.env, TMPDIR: this.temporary, STARTED: join(this.folder, 'started') };
    return spawn(process.execPath, ['bench/run.ts', ...args], { cwd: this.root, env });
  }

  async run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const child = this.start(...args);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...output };
  }

  /** The files that a comparison has left behind. */
  /** Worktrees and folders that a comparison has left. The cache that npm keeps there does not count. */
  left(): readonly string[] {
    const worktrees = this.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm) ?? [];
    const folders = readdirSync(this.temporary).filter((name) => name !== 'node-compile-cache');
    return [...worktrees.slice(1), ...folders];
  }
}

it('compares with a commit that is older than the figures, with the benches of this tree', async () => {
  const project = new Project();
  project.write('bench/tiny.bench.ts', 'console.log("an older bench, without figures");');
  project.commit(100);
  project.bringMachinery();
  project.write('bench/tiny.bench.ts', TINY);
  project.commit(120);
  const { code, stdout, stderr } = await project.run('--against', 'HEAD~1', '--rounds', '2', 'tiny');
  expect(stdout).toMatch(/^cost +120 µs +100 µs +1\.200 +1\.200 +worse$/m);
  expect(stdout).toMatch(/^packages +1 found +1 found +1\.000 +1\.000$/m);
  expect(stderr).toContain('runs the benches of this tree against its source');
  const rounds = [...stderr.matchAll(/^round (\d) of 2: tiny.bench.ts, (.*)$/gm)].map((found) =>
    found.slice(1),
  );
  expect(rounds).toEqual([
    ['1', 'this tree'],
    ['1', 'the other'],
    ['2', 'the other'],
    ['2', 'this tree'],
  ]);
  expect(code).toBe(1);
  expect(project.left()).toEqual([]);
  expect(existsSync(join(project.root, 'node_modules/marker'))).toBe(true);
});

it('runs the benches of the other tree when it has figures, and installs other packages', async () => {
  const project = new Project();
  project.bringMachinery();
  project.write('bench/tiny.bench.ts', `${TINY}figure('gone', 1, 's');`);
  project.commit(100);
  project.write('package-lock.json', JSON.stringify(LOCK, null, 2));
  project.write('bench/tiny.bench.ts', TINY);
  project.write('bench/young.bench.ts', TINY);
  project.commit(120);
  const { code, stdout, stderr } = await project.run(
    '--against',
    'HEAD~1',
    '--rounds',
    '1',
    '--tolerance',
    '20',
  );
  expect(stdout).toMatch(/^cost +120 µs +100 µs +1\.200 +1\.200$/m);
  expect(stdout).toMatch(/^packages +1 found +0 found/m);
  expect(stdout).toContain('only the other measures: gone');
  expect(stderr).toContain('package-lock.json differs');
  expect(stderr).toContain('the other tree has no young.bench.ts');
  expect(code).toBe(0);
  expect(project.left()).toEqual([]);
});

it('removes the other tree and ends every process when it is interrupted', async () => {
  const project = new Project();
  project.bringMachinery();
  project.write('bench/hanging.bench.ts', HANGING);
  project.commit(1);
  const child = project.start('--against', 'HEAD');
  const started = join(project.folder, 'started');
  const pid = (): number => (existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0);
  await expect.poll(pid).toBeGreaterThan(0);
  expect(project.left()).toHaveLength(2);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
  await expect.poll(() => isAlive(pid())).toBe(false);
  expect(project.left()).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each([
  [['--against', 'no-such-commit'], 'no-such-commit'],
  [['--against', 'HEAD', '--rounds', '0'], '--rounds'],
  [['--against', 'HEAD', '--tolerance', 'x'], '--tolerance'],
  [['--against', 'HEAD', 'nothing'], 'no bench is called nothing'],
  [['--against', 'HEAD', 'broken'], 'it is broken'],
  [['--against', 'HEAD', 'silent'], 'no figure in common'],
])('ends with exit code 2 and a reason for %j', async (args, reason) => {
  const project = new Project();
  project.bringMachinery();
  project.write('bench/broken.bench.ts', 'throw new Error("it is broken");');
  project.write('bench/silent.bench.ts', 'console.log("1 µs");');
  project.commit(1);
  const { code, stderr } = await project.run(...args);
  expect(stderr).toContain(reason);
  expect(code).toBe(2);
  expect(project.left()).toEqual([]);
});
