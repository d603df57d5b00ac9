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
