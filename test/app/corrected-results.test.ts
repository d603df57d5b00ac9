import { expect, it } from 'vitest';
import type { VenueOrder } from '../../src/domain/orders.ts';
import type { Settlement } from '../../src/ledger/index.ts';
import { dayWithBet } from '../support/day-with-bet.ts';

it('a result that the exchange corrects stays corrected over a restart, and is written down once', async () => {
  const { day } = await dayWithBet();
  const listing = day.run.composed.parts.venue.orders({ pageSize: 100 });
  await day.pass(1_000);
  const order = (await listing).find(({ bets }) => bets.length > 0) as VenueOrder;
  const told = (profitLossMicros: number): void =>
    day.run.composed.parts.riskDesk.onOwnOrder({
      ...{ ...order, closed: true, status: 'reconciled', profitLossMicros },
    });
  for (const profitLossMicros of [7e6, 7e6, -3e6, -3e6]) told(profitLossMicros);
  const written = Array.from(day.run.composed.journal.ofKind('bets_settled'), ({ data }) => data as never);
  expect(written.map(({ profitLossMicros }: Settlement) => profitLossMicros)).toEqual([7e6, -3e6]);
  await day.crash();
  await day.begin(false);
  expect(day.run.composed.parts.ledger.profitLoss(() => null).realisedMicros).toBe(-3e6);
});
