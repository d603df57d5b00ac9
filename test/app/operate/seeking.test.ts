import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteDaemon } from '../../../src/app/admin/rendezvous.ts';
import { type Config, loadConfig } from '../../../src/app/config/load.ts';
import { reach } from '../../../src/app/operate/daemon.ts';
import { noBrowserBecause } from '../../../src/app/pages/open-browser.ts';
import { seekingOf } from '../../../src/cli/input/seeking.ts';
import { linkOf } from '../../../src/ops/dashboard/links.ts';
import { randomToken } from '../../../src/app/adapters/this-machine.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { adminServing } from '../../support/admin-serving.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

let count = 0;
const told: string[] = [];
beforeEach(() => {
  vi.stubEnv('XDG_RUNTIME_DIR', join(temporary.path, String(count++)));
  told.length = 0;
});
const open: Listener[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  vi.unstubAllEnvs();
});

async function daemon(): Promise<string> {
  const server = await adminServing({});
  open.push(server);
  return server.url;
}

/** Nothing listens at port 1. */
const configOf = (port: string, journal = ''): Config =>
  loadConfig({ files: [], environment: {}, settings: { 'admin.port': port, 'journal.path': journal } })
    .values;

const reached = async (config: Config, isNamed?: boolean): Promise<string> => {
  const tell = (line: string): void => void told.push(line);
  const seeks = isNamed === undefined ? {} : { seeks: { isNamed, tell } };
  return (await reach({ config: () => config, url: null, ...seeks })).url;
};

describe('a command that names no daemon', () => {
  it('finds the only one that runs, at whatever port, and says which', async () => {
    const url = await daemon();
    expect(await reached(configOf('1'), false)).toBe(url);
    expect(told).toEqual([`no daemon answers at http://127.0.0.1:1; this is the one at ${url}`]);
  });

  it('has the one at the usual address, if one listens there', async () => {
    const [usual] = [await daemon(), await daemon()];
    expect(await reached(configOf(new URL(usual).port), false)).toBe(usual);
    expect(told).toEqual([]);
  });

  it('names all of several, and chooses none', async () => {
    const [a, b] = [await daemon(), await daemon()].toSorted(
      (x, y) => Number(new URL(x).port) - Number(new URL(y).port),
    );
    await expect(reached(configOf('1'), false)).rejects.toMatchObject({
      code: 'usage',
      message: `no daemon answers at http://127.0.0.1:1, and several run: name one with --url: ${a} and ${b}`,
    });
  });

  it('leaves an address that is none to the request', async () => {
    const config = { ...configOf('1'), admin: { ...configOf('1').admin, host: 'a b' } };
    expect(await reached(config, false)).toBe('http://a b:1');
  });

  it('stays at the usual address where none runs', async () => {
    expect(await reached(configOf('1'), false)).toBe('http://127.0.0.1:1');
  });
});

describe('a command that names a daemon', () => {
  it.each([true, undefined])('asks no other one (%s)', async (isNamed) => {
    await daemon();
    expect(await reached(configOf('1'), isNamed)).toBe('http://127.0.0.1:1');
  });

  it('finds it at whatever port its configuration left open', async () => {
    const url = await daemon();
    expect(await reached(configOf('0'), true)).toBe(url);
    expect(await reached(configOf('0'))).toBe('http://127.0.0.1:0');
  });

  it('finds the one with its own tokens among several, and no other', async () => {
    await daemon();
    noteDaemon('http://127.0.0.1:2', '/data/a.sqlite.tokens');
    noteDaemon('http://127.0.0.1:3', '/data/b.sqlite.tokens');
    expect(await reached(configOf('0', '/data/b.sqlite'), true)).toBe('http://127.0.0.1:3');
    expect(await reached(configOf('0', '/data/c.sqlite'), true)).toBe('http://127.0.0.1:0');
  });

  it.each([
    [{}, {}, false],
    [{ url: 'http://127.0.0.1:1' }, {}, true],
    [{ config: ['a.toml'] }, {}, true],
    [{ set: { 'admin.port': '1' } }, {}, true],
    [{}, { TOUCHLINE_ADMIN_PORT: '1' }, true],
    [{}, { TOUCHLINE_JOURNAL: '/a' }, true],
    [{}, { TOUCHLINE_JOURNAL: '', TOUCHLINE_API_KEY: 'k' }, false],
  ])('does so by options %o or the environment %o: %s', (options, environment, isNamed) => {
    expect(seekingOf(options, environment).isNamed).toBe(isNamed);
  });
});

describe('a link', () => {
  it('fits 80 columns, with its word in the live view and the highest port', () => {
    expect(`dashboard: ${linkOf('http://127.0.0.1:65535', randomToken())}`.length).toBeLessThanOrEqual(80);
  });

  it.each([
    [{}, 'linux', true],
    [{ DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '' }, 'freebsd', true],
    [{ DISPLAY: ':0' }, 'linux', false],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', false],
    [{ BROWSER: 'w3m' }, 'linux', false],
    [{}, 'darwin', false],
    [{}, 'win32', false],
  ] as const)('is not opened with %o on %s: %s', (environment, platform, isRefused) => {
    const reason = noBrowserBecause(environment, platform);
    expect(reason).toEqual(
      isRefused ? expect.stringContaining('there is no display: open the address') : null,
    );
  });
});
