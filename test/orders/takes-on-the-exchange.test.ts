import { describe, expect, it } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { SimulatedRig } from '../support/simulated-rig.ts';
import { crashAroundTakes, takeOf } from './takes-on-the-exchange.ts';

const resting = (rig: SimulatedRig, over: Partial<QuoteIntent>): QuoteIntent => ({
  selectionId: rig.selection('h'),
  direction: 'for',
  tick: tickOf(2.04) as number,
  stakeMicros: toMicros(10),
  level: 0,
  ...over,
});

async function rigWith(intents: (rig: SimulatedRig) => readonly QuoteIntent[]): Promise<SimulatedRig> {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h', 'd'] });
  rig.begin();
  await rig.clock.advance(3_000);
  rig.desire(intents(rig));
  await rig.clock.advance(6_000);
  return rig;
}

describe('on the embedded exchange', () => {
  it('a take is matched once, as a taker, and never again', async () => {
    const rig = await rigWith((each) => [takeOf(each, 'a')]);
    expect(rig.fills).toMatchObject([{ role: 'taker', price: 1.9, mode: 'take_only', take: { id: 'a' } }]);
    for (let turn = 0; turn < 10; turn++) {
      rig.desire([takeOf(rig, 'a')]);
      await rig.clock.advance(2_000);
    }
    expect(rig.ours()).toHaveLength(1);
  });

  it('a take beyond the best price waits without being shown, and takes what comes', async () => {
    const rig = await rigWith((each) => [takeOf(each, 'a', { tick: tickOf(1.95) as number, lifetimeS: 60 })]);
    expect(rig.fills).toEqual([]);
    expect(rig.exchange.market.levels(rig.at('h'), 'for').map(({ price }) => price)).toEqual([2.1]);
    rig.exchange.market.setLevel('maker', rig.at('h'), 'against', 1.96, toMicros(4), rig.clock.wallMs());
    await rig.clock.advance(3_000);
    expect(rig.fills).toMatchObject([{ price: 1.96, stakeMicros: toMicros(4) }]);
  });

  it('a dark order with a minimum is hidden, and passes smaller takers by', async () => {
    const dark = { mode: 'dark', minTakerWantStakeMicros: toMicros(8) } as const;
    const rig = await rigWith((each) => [resting(each, dark)]);
    expect(rig.openOrders()).toHaveLength(1);
    const now = (): number => rig.clock.wallMs();
    rig.exchange.market.take(rig.at('h'), 'against', 2.04, toMicros(4), now());
    await rig.clock.advance(1_000);
    expect(rig.fills).toEqual([]);
    rig.exchange.market.take(rig.at('h'), 'against', 2.04, toMicros(9), now());
    await rig.clock.advance(1_000);
    expect(rig.fills).toMatchObject([{ stakeMicros: toMicros(9), role: 'maker', mode: 'dark' }]);
  });

  it('a take leaves out a source that cannot take its minimum', async () => {
    const minimum = (usdt: number) => ({ sourceMinStakesMicros: { maker: toMicros(usdt) } });
    const rig = await rigWith((each) => [takeOf(each, 'large', minimum(20))]);
    expect([rig.ours().length, rig.fills.length]).toEqual([1, 0]);
    await rig.clock.advance(20_000);
    rig.desire([takeOf(rig, 'small', minimum(5))]);
    await rig.clock.advance(6_000);
    expect(rig.fills).toMatchObject([{ take: { id: 'small' } }]);
  });

  it('crashes around takes never make two orders for one id', async () => {
    expect(await crashAroundTakes(1, 24)).toBeGreaterThan(3);
  });
});
