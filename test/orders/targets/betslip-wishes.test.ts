import { describe, expect, it } from 'vitest';
import type { EventKey } from '../../../src/domain/ids.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import type { IntentKey } from '../../../src/domain/quote-intent.ts';
import { BetslipWishes } from '../../../src/orders/targets/betslip-wishes.ts';
import type { Judge, MarketPlacing } from '../../../src/orders/targets/judge.ts';
import type { Targets } from '../../../src/orders/targets/targets.ts';

const [EVENT, OTHER] = ['fb|1', 'fb|2'] as EventKey[] as [EventKey, EventKey];

function rig() {
  let reduces = false;
  let asked = 0;
  const judge = { reduces: () => (asked++, reduces) } as Partial<Judge> as Judge;
  const targets = {
    of: (event: EventKey) => ({ intents: new Map([[`${event} quote`, {}]]) }),
    valueOf: () => 0,
  } as object as Targets;
  const wishes = new BetslipWishes(judge, targets);
  const want = (event: EventKey, need: 'order' | 'placing' = 'order', betslipType?: 'lay'): void =>
    wishes.want(
      {
        key: `${event} quote` as IntentKey,
        intent: { selectionId: event },
        market: { sport: 'fb', eventId: event, betType: 'for,h', betslipType },
      } as unknown as MarketPlacing,
      need,
    );
  const judged = (): readonly boolean[] => wishes.all().map((wish) => wish.reduces);
  return { wishes, want, judged, asked: () => asked, set: (value: boolean) => (reduces = value) };
}

it.each([false, true])(
  'whether a quote reduces is asked once, and again when its event’s risk may have changed: %s',
  (first) => {
    const { wishes, want, judged, asked, set } = rig();
    set(first);
    want(EVENT);
    want(OTHER);
    expect([judged(), judged(), asked()]).toEqual([[first, first], [first, first], 2]);
    set(!first);
    wishes.forgetRisk(EVENT);
    expect([judged(), asked()]).toEqual([[!first, first], 3]);
  },
);

type Orders = Parameters<BetslipWishes['serve']>[1];

const order = (level: number, need: 'next' | 'placing', betslipType?: 'lay'): Orders[number] =>
  ({
    key: `${EVENT} ${level}`,
    selection: EVENT,
    need,
    market: { sport: 'fb', eventId: EVENT, betType: 'for,h', betslipType },
  }) as unknown as Orders[number];

describe('a new plan is due', () => {
  it.each<[string, (given: ReturnType<typeof rig>) => void, boolean]>([
    ['if a quote is wanted that was not', ({ want }) => want(OTHER), true],
    ['not if it is wanted as before', ({ want }) => want(EVENT), false],
    ['if its order has begun', ({ want }) => want(EVENT, 'placing'), true],
    ['if it needs the betslip of another market', ({ want }) => want(EVENT, 'order', 'lay'), true],
    ['if it needs none any more', ({ wishes }) => wishes.delete(`${EVENT} quote` as IntentKey), true],
    ['not if another needs none', ({ wishes }) => wishes.delete('x' as IntentKey), false],
    ['not if only risk may have changed', ({ wishes }) => wishes.forgetRisk(EVENT), false],
    [
      'not for the same orders',
      ({ wishes }) => wishes.serve(EVENT, [order(1, 'next'), order(2, 'placing')]),
      false,
    ],
    [
      'if an order is there by now',
      ({ wishes }) => wishes.serve(EVENT, [order(1, 'next'), order(2, 'next')]),
      true,
    ],
    [
      'if an order is another',
      ({ wishes }) => wishes.serve(EVENT, [order(1, 'next'), order(3, 'placing')]),
      true,
    ],
    [
      'if there is one more',
      ({ wishes }) =>
        wishes.serve(
          EVENT,
          [1, 2, 3].map((at) => order(at, at === 2 ? 'placing' : 'next')),
        ),
      true,
    ],
    [
      'if one is there on another market',
      ({ wishes }) => wishes.serve(EVENT, [order(1, 'next', 'lay'), order(2, 'placing')]),
      true,
    ],
    ['if there is one less', ({ wishes }) => wishes.serve(EVENT, [order(1, 'next')]), true],
    ['if none is left', ({ wishes }) => wishes.serve(EVENT, []), true],
    ['not if another event goes on to have none', ({ wishes }) => wishes.serve(OTHER, []), false],
  ])('%s', (_, change, isDue) => {
    const given = rig();
    given.want(EVENT);
    given.wishes.serve(EVENT, [order(1, 'next'), order(2, 'placing')]);
    expect(given.wishes.isChanged).toBe(true);
    given.wishes.take();
    expect(given.wishes.isChanged).toBe(false);
    change(given);
    expect(given.wishes.isChanged).toBe(isDue);
    given.wishes.all();
    expect(given.wishes.isChanged).toBe(isDue);
  });
});

it('has a wish for each quote and order that is there, and none for those that are gone', () => {
  const { wishes, want } = rig();
  const needs = (): unknown =>
    wishes.all().map(({ need, placing, market: { betslipType } }) => [need, placing !== null, betslipType]);
  want(EVENT);
  want(OTHER, 'placing', 'lay');
  wishes.serve(EVENT, [order(1, 'next'), order(2, 'placing')]);
  expect(needs()).toEqual([
    ['order', true, undefined],
    ['placing', false, 'lay'],
    ['next', false, undefined],
    ['placing', false, undefined],
  ]);
  wishes.serve(EVENT, []);
  wishes.delete(`${EVENT} quote` as IntentKey);
  expect(needs()).toEqual([['placing', false, 'lay']]);
});

it('only a quote that needs its own betslip counts as reducing, and is asked anew when it is wanted anew', () => {
  const { want, judged, asked, set } = rig();
  set(true);
  want(EVENT, 'placing');
  expect([judged(), asked()]).toEqual([[false], 0]);
  want(EVENT);
  expect([judged(), asked()]).toEqual([[true], 1]);
  set(false);
  want(EVENT);
  expect([judged(), asked()]).toEqual([[false], 2]);
});

describe('a betslip on standby', () => {
  const market = (event: string) => ({ sport: 'fb', eventId: event, betType: 'for,h' }) as BetslipRequest;

  it('is wanted before any quote, as for an order that reduces, until it is wanted no more', () => {
    const { wishes, want } = rig();
    want(EVENT);
    wishes.standBy([market('1')]);
    const [, standing] = wishes.take();
    expect(standing).toMatchObject({ need: 'order', reduces: true, isSendable: true, placing: null });
    expect(standing?.foresee(true)).toBeNull();
    expect(standing?.value).toBeGreaterThan(1e12);
    wishes.standBy([]);
    expect([wishes.isChanged, wishes.take().length]).toEqual([true, 1]);
  });

  it('makes a new plan due only when other markets are on standby', () => {
    const { wishes } = rig();
    wishes.standBy([market('1'), market('1')]);
    expect([wishes.isChanged, wishes.take().length]).toEqual([true, 1]);
    wishes.standBy([market('1')]);
    expect(wishes.isChanged).toBe(false);
    wishes.standBy([market('2')]);
    expect(wishes.isChanged).toBe(true);
  });
});
