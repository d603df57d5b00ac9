import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { commandLine } from '../support/invoked.ts';

const program = await createProgram();

const below = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(below)];
const commands = below(program);

/** The help of a command, each entry on one line. */
const helpOf = (command: Command): string => command.helpInformation().replaceAll(/\n {10,}/g, ' ');

/** The words that name a command, behind `touchline`. */
const pathOf = (command: Command): readonly string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

const named = (...path: readonly string[]): string => {
  const found = path.reduce<Command | undefined>(
    (at, name) => at?.commands.find((each) => each.name() === name),
    program,
  );
  return found === undefined ? '' : helpOf(found);
};

describe('help', () => {
  it('shows no default as a program keeps it: no JSON, no empty text', () => {
    for (const command of commands) {
      const defaults = helpOf(command).match(/default: [^);]*/g) ?? [];
      for (const text of defaults)
        expect([command.name(), text]).not.toEqual([
          command.name(),
          expect.stringMatching(/[{}[\]"]|default: $/),
        ]);
    }
  });

  it('shows every default of a time or an amount with its unit', () => {
    for (const command of commands) {
      const lines = helpOf(command).split('\n');
      for (const line of lines.filter((each) => /<(duration|ms|usdt)>/.test(each) && /default: /.test(each)))
        expect(line).toMatch(/default: [\d.]+ ?(h|m|s|ms|USDT)\)/);
    }
  });

  it('marks every required option, in its line and in the usage, and no other', () => {
    for (const command of commands)
      for (const option of command.options) {
        const help = helpOf(command);
        const line = help.split('\n').find((each) => each.trimStart().startsWith(option.flags)) ?? '';
        expect([option.flags, line.includes('(required')]).toEqual([option.flags, option.mandatory]);
        if (option.mandatory) expect(help.split('\n', 1)[0]).toContain(option.flags);
      }
  });

  it.each([
    [['dashboard'], /--ttl <duration> +.*30 days.*\(default: 12h\)/],
    [
      ['dashboard'],
      /--scope <scope> .*\(one of read, reduce, control; default: control, or read with --share\)/,
    ],
    [['reconcile'], /--timeout <duration> .*\(default: 5m\)/],
    [['start'], /--feed <feed> .*\(default: model\)/],
    [['backtest'], /--latency <ms> .*\(default: 50 ms\)/],
    [['backtest'], /--balance <usdt> .*\(default: 10000 USDT\)/],
    [['backtest'], /--fills <scenarios> .*\(default: touch,queue,through\)/],
    [['smoke'], /^Usage: touchline smoke \[options\] --max-loss <usdt>/],
    [['smoke'], /--max-loss <usdt> .*\(required\)/],
    [['risk', 'state'], /^Usage: touchline risk state \[options\] <state> --reason <text>/],
    [['exchange', 'position'], /--sport <code> --event <name>/],
  ])('of %j says %s', (path, pattern) => {
    expect(named(...path)).toMatch(pattern);
  });

  it('lists the commands that ask the exchange below "exchange"', () => {
    const names = program.commands.map((each) => each.name());
    const exchange = program.commands.find((each) => each.name() === 'exchange');
    const inGroup = exchange?.commands.map((each) => each.name()) ?? [];
    expect(inGroup).toEqual([
      'events',
      'offers',
      'balance',
      'position',
      'orders',
      'order',
      'close',
      'flatten',
      'heartbeats',
    ]);
    expect(names.filter((name) => inGroup.includes(name))).toEqual([]);
  });
});

describe('a fault in the arguments', () => {
  const run = commandLine();
  const paths = commands.map((command) => [pathOf(command)] as const);

  it.each(paths)('looks like every other error, and leads to the help: %j', async (path) => {
    const { code, lines } = await run([...path, '--no-such-option']);
    expect([code, lines[0], lines.at(-1)]).toEqual([
      2,
      expect.stringMatching(/^touchline: (unknown option '--no-such-option'|required option )/),
      '(--help tells more)',
    ]);
  });

  it('says what a value must be', async () => {
    const { lines } = await run(['history', '--by', 'week']);
    expect(lines[0]).toMatch(/^touchline: option '--by <what>' argument 'week' is invalid: expected one of /);
  });
});
