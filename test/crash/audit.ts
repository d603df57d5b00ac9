import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { fold, type FoldedState } from '../../src/orders/journal/fold.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { isOurs, type SimOrder } from '../support/own-orders.ts';

/** Reads the content of the journal. Throws JournalError when a record is damaged or missing. */
export function readJournal(path: string): FoldedState {
  const journal = openSqliteJournal(path, systemClock);
  try {
    return fold(journal.read());
  } finally {
    journal.close();
  }
}

/** Returns the broken rules among those that hold while no process runs, whenever it died. */
export function auditIdentity(orders: readonly SimOrder[], journal: FoldedState): string[] {
  const ours = orders.filter(isOurs);
  const uuids = ours.map((order) => order.request_uuid);
  const problems = ours
    .filter((order) => !journal.orders.has(order.request_uuid as never))
    .map((order) => `order ${order.order_id} is not in the journal`);
  if (new Set(uuids).size !== uuids.length) problems.push('a request_uuid made two orders');
  const standing = new Map<string, number>();
  for (const order of ours.filter(({ closed }) => !closed)) {
    standing.set(order.bet_type, (standing.get(order.bet_type) ?? 0) + 1);
  }
  return problems;
}

/** Returns the broken rules among those that hold after the last run has drained. */
export function auditBooks(orders: readonly SimOrder[], journal: FoldedState): string[] {
  const problems: string[] = [];
  const ours = orders.filter(isOurs);
  for (const order of ours) {
    if (!order.closed) problems.push(`order ${order.order_id} is still open`);
    for (const fill of order.fills) {
      const booked = journal.fills.get(fill.bet_id as never);
      if (booked === undefined) problems.push(`fill ${fill.bet_id} is not booked`);
      else if (Math.abs(booked.stakeMicros - fill.stake * 1e6) > 1)
        problems.push(`fill ${fill.bet_id} differs`);
    }
  }
  const fills = ours.reduce((sum, order) => sum + order.fills.length, 0);
  if (journal.fills.size !== fills)
    problems.push(`${journal.fills.size} fills booked, ${fills} on the exchange`);
  return problems;
}
