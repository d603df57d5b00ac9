import { describe, expect, it } from 'vitest';
import { commandLine } from '../support/invoked.ts';

const run = commandLine();

describe('touchline paper settle', () => {
  it.each([
    [['fb/1'], 'one of --score, --winner and --void'],
    [['fb/1', '--score', '2-1', '--void'], 'one of --score, --winner and --void'],
    [['fb/1', '--score', '2:1'], 'expected a score such as 2-1'],
    [['fb', '--void'], 'expected SPORT/ID'],
    [['fb/1', '--winner', 'Red'], 'winner'],
  ])('refuses %j: 2', async (args, complaint) => {
    const { code, stderr } = await run(['paper', 'settle', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)]);
  });

  it('needs the journal of a paper account', async () => {
    const at = ['--set', 'journal.path=/nowhere/journal.sqlite'];
    const told = ['paper', 'settle', 'fb/1', '--score', '2-1', ...at];
    const simulated = await run(told);
    expect([simulated.code, simulated.stderr]).toEqual([78, expect.stringContaining('paper bets only')]);
    const none = await run([...told, '--set', 'mode=paper']);
    expect([none.code, none.stderr]).toEqual([78, expect.stringContaining('there is no journal')]);
  });
});
