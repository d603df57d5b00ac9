import { describe, expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { CalmDay } from '../support/calm-day.ts';
import { StillMarket } from '../support/still-market.ts';

/** A day with orders that stay open until the next run. */
async function quotingDay(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly day: CalmDay; readonly market: StillMarket }> {
  const day = new CalmDay({ world: { events: 0 }, settings: { 'orders.durationS': '120', ...settings } });
  const market = new StillMarket(day.world, 3_600);
  await day.begin();
  await day.pass(3_000);
  return { day, market };
}

const openIds = (day: CalmDay): readonly number[] => day.open().map(({ orderId }) => orderId);

describe('orders that a run finds open', () => {
  it('keep their places in the queue when they still match the targets', async () => {
    const { day } = await quotingDay();
    const before = openIds(day);
    day.world.kill();
    await day.begin(false);
    await day.pass(15_000);
    expect(before).toHaveLength(2);
    expect(openIds(day)).toEqual(before);
  });

  it.each([500, 1_000, 1_500])(
    'keep their places when betslips of the earlier run are quoted before any offer arrives (%i ms)',
    async (laterMs) => {
      const { day } = await quotingDay();
      await day.pass(laterMs);
      const before = openIds(day);
      day.world.kill();
      await day.begin(false);
      await day.pass(15_000);
      expect([before.length, openIds(day)]).toEqual([2, before]);
      expect(day.creates()).toBe(0);
    },
  );

  it('keep their places when another selection of the event is quoted privately before any offer arrives', async () => {
    const { day, market } = await quotingDay({ 'universe.marketTypes': '' });
    const other = { ...market.at, outcome: 'a' };
    market.does((live, nowMs) => {
      live.setLevel('maker', other, 'against', 2.9, toMicros(1_000), nowMs);
      live.setLevel('maker', other, 'for', 3.1, toMicros(1_000), nowMs);
    });
    await day.pass(12_250);
    const before = openIds(day);
    day.world.kill();
    await day.begin(false);
    await day.pass(15_000);
    expect([before.length, openIds(day)]).toEqual([4, before]);
  });

  it('are closed as soon as prices show that they no longer match the targets', async () => {
    const { day, market } = await quotingDay();
    const before = openIds(day);
    day.world.kill();
    market.move(3.5, 3.9);
    await day.begin(false);
    await day.pass(5_000);
    expect(openIds(day).filter((id) => before.includes(id))).toEqual([]);
  });

  it.each(['account', 'event', 'selection'] as const)(
    'are closed at once when a person has halted their %s, without waiting for market data',
    async (kind) => {
      const { day, market } = await quotingDay();
      const scope = {
        account: {},
        event: { event: market.eventId },
        selection: { selection: market.selectionId },
      }[kind];
      day.controls.setState({ ...scope, state: 'halted', reason: 'drill' }, 'a person');
      day.world.kill();
      market.does((live, nowMs) => live.setSuspended(market.at, true, nowMs));
      const before = openIds(day);
      await day.begin(false);
      await day.pass(2_000);
      expect([before.length, openIds(day)]).toEqual([2, []]);
    },
  );

  it('are closed when no data of their market arrives', async () => {
    const { day, market } = await quotingDay();
    day.world.kill();
    market.does((live, nowMs) => live.setSuspended(market.at, true, nowMs));
    await day.begin(false);
    await day.pass(15_000);
    expect(openIds(day)).toEqual([]);
  });
});
