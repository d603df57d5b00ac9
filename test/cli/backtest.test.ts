import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/app/run/exit-codes.ts';
import { createProgram } from '../../src/cli/program.ts';

const failureOf = async (args: readonly string[]): Promise<unknown> => {
  const program = await createProgram();
  return program.parseAsync(['node', 'touchline', 'backtest', ...args]).catch((error: unknown) => error);
};

describe('touchline backtest', () => {
  it.each([
    [[], /needs --strategy and --data/],
    [['--strategy', 'symmetric'], /needs --strategy and --data/],
    [['--compare', 'a', '--out', 'c'], /--compare needs two folders/],
    [['--compare', 'a', 'b', 'c', '--out', 'd'], /--compare needs two folders/],
    [['--compare', 'a', 'b'], /and --out for the page/],
  ])('%o is wrong usage', async (args, message) => {
    const failure = await failureOf(args);
    expect(String(failure)).toMatch(message);
    expect(exitCodeOf(failure)).toBe(2);
  });

  it('names the result that a comparison cannot read', async () => {
    const failure = await failureOf(['--compare', '/nowhere/a', '/nowhere/b', '--out', '/nowhere/c']);
    expect(String(failure)).toMatch(/\/nowhere\/a\/backtest\.json cannot be read/);
  });
});
