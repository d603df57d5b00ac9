import { IN_MEMORY } from '../../engine/kill/kill-latch.ts';

/** The result of a kill. `openOrders` counts our orders that are still open; null if that could not be found out. */
export interface KillReport {
  readonly by: 'daemon' | 'command';
  readonly openOrders: number | null;
  /** Where the next daemon finds the kill; `IN_MEMORY` if no daemon will. */
  readonly latchedIn: string | null;
  /** Full path at which the command found no journal. */
  readonly noJournalAt?: string | null;
  /** The process that holds the journal and did not take the kill. */
  readonly holder?: string;
}

function keptIn(place: string | null): string {
  if (place === IN_MEMORY) return 'kept for this run alone: its journal is in memory';
  return place === null ? 'NOT LATCHED: a daemon that starts will trade' : `latched in ${place}`;
}

/** How a kill is kept, phrased for the end of a sentence. */
export function latchOf({ latchedIn, noJournalAt }: Pick<KillReport, 'latchedIn' | 'noJournalAt'>): string {
  const kept = keptIn(latchedIn);
  return typeof noJournalAt === 'string' ? `; ${kept}; there is no journal at ${noJournalAt}` : `; ${kept}`;
}

/** The result of a kill in one line, for people. */
export function killInWords(report: KillReport): string {
  const { by, openOrders } = report;
  const who = by === 'daemon' ? 'the daemon is killed' : 'no daemon took it: closed our orders from here';
  const left =
    openOrders === 0 ? 'none of our orders is open' : `${openOrders ?? 'unknown how many'} still open`;
  const rest =
    report.holder === undefined ? '' : `; ${report.holder} holds the journal and may hang: see that it ends`;
  return `${who}; ${left}${latchOf(report)}${rest}`;
}
