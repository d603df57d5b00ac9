import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/app/config/load.ts';
import { layingHome, limitEvent, takesOf } from '../support/hedged-day.ts';

const positionOn = ({ day, market }: Awaited<ReturnType<typeof layingHome>>) =>
  day.run.composed.core.ledger.position(market.selectionId as never);

describe('a rule of the configuration', () => {
  it('is off by default', async () => {
    const held = await layingHome();
    await held.day.pass(30_000);
    expect([takesOf(held.day).length, positionOn(held).ifWinMicros]).toEqual([0, -168e6]);
  });

  it('bounds an event past a share of its limit', async () => {
    const held = await layingHome(
      { 'hedge.boundAtShare': '0.3', 'hedge.boundToShare': '0.1' },
      { eventLimitUsdt: 500 },
    );
    await held.day.pass(30_000);
    expect([takesOf(held.day).length, positionOn(held).ifWinMicros]).toEqual([1, -50e6]);
  });

  it('flattens what has moved so many ticks against us', async () => {
    const held = await layingHome({ 'hedge.stopTicks': '3' });
    held.market.move(7, 8);
    await held.day.pass(30_000);
    const { ifWinMicros, ifLoseMicros } = positionOn(held);
    expect(takesOf(held.day)).toHaveLength(1);
    expect(Math.abs(ifWinMicros - ifLoseMicros)).toBeLessThan(0.2e6);
  });

  it('offers the other side of a fill, so many ticks better', async () => {
    const held = await layingHome({ 'hedge.offsetTicks': '3' });
    await held.day.pass(10_000);
    // Sold 20 at 9.4: 18.8 at 10.0, three ticks of 0.2 away, pays the same in both outcomes.
    const offers = held.day.open().filter(({ price }) => price === 10);
    expect(offers.map(({ betType, stakeMicros }) => [betType, stakeMicros])).toEqual([['for,h', 18.8e6]]);
  });
});

describe('a configuration that changes while the daemon runs', () => {
  const reload = (
    { day }: Awaited<ReturnType<typeof layingHome>>,
    change: (config: Config) => void,
  ): void => {
    const config = structuredClone(day.run.config);
    change(config);
    day.run.composed.prepare(config)();
  };

  it('turns a rule on, and off', async () => {
    const held = await layingHome({}, { eventLimitUsdt: 500 });
    const on = { boundAtShare: 0.3, boundToShare: 0.1 };
    reload(held, (config) => (config.hedge = { ...config.hedge, ...on }));
    await held.day.pass(30_000);
    expect([takesOf(held.day).length, positionOn(held).ifWinMicros]).toEqual([1, -50e6]);
    const again = await layingHome(
      { 'hedge.boundAtShare': '0.9', 'hedge.boundToShare': '0.1' },
      { eventLimitUsdt: 500 },
    );
    reload(again, (config) => (config.hedge = { ...config.hedge, boundAtShare: 0 }));
    limitEvent(again.day, 170);
    await again.day.pass(30_000);
    expect(takesOf(again.day)).toEqual([]);
  });

  it('gives hedges the least stake of an order', async () => {
    const held = await layingHome();
    const preview = (): unknown => held.day.controls.hedge.preview({ event: 'A v B', boundUsdt: 50 });
    expect(preview()).toMatchObject({ bets: [{ direction: 'for' }] });
    reload(held, (config) => (config.orders = { ...config.orders, minStakeUsdt: 900 }));
    expect(preview).toThrow('of 900 USDT or more');
  });
});

it('keeps the betslip of its cheapest hedge open for an event past half of its limit, and no other', async () => {
  const betslips = async (eventUsdt: number): Promise<number> => {
    const { day } = await layingHome();
    limitEvent(day, eventUsdt);
    day.halt('nothing is quoted');
    await day.pass(180_000);
    return day.run.composed.parts.orders.status().betslipsOpen;
  };
  expect([await betslips(300), await betslips(400)]).toEqual([1, 0]);
});
