import { describe, expect, it } from 'vitest';
import type { ResumeReport } from '../../src/engine/kill/resume.ts';
import { adminServing } from '../support/admin-serving.ts';
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
      ...{ released: [killed.what], remaining: [lunch], trading: false, reducing: true },
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
