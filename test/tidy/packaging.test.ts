import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIRST_PAGE, isPackaged, PACKAGED } from '../../scripts/packaged-files.ts';
import { projectFiles, read, ROOT } from './project.ts';

const unit = read('systemd/touchline.service');
const dockerfile = read('Dockerfile');

/** Values of a setting of the unit file, in order. */
function setting(name: string): string[] {
  const lines = unit.split('\n').filter((line) => line.startsWith(`${name}=`));
  return lines.map((line) => line.slice(name.length + 1));
}

const ANALYZER = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!ANALYZER)
  console.log('systemd-analyze is not installed: the unit file is read, but not verified by systemd');

/** Runs systemd-analyze on the unit, with paths that exist here. */
function analyze(...args: string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'touchline-unit-'));
  const file = path.join(folder, 'touchline.service');
  fs.writeFileSync(file, unit.replaceAll('/opt/touchline/node_modules/.bin/node', process.execPath));
  const run = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
  fs.rmSync(folder, { recursive: true });
  return run;
}

describe('systemd/touchline.service', () => {
  it('starts node itself on the command that runs as a daemon', () => {
    expect(setting('ExecStart')).toEqual([
      '/opt/touchline/node_modules/.bin/node --disable-sigusr1 /opt/touchline/node_modules/touchline/lib/main.js run --config /etc/touchline/touchline.toml',
    ]);
    expect(setting('Type')).toEqual(['notify']);
    expect(setting('NotifyAccess')).toEqual(['all']);
  });

  it('restarts after a failure, but not after a refused key or a wrong configuration', () => {
    expect(setting('Restart')).toEqual(['on-failure']);
    expect(setting('RestartPreventExitStatus')).toEqual(['74 77 78']);
  });

  it('gives the key as a credential, never by environment or argument', () => {
    expect(setting('LoadCredential')).toEqual(['api-key:/etc/touchline/api-key']);
    expect(setting('Environment').join(' ')).not.toMatch(/key=/i);
  });

  it.runIf(ANALYZER)('is a unit that systemd understands', () => {
    const { stdout, stderr, status } = analyze('verify');
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  it.runIf(ANALYZER)('exposes less than 2.0 of 10', () => {
    const { stdout, status } = analyze('security', '--offline=true', '--threshold=20');
    expect(stdout).toMatch(/Overall exposure level for touchline.service: [01]\.\d OK/);
    expect(status).toBe(0);
  });
});

describe('Dockerfile', () => {
  it('runs node under an init, as a user without rights', () => {
    expect(dockerfile).toMatch(/^RUN .*apt-get install .*'tini=/m);
    expect(dockerfile).toMatch(
      /^ENTRYPOINT \["tini", "--", "node", "--disable-sigusr1", "node_modules\/touchline\/lib\/main.js"\]$/m,
    );
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('ENTRYPOINT'));
  });

  it('copies only what exists and what .dockerignore lets through', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      (match) => match[1]?.split(' ') ?? [],
    );
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(copies.length).toBeGreaterThan(5);
    expect(copies.filter((name) => !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
    expect(copies.filter((name) => !allowed.includes(`!${name}`))).toEqual([]);
  });
});

describe('the health check of the container', () => {
  const [, command = '[]'] = /^HEALTHCHECK .*\\\n {2}CMD (.+)$/m.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(command) as string[];

  /** The exit code of the health check when a daemon serves at a port. */
  const check = (port: number): Promise<number | null> =>
    new Promise((resolve) => {
      const environment = { ...process.env, TOUCHLINE_OPS_PORT: String(port) };
      spawn(process.execPath, args, { env: environment }).once('exit', resolve);
    });

  it.each([
    [200, 0],
    [503, 1],
  ])('treats an answer %d of the daemon at its port as %d, and no answer as 1', async (status, code) => {
    const asked: unknown[] = [];
    const daemon = createServer(({ url }, answer) => (asked.push(url), answer.writeHead(status).end('{}')));
    await new Promise<void>((resolve) => void daemon.listen(0, '127.0.0.1', resolve));
    const { port } = daemon.address() as AddressInfo;
    expect([await check(port), asked]).toEqual([code, ['/healthz']]);
    await new Promise((resolve) => void daemon.close(resolve));
    expect(await check(port)).toBe(1);
  });

  it('does not ask by a means that refuses some ports', () => {
    expect(args.join(' ')).not.toContain('fetch(');
  });
});

it('`npm start` never opens a debugger, and says what to do before `npm ci`', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  // The command starts Node with --disable-sigusr1.
  expect(scripts['start']).toBe('exec bin/touchline start');
});

describe('the files of the package', () => {
  const documents = projectFiles(
    ...PACKAGED.map((name) => (name.endsWith('.md') ? name : `${name}/**/*.md`)),
  );
  documents.push(FIRST_PAGE.clone);
  const isInside = (file: string): boolean =>
    file === FIRST_PAGE.packaged ||
    (isPackaged(file) && PACKAGED.some((name) => file === name || file.startsWith(`${name}/`)));
  /** Those who work on the project read the others in a clone. */
  const isForUsers = (file: string): boolean =>
    !/^(CONTRIBUTING|CHANGELOG)\.md$|^docs\/decisions\//.test(file);
  const targetsOf = (file: string): string[] =>
    Array.from(read(file).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link as string)
      .filter((link) => !/^([a-z]+:|#)/.test(link))
      .map((link) => path.join(path.dirname(file), link.split('#')[0] as string));

  it('hold the pages and the alert rules', () => {
    expect(['docs/runbook.md', 'observability/alerts.yml', 'CONTRIBUTING.md'].filter(isInside)).toHaveLength(
      3,
    );
    expect(['observability/alerts.test.yml', 'src/cli/main.ts'].filter(isInside)).toEqual([]);
    expect(documents).toContain('PACKAGE.md');
    expect(documents.length).toBeGreaterThan(40);
  });

  it('link to each other alone', () => {
    const dead = documents.flatMap((file) =>
      targetsOf(file).flatMap((target) => (isInside(target) ? [] : [`${file}: ${target}`])),
    );
    expect(dead).toEqual([]);
  });

  it('say what works without a clone: `touchline start`, and no script of npm on the first page', () => {
    expect(documents.filter((file) => /npm start/.test(read(file))).filter(isForUsers)).toEqual([]);
    expect(read(FIRST_PAGE.clone)).not.toMatch(/npm (ci|start|test|run)/);
    expect(read(FIRST_PAGE.clone)).toContain('\nnpx touchline start --open ');
  });

  it('begin with a page that has the headings to which others link', () => {
    const headings = new Set(read(FIRST_PAGE.clone).match(/^## .*$/gm));
    for (const heading of ['## See it work in a minute', '## Real money', '## More to try'])
      expect(headings.has(heading), heading).toBe(true);
  });
});

it('npm packs no source, and names the command that builds the package', () => {
  const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd: ROOT, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('a package of the source runs nowhere: build the package with npm run package'),
  ]);
});

describe('.ci/run', () => {
  const script = read('.ci/run');

  it('is strict, and runs the same commands as people do', () => {
    expect(script).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(script).toMatch(/^set -euo pipefail$/m);
    expect(script).toMatch(/^npm ci$/m);
    expect(script).toMatch(/^npm run check /m);
    expect(script).toMatch(/^npm run lint:streams /m);
    expect(script).toMatch(/ npm test /m);
    expect(script).toMatch(/ npm run test:slow /m);
    expect(read('README.md')).toContain('npm ci && npm test');
  });

  it('is executable, as bin/touchline is', () => {
    const programs = projectFiles('.ci/run', 'bin/touchline');
    expect(programs).toHaveLength(2);
    expect(programs.filter((file) => (fs.statSync(path.join(ROOT, file)).mode & 0o111) !== 0o111)).toEqual(
      [],
    );
  });
});
