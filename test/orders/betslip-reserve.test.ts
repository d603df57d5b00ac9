import { describe, expect, it } from 'vitest';
import { LADDER } from '../../src/domain/odds.ts';
import { quote, TestDesk } from '../support/order-desk.ts';
import { SimDesk } from '../support/sim-desk.ts';

const codesOf = (desk: TestDesk): string[] => desk.manager.status().waiting.map(({ code }) => code);

/** A day of which no more is left than what is kept back. */
async function lateInTheDay(reduces: boolean): Promise<TestDesk> {
  const desk = new TestDesk({ reduces: () => reduces, options: { betslips: { dailyReserve: 50 } } });
  desk.venue.betslipsToday = 50;
  await desk.start();
  desk.desire(quote());
  await desk.advance(3_000);
  return desk;
}

describe('what is kept back of the day’s betslips', () => {
  it('is not for orders that add to the worst case', async () => {
    const desk = await lateInTheDay(false);
    expect(codesOf(desk)).toEqual(['betslip_budget']);
    expect(desk.venue.betslipsToday).toBe(50);
  });

  it('is for orders that make the worst case better', async () => {
    const desk = await lateInTheDay(true);
    expect(desk.venue.open()).toHaveLength(1);
    expect(desk.venue.betslipsToday).toBe(49);
  });

  it('is spread, too, and never more than the exchange allows', async () => {
    const desk = new TestDesk({
      ...{ reduces: () => true, venue: { betslipLifeMs: 1_000 } },
      options: { durationS: 5, betslips: { dailyReserve: 6, lifeMs: 1_000, refreshLeadMs: 0 } },
    });
    desk.venue.betslipsToday = 4;
    desk.venue.fault = (method) => (method === 'refreshBetslip' ? { kind: 'not-sent' } : null);
    await desk.start();
    for (let round = 0; round < 20; round++) {
      desk.desire(quote({ tick: 110 + 3 * round }));
      await desk.advance(30_000);
    }
    expect(desk.venue.betslipsToday).toBe(1);
  });

  it('is counted apart, over restarts too', async () => {
    let reduces = true;
    const desk = new TestDesk({
      ...{ reduces: () => reduces, venue: { betslipLifeMs: 1_000 } },
      options: {
        ...{ durationS: 5 },
        betslips: { perDay: 36, burst: 2, dailyReserve: 10, lifeMs: 1_000, refreshLeadMs: 0 },
      },
    });
    desk.venue.fault = (method) => (method === 'refreshBetslip' ? { kind: 'not-sent' } : null);
    const asked = (): number => desk.store.records.filter(({ kind }) => kind === 'betslip_requested').length;
    const quoteFor = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        desk.desire(quote({ tick: 110 + 3 * (round % 20) }));
        await desk.advance(30_000);
      }
    };
    await desk.start();
    await quoteFor(20);
    // Two at will and half of what is kept.
    expect(asked()).toBe(2 + 5);
    await desk.restart();
    await quoteFor(20);
    expect(asked()).toBe(2 + 5);
    reduces = false;
    // 24 a day are left to the pace, one an hour.
    await quoteFor(90);
    expect(asked()).toBe(2 + 5 + 1);
  });
});

it('a cold side that reduces goes before the others that wait', async () => {
  const outcomes = ['h', 'd', 'a', 'odd'];
  const rounds = async (reducing: string): Promise<number> => {
    const desk = new SimDesk({
      ...{ seed: 1, outcomes, settings: { openBetslipCap: 5 }, reduces: (betType) => betType === reducing },
      options: { durationS: 20, betslips: { openCap: 5, perDay: 2_000, burst: 60, dailyReserve: 0 } },
    });
    const quoteAt = (outcome: string, direction: 'for' | 'against', shift: number) => ({
      ...{ selectionId: desk.selection(outcome), direction, stakeMicros: 10_000_000, level: 0 },
      tick: (direction === 'for' ? 101 : 97) + shift,
      valueMicrosPerS: outcome === 'odd' ? 1 : 100,
    });
    const sides = outcomes.flatMap((outcome) => [[outcome, 'for'] as const, [outcome, 'against'] as const]);
    desk.begin();
    await desk.clock.advance(3_000);
    let upToDate = 0;
    for (let round = 0; round < 60; round++) {
      desk.desire(sides.map(([outcome, direction]) => quoteAt(outcome, direction, 3 * (round % 2))));
      await desk.clock.advance(30_000);
      const wanted = LADDER[97 + 3 * (round % 2)];
      if (desk.openOrders().some(({ betType, price }) => betType === 'against,odd' && price === wanted))
        upToDate++;
    }
    desk.kill();
    return upToDate;
  };
  const [reducing, ordinary] = [await rounds('against,odd'), await rounds('none')];
  expect(reducing).toBeGreaterThan(ordinary + 10);
});
