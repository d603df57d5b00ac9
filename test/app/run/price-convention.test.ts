import { describe, expect, it } from 'vitest';
import {
  conventionEntry,
  DIRECTION_PROVEN,
  PRICE_CONVENTION,
  type RecordedConvention,
} from '../../../src/engine/convention/journalled.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { BetType } from '../../../src/domain/ids.ts';
import { kindsOf, logOddsOf, selectionLogOdds } from '../../../src/domain/odds.ts';
import { directionOf } from '../../../src/domain/selection.ts';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { StillMarket } from '../../support/still-market.ts';

const written = (day: CalmDay, kind: string): readonly unknown[] =>
  day.world.disk.store.records.filter((record) => record.kind === kind).map(({ data }) => data);

const outcomeOf = ({ sport, eventId, betType }: InspectedOrder) => ({
  ...{ sport, eventId, outcome: betType.replace(/^(for|against),/, '') },
});

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
        ...{ convention: againstPrices, how: 'stream', isProven: true, hold: null },
      });
      expect(written(day, PRICE_CONVENTION)).toEqual([{ convention: againstPrices, how: 'stream' }]);
      for (const order of day.open()) {
        const [best] = day.world.exchange.market.levels(outcomeOf(order), 'for');
        const kind = kindsOf(againstPrices)[directionOf(order.betType as BetType) ?? 'for'];
        const distance = selectionLogOdds(kind, order.price) - logOddsOf(best?.price ?? NaN);
        expect(Math.abs(distance)).toBeLessThan(0.3);
      }
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
    expect(day.run.composed.risk.killed).toBeNull();
    expect(written(day, DIRECTION_PROVEN)).toHaveLength(1);
  });

  it('kills if the exchange pays otherwise', async () => {
    const { day, market } = await provenDay();
    const { risk } = day.run.composed;
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
