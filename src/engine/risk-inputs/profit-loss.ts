import type { Micros } from '../../domain/money.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Strategies } from '../strategies.ts';

/**
 * The account's total by the strategies that own the events. The first strategy has the rest: what is of no event, as parlays are,
 * and of events that nobody owns.
 */
export function profitLossByOwner(
  totalMicros: Micros,
  ledger: Pick<Ledger, 'judgedOn'>,
  strategies: Pick<Strategies, 'names' | 'absentOwners' | 'ownerOf'>,
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
