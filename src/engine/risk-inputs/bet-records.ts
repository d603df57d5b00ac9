import type { AccountPort } from '../../account/account.ts';
import {
  type BetNews,
  type MovedChange,
  type ReopenedChange,
  type ResultChange,
  validityOf,
} from '../../account/changes.ts';
import type { BetId, OrderId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { OrderResult } from '../../domain/settlement.ts';
import type { Remembered, RememberedBets, RiskMemory, SettledBets } from './risk-memory.ts';

export interface BetRecordsOptions {
  readonly account: AccountPort;
  readonly memory: RiskMemory;
  /** Writes if the journal takes it. */
  readonly remember: (write: () => void) => void;
}

/** The journal's records of what the next run cannot see of bets: results, and bets that count otherwise than their fills say. */
export class BetRecords {
  readonly #options: BetRecordsOptions;

  constructor(options: BetRecordsOptions) {
    this.#options = options;
  }

  /** Tells the account what earlier runs recorded. */
  restore({ settled, standing }: Pick<Remembered, 'settled' | 'standing'>): void {
    const { account } = this.#options;
    for (const record of settled) account.apply(newsOf(record));
    for (const [betId, stands] of standing) account.apply({ kind: 'standing', betId, stands });
  }

  /** Writes what the journal does not hold yet. */
  keep(change: ResultChange | ReopenedChange | MovedChange): void {
    if (change.kind === 'moved') this.#keepStanding(change.fill, validityOf(change));
    else if (change.kind === 'reopened') this.#keepReopened(change);
    else if (change.isNews) this.#keepResult(change);
  }

  #keepResult({ result, isTakenBack, bets }: ResultChange): void {
    const now = isTakenBack ? { now: 'taken back' as const } : {};
    this.#save({ ...result, betIds: idsOf(bets), ...now });
  }

  #keepReopened({ result, bets, isRecorded }: ReopenedChange): void {
    if (result === null || isRecorded) return;
    this.#save({ ...result, profitLossMicros: 0, now: 'reopened', betIds: idsOf(bets) });
  }

  #save(settled: SettledBets): void {
    const { memory, remember } = this.#options;
    remember(() => memory.saveSettled(settled));
  }

  #keepStanding({ betId }: Fill, stands: boolean | null): void {
    const { memory, remember } = this.#options;
    if (stands !== null) remember(() => memory.saveStanding({ betId, stands }));
  }
}

/** A record of the journal as what it shows of the account's bets. */
function newsOf(record: RememberedBets): BetNews {
  const { orderId, now, betIds, reportedMs: atMs } = record;
  if (now === 'reopened') return { kind: 'reopened', orderId, isRecorded: true };
  const [result, isTakenBack] = [resultOf(record), now === 'taken back'];
  return { kind: 'result', result, isTakenBack, hasBets: betIds.length > 0, isRecorded: true, atMs };
}

const idsOf = (bets: readonly Fill[]): readonly BetId[] => bets.map(({ betId }) => betId);

/** The last result of each order, with the instant of its first report since the order was open. */
export function lastResults(settled: readonly RememberedBets[]): readonly RememberedBets[] {
  const last = new Map<OrderId, RememberedBets>();
  for (const record of settled) {
    const before = last.get(record.orderId);
    const isFirst = before === undefined || before.now === 'reopened' || record.now === 'reopened';
    last.set(record.orderId, isFirst ? record : { ...record, reportedMs: before.reportedMs });
  }
  return [...last.values()];
}

function resultOf({ orderId, sport, eventId, profitLossMicros }: SettledBets): OrderResult {
  return { orderId, sport, eventId, profitLossMicros };
}
