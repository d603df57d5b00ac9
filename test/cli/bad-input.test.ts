import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { exchangeSettings, temporaryFolder } from '../support/exchange.ts';
import { commandLine } from '../support/invoked.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Runs the command line with these arguments in this process. */
const complaint = commandLine();

const QUIET = ['--set', 'log.level=silent'];
const settings = folder.file(
  'nobody.toml',
  exchangeSettings('http://127.0.0.1:9/v2/', 'ws://127.0.0.1:9/v2/stream'),
);

describe('bad settings give one clear line and their exit code', () => {
  it('no key: 78', async () => {
    const { code, lines } = await complaint(['run', '--config', settings, ...QUIET]);
    expect([code, lines]).toEqual([78, [expect.stringContaining('TOUCHLINE_API_KEY')]]);
  });

  it('unreachable exchange: 69', async () => {
    const { code, lines } = await complaint(['run', '--config', settings, ...QUIET], 'k');
    expect([code, lines]).toEqual([69, [expect.stringContaining('127.0.0.1:9')]]);
  });

  it.each([['run'], ['start'], ['config show']])(
    'an unknown key in the configuration: %s, 78',
    async (command) => {
      const path = folder.file('unknown.toml', '[orders]\nduration = 3\n');
      const { code, lines } = await complaint([...command.split(' '), '--config', path]);
      const line = expect.stringContaining(`${path}: orders.duration = 3: unknown key`) as string;
      expect([code, lines]).toEqual([78, [line]]);
    },
  );

  it.each([
    ['[risk.order]\nmaxStakeUsdt = -5\n', 'PATH: risk.order.maxStakeUsdt: is -5: expected number to be >0'],
    ['[risk.bogus]\nx = 1\n', 'PATH: risk.bogus: is not a known limit'],
    ['[strategy]\nname = "nosuch"\n', 'PATH: strategy.name: strategy "nosuch" is neither bundled'],
    [
      '[strategy.parameters]\nhalfSpread = -1\n',
      'PATH: strategy.parameters: strategy symmetric: halfSpread = -1: must be at least',
    ],
  ])(
    'a mistake that only a start can find: config show, in the words of a start, 78: %j',
    async (text, expected) => {
      const path = folder.file('unfit.toml', text);
      const { code, lines } = await complaint(['config', 'show', '--config', path]);
      expect([code, lines]).toEqual([
        78,
        [expect.stringContaining(`touchline: ${expected.replace('PATH', path)}`)],
      ]);
    },
  );

  it.each([
    ['that does not exist', () => join(tmpdir(), 'no-such-recording.gz')],
    ['that is a folder', () => tmpdir()],
    ['that is not compressed', () => folder.file('junk.jsonl.gz', 'not gzip')],
    ['that is not JSON', () => folder.file('junk.jsonl', 'not json\n')],
    ['that is empty', () => folder.file('empty.jsonl', '')],
  ])('a feed %s: 78, naming it', async (_what, pathOf) => {
    const path = pathOf();
    const { code, lines } = await complaint(['start', '--feed', `betfair:${path}`, ...QUIET]);
    expect([code, lines]).toEqual([78, [expect.stringContaining(path)]]);
  });

  it('a live configuration on the embedded exchange, whose journal is not touched: 78', async () => {
    const journal = join(folder.path, 'live.sqlite');
    const live = folder.file('live-at-home.toml', `mode = "live"\n[journal]\npath = "${journal}"\n`);
    const example = fileURLToPath(new URL('../../config/live.example.toml', import.meta.url));
    const args = ['start', '--config', example, '--config', live, '--for', '1ms', ...QUIET];
    const { code, lines } = await complaint(args);
    expect([code, lines]).toEqual([78, [expect.stringContaining('mode = "live"')]]);
    expect(existsSync(journal)).toBe(false);
  });

  it('live without the switch, or without limits: 78', async () => {
    const live = folder.file('live.toml', 'mode = "live"\n');
    const unswitched = await complaint(['run', '--config', live], 'k');
    expect([unswitched.code, unswitched.stderr]).toEqual([78, expect.stringContaining('--live')]);
    const unlimited = await complaint(['run', '--live', '--config', live], 'k');
    expect([unlimited.code, unlimited.stderr]).toEqual([78, expect.stringContaining('risk')]);
  });
});

it.each([
  [['start', '--for', '60'], '--for'],
  [['start', '--speed', '-1'], '--speed'],
  [['start', '--feed', 'betfair'], '--feed'],
  [['start', '--feed-from', '2022-07-11T10:30:00Z'], '--feed-from'],
  [['sim', '--feed-from', '2022-07-11T10:30:00Z'], '--feed-from'],
  [['start', '--set', 'x'], '--set'],
  [['start', 'extra'], 'argument'],
  [['nonsense'], 'nonsense'],
  [['flatten'], '(touchline exchange flatten is a command)'],
  [['start', '--nonsense'], '--nonsense'],
  [['risk', 'state', 'stopped', '--reason', 'x'], 'state'],
  [['risk', 'state', '--reason', 'x'], 'state'],
  [['risk', 'state', 'halted'], '--reason'],
  [['risk', 'state', 'halted', '--reason', ' '], '--reason'],
  [['risk', 'state', 'halted', '--reason', 'x', '--event', ' '], '--event'],
  [
    ['risk', 'state', 'halted', '--reason', 'x', '--event', '2026-01-31,1,2', '--selection', 'h'],
    '--selection',
  ],
  [['risk', 'stat', 'halted'], 'stat'],
  [['kill', '--reason', ''], '--reason'],
  [['resume', '--reason', ''], '--reason'],
  [['resume'], '--reason'],
  [['journal', 'release', 'file', '--reason', ' '], '--reason'],
])('wrong usage %j: 2, naming the argument', async (args, named) => {
  const { code, stderr } = await complaint(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
});

it('shows help for every command with exit code 0', async () => {
  const commands = (await createProgram()).commands.flatMap((each) => [
    [each.name()],
    ...each.commands.map((sub) => [each.name(), sub.name()]),
  ]);
  expect(commands.length).toBeGreaterThan(20);
  for (const command of [[], ...commands]) {
    const { code, stdout } = await complaint([...command, '--help']);
    expect([command, code, stdout]).toEqual([
      command,
      0,
      expect.stringContaining(['Usage: touchline', ...command].join(' ')),
    ]);
  }
});
