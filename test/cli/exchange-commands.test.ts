import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitCodeOf } from '../../src/app/run/exit-codes.ts';
import { renderTable } from '../../src/cli/output/output.ts';
import { createProgram } from '../../src/cli/program.ts';

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  for (const out of [process.stdout, process.stderr]) {
    vi.spyOn(out, 'write').mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const parse = (args: readonly string[]): Promise<unknown> =>
  createProgram()
    .then((program) => program.parseAsync(['node', 'touchline', ...args]))
    .catch((error: unknown) => error);

describe('wrong arguments', () => {
  it.each([
    [['exchange', 'orders', '--limit', 'many'], /--limit.*whole number/],
    [['exchange', 'orders', '--from', 'yesterday'], /--from.*instant/],
    [['exchange', 'orders', '--event', ' '], /--event.*text/],
    [['exchange', 'order', 'x'], /'id'.*order id/],
    [['exchange', 'order', '0'], /'id'.*order id/],
    [['exchange', 'order'], /missing.*'id'/],
    [['exchange', 'close', '1', '2x'], /'id'.*order id/],
    [['exchange', 'close'], /missing.*'id'/],
    [['exchange', 'offers', ' ', '--sport', 'fb'], /'event'.*text/],
    [['exchange', 'offers', '2026-01-01,1,2'], /--sport/],
    [
      ['exchange', 'offers', '2026-01-01,1,2', '--sport', 'fb', '--min-liquidity', '-1'],
      /--min-liquidity.*above zero/,
    ],
    [['exchange', 'events', '--sport', 'Foot Ball'], /--sport.*sport code/],
    [['exchange', 'events', '--to', 'tomorrow'], /--to.*instant/],
    [['exchange', 'position', '--sport', 'fb'], /--event/],
    [['exchange', 'position', '--event', '2026-01-01,1,2'], /--sport/],
    [['exchange', 'balance', '--loud'], /--loud/],
    [['exchange', 'flatten', 'everything'], /too many arguments/],
    [['exchange', 'heartbeats', '--delete'], /--delete/],
    [['doctor', 'who'], /too many arguments/],
    [['completion', 'tcsh'], /shell.*bash, zsh, fish/],
    [['exchange', 'orders', '--status', ''], /--status.*text/],
    [['exchange', 'heartbeats', '--delete', ' '], /--delete.*text/],
    [['sim', '--key', ''], /--key.*text/],
    [['sim', '--open-betslips', '0'], /--open-betslips.*whole number/],
    [['sim', '--placement-delay', '-1'], /--placement-delay.*from zero/],
    [['sim', '--limits', 'loose'], /--limits.*strict, lenient/],
    [['sim', '--event-stake-limit', 'NaN'], /--event-stake-limit.*above zero/],
    [['why', '--url', 'not an address'], /--url.*address/],
    [['risk', '--url', 'ftp://127.0.0.1'], /--url.*address/],
    [['kill', '--reason', ''], /--reason.*text/],
    [['resume'], /--reason/],
    [['risk', 'state', 'off', '--reason', 'x'], /state.*active, reducing, halted/],
    [['journal', 'verify'], /missing.*'file'/],
    [['exchange', 'order', '99999999999999999999'], /'id'.*order id/],
    [['exchange', 'events', '--limit', '1e9'], /--limit.*whole number/],
    [['exchange', 'events', '--from', '2026-13-45T00:00:00Z'], /--from.*instant/],
  ])('%j are reported by name and reason', async (args, why) => {
    const error = await parse(args);
    expect(error).toBeInstanceOf(CommanderError);
    expect((error as CommanderError).exitCode).not.toBe(0);
    expect(written.join('')).toMatch(why);
  });
});

it.each(['events', 'orders'])('%s: a span of time that ends before it begins is reported', async (name) => {
  vi.stubEnv('TOUCHLINE_API_KEY', 'k');
  const settings = ['exchange.restUrl=http://127.0.0.1:9/v2/', 'exchange.streamUrl=ws://127.0.0.1:9/'];
  const times = ['--from', '2026-02-01T00:00:00Z', '--to', '2026-02-01T00:00:00Z'];
  const error = await parse(['exchange', name, ...settings.flatMap((each) => ['--set', each]), ...times]);
  vi.unstubAllEnvs();
  expect(error).toMatchObject({ code: 'usage', message: '--to must be later than --from' });
  expect(exitCodeOf(error)).toBe(2);
});

describe('completion', () => {
  it.each([
    ['bash', 'complete -o default -F _touchline touchline'],
    ['zsh', 'compdef _touchline touchline'],
    [
      'fish',
      "complete -c touchline -n '__fish_seen_subcommand_from exchange; and __fish_seen_subcommand_from flatten' -l account",
    ],
  ])('is generated for %s from the program itself', async (shell, line) => {
    await parse(['completion', shell]);
    const script = written.join('');
    expect(script).toContain(line);
    for (const command of (await createProgram()).commands) expect(script).toContain(command.name());
  });
});

describe('tables', () => {
  it('align text left and numbers right, and show a dash for nothing', () => {
    const rows = [
      { bet_type: 'for,h', price: 2.02, user_data: null },
      { bet_type: 'for,ah,h,-4', price: 10, user_data: true },
    ];
    expect(renderTable(rows)).toEqual([
      'bet type     price  user data',
      'for,h         2.02  -',
      'for,ah,h,-4     10  yes',
    ]);
    expect(renderTable([])).toEqual([]);
  });

  it('show amounts with two decimals, and none below zero that is nothing', () => {
    const rows = [
      { price: 2.5, stake_usdt: 13.923451 },
      { price: 3, stake_usdt: -0.001 },
      { price: 10, stake_usdt: null },
    ];
    expect(renderTable(rows)).toEqual([
      'price  stake usdt',
      '  2.5       13.92',
      '    3        0.00',
      '   10           -',
    ]);
  });

  it('keep foreign names on one line, whatever characters they hold', () => {
    const rows = [{ event: 'North\x1b[2Jgate\nv Harbour', user_data: 'by\u202e hand\x9b' }];
    expect(renderTable(rows)).toEqual([
      'event                    user data',
      'North\ufffd[2Jgate\ufffdv Harbour  by\ufffd hand\ufffd',
    ]);
  });
});
