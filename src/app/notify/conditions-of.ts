import type { Conditions } from '../../notify/conditions.ts';
import type { Status } from '../../read-model/status.ts';

/** What the notifications read of a run, besides its status. */
export interface RunState {
  readonly status: Status;
  /** The reason of a kill; null if there is none. */
  readonly killed: string | null;
  readonly journalFailed: boolean;
  /** Wall-clock instants of the causes that are known. */
  readonly sinceMs?: Conditions['sinceMs'];
}

/** Returns a function that gives the state of the run to the notifications; null while the run stops. */
export function conditionsReader(read: () => RunState): () => Conditions | null {
  let hadHeartbeat = false;
  return () => {
    const { status, killed, journalFailed, sinceMs } = read();
    if (status.stopping !== null) return null;
    const { previousRun, oldestUnknownOrderS, quoting, limits } = status;
    const isProven = status.heartbeatRemainingS !== null;
    hadHeartbeat ||= isProven;
    return {
      killed,
      journalFailed,
      ...(sinceMs && { sinceMs }),
      conventionContradicted: status.priceConvention?.contradiction ?? null,
      hasStarted: status.state !== 'starting',
      // A killed run lets go of its heartbeat once everything is closed.
      heartbeatLost: hadHeartbeat && !isProven && killed === null,
      ordersLeftByCrash: previousRun?.how === 'not clean' ? previousRun.ordersLeft : 0,
      oldestUnknownOrderS,
      notQuotingS: quoting.notQuotingS,
      limits,
      strategies: status.strategies.map(({ name, errors, lastError }) => ({
        name,
        errors: sumOf(Object.values(errors)),
        last: lastError === null ? null : `${lastError.kind}: ${lastError.message}`,
      })),
      totals: {
        ordersPlaced: status.ordersPlaced,
        ordersRefused: status.ordersRefused,
        fills: status.fills,
        stakeMatched: status.stakeMatched,
        profit: status.profitLoss,
      },
    };
  };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
