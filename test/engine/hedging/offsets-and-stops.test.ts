/** Offsets of fills at every kind of price, and stops of several selections: reckoned from what bets pay. */
import { describe, expect, it } from 'vitest';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { directionOfKind, PRICE_KINDS, type PriceKind, profitOf } from '../../../src/domain/odds.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { HedgeWatch } from '../../../src/engine/hedging/hedge-watch.ts';
import type { HedgeBet, HedgeWish } from '../../../src/engine/hedging/terms.ts';
import { NO_RULES } from '../../../src/hedge/rules.ts';
import { FILL, FIXTURE, HOME, prices } from '../../market/support.ts';

const AT = { monotonicMs: 100_000, wallMs: Date.UTC(2026, 10, 21, 15) };

describe('the offset of a fill', () => {
  function offsetOf(fill: Fill, offsetTicks: number): HedgeBet | undefined {
    const planned: HedgeBet[] = [];
    const core = {
      hedging: {
        planBet: (_: unknown, bet: HedgeBet) => (planned.push(bet), { kind: 'refused', why: 'no more' }),
      },
    };
    const rules = { ...NO_RULES, offsetTicks };
    new HedgeWatch(core as never, { standBy: () => undefined }, rules).onFill(fill, AT);
    return planned[0];
  }

  const fillAt = (priceKind: PriceKind, price: number): Fill => ({
    ...FILL,
    requestUuid: 'u' as never,
    priceKind,
    price,
    direction: directionOfKind(priceKind),
    stakeMicros: 40e6,
  });

  const cases = PRICE_KINDS.flatMap((kind) =>
    [1.5, 2, 2.5, 6].flatMap((price) => [1, 4].map((ticks) => [kind, price, ticks] as const)),
  );

  it.each(cases)('earns the same in both outcomes: %s at %d, %d ticks', (priceKind, price, ticks) => {
    const fill = fillAt(priceKind, price);
    const bet = offsetOf(fill, ticks);
    if (bet === undefined) throw new Error('no offset');
    const profits = [WIN, LOSS].map(
      (settlement) =>
        profitOf(priceKind, fill.stakeMicros, price, settlement) +
        profitOf(bet.priceKind, bet.stakeMicros, priceOf(bet.tick), settlement),
    );
    expect(Math.min(...profits)).toBeGreaterThan(0);
    // A stake in whole cents leaves a difference of less than a cent's contracts.
    expect(Math.abs((profits[0] ?? NaN) - (profits[1] ?? NaN))).toBeLessThan(10_000 * priceOf(bet.tick) + 1);
    expect([bet.direction, bet.way, bet.selectionId]).toEqual([
      directionOfKind(bet.priceKind),
      'offer',
      HOME,
    ]);
    expect(bet.direction).not.toBe(fill.direction);
  });

  it.each(PRICE_KINDS)('never loses where the fill was between two ticks: %s', (priceKind) => {
    const fill = fillAt(priceKind, 2.015);
    const bet = offsetOf(fill, 3);
    if (bet === undefined) throw new Error('no offset');
    for (const settlement of [WIN, LOSS])
      expect(
        profitOf(priceKind, fill.stakeMicros, fill.price, settlement) +
          profitOf(bet.priceKind, bet.stakeMicros, priceOf(bet.tick), settlement),
      ).toBeGreaterThan(0);
  });
});

describe('the stops of an event', () => {
  const DRAW = HOME.replace(/h$/, 'd') as SelectionId;
  const AWAY = HOME.replace(/h$/, 'a') as SelectionId;
  const backed = (stake: number, price: number) => ({
    ifWinMicros: stake * (price - 1) * 1e6,
    ifLoseMicros: -stake * 1e6,
  });
  const laid = (stake: number, price: number) => ({
    ifWinMicros: -stake * (price - 1) * 1e6,
    ifLoseMicros: stake * 1e6,
  });
  type Position = ReturnType<typeof backed>;

  /** The selections that are flattened, of those with these positions, where takers get these prices for and against. */
  function stopped(
    held: ReadonlyMap<SelectionId, readonly [Position, forBest: number, againstBest: number]>,
  ): readonly SelectionId[] {
    const wishes: HedgeWish[] = [];
    const core = {
      risk: { heldEvents: () => [FIXTURE], eventRisk: () => null },
      hedging: { plan: (wish: HedgeWish) => (wishes.push(wish), { kind: 'refused', why: 'no' }) },
      hedges: { isAtWorkOn: () => false },
      ledger: {
        position: (id: SelectionId) => held.get(id)?.[0],
        selectionsOn: () => [...held.keys()],
      },
      market: {
        event: () => undefined,
        marketOf: (id: SelectionId) => {
          const [, forBest = 2, againstBest = 2] = held.get(id) ?? [];
          return { for: prices([forBest, 100]), against: prices([againstBest, 100]) };
        },
      },
      strategies: { ownerOf: () => 'a strategy' },
    };
    const rules = { ...NO_RULES, stopTicks: 3 };
    new HedgeWatch(core as never, { standBy: () => undefined }, rules).look(AT);
    return wishes.flatMap(({ goal }) => (goal.kind === 'flatten' ? [goal.selectionId] : []));
  }

  it.each<readonly [string, Position, forBest: number, againstBest: number, isStopped: boolean]>([
    // Backed at 2.00: to be laid at three ticks of 0.02 above, or more.
    ['backed, to be laid higher', backed(10, 2), 2.02, 2.06, true],
    ['backed, to be laid nearly so high', backed(10, 2), 2.02, 2.04, false],
    ['backed, to be laid lower', backed(10, 2), 1.5, 1.6, false],
    ['laid, to be backed lower', laid(10, 2), 1.97, 2.1, true],
    ['laid, to be backed nearly so low', laid(10, 2), 1.98, 2.1, false],
    ['laid, to be backed higher', laid(10, 2), 2.5, 2.6, false],
    ['won both ways', { ifWinMicros: 5e6, ifLoseMicros: 1e6 }, 1.1, 9, false],
    ['lost both ways', { ifWinMicros: -5e6, ifLoseMicros: -1e6 }, 1.1, 9, false],
    ['without a loss', { ifWinMicros: 5e6, ifLoseMicros: 0 }, 1.1, 9, false],
  ])('concern a position that is %s', (_, position, forBest, againstBest, isStopped) => {
    expect(stopped(new Map([[HOME, [position, forBest, againstBest]]]))).toEqual(isStopped ? [HOME] : []);
  });

  it('are each of its own position and its own prices', () => {
    const held = new Map<SelectionId, readonly [Position, number, number]>([
      [HOME, [backed(10, 2), 2.02, 2.04]],
      [DRAW, [laid(10, 3), 2.5, 3.1]],
      [AWAY, [backed(10, 5), 5.5, 6]],
    ]);
    expect(stopped(held)).toEqual([DRAW, AWAY]);
  });
});
