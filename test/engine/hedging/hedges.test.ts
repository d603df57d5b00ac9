import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../src/domain/events.ts';
import { eventId } from '../../../src/domain/ids.ts';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import { Hedges, orderOf, quotesBeside } from '../../../src/engine/hedging/hedges.ts';
import type { HedgeBet, PlannedHedge } from '../../../src/engine/hedging/terms.ts';
import { FIXTURE, HOME, liveOrder } from '../../market/support.ts';

const BET: HedgeBet = {
  selectionId: HOME,
  direction: 'against',
  priceKind: 'lay-for',
  tick: 100,
  way: 'take',
  stakeMicros: 10e6,
};
const OTHER: EventName = { ...FIXTURE, eventId: eventId('2026-11-21,7,8') };

function commanded(...bets: readonly HedgeBet[]): Hedges {
  const hedges = new Hedges();
  hedges.take({ id: 'p1', event: FIXTURE, bets, lifeMs: 30_000 }, 1_000);
  return hedges;
}

describe('the quotes beside a hedge', () => {
  const back = { selectionId: HOME, direction: 'for', tick: 100, stakeMicros: 1e6, level: 0 } as const;
  const quote = (direction: 'for' | 'against', tick: number) => ({ ...back, direction, tick });

  it('are those that it would not match', () => {
    const quotes = [quote('against', 99), quote('against', 100), quote('against', 120), quote('for', 90)];
    expect(quotesBeside([back], quotes)).toEqual([quote('against', 99), quote('for', 90)]);
    const lay = { ...back, direction: 'against' } as const;
    expect(quotesBeside([lay], [quote('for', 101), quote('for', 100), quote('for', 90)])).toEqual([
      quote('for', 101),
    ]);
    expect(quotesBeside([{ ...back, selectionId: 'fb|1|x' as never }], quotes)).toEqual(quotes);
  });
});

const changed = (take: string, changes: Partial<LiveOrder> = {}): LiveOrder =>
  liveOrder({
    take: { id: take, hedge: take.split('/')[0] as string, fairProbability: null, reduces: true },
    ...changes,
  });

it.each([
  ['take', 30_000],
  ['offer', 600_000],
] as const)('a planned %s is wanted for %d ms, with the stakes and terms of its legs', (way, lifeMs) => {
  const leg = { ...BET, betType: 'against,h', lossPerUnit: 0.1, availableMicros: 99e6 };
  const planned = { kind: 'planned', event: FIXTURE, way, legs: [{ leg, stakeMicros: 7e6 }] };
  expect(orderOf(planned as object as PlannedHedge, 'p1')).toEqual({
    id: 'p1',
    event: FIXTURE,
    lifeMs,
    bets: [{ ...BET, way, stakeMicros: 7e6 }],
  });
});

describe('the bets of a hedge', () => {
  it('are wanted on its event until their time is over, each as one order', () => {
    const hedges = commanded(BET, { ...BET, way: 'offer', tick: 90 });
    expect(hedges.intentsOn(FIXTURE, 30_999)).toEqual([
      {
        selectionId: HOME,
        direction: 'against',
        priceKind: 'lay-for',
        tick: 100,
        stakeMicros: 10e6,
        level: 0,
        take: 'p1/0',
        hedge: 'p1',
        reason: 'hedge p1',
      },
      expect.objectContaining({ tick: 90, take: 'p1/1', mode: 'make_and_take', lifetimeS: 30 }),
    ]);
    expect(hedges.intentsOn(OTHER, 1_000)).toEqual([]);
    expect(hedges.intentsOn(FIXTURE, 31_000)).toEqual([]);
  });

  it('are not wanted again once their order has ended, whatever it matched', () => {
    const hedges = commanded(BET, BET);
    hedges.onOrder(changed('p1/0', { state: 'live', filledMicros: 4e6 }));
    expect(hedges.intentsOn(FIXTURE, 2_000)).toHaveLength(2);
    expect(hedges.progressOf('p1')?.bets.map(({ state, filledMicros }) => [state, filledMicros])).toEqual([
      ['sent', 4e6],
      ['wanted', 0],
    ]);
    hedges.onOrder(changed('p1/0', { state: 'closed', filledMicros: 4e6 }));
    expect(hedges.intentsOn(FIXTURE, 2_000).map(({ take }) => take)).toEqual(['p1/1']);
    expect(hedges.progressOf('p1')?.bets[0]).toMatchObject({ state: 'ended', filledMicros: 4e6 });
  });

  it('are not mistaken for the takes of strategies, nor for those of another hedge', () => {
    const hedges = commanded(BET);
    for (const take of ['mine', 'p2/0', 'p1/1']) hedges.onOrder(changed(take, { state: 'closed' }));
    hedges.onOrder(liveOrder({ state: 'closed' }));
    expect(hedges.intentsOn(FIXTURE, 2_000)).toHaveLength(1);
    expect(hedges.progressOf('p2')).toBeNull();
  });

  it('end with the next hedge of their event, unless that one is to stand beside them', () => {
    const hedges = commanded(BET);
    hedges.take({ id: 'p2', event: FIXTURE, bets: [BET], lifeMs: 9_000, isBeside: true }, 2_000);
    hedges.take({ id: 'p3', event: OTHER, bets: [BET], lifeMs: 9_000 }, 2_000);
    expect(hedges.intentsOn(FIXTURE, 2_000).map(({ take }) => take)).toEqual(['p1/0', 'p2/0']);
    hedges.take({ id: 'p4', event: FIXTURE, bets: [BET], lifeMs: 9_000 }, 3_000);
    expect(hedges.intentsOn(FIXTURE, 3_000).map(({ take }) => take)).toEqual(['p4/0']);
    expect(hedges.intentsOn(OTHER, 3_000)).toHaveLength(1);
    expect([hedges.isAtWorkOn(FIXTURE, 3_000), hedges.isAtWorkOn(FIXTURE, 12_000)]).toEqual([true, false]);
  });

  it('wake their event', () => {
    const hedges = new Hedges();
    const woken: EventName[] = [];
    hedges.wake$.subscribe((event) => woken.push(event));
    hedges.take({ id: 'p1', event: FIXTURE, bets: [BET], lifeMs: 1 }, 0);
    expect(woken).toEqual([FIXTURE]);
  });
});

describe('a kill', () => {
  it('ends the hedges that were commanded, on every event, and leaves a hedge to the strategy that wants it', () => {
    const hedges = commanded(BET);
    hedges.take({ id: 'p2', event: OTHER, bets: [BET], lifeMs: 600_000 }, 1_000);
    hedges.takeOfStrategy({ id: 's1', event: FIXTURE, bets: [BET], lifeMs: 30_000 }, 1_000);
    hedges.endCommanded(2_000);
    expect(hedges.intentsOn(OTHER, 2_000)).toEqual([]);
    expect(hedges.intentsOn(FIXTURE, 2_000).map(({ take }) => take)).toEqual(['s1/0']);
    expect([hedges.isAtWorkOn(OTHER, 2_000), hedges.progressOf('p2')?.untilMs]).toEqual([false, 2_000]);
  });
});
