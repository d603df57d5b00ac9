import { describe, expect, it } from 'vitest';
import {
  conventionEntry,
  DIRECTION_PROVEN,
  PRICE_CONVENTION,
  type RecordedConvention,
} from '../../../src/engine/convention/journalled.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { BetType } from '../../../src/domain/ids.ts';
import { kindsOf, logOddsOf, type PriceConvention, selectionLogOdds } from '../../../src/domain/odds.ts';
import { directionOf } from '../../../src/domain/selection.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const written = (day: CalmDay, kind: string): readonly unknown[] =>
  day.world.disk.store.records.filter((record) => record.kind === kind).map(({ data }) => data);

const outcomeOf = ({ sport, eventId, betType }: InspectedOrder) => ({
  sport,
  eventId,
  outcome: betType.replace(/^(for|against),/, ''),
});

/** Expects that orders are open, and that each is near the best price of the market. */
function expectNearMarket(day: CalmDay, convention: PriceConvention): void {
  const orders = day.open();
  expect(orders).not.toEqual([]);
  for (const order of orders) {
    const [best] = day.world.exchange.market.levels(outcomeOf(order), 'for');
    const kind = kindsOf(convention)[directionOf(order.betType as BetType) ?? 'for'];
    const distance = selectionLogOdds(kind, order.price) - logOddsOf(best?.price ?? NaN);
    expect(Math.abs(distance)).toBeLessThan(0.3);
  }
}

describe.each(['odds', 'lay'] as const)(
  'a daemon that is told nothing, on an exchange of %s',
  (againstPrices) => {
    const begun = async (): Promise<CalmDay> => {
      const day = new CalmDay({ world: { againstPrices }, settings: { 'exchange.againstPrices': 'auto' } });
      await day.begin(false);
      return day;
    };

    it('quotes once the stream has proven it, and quotes near the market', async () => {
      const day = await begun();
      await day.until('quoting', () => day.open().length > 1);
      expect(day.run.daemon.status().priceConvention).toMatchObject({
        convention: againstPrices,
        how: 'stream',
        isProven: true,
        hold: null,
      });
      expect(written(day, PRICE_CONVENTION)).toEqual([{ convention: againstPrices, how: 'stream' }]);
      expectNearMarket(day, againstPrices);
    });

    it('presumes it in its next run, and writes nothing more', async () => {
      const day = await begun();
      await day.until('quoting', () => day.open().length > 1);
      await day.stop();
      await day.begin();
      expect(day.run.daemon.status().priceConvention).toMatchObject({ convention: againstPrices });
      expect(written(day, PRICE_CONVENTION)).toHaveLength(1);
    });
  },
);

describe.each([
  ['odds', 'lay'],
  ['lay', 'odds'],
] as const)('a daemon that is told %s, on an exchange of %s', (told, againstPrices) => {
  it('places nothing and ends, naming the setting', async () => {
    const day = new CalmDay({ world: { againstPrices }, settings: { 'exchange.againstPrices': told } });
    await day.world.begin();
    await day.until('ended', () => day.world.run?.failure !== null);
    expect(day.world.run?.failure).toBeInstanceOf(ConfigError);
    expect(String(day.world.run?.failure)).toContain(`exchange.againstPrices = "${told}"`);
    expect(day.world.exchange.inspect().orders).toEqual([]);
  });
});

/** Writes into the journal, as an earlier run would have. */
function write(day: CalmDay, recorded: RecordedConvention): void {
  const { records } = day.world.disk.store;
  records.push({ ...conventionEntry(recorded), seq: (records.at(-1)?.seq ?? 0) + 1, atMs: 0 });
}

it('a daemon whose journal is of the other convention closes its orders before it quotes again', async () => {
  const day = new CalmDay({ settings: { 'exchange.againstPrices': 'auto', 'orders.durationS': '120' } });
  await day.begin();
  const before = day.open().map(({ orderId }) => orderId);
  day.world.kill();
  write(day, { convention: 'odds', how: 'stream' });
  await day.begin(false);
  await day.until('left', () => written(day, PRICE_CONVENTION).length === 3);
  expect(day.open()).toEqual([]);
  expect(day.creates()).toBe(0);
  await day.until('quoting', () => day.open().length > 1);
  expect(day.open().filter(({ orderId }) => before.includes(orderId))).toEqual([]);
  expect(written(day, PRICE_CONVENTION).at(-1)).toEqual({ convention: 'lay', how: 'stream' });
});

/** A daemon on one event with unchanged prices, with lay prices proven by an earlier run. */
async function provenDay(): Promise<{ readonly day: CalmDay; readonly market: StillMarket }> {
  const day = new CalmDay({ world: { events: 0 }, settings: { 'exchange.againstPrices': 'auto' } });
  const market = new StillMarket(day.world, 3_600);
  await day.begin(false);
  // A market near evens proves nothing.
  const reasons = (): string => day.run.daemon.ready().reasons.join();
  await day.until('held', () => reasons().startsWith('convention_unproven: 0 votes'));
  await day.pass(30_000);
  expect([reasons().slice(0, 19), day.open()]).toEqual(['convention_unproven', []]);
  day.world.kill();
  write(day, { convention: 'lay', how: 'stream' });
  await day.begin();
  return { day, market };
}

