import { expect, it } from 'vitest';
import { residualMicros, settledIn } from '../../../scripts/soak/money.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { BetId, EventId, OrderId, Sport } from '../../../src/domain/ids.ts';
import { RiskMemory, type SettledBets } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';

it('leaves nothing over if settled results explain the balance', () => {
  const money = { startMicros: 100_000_000, balanceMicros: 97_500_001, settledMicros: -2_499_999 };
  expect(residualMicros(money)).toBe(0);
});

it('leaves over what the exchange has paid and the daemon has not booked', () => {
  expect(residualMicros({ startMicros: 5, balanceMicros: 9, settledMicros: 3 })).toBe(1);
  expect(residualMicros({ startMicros: 5, balanceMicros: 9, settledMicros: 6 })).toBe(-2);
});

function settled(orderId: number, profitLossMicros: number, more: Partial<SettledBets> = {}): SettledBets {
  const event = { sport: 'fb' as Sport, eventId: 'e' as EventId };
  return { orderId: orderId as OrderId, ...event, profitLossMicros, betIds: [orderId as BetId], ...more };
}

it('counts the last result of each order, and none of a reopened one', () => {
  const journal = createMemoryJournal(new VirtualClock());
  const memory = new RiskMemory(journal);
  for (const record of [
    settled(1, 500),
    settled(2, -300),
    settled(3, 1_000),
    settled(4, 0, { betIds: [] }),
    settled(2, -200),
    settled(3, 0, { now: 'reopened' }),
    settled(5, 70),
    settled(5, 0, { now: 'taken back' }),
  ])
    memory.saveSettled(record);
  expect(settledIn(journal)).toEqual({ orders: 3, micros: 300 });
});
