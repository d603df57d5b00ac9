import { type Clock, sleep } from '../../ports/clock.ts';

/** The requests of the watchdog. None rejects. */
export interface ClosingExchange {
  /** Closes our open orders and lists again. Resolves to how many the exchange still lists; null if it did not tell. */
  closeOurs(): Promise<number | null>;
  /** Keeps the heartbeat alive. Resolves to whether the exchange did it. */
  refreshHeartbeat(): Promise<boolean>;
  /** Deletes the heartbeat, which closes no order. Resolves to whether it is gone. */
  deleteHeartbeat(): Promise<boolean>;
}

export interface ClosingReport {
  /** Our orders that are still open; null if the exchange did not tell. */
  readonly openOrders: number | null;
  readonly heartbeatDeleted: boolean;
}

/** The list is read this often, so that an order that lands is closed soon. Takes a tenth of the account's requests. */
const ROUND_MS = 500;
/** The part of its timeout after which the heartbeat is refreshed. */
const REFRESH_RATIO = 0.2;
/** Time for the exchange's own closing, after the heartbeat has certainly expired. */
const AFTER_EXPIRY_MS = 10_000;

/**
 * Closes our orders until none is open and none can land any more, then deletes the heartbeat.
 *
 * The heartbeat is refreshed only while none of our orders is open. So it guards orders that still land, and its expiry does not
 * close orders of others on the account. While our orders stay open it runs out, and the exchange closes them. Once it must have
 * run out, waiting is of no use: this resolves without a confirmation, and leaves the heartbeat alone.
 *
 * By the monotonic instant `landedByMs` the last create request has landed, or never will. `heartbeatMs` is the timeout of the
 * heartbeat. `onRound` is called in each round.
 */
export async function closeUntilLanded(
  exchange: ClosingExchange,
  clock: Clock,
  landedByMs: number,
  heartbeatMs: number,
  onRound?: () => void,
): Promise<ClosingReport> {
  const refreshEveryMs = heartbeatMs * REFRESH_RATIO;
  let refreshMs = -Infinity;
  let expiresByMs = clock.monotonicMs() + heartbeatMs;
  for (;;) {
    onRound?.();
    const askedMs = clock.monotonicMs();
    const openOrders = await exchange.closeOurs();
    if (openOrders === 0 && askedMs >= landedByMs)
      return { openOrders, heartbeatDeleted: await exchange.deleteHeartbeat() };
    const nowMs = clock.monotonicMs();
    if (nowMs >= Math.max(landedByMs, expiresByMs) + AFTER_EXPIRY_MS)
      return { openOrders, heartbeatDeleted: false };
    if (openOrders === 0 && nowMs >= refreshMs) {
      // The exchange may have refreshed it even if the answer was lost.
      expiresByMs = nowMs + heartbeatMs;
      refreshMs = (await exchange.refreshHeartbeat()) ? nowMs + refreshEveryMs : nowMs;
    }
    await sleep(clock, Math.max(0, askedMs + ROUND_MS - clock.monotonicMs()));
  }
}
