import { expect, it } from 'vitest';
import type { Trader } from '../sim/trader.ts';
import { Round } from './round.ts';

const SEEDS = [1, 2, 3];
/** This installation does not check whether it is alone. */
const BLIND = { isSoleUser: true, earlierOwner: 'dead' } as const;

async function trading(round: Round, name: string): Promise<Trader> {
  const trader = round.trader(name);
  await round.begin(trader, BLIND);
  await round.until('orders', () => round.referee.ordersOf(trader).length >= 5);
  return trader;
}

const played = (seed: number, scenario: (round: Round) => Promise<void>): Promise<string | null> =>
  new Round(seed).play(scenario).then(({ miss }) => miss);

it.each(SEEDS)('reports two daemons that place orders on one account, seed %i', async (seed) => {
  const miss = await played(seed, async (round) => {
    await trading(round, 'first');
    await round.begin(round.trader('second'), BLIND);
    await round.pass(120_000);
  });
  expect(miss).toMatch(/^both placed: the \w+ places while order \d+ of the \w+ is open|keeps a heartbeat/);
});

it.each(SEEDS)('reports a copy that deletes the heartbeat of its original, seed %i', async (seed) => {
  const miss = await played(seed, async (round) => {
    const original = await trading(round, 'original');
    await round.begin(round.copyOf(original, 'copy'), BLIND);
    await round.pass(60_000);
  });
  expect(miss).toMatch(/^the copy (deletes a heartbeat|closes order \d+) of the original/);
});

it.each(SEEDS)(
  'reports a restart that deletes a heartbeat without watching it first, seed %i',
  async (seed) => {
    const miss = await played(seed, async (round) => {
      const trader = await trading(round, 'daemon');
      trader.kill();
      await round.begin(trader, { isSoleUser: true, earlierOwner: 'unknown' });
      await round.pass(60_000);
    });
    expect(miss).toMatch(/^the daemon deletes a heartbeat that it has watched for/);
  },
);

it.each(SEEDS)('reports a daemon that has to wait and says that it is ready, seed %i', async (seed) => {
  const miss = await played(seed, async (round) => {
    const trader = round.trader('second');
    round.waits(trader);
    await round.begin(trader, BLIND);
    await round.pass(60_000);
  });
  expect(miss).toMatch(/^the second (says that it is ready|sends POST)/);
});

it.each(SEEDS)('lets a single daemon start, die, start again and stop, seed %i', async (seed) => {
  const miss = await played(seed, async (round) => {
    const trader = await trading(round, 'daemon');
    trader.kill();
    await round.begin(trader, BLIND);
    await round.pass(30_000);
    trader.stop();
    await round.until('the end', () => trader.run === null, 60_000);
  });
  expect(miss).toBeNull();
});
