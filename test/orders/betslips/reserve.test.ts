import { describe, expect, it } from 'vitest';
import { LADDER } from '../../../src/domain/odds.ts';
import { type Direction, DIRECTIONS } from '../../../src/domain/selection.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { SimDesk } from '../../support/sim-desk.ts';

const codesOf = (desk: TestDesk): string[] => desk.manager.status().waiting.map(({ code }) => code);

/** A day on which only the reserve is left. */
async function lateInTheDay(reduces: boolean): Promise<TestDesk> {
  const desk = new TestDesk({ reduces: () => reduces, options: { betslips: { dailyReserve: 50 } } });
  desk.venue.betslipsToday = 50;
  await desk.start();
  desk.desire(quote());
  await desk.advance(3_000);
  return desk;
}

describe('the reserve of the day’s betslips', () => {
  it('is closed to orders that add to the worst case', async () => {
    const desk = await lateInTheDay(false);
    expect(codesOf(desk)).toEqual(['betslip_budget']);
    expect(desk.venue.betslipsToday).toBe(50);
  });

  it('is open to orders that improve the worst case', async () => {
    const desk = await lateInTheDay(true);
    expect(desk.venue.open()).toHaveLength(1);
    expect(desk.venue.betslipsToday).toBe(49);
  });

  it('is paced, too, and never exceeds what the exchange allows', async () => {
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

  it('is counted separately, over restarts too', async () => {
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
    // Two are free, and half of the reserve may be used at once.
    expect(asked()).toBe(2 + 5);
    await desk.restart();
    await quoteFor(20);
    expect(asked()).toBe(2 + 5);
    reduces = false;
    // The pace spreads the other 24 over the day: one an hour.
    await quoteFor(90);
    expect(asked()).toBe(2 + 5 + 1);
  });
});

it('serves a rotating side that reduces before others that wait', async () => {
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

/** The published limit less the client's margin. */
const OF_THE_DAY = 1_980;
const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,2.5', 'ah,h,-4', 'ah,h,0', 'ah,h,4', 'odd', 'even'];

/** Twenty sides wanted with `left` betslips for the day, those that do not reduce first. */
async function withLeft(left: number, reduces: (betType: string) => boolean): Promise<SimDesk> {
  const desk = new SimDesk({ seed: 1, outcomes: OUTCOMES, reduces, betslipsBefore: OF_THE_DAY - left });
  desk.begin();
  await desk.clock.advance(5_000);
  const sideOf = (outcome: string, direction: Direction) => ({
    ...{ selectionId: desk.selection(outcome), direction, stakeMicros: 10_000_000, level: 0 },
    tick: direction === 'for' ? 101 : 97,
    valueMicrosPerS: reduces(`${direction},${outcome}`) ? 1 : 100,
  });
  desk.desire(OUTCOMES.flatMap((outcome) => DIRECTIONS.map((direction) => sideOf(outcome, direction))));
  return desk;
}

const waitingFor = ({ manager }: SimDesk): string[] =>
  (manager?.status().waiting ?? []).map(({ code }) => code);

const asked = ({ store }: SimDesk): string[] =>
  store.records
    .filter(({ kind }) => kind === 'betslip_requested')
    .map(({ data }) => (data as { readonly betType: string }).betType);

describe('a betslip that the client would refuse to send', () => {
  it.each([0, 1, 49, 50, 51, 60, 69, 70, 71, 79, 80, 81])('is not requested with %i left', async (left) => {
    const desk = await withLeft(left, () => false);
    await desk.clock.advance(10_000);
    const sent = Math.min(20, Math.max(0, left - 50));
    expect(desk.openOrders()).toHaveLength(sent);
    expect(waitingFor(desk)).toEqual(Array.from({ length: 20 - sent }, () => 'betslip_budget'));
    desk.kill();
  });

  it.each([20, 50, 60, 79])('is sent with %i left when it reduces', async (left) => {
    const desk = await withLeft(left, () => true);
    await desk.clock.advance(10_000);
    expect(desk.openOrders()).toHaveLength(20);
    desk.kill();
  });

  it('is withdrawn when it waits behind reducing ones that use up the day', async () => {
    const desk = await withLeft(60, (betType) => betType.includes('ah'));
    await desk.clock.advance(2_000);
    expect(waitingFor(desk)).toContain('betslip_creating');
    await desk.clock.advance(13_000);
    expect(waitingFor(desk)).not.toContain('betslip_creating');
    expect(desk.openOrders().filter(({ betType }) => betType.includes('ah'))).toHaveLength(6);
    // Six that do not reduce went at once, and the other four are now blocked.
    expect(desk.openOrders()).toHaveLength(12);
    desk.kill();
  });

  it('moves to the front when it becomes reducing while it waits', async () => {
    let reduces = false;
    const late = async (): Promise<number> => {
      const desk = await withLeft(OF_THE_DAY, (betType) => reduces && betType === 'against,even');
      await desk.clock.advance(100);
      reduces = true;
      await desk.clock.advance(5_000);
      reduces = false;
      desk.kill();
      return asked(desk).indexOf('against,even');
    };
    expect(await late()).toBeLessThan(12);
  });
});
