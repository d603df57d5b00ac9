import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { WorstCases } from './worst-case.ts';

const backed = (orderId: number, sport: string, betType: string): InspectedOrder =>
  ({
    orderId,
    requestUuid: `${orderId}`,
    sport,
    eventId: 'e1',
    betType,
    closed: true,
    stakeMicros: 10e6,
    filledMicros: 10e6,
    price: 2,
    fills: [{ price: 2, stakeMicros: 10e6, voided: false }],
  }) as unknown as InspectedOrder;

it('settles sports that share an event id by the score of each, and lets none hedge another', () => {
  const worst = new WorstCases();
  const orders = [backed(1, 'fb', 'for,h'), backed(2, 'fb_ht', 'against,h'), backed(3, 'fb', 'against,h')];
  expect([...worst.after(orders)].map(({ event, worstMicros }) => [event.sport, worstMicros])).toEqual([
    ['fb', 0],
    ['fb_ht', -10e6],
  ]);
});

it('leaves out the final scores that a score has made impossible, also after it went back', () => {
  let score: readonly [number, number] = [0, 0];
  const worst = new WorstCases(() => score);
  const orders = [backed(1, 'fb', 'for,over,2.5'), backed(2, 'fb_ht', 'for,h')];
  const losses = (): number[] => [...worst.after(orders)].map(({ worstMicros }) => worstMicros);
  expect(losses()).toEqual([-10e6, -10e6]);
  score = [2, 1];
  expect(losses()).toEqual([0, -10e6]);
  score = [1, 1];
  expect(losses()).toEqual([0, -10e6]);
});
