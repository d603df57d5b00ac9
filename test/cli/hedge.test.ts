import { describe, expect, it } from 'vitest';
import { TouchlineError } from '../../src/domain/errors.ts';
import type { HedgeControls, HedgeQuestion } from '../../src/ops/commands/controls.ts';
import { adminServing } from '../support/admin-serving.ts';
import { commandLine } from '../support/invoked.ts';

const BET = { name: 'A', direction: 'against', price: 2.5, stakeUsdt: 48 };
const PREVIEW = {
  plan: 'p-1',
  event: 'A v B',
  goal: 'bound',
  way: 'take',
  bets: [{ ...BET, hasBetslip: false }],
  worstUsdt: { before: -120, after: -50, ifHalf: -85, least: -120 },
  outcomes: [
    { name: '0-0', beforeUsdt: 40, afterUsdt: 20, ifHalfUsdt: 30 },
    { name: '1-0', beforeUsdt: -120, afterUsdt: -50, ifHalfUsdt: -85 },
  ],
  expectedLossUsdt: 1.25,
  commissionUsdt: 0.5,
  betslips: 1,
  seconds: 2.5,
  confirmWithinS: 120,
};
const MADE = {
  plan: 'p-1',
  event: 'A v B',
  bets: [{ ...BET, state: 'sent', filledUsdt: 0 }],
  worstUsdt: -120,
  isOver: false,
  secondsLeft: 30,
};
const DONE = {
  ...MADE,
  bets: [{ ...BET, state: 'ended', filledUsdt: 48 }],
  worstUsdt: -50,
  isOver: true,
  secondsLeft: 10,
};

const run = commandLine();

async function hedged(line: readonly string[], hedge: Partial<HedgeControls> = {}) {
  const asked: HedgeQuestion[] = [];
  const made: unknown[] = [];
  const all: HedgeControls = {
    preview: (question) => (asked.push(question), PREVIEW),
    make: (...given) => (made.push(given.slice(0, 2)), MADE),
    progress: () => DONE,
    ...hedge,
  };
  const daemon = await adminServing({ hedge: all });
  try {
    return { asked, made, ...(await run(['hedge', ...line, '--url', daemon.url])) };
  } finally {
    await daemon.close();
  }
}

