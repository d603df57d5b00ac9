import { describe, expect, it } from 'vitest';
import { quote, TestDesk } from '../support/order-desk.ts';

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
});
