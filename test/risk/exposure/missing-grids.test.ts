import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betType, sport } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { ACCOUNT } from '../../../src/risk/index.ts';
import { learnGrids } from '../support/books.ts';
import { ask, type Bench, bench, codesOf, fillOf, FOOTBALL } from '../support/harness.ts';
import { runs } from '../support/share.ts';
import { betsOf } from '../../support/account.ts';

const LIMIT_USDT = 400;
const LIMITS = {
  order: { maxStakeUsdt: LIMIT_USDT, maxLiabilityUsdt: LIMIT_USDT },
  worstCase: { selectionUsdt: LIMIT_USDT, eventUsdt: LIMIT_USDT },
  collar: { adverseProbability: 0.999, adverseLogOdds: 50, awayLogOdds: 50, driftProbability: 0.999 },
  throttle: { duplicateWindowS: 0, ordersPerMinute: 1_000_000, repeatedFills: 1_000_000 },
};
/** Home, its opposite (draw or away), and both sides of 2.5 goals. Bets on each pair cancel. */
const OUTCOMES = ['h', 'dc,d,a', 'over,2.5', 'under,2.5'];

function tell({ risk }: Bench, outcomes: readonly string[] = OUTCOMES): void {
  learnGrids(
    risk,
    outcomes.map((outcome) => `for,${outcome}`),
  );
}

const worstUsdt = ({ risk }: Bench): number => risk.accountExposure().worstMicros / 1e6;

/** A run that has just received these bets, and no payoff grid. */
function restarted(fills: readonly Fill[]): Bench {
  const world = bench(LIMITS);
  for (const fill of fills) betsOf(world.risk).report(fill);
  return world;
}

const LAID = OUTCOMES.map((outcome) => fillOf(ask({ betType: `against,${outcome}` }), 390));

describe('while payoff grids of held positions are missing', () => {
  it('no order that only seems to reduce passes the limits', () => {
    const world = restarted(LAID);
    const back = ask({ betType: 'for,h', stake: 390 });
    expect(world.risk.reduces(back)).toBe(false);
    expect(codesOf(world.risk, back)).toContain('event_worst_case');
    tell(world);
    expect(worstUsdt(world)).toBe(0);
  });

  it('nothing counts as reducing where only reducing is allowed', () => {
    const world = restarted(LAID);
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    expect(codesOf(world.risk, ask({ betType: 'for,h', stake: 1 }))).toContain('reducing_only');
  });

  it('orders within the limits are let through', () => {
    const world = restarted(LAID.slice(0, 1).map((fill) => ({ ...fill, stakeMicros: 100e6 })));
    expect(codesOf(world.risk, ask({ betType: 'for,dc,d,a', stake: 50 }))).toEqual([]);
    expect(codesOf(world.risk, ask({ betType: 'for,over,2.5', stake: 50 }))).toEqual([]);
  });

  it('an order that closes the only held selection reduces', () => {
    const world = restarted(LAID.slice(0, 1));
    const back = ask({ betType: 'for,h', stake: 390 });
    expect(world.risk.reduces(back)).toBe(true);
    betsOf(world.risk).report(fillOf(ask({ sport: sport('fb_ht'), betType: 'for,d' }), 10));
    expect(world.risk.reduces(back)).toBe(true);
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,d' }), 10));
    expect(world.risk.reduces(back)).toBe(false);
  });

  it.each(OUTCOMES)(
    'nothing reduces for certain while one grid is awaited, whichever it is: %s',
    (awaited) => {
      const world = restarted(LAID);
      const setNone = (outcome: string): void =>
        world.risk.setNoGrid(betType(`against,${outcome}`), FOOTBALL);
      const reduces = (): readonly boolean[] =>
        OUTCOMES.map((outcome) => world.risk.reduces(ask({ betType: `for,${outcome}`, stake: 100 })));
      for (const outcome of OUTCOMES) if (outcome !== awaited) setNone(outcome);
      expect(reduces()).toEqual([false, false, false, false]);
      setNone(awaited);
      expect(reduces()).toEqual([true, true, true, true]);
    },
  );

  it('an order reduces again once the last grid arrives, or the exchange has none', () => {
    const world = restarted(LAID);
    const back = ask({ betType: 'for,h', stake: 100 });
    tell(world, OUTCOMES.slice(0, 3));
    expect(world.risk.reduces(back)).toBe(false);
    world.risk.setNoGrid(betType('against,under,2.5'), FOOTBALL);
    expect(world.risk.wantsGrid(FOOTBALL, betType('against,under,2.5'))).toBe(false);
    // The sum of the bets, with the bet without a grid on its own.
    expect(worstUsdt(world)).toBe(-780);
    expect(world.risk.reduces(ask({ betType: 'for,under,2.5', stake: 100 }))).toBe(true);
    expect(codesOf(world.risk, ask({ betType: 'for,under,2.5', stake: 100 }))).toEqual([]);
  });
});

it('loses no more than the limit on orders placed before the grids arrive', () => {
  const order = fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    direction: fc.constantFrom('for', 'against'),
    stake: fc.integer({ min: 50, max: 390 }),
    /** The number of grids that arrive before the order. */
    grids: fc.integer({ min: 0, max: 3 }),
  });
  const orders = fc.array(order, { maxLength: 12 });
  fc.assert(
    fc.property(orders, orders, (earlier, later) => {
      const first = bench(LIMITS);
      tell(first);
      const fills: Fill[] = [];
      const place = (world: Bench, { outcome, direction, stake }: (typeof earlier)[number]): void => {
        const wanted = ask({ betType: `${direction},${outcome}`, stake });
        if (!world.risk.approve(wanted).ok) return;
        world.risk.release(wanted.requestUuid);
        fills.push(fillOf(wanted, stake));
        betsOf(world.risk).report(fills.at(-1)!);
      };
      for (const each of earlier) place(first, each);
      const second = restarted(fills);
      for (const each of later.toSorted((a, b) => a.grids - b.grids)) {
        tell(second, OUTCOMES.slice(0, each.grids));
        place(second, each);
      }
      tell(second);
      expect(worstUsdt(second)).toBeGreaterThanOrEqual(-LIMIT_USDT);
    }),
    runs(200),
  );
});
