import type { Trader } from '../sim/trader.ts';
import type { Round } from './round.ts';

/** Milliseconds in a second. */
export const S = 1_000;

/** A drain, and the requests before it that were not answered. */
const DRAINED_MS = 40 * S;

/** Starts a trader and waits until it has placed so many orders. */
export async function trading(round: Round, name: string, orders = 10): Promise<Trader> {
  const trader = round.trader(name);
  await round.begin(trader);
  await round.until(`${orders} orders of the ${name}`, () => round.referee.ordersOf(trader).length >= orders);
  return trader;
}

/** As SIGTERM, until the process is gone. */
export async function stop(round: Round, trader: Trader): Promise<void> {
  trader.stop();
  await round.until(`the ${trader.name} has ended`, () => trader.run === null, DRAINED_MS);
}

/** A second on a disk of its own, or on a copy of the first's. */
export function secondOf(round: Round, first: Trader): Trader {
  return round.random.next() < 0.5 ? round.copyOf(first, 'copy') : round.trader('second');
}

/** What the status of one that waits for another has to name: its installation, or that the journal is a copy. */
export function nameOf(other: Trader, waiting: Trader): readonly string[] {
  const { installation = '' } = other.run?.claim ?? {};
  return waiting.run?.claim.installation === installation ? ['copy of this journal'] : [installation];
}

/** Waits for the first order of a trader; a miss when it comes later than `dueMs`. Answers its monotonic instant. */
export async function firstOrder(
  round: Round,
  trader: Trader,
  sinceMs: number,
  dueMs: number,
): Promise<number> {
  const hasPlaced = (): boolean => round.firstOrderMs(trader, sinceMs) !== null;
  await round.until(`an order of the ${trader.name}`, hasPlaced, dueMs - round.nowMs);
  return round.firstOrderMs(trader, sinceMs) ?? Infinity;
}
