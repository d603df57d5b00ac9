import { afterAll, describe, expect, it } from 'vitest';
import type { ResumeReport } from '../../src/engine/kill/resume.ts';
import type { AdminControls } from '../../src/ops/commands/controls.ts';
import { commandLine } from '../support/invoked.ts';
import { adminServing } from '../support/admin-serving.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { commanded } from '../support/run-command.ts';

describe('touchline resume', () => {
  const resumed = async (report: ResumeReport): Promise<readonly [number, string]> => {
    const daemon = await adminServing({ resume: () => report });
    try {
      return await commanded('resume', '--reason', 'x', '--url', daemon.url);
    } finally {
      await daemon.close();
    }
  };
  const killed = { what: 'killed by al: drill', release: 'touchline resume --reason TEXT' };
  const lunch = {
    what: 'account reducing by al: lunch',
    release: 'touchline risk state active --reason TEXT',
  };

  it('reports that everything trades again: 0', async () => {
    expect(await resumed({ released: [killed.what], remaining: [], trading: true, reducing: false })).toEqual(
      [0, 'released: killed by al: drill\nresumed\n'],
    );
  });

  it.each([
    [1, 'the stop'],
    [2, 'the 2 stops'],
  ])('tells the stops that remain although the account trades again, here %d: 0', async (count, words) => {
    const stop = { what: 'event A v B halted by al: news', release: 'touchline risk state active …' };
    const remaining = Array.from({ length: count }, () => stop);
    const [code, stdout] = await resumed({
      released: [killed.what],
      remaining,
      trading: true,
      reducing: false,
    });
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        'released: killed by al: drill',
        ...remaining.map(({ what, release }) => `still in force: ${what}; to release: ${release}`),
        `resumed, except for ${words} still in force above`,
      ],
    ]);
  });

  it('reports that nothing trades: 1', async () => {
    expect(await resumed({ released: [], remaining: [killed], trading: false, reducing: false })).toEqual([
      1,
      'still in force: killed by al: drill; to release: touchline resume --reason TEXT\nNOT RESUMED: nothing is traded\n',
    ]);
  });

  it('reports that only reducing orders trade, and what releases that: 1', async () => {
    const [code, stdout] = await resumed({
      released: [killed.what],
      remaining: [lunch],
      trading: false,
      reducing: true,
    });
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      1,
      [
        'released: killed by al: drill',
        'still in force: account reducing by al: lunch; to release: touchline risk state active --reason TEXT',
        'NOT FREE: only orders that make the worst case better are placed',
      ],
    ]);
  });
});

describe('a name that the daemon does not know', () => {
  const run = commandLine();
  const DRAW = {
    selectionId: 'fb|1|d',
    event: 'Northgate v Harbour',
    name: 'Draw',
    wanted: [],
    verdicts: [],
    alarms: [],
    reason: { for: null, against: null },
    state: 'active',
  };
  const controls: Partial<AdminControls> = {
    why: (selection) => (selection === null ? [DRAW] : null),
    setState: () => null,
  };

  it.each([
    ['why Drw', 'did you mean "Draw"?'],
    ['why Northgat|v|Harbor:|Draw', 'did you mean "Northgate v Harbour: Draw"?'],
    ['risk state halted --reason x --event Nortgate|v|Harbour', 'did you mean "Northgate v Harbour"?'],
    ['risk state halted --reason x --selection Darw', 'did you mean "Draw"?'],
  ])('%s: names the nearest one, and exits with 2', async (line, words) => {
    const daemon = await adminServing(controls);
    try {
      const args = line.split(' ').map((word) => word.replaceAll('|', ' '));
      const { code, stderr } = await run([...args, '--url', daemon.url]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    } finally {
      await daemon.close();
    }
  });

  it('is told alone where no name is near', async () => {
    const daemon = await adminServing(controls);
    try {
      const { code, stderr } = await run(['why', 'Unheard of', '--url', daemon.url]);
      expect([code, stderr]).toEqual([2, expect.not.stringContaining('did you mean')]);
    } finally {
      await daemon.close();
    }
  });
});

describe('a command that finds no daemon', () => {
  const run = commandLine();
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it('advises only what was not given', async () => {
    const config = folder.file('nobody.toml', '[admin]\nport = 9\n');
    const url = 'http://127.0.0.1:9';
    const none = `no daemon answers at ${url}: start one`;
    const byConfig = await run(['status', '--config', config]);
    expect(byConfig.lines).toEqual([`touchline: ${none}, or name its address with --url`]);
    const byUrl = await run(['status', '--url', url]);
    expect(byUrl.lines).toEqual([`touchline: ${none}, or name its configuration with --config`]);
    const byBoth = await run(['status', '--url', url, '--config', config]);
    expect(byBoth.lines).toEqual([`touchline: ${none}`]);
  });
});

describe('touchline risk adjust', () => {
  const adjusted = async (...args: readonly string[]) => {
    const wishes: unknown[] = [];
    const told = { what: 'stake', amount: 0.5, by: 'al', why: 'x', sinceMs: 0, untilMs: 900_000 };
    const adjust = {
      adjust: (wish: unknown) => (wishes.push(wish), { of: 'A v B', adjustments: [told] }),
      loosens: () => false,
    };
    const daemon = await adminServing({ adjust });
    try {
      const answer = await commanded(
        'risk',
        'adjust',
        'A v B',
        '--reason',
        'x',
        '--url',
        daemon.url,
        ...args,
      );
      return { wishes, answer };
    } finally {
      await daemon.close();
    }
  };

  it.each([
    [['--stake', '0.5', '--for', '15m'], { stakeFactor: 0.5, minutes: 15 }],
    [['--widen', '3', '--until-start'], { widenTicks: 3, untilStart: true }],
    [['--leave'], { leave: true }],
    [['--no-leave'], { leave: false }],
  ])('sends %j, and prints what is in force', async (args, wish) => {
    const { wishes, answer } = await adjusted(...args);
    expect(wishes).toMatchObject([{ event: 'A v B', reason: 'x', ...wish }]);
    expect(answer).toEqual([0, 'A v B: stake x 0.5 by al: x, until 1970-01-01 00:15 UTC\n']);
  });

  it.each([[[]], [['--leave', '--stake', '2']]])('wants one wish, and not %j: 2', async (args) => {
    const { wishes, answer } = await adjusted(...args);
    expect([wishes, answer[0]]).toEqual([[], 2]);
  });
});
