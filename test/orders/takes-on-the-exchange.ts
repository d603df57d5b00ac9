import { expect } from 'vitest';
import { tickOf } from '../../src/domain/ladder.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { integerBetween } from '../../src/lib/random.ts';
import { factOf } from '../../src/orders/journal/records.ts';
import { SimulatedRig } from '../support/simulated-rig.ts';

/** A take at 1.90, the price of 1,000 USDT of others. */
export const takeOf = (rig: SimulatedRig, id: string, over: Partial<QuoteIntent> = {}): QuoteIntent => ({
  selectionId: rig.selection('h'),
  direction: 'for',
  tick: tickOf(1.9) as number,
  stakeMicros: toMicros(10),
  level: 0,
  take: id,
  ...over,
});

/** The exchange's orders by the id of their take, as the journal knows it. */
function ordersByTake(rig: SimulatedRig): ReadonlyMap<string, number> {
  const ids = new Map<string, string>();
  for (const fact of rig.store.records.map(factOf))
    if (fact.kind === 'order_intended' && fact.place.take !== undefined)
      ids.set(fact.uuid, fact.place.take.id);
  const counts = new Map<string, number>();
  for (const { userData } of rig.ours()) {
    const id = [...ids].find(([uuid]) => userData?.includes(uuid) === true)?.[1];
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/**
 * Kills the manager at points of the life of takes, and starts it again on the same journal. Every id is wanted in every run. Returns
 * how many takes reached the exchange.
 */
export async function crashAroundTakes(seed: number, crashes: number): Promise<number> {
  const rig = new SimulatedRig({ seed, outcomes: ['h', 'd'] });
  for (let crash = 0; crash < crashes; crash++) {
    rig.begin();
    const wanted = Array.from(
      { length: 4 },
      (_, back) => `take ${Math.max(0, Math.floor(crash / 2) - back)}`,
    );
    rig.desire([...new Set(wanted)].map((id) => takeOf(rig, id)));
    await rig.clock.advance(integerBetween(rig.random, 1, 5_000));
    rig.desire([...new Set(wanted)].map((id) => takeOf(rig, id)));
    await rig.clock.advance(integerBetween(rig.random, 1, 300));
    rig.kill();
    const twice = [...ordersByTake(rig)].filter(([, orders]) => orders > 1);
    expect([seed, crash, twice]).toEqual([seed, crash, []]);
    if (crash % 10 === 9) await rig.clock.advance(70_000);
  }
  expect(rig.fatals).toEqual([]);
  return ordersByTake(rig).size;
}
