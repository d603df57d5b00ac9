import { describe, expect, it } from 'vitest';
import { LADDER } from '../../../src/domain/ladder.ts';
import { type Direction, DIRECTIONS } from '../../../src/domain/selection.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const codesOf = (rig: OrderManagerRig): string[] => rig.manager.status().waiting.map(({ code }) => code);

/** A day on which only the reserve is left. */
async function lateInTheDay(reduces: boolean): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig({ reduces: () => reduces, options: { betslips: { dailyReserve: 50 } } });
  rig.venue.betslipsToday = 50;
  await rig.start();
  rig.desire(quote());
  await rig.advance(3_000);
  return rig;
}

describe('the reserve of the day’s betslips', () => {
  it('is closed to orders that add to the worst case', async () => {
    const rig = await lateInTheDay(false);
    expect(codesOf(rig)).toEqual(['betslip_budget']);
    expect(rig.venue.betslipsToday).toBe(50);
  });

  it('is open to orders that improve the worst case', async () => {
    const rig = await lateInTheDay(true);
    expect(rig.venue.open()).toHaveLength(1);
    expect(rig.venue.betslipsToday).toBe(49);
  });

  it('is paced, too, and never exceeds what the exchange allows', async () => {
    const rig = new OrderManagerRig({
      reduces: () => true,
      venue: { betslipLifeMs: 1_000 },
      options: { durationS: 5, betslips: { dailyReserve: 6, lifeMs: 1_000, refreshLeadMs: 0 } },
    });
    rig.venue.betslipsToday = 4;
    rig.venue.fault = (method) => (method === 'refreshBetslip' ? { kind: 'not-sent' } : null);
    await rig.start();
    for (let round = 0; round < 20; round++) {
      rig.desire(quote({ tick: 110 + 3 * round }));
      await rig.advance(30_000);
    }
    expect(rig.venue.betslipsToday).toBe(1);
  });

  it('is counted separately, over restarts too', async () => {
    let reduces = true;
    const rig = new OrderManagerRig({
      reduces: () => reduces,
      venue: { betslipLifeMs: 1_000 },
      options: {
        durationS: 5,
        betslips: { perDay: 36, burst: 2, dailyReserve: 10, lifeMs: 1_000, refreshLeadMs: 0 },
      },
    });
    rig.venue.fault = (method) => (method === 'refreshBetslip' ? { kind: 'not-sent' } : null);
    const asked = (): number => rig.store.records.filter(({ kind }) => kind === 'betslip_requested').length;
    const quoteFor = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        rig.desire(quote({ tick: 110 + 3 * (round % 20) }));
        await rig.advance(30_000);
      }
    };
    await rig.start();
    await quoteFor(20);
    // Two are free, and half of the reserve may be used at once.
    expect(asked()).toBe(2 + 5);
    await rig.restart();
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
    const rig = new SimulatedRig({
      seed: 1,
      outcomes,
      settings: { openBetslipCap: 5 },
      reduces: (betType) => betType === reducing,
      options: { durationS: 20, betslips: { openCap: 5, perDay: 2_000, burst: 60, dailyReserve: 0 } },
    });
    const quoteAt = (outcome: string, direction: 'for' | 'against', shift: number) => ({
      selectionId: rig.selection(outcome),
      direction,
      stakeMicros: 10_000_000,
      level: 0,
      tick: (direction === 'for' ? 101 : 97) + shift,
      valueMicrosPerS: outcome === 'odd' ? 1 : 100,
    });
    const sides = outcomes.flatMap((outcome) => [[outcome, 'for'] as const, [outcome, 'against'] as const]);
    rig.begin();
    await rig.clock.advance(3_000);
    let upToDate = 0;
    for (let round = 0; round < 60; round++) {
      rig.desire(sides.map(([outcome, direction]) => quoteAt(outcome, direction, 3 * (round % 2))));
      await rig.clock.advance(30_000);
      const wanted = LADDER[97 + 3 * (round % 2)];
      if (rig.openOrders().some(({ betType, price }) => betType === 'against,odd' && price === wanted))
        upToDate++;
    }
    rig.kill();
    return upToDate;
  };
  const [reducing, ordinary] = [await rounds('against,odd'), await rounds('none')];
  expect(reducing).toBeGreaterThan(ordinary + 10);
});

