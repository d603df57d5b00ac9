import type { Trader } from '../sim/trader.ts';
import type { Round } from './round.ts';

/** Milliseconds per second. */
export const S = 1_000;

/** A drain, and the requests before it that were not answered. */
const DRAINED_MS = 40 * S;

/** Starts a trader and waits until it has placed this many orders. */
export async function trading(round: Round, name: string, orders = 10): Promise<Trader> {
  const trader = round.trader(name);
  await round.begin(trader);
  await round.until(`${orders} orders of the ${name}`, () => round.referee.ordersOf(trader).length >= orders);
  return trader;
}

/** Stops a trader as SIGTERM does, until the process is gone. */
export async function stop(round: Round, trader: Trader): Promise<void> {
  trader.stop();
  await round.until(`the ${trader.name} has ended`, () => trader.run === null, DRAINED_MS);
}

/** Starts a second trader on its own disk, or on a copy of the first's. */
export function secondOf(round: Round, first: Trader): Trader {
  return round.random.next() < 0.5 ? round.copyOf(first, 'copy') : round.trader('second');
}

/** The status of a waiting trader names this: the other's installation, or that the journal is a copy. */
export function nameOf(other: Trader, waiting: Trader): readonly string[] {
  const { installation = '' } = other.run?.claim ?? {};
  return waiting.run?.claim.installation === installation ? ['copy of this journal'] : [installation];
}

/** A guard keeps quotes away from an event for a while after its position differed. */
const GUARDED_MS = 600 * S;

/**
 * Fills that the exchange has not reported yet, of another installation's orders, keep quotes away from their events.
 */
const isGuarded = ({ run }: Trader): boolean =>
  run?.composed.core.risk.guards.active().some(({ guard }) => guard === 'position_mismatch') ?? false;

/** When an order is due, the instant from which its time counts, and the name of the figure. */
export interface Due {
  readonly sinceMs: number;
  readonly dueMs: number;
  readonly countedFromMs: number;
  readonly figure: string;
}

/**
 * Waits for a trader's first order since an instant. The round misses when the order is too late, unless the position
 * guard holds it back, which is counted separately.
 */
export async function firstOrder(
  round: Round,
  trader: Trader,
  { sinceMs, dueMs, countedFromMs, figure }: Due,
): Promise<void> {
  const placedMs = (): number | null => round.firstOrderMs(trader, sinceMs);
  const isDecided = (): boolean => placedMs() !== null || (round.nowMs >= dueMs - 1 && isGuarded(trader));
  await round.until(`an order of the ${trader.name}`, isDecided, dueMs - round.nowMs);
  const atMs = placedMs();
  if (atMs !== null) return round.figure(figure, 'most', (atMs - countedFromMs) / S);
  round.figure('kept back by the guard of positions', 'sum', 1);
  await round.until(`an order of the ${trader.name}`, () => placedMs() !== null, GUARDED_MS);
}
