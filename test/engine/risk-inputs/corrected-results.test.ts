import { expect, it } from 'vitest';
import { LAY_PRICES } from '../../../src/domain/exchange-prices.ts';
import type { BetId, OrderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import type { OrderResult } from '../../../src/domain/settlement.ts';
import type { SettledBets } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { foreignFill, matchedBet, type MatchedBet } from '../../../src/account/fills.ts';
import type { CalmDay } from '../../support/calm-day.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

/** The exchange reports an order of ours. */
const tell = (day: CalmDay, order: VenueOrder): void =>
  void day.run.composed.core.account.apply({ kind: 'report', order, atMs: day.world.clock.wallMs() });

async function orderWithBet(day: CalmDay): Promise<VenueOrder> {
  const listing = day.run.composed.parts.venue.orders({ pageSize: 100 });
  await day.pass(1_000);
  return (await listing).orders.find(({ bets }) => bets.length > 0) as VenueOrder;
}

it('keeps a result that the exchange corrected over a restart, and records it once', async () => {
  const { day } = await dayWithBet();
  const order = await orderWithBet(day);
  const report = (profitLossMicros: number): void =>
    tell(day, { ...order, closed: true, status: 'reconciled', profitLossMicros });
  for (const profitLossMicros of [7e6, 7e6, -3e6, -3e6]) report(profitLossMicros);
  const written = Array.from(day.run.composed.journal.ofKind('bets_settled'), ({ data }) => data as never);
  expect(written.map(({ profitLossMicros }: OrderResult) => profitLossMicros)).toEqual([7e6, -3e6]);
  await day.crash();
  await day.begin(false);
  expect(day.run.composed.parts.core.ledger.profitLoss(() => null).realisedMicros).toBe(-3e6);
});

it('remembers over restarts that a settled order without a result was voided or reopened', async () => {
  const { day } = await dayWithBet();
  const order = await orderWithBet(day);
  const { orderId } = order;
  const word = (told: Partial<VenueOrder>): void => tell(day, { ...order, closed: true, ...told });
  const settled = (status: string): void => word({ status, profitLossMicros: 0 });
  const resultAfterRestart = async (): Promise<number | null> => {
    await day.crash();
    await day.begin(false);
    // The event is not over yet, so this changes only an order that was voided.
    word({ status: 'done', profitLossMicros: null });
    return day.run.composed.core.account.bets.resultOf(orderId)?.profitLossMicros ?? null;
  };
  for (const status of ['full_void', 'reconciled', 'reconciled']) settled(status);
  expect(await resultAfterRestart()).toBe(0);
  for (const status of ['full_void', 'full_void']) settled(status);
  expect(await resultAfterRestart()).toBeNull();
  const written = Array.from(day.run.composed.journal.ofKind('bets_settled'), ({ data }) => data as never);
  expect(written.map(({ now }: SettledBets) => now)).toEqual([
    'taken back',
    undefined,
    'taken back',
    'reopened',
  ]);
});

it('counts a bet nowhere when it is first reported after its order was settled, also after a restart', async () => {
  const { day } = await dayWithBet();
  const order = await orderWithBet(day);
  const fill = foreignFill(
    matchedBet(order.bets[0] as VenueOrder['bets'][number]) as MatchedBet,
    null,
    LAY_PRICES,
    0,
  );
  const settled = { ...order, closed: true, status: 'reconciled', profitLossMicros: 0 };
  tell(day, settled);
  const counts = (betId: number): readonly unknown[] => {
    const { core, parts } = day.run.composed;
    const grossMicros = (): number => day.run.composed.core.risk.exposure().account.grossMicros;
    const before = grossMicros();
    core.account.apply({ kind: 'bet', fill: { ...fill, betId: betId as BetId } });
    return [parts.core.ledger.selections(), grossMicros() - before];
  };
  const nothing = [[], 0];
  expect(counts(990_000_000_001)).toEqual(nothing);
  await day.crash();
  await day.begin(false);
  expect(counts(990_000_000_002)).toEqual(nothing);
});

it.each([
  ['reported with it', true],
  ['reported without it', false],
])(
  'counts a bet nowhere after a restart when a late report follows the void of its order, %s',
  async (_, isReported) => {
    const { day } = await dayWithBet();
    const order = await orderWithBet(day);
    const orderId = 990_000_000_003 as OrderId;
    const bet = { ...order.bets[0], betId: 990_000_000_004, orderId } as VenueOrder['bets'][number];
    const takenBack = isReported ? [{ ...bet, statusCode: 'void' }] : [];
    const voided = {
      ...order,
      orderId,
      userData: null,
      status: 'full_void',
      profitLossMicros: 0,
      bets: takenBack,
    };
    const { readModel, parts: earlier } = day.run.composed;
    const { orders, core } = earlier;
    const { ledger } = core;
    const fillsBefore = readModel.fills;
    const entries = [
      { tag: 'order', order: { ...voided, closed: true } },
      { tag: 'bet', bet },
    ] as const;
    orders.onSignal({ kind: 'frame', epoch: 99, sentMs: null, receivedMonotonicMs: 0, entries });
    await day.pass(100);
    expect(readModel.fills).toBe(fillsBefore + 1);
    const { selectionId } = foreignFill(matchedBet(bet) as MatchedBet, null, LAY_PRICES, 0);
    const position = ledger.position(selectionId);
    await day.crash();
    await day.begin(false);
    const { parts, core: after } = day.run.composed;
    expect(parts.core.ledger.position(selectionId)).toEqual(position);
    expect(after.risk.exposure().account.grossMicros).toBe(Math.abs(position.ifWinMicros));
  },
);