/** The published limit less the client's margin. */
const OF_THE_DAY = 1_980;
const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,2.5', 'ah,h,-4', 'ah,h,0', 'ah,h,4', 'odd', 'even'];

/** Twenty sides, or those of some outcomes, wanted with `left` betslips for the day. */
async function withLeft(
  left: number,
  reduces: (betType: string) => boolean,
  outcomes: readonly string[] = OUTCOMES,
): Promise<SimulatedRig> {
  const rig = new SimulatedRig({ seed: 1, outcomes: OUTCOMES, reduces, betslipsBefore: OF_THE_DAY - left });
  rig.begin();
  await rig.clock.advance(5_000);
  desireSides(rig, outcomes);
  return rig;
}

/** Wants both sides of each outcome. The last ones are worth the least. */
function desireSides(rig: SimulatedRig, outcomes: readonly string[]): void {
  const sideOf = (outcome: string, direction: Direction) => ({
    selectionId: rig.selection(outcome),
    direction,
    stakeMicros: 10_000_000,
    level: 0,
    tick: direction === 'for' ? 101 : 97,
    valueMicrosPerS: outcome.includes('ah') ? 1 : 100,
  });
  rig.desire(outcomes.flatMap((outcome) => DIRECTIONS.map((direction) => sideOf(outcome, direction))));
}

const waitingFor = ({ manager }: SimulatedRig): string[] =>
  (manager?.status().waiting ?? []).map(({ code }) => code);

const asked = ({ store }: SimulatedRig): string[] =>
  store.records
    .filter(({ kind }) => kind === 'betslip_requested')
    .map(({ data }) => (data as { readonly betType: string }).betType);

describe('a betslip that the client would refuse to send', () => {
  it.each([0, 1, 49, 50, 51, 60, 69, 70, 71, 79, 80, 81])('is not requested with %i left', async (left) => {
    const rig = await withLeft(left, () => false);
    await rig.clock.advance(10_000);
    const sent = Math.min(20, Math.max(0, left - 50));
    expect(rig.openOrders()).toHaveLength(sent);
    expect(waitingFor(rig)).toEqual(Array.from({ length: 20 - sent }, () => 'betslip_budget'));
    rig.kill();
  });

  it.each([20, 50, 60, 79])('is sent with %i left when it reduces', async (left) => {
    const rig = await withLeft(left, () => true);
    await rig.clock.advance(10_000);
    expect(rig.openOrders()).toHaveLength(20);
    rig.kill();
  });

  it('is withdrawn when it waits behind reducing ones that use up the day', async () => {
    const isHandicap = (name: string): boolean => name.includes('ah');
    const others = OUTCOMES.filter((outcome) => !isHandicap(outcome));
    const rig = await withLeft(60, isHandicap, others);
    await rig.clock.advance(100);
    desireSides(rig, OUTCOMES);
    await rig.clock.advance(1_900);
    expect(waitingFor(rig)).toContain('betslip_creating');
    await rig.clock.advance(13_000);
    expect(waitingFor(rig)).not.toContain('betslip_creating');
    expect(rig.openOrders().filter(({ betType }) => betType.includes('ah'))).toHaveLength(6);
    // Six that do not reduce went at once, and the other four are now blocked.
    expect(rig.openOrders()).toHaveLength(12);
    rig.kill();
  });

  it('moves to the front when it becomes reducing while it waits', async () => {
    let reduces = false;
    const late = async (): Promise<number> => {
      const rig = await withLeft(OF_THE_DAY, (betType) => reduces && betType === 'against,even');
      await rig.clock.advance(100);
      reduces = true;
      await rig.clock.advance(5_000);
      reduces = false;
      rig.kill();
      return asked(rig).indexOf('against,even');
    };
    expect(await late()).toBeLessThan(12);
  });
});
