import { writeFileSync } from 'node:fs';
import { OrderClosed } from '../venue/index.ts';
import type { ExchangeClient } from '../venue/index.ts';
import type { OrderId } from '../domain/ids.ts';
import { TouchlineError } from '../domain/errors.ts';
import { uuidOfUserData } from '../orders/api.ts';
import type { Clock } from '../ports/clock.ts';
import type { KillRecord, RiskSnapshot } from '../risk/index.ts';
import type { Config } from './config/load.ts';
import { openJournal } from './open-journal.ts';
import { RiskMemory } from './risk-desk/risk-memory.ts';

const EMPTY: RiskSnapshot = { kill: null, states: [], results: [] };

/** Passes over the list of open orders: one that was being created during the first shows up in the next. */
const PASSES = 3;

/**
 * Closes every open order that carries our mark, as the exchange lists them; for when no daemon does it. Answers how
 * many were closed and how many are still open. Rejects with what the exchange or the network said.
 */
export async function closeOwnOrders(
  exchange: ExchangeClient,
): Promise<{ readonly closed: number; readonly open: number }> {
  const closed = new Set<OrderId>();
  let open = await ownOpenOrders(exchange);
  for (let pass = 0; pass < PASSES && open.length > 0; pass++) {
    for (const id of open) if (await close(exchange, id)) closed.add(id);
    open = await ownOpenOrders(exchange);
  }
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
 * Leaves word that the next daemon must not trade: in the journal, or, when another process holds it, in the kill file.
 * Answers where, null when neither could be written.
 */
export function latchFromOutside(
  config: Config,
  record: KillRecord,
  clock: Clock,
): 'journal' | 'kill file' | null {
  if (latchInJournal(config.journal.path, record, clock)) return 'journal';
  if (config.ops.killFile === '') return null;
  writeFileSync(config.ops.killFile, `${record.reason}\n`);
  return 'kill file';
}

function latchInJournal(path: string, record: KillRecord, clock: Clock): boolean {
  if (path === '') return false;
  try {
    const opened = openJournal(path, clock);
    try {
      const memory = new RiskMemory(opened.journal);
      const snapshot = memory.load().snapshot ?? EMPTY;
      memory.save({ ...snapshot, kill: snapshot.kill ?? record });
    } finally {
      opened.release();
    }
    return true;
  } catch (error) {
    if (error instanceof TouchlineError) return false;
    throw error;
  }
}
