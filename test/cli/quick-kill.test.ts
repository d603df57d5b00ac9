import process from 'node:process';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { invoke } from '../../src/cli/program.ts';
import { quickKill } from '../../src/cli/quick-kill.ts';
import { adminServing, unexplained } from '../support/admin-serving.ts';
import { temporaryFolder } from '../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const written = { stdout: '', stderr: '' };
beforeEach(() => {
  Object.assign(written, { stdout: '', stderr: '' });
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    });
  for (const name of Object.keys(process.env)) if (name.startsWith('TOUCHLINE_')) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

type Ended = readonly [code: number | null, stdout: string, stderr: string];

async function ended(run: () => Promise<number | null>): Promise<Ended> {
  Object.assign(written, { stdout: '', stderr: '' });
  const code = await run();
  process.exitCode = undefined;
  return [code, written.stdout, written.stderr];
}

const quick = (...args: string[]): Promise<Ended> => ended(() => quickKill(args));
const full = (...args: string[]): Promise<Ended> =>
  ended(() => invoke(['node', 'touchline', 'kill', ...args]));

/** A daemon that reports so many open orders after a kill, and the reasons that it was told. */
async function daemonWith(openOrders: number | null, latchedIn: string | null = 'journal') {
  const reasons: string[] = [];
  const explain = (reason: string): void => void reasons.push(reason);
  const server = await adminServing({
    kill: () => ({ ...unexplained(), explain }),
    risk: () => ({ openOrders, latchedIn }),
  });
  return { server, reasons };
}

describe('the quick kill', () => {
  it.each([
    [0, 'journal'],
    [0, 'memory'],
    [0, null],
  ])('tells and exits as the full command: %j open, latched in %j', async (openOrders, latchedIn) => {
    const { server, reasons } = await daemonWith(openOrders, latchedIn);
    const args = ['--reason', 'what I see', '--url', server.url];
    const answer = await quick(...args);
    expect(answer).toEqual(await full(...args));
    expect(answer[0]).toBe(latchedIn === null ? 1 : 0);
    expect(reasons).toEqual(['what I see', 'what I see']);
    await server.close();
  });

  it('finds the daemon by a configuration whose other settings are invalid', async () => {
    const { server, reasons } = await daemonWith(0);
    const config = folder.file(
      'edited.toml',
      `[admin]\nport = ${server.port}\n[orders]\ndurationS = "soon"\n`,
    );
    expect(await quick('-c', config, '--reason=x', '-s', 'journal.path=/nowhere')).toEqual([
      0,
      'the daemon is killed; none of our orders is open; latched in journal\n',
      '',
    ]);
    expect(reasons).toEqual(['x']);
    await server.close();
  });

  it('fails as the full command where no daemon answers', async () => {
    const config = folder.file('nobody.toml', '[admin]\nport = 9\n');
    const args = ['--reason', 'x', '--config', config];
    const answer = await quick(...args);
    expect(answer).toEqual(await full(...args));
    expect([answer[0], answer[2]]).toEqual([69, expect.stringContaining('NOT LATCHED')]);
  });

  it('says how to reach a daemon without a configuration that is none', async () => {
    const config = folder.file('broken.toml', 'a = = 1\n');
    const [code, , stderr] = await full('--config', config);
    expect([code, stderr]).toEqual([
      78,
      expect.stringMatching(
        /broken\.toml:1:5: not valid TOML.*\n.*with --url ADDRESS this command reaches a running daemon/,
      ),
    ]);
  });

  it('needs no reason', async () => {
    const config = folder.file('unexplained.toml', '[admin]\nport = 9\n');
    expect(await quick('--config', config)).toEqual(await full('--config', config));
    expect((await quick('--config', config))[0]).toBe(69);
  });

  it.each([
    ['help', ['--help']],
    ['a blank reason', ['--reason', ' ']],
    ['an option that is unknown', ['--reason', 'x', '--frobnicate']],
    ['an argument', ['--reason', 'x', 'y']],
    ['an address that is none', ['--reason', 'x', '--url', 'nowhere']],
    ['a setting without a value', ['--reason', 'x', '--set', 'ops.port']],
    ['a configuration that is missing', ['--reason', 'x', '--config', '/no/such.toml']],
  ])('leaves %s to the full command', async (_, args) => {
    expect(await quick(...args)).toEqual([null, '', '']);
  });
});
