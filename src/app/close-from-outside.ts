import { OrderClosed } from '../venue/index.ts';
import type { ExchangeClient } from '../venue/index.ts';
import type { OrderId } from '../domain/ids.ts';
import { uuidOfUserData } from '../orders/api.ts';
import type { Clock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import type { KillRecord } from '../risk/index.ts';
import { openSqliteJournal } from '../storage/sqlite-journal.ts';
import type { Config } from './config/load.ts';
import { killFileOf, openJournal, permitBeside } from './open-journal.ts';
import { isPermitNoted, latchBesideJournal } from './risk-desk/kill-latch.ts';
import { Permit } from './risk-desk/permit.ts';
import { EMPTY_SNAPSHOT, RiskMemory } from './risk-desk/risk-memory.ts';

/** Passes over the list of open orders: one that was being created during the first shows up in the next. */
const PASSES = 3;

/**
 * Closes every open order that carries our mark, as the exchange lists them; for when no daemon does it. Answers how
 * many were closed and how many are still open. One that cannot be closed keeps none of the others open; while any is
 * open after such a failure, it rejects with what the exchange or the network said.
 */
export async function closeOwnOrders(
  exchange: ExchangeClient,
): Promise<{ readonly closed: number; readonly open: number }> {
  const closed = new Set<OrderId>();
  const failures: unknown[] = [];
  let open = await ownOpenOrders(exchange);
  for (let pass = 0; pass < PASSES && open.length > 0; pass++) {
    for (const id of open) {
      const result = await close(exchange, id).catch((error: unknown) => void failures.push(error));
      if (result === true) closed.add(id);
    }
    open = await ownOpenOrders(exchange);
  }
  if (open.length > 0 && failures.length > 0) throw failures[0];
  return { closed: closed.size, open: open.length };
}

async function ownOpenOrders(exchange: ExchangeClient): Promise<OrderId[]> {
  const ids: OrderId[] = [];
  for await (const order of exchange.allOrders({ statuses: ['open', 'pending'] }, { priority: 'urgent' })) {
    if (uuidOfUserData(order.userData) !== null) ids.push(order.orderId);
  }
  return ids;
}

async function close(exchange: ExchangeClient, id: OrderId): Promise<boolean> {
  try {
    await exchange.orders.close(id, { priority: 'urgent' });
    return true;
  } catch (error) {
    if (error instanceof OrderClosed) return false;
    throw error;
  }
}

/**
 * Leaves word that the next daemon must not trade: in the journal, or, when another process holds it or it cannot be
 * written, in the permit beside it or the kill file. Answers where, null when nowhere. Never throws: orders have to be
 * closed all the same.
 */
export function latchFromOutside(config: Config, record: KillRecord, clock: Clock): string | null {
  const { path } = config.journal;
  if (path !== '' && latchInJournal(path, record, clock)) return 'journal';
  // Beside a journal in memory there is nothing that the next daemon could find.
  const permit = path === '' ? null : new Permit(permitBeside(path));
  const permitIsNoted = (): boolean => isPermitNotedIn(path, clock);
  return latchBesideJournal(record, {
    ...{ permit, permitIsNoted, killFile: killFileOf(config), logger: silentLogger },
  });
}

/** Reads what another process may hold. */
function isPermitNotedIn(path: string, clock: Clock): boolean {
  try {
    const journal = openSqliteJournal(path, clock);
    try {
      return isPermitNoted(new RiskMemory(journal));
    } finally {
      journal.close();
    }
  } catch {
    return false;
  }
}

function latchInJournal(path: string, record: KillRecord, clock: Clock): boolean {
  try {
    const opened = openJournal(path, clock);
    try {
      const memory = new RiskMemory(opened.journal);
      const snapshot = memory.load().snapshot ?? EMPTY_SNAPSHOT;
      memory.save({ ...snapshot, kill: snapshot.kill ?? record });
    } finally {
      opened.release();
    }
    return true;
  } catch {
    return false;
  }
}