describe.each([
  ['odds', 'lay'],
  ['lay', 'odds'],
] as const)('a daemon that has proven %s, on an exchange that changes to %s', (before, after) => {
  const begun = async (): Promise<CalmDay> => {
    const day = new CalmDay({
      world: { againstPrices: before },
      settings: { 'exchange.againstPrices': 'auto' },
    });
    await day.begin();
    return day;
  };

  const change = (day: CalmDay): void => {
    const { host } = day.world.wires;
    const fault = faultSchema.parse({
      target: 'exchange',
      fault: 'prices_change',
      against_prices: after,
    });
    host.run((nowMs) => host.faults.add(fault, nowMs));
  };

  it('stops quoting, closes what is open and says why', async () => {
    const day = await begun();
    change(day);
    await day.until('stopped', () => day.run.daemon.status().priceConvention?.contradiction !== null);
    await day.until('closed', () => day.open().length === 0);
    const placed = day.creates();
    await day.pass(60_000);
    expect(day.creates()).toBe(placed);
    expect(day.run.daemon.ready().reasons.join()).toContain('convention_unproven');
    const said = `the stream shows ${after} prices, against the proof of before`;
    expect(day.run.daemon.status().priceConvention).toMatchObject({ contradiction: said });
  });

  it('reads the prices anew in its next run, and quotes near the market', async () => {
    const day = await begun();
    change(day);
    await day.until('closed', () => day.open().length === 0);
    await day.stop();
    await day.begin(false);
    await day.until('quoting', () => day.open().length > 1);
    expect(day.run.daemon.status().priceConvention).toMatchObject({ convention: after, isProven: true });
    expectNearMarket(day, after);
  });
});

describe.each(['odds', 'lay'] as const)('a daemon on an exchange of %s that prices one match', (prices) => {
  /** Prices two sides of each of these outcomes, about evenly far from `mid`. */
  const begun = async (mids: Readonly<Record<string, number>>): Promise<CalmDay> => {
    const day = new CalmDay({
      world: { events: 0, againstPrices: prices },
      settings: { 'exchange.againstPrices': 'auto' },
    });
    const market = new StillMarket(day.world, 3_600);
    market.withdraw();
    for (const [outcome, mid] of Object.entries(mids)) {
      const at = { ...market.at, outcome };
      const [below, above] = [mid - 0.06, mid + 0.06].map((price) => Math.round(price * 50) / 50) as [
        number,
        number,
      ];
      market.does((side, nowMs) => {
        side.setLevel('maker', at, 'against', below, 1_000_000_000, nowMs);
        side.setLevel('maker', at, 'for', above, 1_000_000_000, nowMs);
      });
    }
    await day.begin(false);
    return day;
  };

  it('quotes from three prices that agree', async () => {
    const day = await begun({ h: 2.8, d: 3.2, a: 3.0 });
    await day.until('quoting', () => day.open().length > 1);
    expect(day.run.daemon.status().priceConvention).toMatchObject({ convention: prices, isProven: true });
    expectNearMarket(day, prices);
  });

  it('says that nothing is proven where all prices are near evens', async () => {
    const day = await begun({ h: 2.0, 'ah,h,0': 1.98, 'ahover,10': 2.02 });
    await day.pass(60_000);
    expect(day.run.daemon.ready().reasons.join()).toContain('convention_unproven: 0 votes for odds');
    expect(day.creates()).toBe(0);
  });
});

describe('the first bet of a direction', () => {
  it.each([
    ['for', 'against'],
    ['against', 'for'],
  ] as const)('that a taker %s takes is compared and written down', async (taker, direction) => {
    const { day, market } = await provenDay();
    market.take(taker, 2);
    await day.until('confirmed', () => written(day, DIRECTION_PROVEN).length === 1);
    expect(written(day, DIRECTION_PROVEN)).toMatchObject([{ direction, convention: 'lay', how: 'position' }]);
    await day.pass(20_000);
    expect(day.run.composed.core.risk.killed).toBeNull();
    expect(written(day, DIRECTION_PROVEN)).toHaveLength(1);
  });

  it('kills if the exchange pays otherwise', async () => {
    const { day, market } = await provenDay();
    const { risk } = day.run.composed.core;
    const { comparePayoffs } = risk;
    const lies: typeof comparePayoffs = (position) => {
      const compared = comparePayoffs.call(risk, position);
      return compared.kind === 'compared' ? { ...compared, agrees: false } : compared;
    };
    Object.assign(risk, { comparePayoffs: lies });
    market.take('for', 2);
    await day.until('killed', () => risk.killed !== null);
    expect(risk.killed?.reason).toContain('pays otherwise than expected: ours ');
    await day.pass(5_000);
    expect(day.open()).toEqual([]);
  });
});
