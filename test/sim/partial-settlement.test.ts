import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { PartPaid } from './partial-settlement.ts';

const RESULTS_MS = 100_000;

const order = (orderId: number, eventId: string, status = 'done', sport = 'fb'): InspectedOrder =>
  ({ orderId, sport, eventId, status, fills: [{}] }) as unknown as InspectedOrder;

/** Two orders on each of two events that are over. */
function begin(): PartPaid {
  const partPaid = new PartPaid({ isDecided: () => true, resultsMs: RESULTS_MS, takenBackMs: 0 });
  partPaid.after([order(1, 'e1'), order(2, 'e1'), order(3, 'e2'), order(4, 'e2')], 0, 0);
  return partPaid;
}

const paid = (orderId: number, eventId: string): InspectedOrder => order(orderId, eventId, 'reconciled');

it('omits what is paid of an event until all of it is paid, whatever is paid of others', () => {
  const partPaid = begin();
  expect(partPaid.after([paid(1, 'e1')], -7, 1_000)).toEqual([]);
  expect(partPaid.after([paid(3, 'e2')], 5, 2_000)).toEqual([]);
  expect(partPaid.paidMicros).toBe(-2);
  expect(partPaid.after([paid(2, 'e1')], 4, 3_000)).toEqual([paid(1, 'e1'), paid(2, 'e1')]);
  expect(partPaid.paidMicros).toBe(5);
});

it('omits nothing of another sport that shares the event id', () => {
  const partPaid = begin();
  const half = order(5, 'e1', 'done', 'fb_ht');
  partPaid.after([half], 0, 0);
  const paidHalf = { ...half, status: 'reconciled' };
  expect(partPaid.after([paidHalf], 3, 1_000)).toEqual([paidHalf]);
  expect(partPaid.paidMicros).toBe(0);
});

it('counts everything where two events are paid at once', () => {
  const partPaid = begin();
  partPaid.after([paid(1, 'e1')], -7, 1_000);
  const counted = partPaid.after([paid(2, 'e1'), paid(3, 'e2')], 9, 2_000);
  expect(new Set(counted)).toEqual(new Set([paid(1, 'e1'), paid(2, 'e1'), paid(3, 'e2')]));
  expect(partPaid.paidMicros).toBe(0);
});

it('waits no longer than the payment of a whole event may take', () => {
  const partPaid = begin();
  partPaid.after([paid(1, 'e1')], -7, 1_000);
  expect(partPaid.after([], 0, 1_000 + RESULTS_MS)).toEqual([]);
  expect(partPaid.after([], 0, 1_001 + RESULTS_MS)).toEqual([paid(1, 'e1')]);
  expect(partPaid.paidMicros).toBe(0);
});
