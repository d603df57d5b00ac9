import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsIn } from '../../../src/app/history/facts-in-journal.ts';
import { IN_MEMORY, openHistory } from '../../../src/history/sqlite-history.ts';
import { UTC_DAYS } from '../../../src/lib/trading-day.ts';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { RememberedDay } from '../../support/remembered-day.ts';

const HOME_WINS: EventResult = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 };
const RATE = { commissionRate: 0 };

/** Takes quotes now and then, and settles the event at the end. Ends the run before some of the steps, as kill -9 does. */
async function trade(killBefore: ReadonlySet<number>): Promise<RememberedDay> {
  const day = new RememberedDay();
  await day.begin();
  const steps = [
    () => day.market.take('for', 20),
    () => day.market.take('against', 7),
    () => day.market.move(1.95, 2.15),
    () => day.market.take('for', 3.5),
    () => day.market.intervene({ kind: 'end', result: HOME_WINS }),
  ];
  for (const [at, act] of steps.entries()) {
    if (killBefore.has(at)) {
      await day.crash();
      await day.begin();
    }
    act();
    // Shorter than the interval of writes: a kill may lose a batch.
    await day.pass(at % 2 === 0 ? 400 : 1_300);
  }
  if (killBefore.has(steps.length)) {
    await day.crash();
    await day.begin(false);
  }
  await day.until('settled', () => day.run.composed.parts.core.ledger.selections().length === 0);
  await day.pass(90_000);
  return day;
}

/** The facts of the exchange, which no crash may change. */
function moneyOf(day: RememberedDay) {
  const { bets, stakeMicros, orders, settledMicros } = day.history.total(RATE);
  return { bets, stakeMicros, orders, settledMicros };
}

function truthOf(day: RememberedDay) {
  const fills = day.world.exchange.inspect().orders.flatMap((order) => order.fills);
  return {
    bets: fills.length,
    stakeMicros: fills.reduce((sum, { stakeMicros }) => sum + stakeMicros, 0),
    orders: day.world.exchange.inspect().orders.filter((order) => order.fills.length > 0).length,
    settledMicros: day.balanceMicros - 100_000_000_000,
  };
}

describe('the history of a day', () => {
  it('agrees with the ledger and with the exchange, by day, strategy and event', async () => {
    const day = await trade(new Set());
    const { ledger } = day.run.composed.core;
    expect(moneyOf(day)).toEqual(truthOf(day));
    const { spreadMicros, moveMicros, luckMicros, unattributedMicros } = ledger.attribution();
    const sums = day.history.total(RATE);
    expect(sums).toMatchObject({
      spreadMicros,
      moveMicros,
      settlementMicros: luckMicros,
      unattributedMicros,
      settledMicros: ledger.profitLoss(() => null).realisedMicros,
    });
    expect(unattributedMicros).toBe(0);
    const marked = ledger.markouts().map(({ notObservable: _, ...markout }) => markout);
    expect(sums.markouts).toEqual(marked);
    expect(marked[2]?.fills).toBeGreaterThan(0);
    expect(day.history.byDay(RATE)).toEqual([{ day: '2026-03-01', ...sums }]);
    expect(day.history.byStrategy(RATE)).toEqual([{ strategy: 'symmetric', ...sums }]);
    expect(day.history.byEvent(RATE)).toEqual([
      expect.objectContaining({ title: 'A v B', strategy: 'symmetric', ...sums }),
    ]);
    expect(day.account.today()).toEqual({ day: '2026-03-01', ...sums });
    expect(day.history.lastBalance()?.balanceMicros).toBe(day.balanceMicros);
  });

  it('is the same after kills at any point, apart from what only a lost second knew', async () => {
    const points = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(points, async (killBefore) => {
        const day = await trade(new Set(killBefore));
        expect(moneyOf(day)).toEqual(truthOf(day));
        expect(day.history.runs(9).map(({ how }) => how)).toEqual([
          'running',
          ...killBefore.map(() => 'not clean'),
        ]);
        const { settledMicros, ...sums } = day.history.total(RATE);
        const { spreadMicros, moveMicros, settlementMicros, unattributedMicros } = sums;
        expect(spreadMicros + moveMicros + settlementMicros + unattributedMicros).toBe(settledMicros);
      }),
      { numRuns: 6 },
    );
  });

  it('can be rebuilt from the journal, without fair probabilities and titles', async () => {
    const day = await trade(new Set([3]));
    const rebuilt = openHistory(IN_MEMORY, UTC_DAYS);
    const journal = createMemoryJournal(day.world.clock, { store: day.world.disk.store });
    rebuilt.write(factsIn(journal));
    const unvalued = day.history.fills({ limit: 99 }).map(({ who: _, ...fill }) => ({
      ...fill,
      fair: null,
      title: null,
      markouts: { 1: null, 10: null, 60: null },
    }));
    expect(rebuilt.fills({ limit: 99 })).toEqual(unvalued);
    expect(rebuilt.byStrategy(RATE)).toMatchObject([{ strategy: 'symmetric', ...moneyOf(day) }]);
    rebuilt.write(factsIn(journal));
    expect(rebuilt.total(RATE)).toMatchObject(moneyOf(day));
    rebuilt.close();
  });

  it('tells that a run ended cleanly, and with what profit', async () => {
    const day = await trade(new Set());
    const profitMicros = day.balanceMicros - 100_000_000_000;
    const { recorder } = day;
    await day.stop();
    recorder?.close();
    expect(day.history.runs(9)).toMatchObject([{ how: 'clean', version: 'test', profitMicros }]);
  });
});
