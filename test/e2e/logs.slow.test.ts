import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { PROJECT_ROOT, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

type Line = Readonly<Record<string, unknown>>;

const linesOf = (text: string): readonly Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Runs a command whose stdout and stderr are a file that the environment names as systemd's journal. */
async function underJournal(name: string, args: readonly string[]) {
  const path = join(folder.path, name);
  const file = openSync(path, 'w');
  const { dev, ino } = fstatSync(file);
  const env = { ...process.env, JOURNAL_STREAM: `${dev}:${ino}` };
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: PROJECT_ROOT,
    env,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, text: readFileSync(path, 'utf8') };
}

describe('the log of a run', () => {
  it('has event name, version and run on each line, and order and strategy on a fill', async () => {
    const run = touchline(['start', '--for', '20s', '--speed', '20']);
    await run.until(/"msg":"fill"/);
    run.kill('SIGTERM');
    const lines = linesOf((await run.exit).stdout);
    expect(lines.filter(({ logEvent }) => typeof logEvent !== 'string')).toEqual([]);
    expect(lines[0]).toMatchObject({ logEvent: 'run_starts', version: expect.any(String) });
    const ofRun = lines.slice(lines.findIndex(({ runId }) => runId !== undefined));
    expect(new Set(ofRun.map(({ runId }) => runId)).size).toBe(1);
    expect(ofRun[0]?.['runId']).toMatch(/^1-[0-9a-f]{8}$/);
    const fill = lines.find(({ logEvent }) => logEvent === 'fill');
    expect(fill).toMatchObject({ orderId: expect.any(Number), strategy: expect.any(String) });
  });

  it('ends with a line of level fatal when the run fails', async () => {
    const exit = await touchline(['run']).exit;
    expect(exit.code).toBe(78);
    expect(exit.stderr).toMatch(/^touchline: /);
    expect(linesOf(exit.stdout).at(-1)).toMatchObject({
      level: 'fatal',
      logEvent: 'command_failed',
      exitCode: 78,
      error: { name: 'ConfigError' },
    });
  });
});

describe('systemd’s journal', () => {
  it('gets each line with the priority of its level', async () => {
    const { code, text } = await underJournal('start', ['start', '--for', '2s']);
    expect(code).toBe(0);
    const prefixes = text
      .trim()
      .split('\n')
      .map((line) => /^<(\d)>\{"level":"(\w+)"/.exec(line)?.slice(1).join(' '));
    expect(prefixes).toContain('6 info');
    expect(prefixes.filter((each) => !['3 error', '4 warn', '6 info'].includes(each ?? ''))).toEqual([]);
  });

  it('gets the failure of a run once, as a fatal line', async () => {
    const { code, text } = await underJournal('run', ['run']);
    expect(code).toBe(78);
    expect(text.match(/<2>\{"level":"fatal"/g)).toHaveLength(1);
    expect(
      text
        .trim()
        .split('\n')
        .filter((line) => !/^<\d>\{/.test(line)),
    ).toEqual([]);
  });

  it('gets the failure of any other command as a fatal line', async () => {
    const { code, text } = await underJournal('config', [
      'config',
      'show',
      '--config',
      join(folder.path, 'absent.toml'),
    ]);
    expect(code).toBe(78);
    expect(text).toMatch(/^<2>\{"level":"fatal".*"logEvent":"command_failed".*absent\.toml/);
  });
});
