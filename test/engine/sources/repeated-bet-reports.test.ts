import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../../src/simulator/core/api.ts';
import { dayWithBet } from '../../support/day-with-bet.ts';

const HOUR_MS = 3_600_000;
const RESULT = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

it('books a bet once when the exchange reports it again days after its result', async () => {
  const { day, market } = await dayWithBet();
  const { exchange, wires } = day.world;
  await day.pass(5_000);
  for (let times = 0; times < 2; times++) market.take('for', 4);
  await day.pass(60_000);
  const isHalf = ({ fills }: InspectedOrder): boolean => fills.length === 2;
  const [taken, stands] =
    exchange
      .inspect()
      .orders.find(isHalf)
      ?.fills.map(({ betId }) => betId) ?? [];
  const restart = async (awayMs: number): Promise<void> => {
    await day.stop();
    await day.pass(awayMs);
    await day.begin(false);
  };
  await restart(54 * HOUR_MS);
  const { ledger } = day.run.composed.core;
  market.intervene({ kind: 'end', result: RESULT });
  await day.until('settled', () => ledger.selections().length === 0);
  for (const awayMs of [24 * HOUR_MS, 60_000]) await restart(awayMs);
  wires.host.run((nowMs) => exchange.markBet(taken as number, 'void', nowMs));
  await day.pass(500);
  const booked = Array.from(
    day.run.composed.journal.ofKind('fill_booked'),
    ({ data }) => (data as { readonly fill: { readonly betId: number } }).fill.betId,
  );
  expect(booked.filter((betId) => betId === stands)).toHaveLength(1);
});