describe('touchline hedge', () => {
  it('previews: bets, worst cases, cost, time, and every score before and after', async () => {
    const { asked, made, code, stdout } = await hedged(['A v B', '--bound', '50', '--preview']);
    expect([code, asked, made]).toEqual([0, [{ event: 'A v B', boundUsdt: 50 }], []]);
    for (const words of [
      'worst case -120.00 USDT, with all of it matched -50.00, with half of it -85.00',
      'expected loss at fair prices 1.25 USDT, further commission at most 0.50 USDT',
      'needs 1 further betslip and about 2.5 s',
      '-120.00 > -50.00',
      'touchline hedge --confirm p-1',
    ])
      expect(stdout).toContain(words);
  });

  it.each<[around: object, said: readonly string[]]>([
    [{ withOpenUsdt: -130, tradingState: 'active' }, ['rest it is -130.00 USDT now', 'quoting goes on']],
    [{ withOpenUsdt: -130, tradingState: 'halted' }, ['rest it is -130.00 USDT now']],
    [{ withOpenUsdt: -120, tradingState: 'active' }, ['quoting goes on']],
    [{ withOpenUsdt: -120, tradingState: 'reducing' }, []],
    [{}, []],
  ])('says what it leaves out, before and after: %o', async (around, said) => {
    const previewed = await hedged(['A', '--bound', '50', '--preview'], {
      preview: () => ({ ...PREVIEW, ...around }),
    });
    const made = await hedged(['--confirm', 'p-1'], {
      make: () => ({ ...DONE, ...around, worstUsdt: -120 }),
    });
    for (const { stdout } of [previewed, made])
      expect(
        ['rest it is -130.00 USDT now', 'quoting goes on'].filter((words) => stdout.includes(words)),
      ).toEqual(said);
    if (said.includes('quoting goes on'))
      expect(made.stdout).toContain('touchline risk state reducing --event "A v B" --reason TEXT');
  });

  it('makes what was previewed, and recounts what remains from its fills: 0', async () => {
    const { asked, made, code, stdout } = await hedged(['--confirm', 'p-1', '--reason', 'red']);
    expect([code, asked, made]).toEqual([0, [], [['p-1', 'red']]]);
    expect(stdout).toContain('worst case of what is matched now: -50.00 USDT');
  });

  it('previews and makes at once without --preview, and fails if nothing was matched: 1', async () => {
    const nothing = { ...DONE, bets: [{ ...BET, state: 'ended', filledUsdt: 0 }], worstUsdt: -120 };
    const { asked, made, code } = await hedged(['A', '--flatten', 'Over 2.5', '--offer'], {
      progress: () => nothing,
    });
    expect([code, asked, made]).toEqual([
      1,
      [{ event: 'A', flatten: 'Over 2.5', offer: true }],
      [['p-1', 'no reason given']],
    ]);
  });

  it('equalises a market, the named one or any', async () => {
    const any = await hedged(['A', '--equalise', '--preview']);
    const named = await hedged(['A', '--equalise', 'wdw', '--preview', '--json']);
    expect([any.made, named.made]).toEqual([[], []]);
    expect([any.asked, named.asked]).toEqual([
      [{ event: 'A', equalise: '' }],
      [{ event: 'A', equalise: 'wdw' }],
    ]);
    expect(JSON.parse(named.stdout)).toEqual(PREVIEW);
  });

  it.each<[line: string[], asked: HedgeQuestion]>([
    [['A', '--bound', '0'], { event: 'A', boundUsdt: 0 }],
    [['A', '--bound', '0.5'], { event: 'A', boundUsdt: 0.5 }],
    [['A', '--bound', '0', '--offer'], { event: 'A', boundUsdt: 0, offer: true }],
    [['fb/A v B', '--flatten', 'Over 2.5'], { event: 'fb/A v B', flatten: 'Over 2.5' }],
    [['A', '--equalise', '--offer'], { event: 'A', equalise: '', offer: true }],
  ])('asks the daemon for what is written: %j', async (line, question) => {
    const { asked, code } = await hedged([...line, '--preview']);
    expect([code, asked]).toEqual([0, [question]]);
  });

  it.each([['-1'], ['x'], [''], ['Infinity']])('--bound %s is wrong usage: 2', async (bound) => {
    const { code, asked } = await hedged(['A', `--bound=${bound}`, '--preview']);
    expect([code, asked]).toEqual([2, []]);
  });

  it('tells each bet at the price of its selection, and what it is on the exchange where that differs', async () => {
    const exchange = { label: 'against', price: 1.6, stake: 80 };
    const bets = [
      { ...BET, exchange, hasBetslip: true },
      { ...BET, name: 'B', hasBetslip: true },
    ];
    const { stdout } = await hedged(['A', '--bound', '5', '--preview'], {
      preview: () => ({ ...PREVIEW, bets, betslips: 0, seconds: 0.5 }),
    });
    const lines = stdout.split('\n');
    expect(lines.find((line) => line.startsWith('A  '))).toMatch(
      /against +2\.50 \(on the exchange against 80\.00 at 1\.60\) +48\.00/,
    );
    expect(lines.find((line) => line.startsWith('B  '))).not.toContain('on the exchange');
    for (const words of ['A v B: to take now', 'needs 0 further betslips and about 0.5 s', 'within 120 s:'])
      expect(stdout).toContain(words);
    const made = { ...DONE, bets: [{ ...BET, exchange, state: 'ended', filledUsdt: 12.5 }] };
    const told = await hedged(['--confirm', 'p-1'], { progress: () => made });
    expect(told.stdout).toMatch(/\(on the exchange against 80\.00 at 1\.60\) +48\.00 +12\.50 +ended/);
  });

  it.each([
    ['still rest', [{ ...BET, state: 'sent', filledUsdt: 0 }], ', while bets are still open'],
    ['are over', [{ ...BET, state: 'ended', filledUsdt: 48 }], ''],
  ])('says of bets that %s what is matched so far', async (_, bets, words) => {
    const isOver = words === '';
    const report = { ...MADE, bets, isOver, secondsLeft: isOver ? 0 : 600 };
    const { stdout } = await hedged(['--confirm', 'p-1'], { make: () => report });
    expect(stdout.trim().split('\n').at(-1)).toBe(`worst case of what is matched now: -120.00 USDT${words}`);
  });

  it.each([
    [60, 1],
    [61, 0],
  ])('follows what takes at most a minute: %d s, asked %d times', async (secondsLeft, times) => {
    let looked = 0;
    await hedged(['--confirm', 'p-1'], {
      make: () => ({ ...MADE, secondsLeft }),
      progress: () => (looked++, DONE),
    });
    expect(looked).toBe(times);
  });

  it.each([
    [['A'], 'choose one of --bound, --equalise and --flatten'],
    [['A', '--bound', '5', '--equalise'], 'choose one of --bound, --equalise and --flatten'],
    [['--bound', '5'], 'name an event'],
    ...[['A'], ['--bound', '5'], ['--equalise'], ['--flatten', 'h'], ['--preview'], ['--offer']].map(
      (beside): [string[], string] => [['--confirm', 'p-1', ...beside], '--confirm makes what was previewed'],
    ),
  ])('%j is wrong usage: 2', async (line, words) => {
    const { code, stderr, made } = await hedged(line);
    expect([code, stderr, made]).toEqual([2, expect.stringContaining(words), []]);
  });

  it.each([
    ['is asked for until it is over, not until its time is', [MADE, MADE, DONE], 3, 'ended', 0],
    ['is not followed if it is an offer, which rests', [{ ...MADE, secondsLeft: 600 }], 0, 'sent', 0],
  ] as const)('a hedge that was made %s', async (_, later, looks, state, exit) => {
    let looked = 0;
    const { code, stdout } = await hedged(['--confirm', 'p-1', '--json'], {
      make: () => later[0],
      progress: () => later[looked++] ?? DONE,
    });
    expect([code, looked, (JSON.parse(stdout) as typeof MADE).bets[0]?.state]).toEqual([exit, looks, state]);
  });

  it.each([
    ['all of its bets matched something', [48, 1], 0],
    ['one of them matched nothing', [48, 0], 1],
  ])('succeeds if %s', async (_, filled, exit) => {
    const bets = filled.map((filledUsdt) => ({ ...BET, state: 'ended', filledUsdt }));
    const { code } = await hedged(['--confirm', 'p-1'], { make: () => ({ ...DONE, bets }) });
    expect(code).toBe(exit);
  });

  const WANTED = { ...BET, state: 'wanted', filledUsdt: 0 };
  it.each<[name: string, end: object, exit: number, said: readonly string[]]>([
    [
      'was never sent',
      { bets: [{ ...WANTED, why: 'never sent: paused' }] },
      1,
      ['against A: nothing matched: never sent: paused'],
    ],
    [
      'ended without a fill',
      { bets: [{ ...WANTED, state: 'ended', why: 'no stake' }] },
      1,
      ['nothing matched: no stake'],
    ],
    [
      'ended without a fill, beside one with',
      {
        bets: [
          { ...BET, state: 'ended', filledUsdt: 48 },
          { ...WANTED, name: 'B' },
        ],
      },
      1,
      ['against B: nothing matched: the reason is not known'],
    ],
    [
      'rests as an offer',
      { bets: [WANTED], isOver: false, secondsLeft: 600, boundUsdt: 50, worstUsdt: -120 },
      0,
      [],
    ],
    [
      'missed its bound',
      { boundUsdt: 49.99 },
      1,
      ['bound 49.99 not reached: -50.00 matched; ask for the hedge again'],
    ],
    ['reached its bound', { boundUsdt: 50 }, 0, []],
    ['reached its bound but for rounding', { boundUsdt: 50, worstUsdt: -50.004 }, 0, []],
  ])('ends by what came of it: %s', async (_, end, exit, said) => {
    const { code, stdout } = await hedged(['--confirm', 'p-1'], {
      make: () => ({ ...DONE, ...end }),
      progress: () => ({ ...DONE, ...end }),
    });
    expect(code).toBe(exit);
    for (const words of said) expect(stdout).toContain(words);
    for (const words of ['nothing matched', 'not reached'])
      expect(stdout.includes(words)).toBe(said.some((each) => each.includes(words)));
  });

  it('says of a preview that its bound cannot be reached', async () => {
    const said = async (boundUsdt: number): Promise<boolean> => {
      const preview = { ...PREVIEW, boundUsdt };
      const { stdout } = await hedged(['A', '--bound', '5', '--preview'], { preview: () => preview });
      return stdout.includes(`the bound ${boundUsdt}.00 cannot be reached now`);
    };
    expect([await said(50), await said(49)]).toEqual([false, true]);
  });

  it('shows each score at home goals downwards and away goals across, and a winner that no score decides by name', async () => {
    const outcomes = [
      { name: '1-0', beforeUsdt: 1, afterUsdt: 2, ifHalfUsdt: 3 },
      { name: '1-2', beforeUsdt: 4, afterUsdt: 5, ifHalfUsdt: 6 },
      { name: '6-0', beforeUsdt: 7, afterUsdt: 8, ifHalfUsdt: 9 },
      { name: 'A horse', beforeUsdt: 10, afterUsdt: 11, ifHalfUsdt: 12 },
    ];
    const bets = [
      { ...BET, hasBetslip: true },
      { ...BET, name: 'B', hasBetslip: false },
    ];
    const preview = { ...PREVIEW, way: 'offer', bets, outcomes, expectedLossUsdt: null };
    const { stdout } = await hedged(['A', '--bound', '5', '--offer', '--preview'], {
      preview: () => preview,
    });
    const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    const lineOf = (first: string) => lines.filter(([word]) => word === first);
    expect(lines[0]).toEqual(['A v B: to offer']);
    expect([lineOf('A')[0]?.at(-1), lineOf('B')[0]?.at(-1)]).toEqual(['open', 'to be opened']);
    expect(lineOf('0')).toEqual([]);
    expect(lineOf('1')).toEqual([['1', '1.00 > 2.00', '-', '4.00 > 5.00', '-', '-', '-']]);
    expect(lineOf('6')).toEqual([]);
    expect(lineOf('A horse')).toEqual([['A horse', '10.00', '11.00', '12.00']]);
    expect(stdout).toContain('expected loss at fair prices not known');
  });

  it('shows the least of all outcomes, also of a score beyond the table', async () => {
    const outcomes = [
      { name: '5-0', beforeUsdt: -1, afterUsdt: -3, ifHalfUsdt: -2 },
      { name: '6-0', beforeUsdt: -9, afterUsdt: -2, ifHalfUsdt: -5 },
      { name: '6-6', beforeUsdt: -8, afterUsdt: -4, ifHalfUsdt: -4.5 },
      { name: '7-0', beforeUsdt: 5, afterUsdt: 5, ifHalfUsdt: 5 },
      { name: 'void', beforeUsdt: 0, afterUsdt: 0, ifHalfUsdt: 0 },
    ];
    const { stdout } = await hedged(['A', '--bound', '5', '--preview'], {
      preview: () => ({ ...PREVIEW, outcomes }),
    });
    const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    const rows = lines.filter(([word]) => /^\d-\d$|^void$/.test(word ?? ''));
    expect(rows).toEqual([
      ['6-0', '-9.00', '-2.00', '-5.00'],
      ['6-6', '-8.00', '-4.00', '-4.50'],
      ['void', '0.00', '0.00', '0.00'],
    ]);
  });

  it('tells why the daemon refuses, and that a plan is unknown', async () => {
    const refused = await hedged(['A', '--bound', '5', '--preview'], {
      preview: () => {
        throw new TouchlineError('refused', 'nothing is held on the event');
      },
    });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('nothing is held on the event'),
    ]);
    const unknown = await hedged(['--confirm', 'p-9'], { make: () => null });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no preview p-9 waits')]);
    const nobody = await hedged(['X', '--bound', '5'], { preview: () => null });
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('knows no such event')]);
  });
});
