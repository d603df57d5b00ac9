import type { Conditions } from '../../notify/conditions.ts';
import type { Status } from '../../read-model/status.ts';

/** What the notifications read of a run, besides its status. */
export interface RunState {
  readonly status: Status;
  /** The reason of a kill; null if there is none. */
  readonly killed: string | null;
  readonly journalFailed: boolean;
}

/** Returns a function that gives the state of the run to the notifications; null while the run stops. */
export function conditionsReader(read: () => RunState): () => Conditions | null {
  let hadHeartbeat = false;
  return () => {
    const { status, killed, journalFailed } = read();
    if (status.stopping !== null) return null;
    const isProven = status.heartbeatRemainingS !== null;
    hadHeartbeat ||= isProven;
    return {
      ...{ killed, journalFailed },
      hasStarted: status.runningS > 0,
      // A killed run lets go of its heartbeat once everything is closed.
      heartbeatLost: hadHeartbeat && !isProven && killed === null,
      ordersLeftByCrash: ordersLeftBy(status),
      ...troublesOf(status),
      strategies: status.strategies.map(({ name, errors, lastError }) => ({
        ...{ name, errors: sumOf(Object.values(errors)) },
        last: lastError === null ? null : `${lastError.kind}: ${lastError.message}`,
      })),
      totals: {
        ...{ ordersPlaced: status.ordersPlaced, ordersRefused: status.ordersRefused },
        ...{ fills: status.fills, stakeMatched: status.stakeMatched, profit: status.profitLoss },
      },
    };
  };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Parts of the status that it may lack. What is absent is not judged. */
interface Judged extends Status {
  readonly oldestUnknownOrderS?: number | null;
  readonly quoting?: { readonly notQuotingS: number | null };
  readonly limits?: Conditions['limits'];
  readonly previousRun?: { readonly how: string; readonly ordersLeft: number } | null;
}

function troublesOf(status: Judged): Pick<Conditions, 'oldestUnknownOrderS' | 'notQuotingS' | 'limits'> {
  return {
    oldestUnknownOrderS: status.oldestUnknownOrderS ?? null,
    notQuotingS: status.quoting?.notQuotingS ?? null,
    limits: status.limits ?? [],
  };
}

const ordersLeftBy = ({ previousRun }: Judged): number =>
  previousRun?.how === 'not clean' ? previousRun.ordersLeft : 0;
