import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Runs the command to its end. */
async function complaint(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const exit = await touchline(args, environment).exit;
  return { code: exit.code, lines: exit.stderr.trim().split('\n'), stderr: exit.stderr };
}

const QUIET = ['--set', 'log.level=silent'];
const settingsFor = (port: number): string =>
  folder.file(
    `at-${port}.toml`,
    exchangeSettings(`http://127.0.0.1:${port}/v2/`, `ws://127.0.0.1:${port}/v2/stream`),
  );

describe('bad input gives one clear line and its exit code', () => {
  it('no key: 78', async () => {
    const { code, lines } = await complaint(['run', '--config', settingsFor(9), ...QUIET]);
    expect([code, lines.length]).toEqual([78, 1]);
    expect(lines[0]).toContain('TOUCHLINE_API_KEY');
  });

  it('wrong key: 77, and the key is not shown', async () => {
    const exchange = await launchExchange();
    const config = settingsFor(Number(new URL(exchange.rest).port));
    const run = await complaint(['run', '--config', config, ...QUIET], { TOUCHLINE_API_KEY: 'wrong-key' });
    exchange.run.kill('SIGTERM');
    expect([run.code, run.lines.length]).toEqual([77, 1]);
    expect(run.lines[0]).toMatch(/key/);
    expect(run.stderr).not.toContain('wrong-key');
    expect((await exchange.run.exit).code).toBe(0);
  });

  it('unreachable exchange: 69', async () => {
    const run = await complaint(['run', '--config', settingsFor(9), ...QUIET], { TOUCHLINE_API_KEY: 'k' });
    expect([run.code, run.lines.length]).toEqual([69, 1]);
    expect(run.lines[0]).toContain('127.0.0.1:9');
  });

  it('a port in use: 69', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const commands = [
      ['start', '--port', `${port}`, ...QUIET],
      ['start', '--set', `ops.port=${port}`, ...QUIET],
      ['sim', '--port', `${port}`],
    ];
    for (const args of commands) {
      const { code, lines } = await complaint(args);
      expect([code, lines.length]).toEqual([69, 1]);
      expect(lines[0]).toContain(String(port));
    }
    blocker.close();
  });

  it('an unknown key in the configuration: 78', async () => {
    const path = folder.file('unknown.toml', '[orders]\nduration = 3\n');
    for (const command of [['run'], ['start'], ['config', 'show']]) {
      const { code, lines } = await complaint([...command, '--config', path]);
      expect([code, lines.length]).toEqual([78, 1]);
      expect(lines[0]).toContain(`${path}: orders.duration = 3: unknown key`);
    }
  });

  it('an unreadable feed: 78, naming it', async () => {
    const paths = [
      join(tmpdir(), 'no-such-recording.gz'),
      tmpdir(),
      folder.file('junk.jsonl.gz', 'not gzip'),
      folder.file('junk.jsonl', 'not json\n'),
      folder.file('empty.jsonl', ''),
    ];
    for (const path of paths) {
      const { code, lines } = await complaint(['start', '--feed', `betfair:${path}`, ...QUIET]);
      expect([path, code, lines.length]).toEqual([path, 78, 1]);
      expect(lines[0]).toContain(path);
    }
  });

  it('live without the switch, or without limits: 78', async () => {
    const live = folder.file('live.toml', 'mode = "live"\n');
    const unswitched = await complaint(['run', '--config', live], { TOUCHLINE_API_KEY: 'k' });
    expect(unswitched.code).toBe(78);
    expect(unswitched.stderr).toContain('--live');
    const unlimited = await complaint(['run', '--live', '--config', live], { TOUCHLINE_API_KEY: 'k' });
    expect(unlimited.code).toBe(78);
    expect(unlimited.stderr).toContain('risk');
  });

  it.each([
    [['start', '--for', '60'], '--for'],
    [['start', '--speed', '-1'], '--speed'],
    [['start', '--feed', 'betfair'], '--feed'],
    [['start', '--feed-from', '2022-07-11T10:30:00Z'], '--feed-from'],
    [['start', '--set', 'x'], '--set'],
    [['start', 'extra'], 'argument'],
    [['nonsense'], 'nonsense'],
    [['start', '--nonsense'], '--nonsense'],
  ])('wrong usage %j: 2', async (args, part) => {
    const { code, stderr } = await complaint(args);
    expect(code).toBe(2);
    expect(stderr).toContain(part);
  });

  it('shows help for every command with exit code 0', async () => {
    const commands = [[], ['start'], ['run'], ['sim'], ['config'], ['config', 'show']];
    for (const command of commands) {
      const exit = await touchline([...command, '--help']).exit;
      expect(exit.code).toBe(0);
      expect(exit.stdout).toContain('Usage: touchline');
    }
  });
});
