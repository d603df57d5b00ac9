import type { Micros } from '../domain/money.ts';
import type { Ledger } from '../ledger/index.ts';
import type { StrategiesRead } from './strategies.ts';

/**
 * Splits the account's total by the strategies that own its events. The first strategy gets the rest: parlays, which belong to no
 * event, and events without an owner.
 */
export function profitLossByOwner(
  totalMicros: Micros,
  ledger: Pick<Ledger, 'judgedOn'>,
  strategies: Pick<StrategiesRead, 'names' | 'absentOwners' | 'ownerOf'>,
): ReadonlyMap<string, Micros> {
  const [first = '', ...others] = [...strategies.names, ...strategies.absentOwners()];
  const byOwner = new Map<string, Micros>([[first, totalMicros]]);
  let restMicros = totalMicros;
  for (const name of others) {
    const micros = ledger.judgedOn((event) => strategies.ownerOf(event) === name);
    byOwner.set(name, micros);
    restMicros -= micros;
  }
  return byOwner.set(first, restMicros);
}
