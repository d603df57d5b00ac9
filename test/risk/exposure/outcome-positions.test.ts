import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { worstMicros } from '../../../src/hedge/book.ts';
import { withBets } from '../../../src/hedge/legs.ts';
import { EventBets, type MarketKnowledge } from '../../../src/risk/exposure/event-bets.ts';
import { outcomePositions } from '../../../src/risk/exposure/outcome-positions.ts';
import { OUTCOME } from '../../../src/risk/exposure/payoffs.ts';
import type { Bet } from '../../../src/risk/index.ts';
import { betsOf } from '../../support/account.ts';
import { learnGrids, profitAt, type RandomBet, randomBet, show } from '../support/books.ts';
import { ask, bench, FACTS, fillOf, FIXTURE, live } from '../support/harness.ts';

const betOf = (order: PlaceOrder): Bet => {
  const { selectionId, direction } = fillOf(order, 1);
  return { ...order, selectionId, direction };
};

const placed = ({ betType, priceKind, price, stake }: RandomBet): PlaceOrder =>
  ask({ betType, priceKind, price, stake });

describe('the positions of an event', () => {
  it('are none without bets, and none where open orders are all there is', () => {
    const { risk } = bench();
    learnGrids(risk, ['for,h']);
    expect(risk.outcomePositions(FIXTURE, [])).toBeNull();
    risk.onOrder(live(ask()));
    expect(risk.outcomePositions(FIXTURE, [betOf(ask())])).toEqual({ groups: [], further: [null] });
  });

  it('have every score of what is matched, and what a stake of 1 on a further bet adds, of every kind of price', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { minLength: 1, maxLength: 8 }), randomBet, (bets, further) => {
        const { risk } = bench();
        const matched = bets.map((bet) => ({ ...bet, kind: 'matched' as const }));
        learnGrids(
          risk,
          [...matched, further].map(({ betType }) => betType),
        );
        for (const bet of matched) show(risk, bet);
        const positions = risk.outcomePositions(FIXTURE, [betOf(placed(further))]);
        const [group] = positions?.groups ?? [];
        const [bet] = positions?.further ?? [];
        if (group === undefined || bet === undefined || bet === null) return;
        for (const [home, away] of [
          [0, 0],
          [1, 0],
          [0, 2],
          [3, 3],
          [19, 19],
        ] as const) {
          const cell = home * 20 + away;
          const profit = matched.reduce(
            (sum, each) => sum + profitAt({ ...each, stakeMicros: Math.round(each.stake * 1e6) }, home, away),
            0,
          );
          // Half outcomes are rounded against us, by at most a micro a bet.
          expect(Math.abs((group.micros[cell] as number) - profit)).toBeLessThanOrEqual(matched.length);
          const perUnit = profitAt({ ...further, stakeMicros: 1e6 }, home, away) / 1e6;
          expect(bet.perUnit[cell]).toBeCloseTo(perUnit, 5);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('agree with the exposure of the account before and after a further bet', () => {
    fc.assert(
      fc.property(fc.array(randomBet, { minLength: 1, maxLength: 6 }), randomBet, (bets, further) => {
        const { risk } = bench();
        const matched = bets.map((bet) => ({ ...bet, kind: 'matched' as const }));
        learnGrids(
          risk,
          [...matched, further].map(({ betType }) => betType),
        );
        for (const bet of matched) show(risk, bet);
        const positions = risk.outcomePositions(FIXTURE, [betOf(placed(further))]);
        const [bet] = positions?.further ?? [];
        if (positions === null || bet === undefined || bet === null) return;
        expect(worstMicros(positions.groups)).toBe(risk.accountExposure().worstMicros);
        show(risk, { ...further, kind: 'matched' });
        const leg = { ...bet, ...betOf(placed(further)), tick: 0 };
        const filled = withBets(
          positions.groups,
          [{ leg: leg as never, stakeMicros: Math.round(further.stake * 1e6) }],
          'all',
        );
        expect(Math.abs(worstMicros(filled) - risk.accountExposure().worstMicros)).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
  });

  it('have the runners of a winner market, and one that has no bet yet', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => 'win' };
    const lay = (runner: number) => ask({ betType: `against,win,${runner}`, price: 4 });
    for (const runner of [1, 2]) betsOf(world.risk).report(fillOf(lay(runner), 10));
    const positions = world.risk.outcomePositions(FIXTURE, [
      betOf(ask({ betType: 'for,win,3', price: 5 })),
      betOf(lay(2)),
    ]);
    expect(positions?.groups).toMatchObject([
      { kind: 'runners', micros: Float64Array.of(-30e6, 10e6, -30e6, 10e6, 0, 0) },
    ]);
    expect(positions?.further).toMatchObject([
      { group: 0, perUnit: Float64Array.of(0, 0, 0, 0, 4, -1), ofSelection: { win: 4, lose: -1 } },
      { group: 0, perUnit: Float64Array.of(0, 0, -3, 1, 0, 0), ofSelection: { win: -3, lose: 1 } },
    ]);
    expect(worstMicros(positions?.groups ?? [])).toBe(world.risk.accountExposure().worstMicros);
  });

  it('keep selections apart that nothing links', () => {
    const world = bench();
    world.facts = { ...FACTS, marketTypeOf: () => null };
    const [held, other] = [ask({ betType: 'for,x' }), ask({ betType: 'for,y' })];
    betsOf(world.risk).report(fillOf(held, 10));
    const positions = world.risk.outcomePositions(FIXTURE, [betOf(held), betOf(other)]);
    expect(positions?.groups).toMatchObject([{ kind: 'runners', micros: Float64Array.of(10e6, -10e6) }]);
    expect(positions?.further[1]).toBeNull();
    expect(positions?.further[0]).toMatchObject({ group: 0, perUnit: Float64Array.of(1, -1) });
  });
});

it('count those final scores alone that are still possible', () => {
  const homeWins = Uint8Array.from({ length: 400 }, (_, cell) =>
    Math.floor(cell / 20) > cell % 20 ? OUTCOME.win : OUTCOME.loss,
  );
  const knowledge: MarketKnowledge = {
    outcomes: () => homeWins,
    isAwaited: () => false,
    winnerMarket: () => null,
  };
  const bets = new EventBets(FIXTURE, knowledge, new Map());
  bets.put('bet', betOf(ask()), true);
  bets.setReachable(Uint8Array.from({ length: 400 }, (_, cell) => Number(cell >= 40)));
  const [group] = outcomePositions(bets, [])?.groups ?? [];
  expect(group?.kind === 'scores' && group.reachable.length).toBe(360);
  expect(worstMicros(group === undefined ? [] : [group])).toBe(bets.worst());
});
