import type { Account } from '../../account/account.ts';
import type { AccountChange, AccountEvent, ReopenedChange, ResultChange } from '../../account/changes.ts';
import { isAtStake } from '../../domain/bet-lifecycle.ts';
import type { BetId, OrderId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { type Balance, isParlay, isUnmatched, type VenueOrder } from '../../domain/orders.ts';
import type { OrderResult } from '../../domain/settlement.ts';
import { matchedBet } from '../../orders/state/fills.ts';
import type { Remembered, RememberedBets, RiskMemory, SettledBets } from './risk-memory.ts';

/** Learns what the exchange reports about the account's money. */
export interface AccountListener {
  /**
   * The result of an order; a correction is reported again. `atMs` is the wall-clock instant of the first report, and `bets` are
   * those that the result settles now. Results of earlier runs come at the start, without bets.
   */
  onResult(result: OrderResult, atMs: number, bets: readonly Fill[]): void;
  /** A settled order is open again. */
  onReopened(orderId: OrderId): void;
  /** Whether the bet of an unsettled order counts; if not, the exchange voided it. */
  onBetValidity(betId: BetId, stands: boolean): void;
  onBalance(balance: Balance): void;
}

export interface ResultsParts {
  /** Default: none. */
  readonly listener?: AccountListener | undefined;
  readonly account: Account;
  readonly memory: RiskMemory;
  /** Writes if the journal takes it. */
  readonly remember: (write: () => void) => void;
  readonly wallMs: () => number;
}

/** An order with this status may be reopened: the exchange may report later that some of its bets count after all. */
const TAKEN_BACK = 'full_void';

/** Tells the account what reports of orders show of its bets, and remembers what changes across restarts. */
export class Results {
  readonly #parts: ResultsParts;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /** Restores the results of earlier runs. */
  restore({ settled, standing }: Pick<Remembered, 'settled' | 'standing'>): void {
    for (const record of settled) this.#apply(eventOf(record));
    for (const [betId, stands] of standing) {
      this.#apply({ kind: 'standing', betId, stands });
      this.#parts.listener?.onBetValidity(betId, stands);
    }
    this.#report(settled);
  }

  #report(settled: readonly RememberedBets[]): void {
    const { listener } = this.#parts;
    if (listener === undefined) return;
    for (const record of lastResults(settled)) {
      if (record.now === 'reopened') listener.onReopened(record.orderId);
      else listener.onResult(resultOf(record), record.reportedMs, []);
    }
  }

  /** A report of an order. Its settlement ends the exposure of its bets. */
  onOrder(order: VenueOrder, settlement: OrderResult | null): void {
    // A report from before the match also puts a bet in doubt: nothing shows which report is the later.
    for (const bet of order.bets)
      this.#apply({ kind: 'doubt', betId: bet.betId, isUnmatched: isUnmatched(bet) });
    if (settlement === null) return this.#onUnsettled(order);
    this.#apply({
      ...{ kind: 'result', result: settlement, isTakenBack: order.status === TAKEN_BACK },
      ...{ hasBets: order.bets.length > 0, isRecorded: false, atMs: this.#parts.wallMs() },
    });
  }

  /** Remembers what the next run cannot see: results, and bets that count otherwise than their fills say. */
  onChange(change: AccountChange): void {
    if (change.kind === 'result' && change.isNews) this.#keepResult(change);
    else if (change.kind === 'reopened' && !change.isRecorded) this.#keepReopened(change);
    else if (change.kind === 'moved') this.#keepMove(change);
  }

  #keepResult({ result, isTakenBack, bets }: ResultChange): void {
    const { memory, remember, listener, wallMs } = this.#parts;
    listener?.onResult(result, wallMs(), bets);
    const now = isTakenBack ? { now: 'taken back' as const } : {};
    remember(() => memory.saveSettled({ ...result, betIds: idsOf(bets), ...now }));
  }

  #keepReopened({ orderId, result, bets }: ReopenedChange): void {
    const { memory, remember, listener } = this.#parts;
    listener?.onReopened(orderId);
    if (result === null) return;
    const open = { ...result, profitLossMicros: 0, now: 'reopened' as const };
    remember(() => memory.saveSettled({ ...open, betIds: idsOf(bets) }));
  }

  /** Of a settled bet the result counts, and of a bet in doubt the next report of its order. */
  #keepMove({ fill: { betId }, from, to }: Extract<AccountChange, { kind: 'moved' }>): void {
    const { memory, remember, listener } = this.#parts;
    const isNews = (isAtStake(from) && to === 'void') || (from === 'void' && isAtStake(to));
    if (!isNews) return;
    const stands = isAtStake(to);
    listener?.onBetValidity(betId, stands);
    remember(() => memory.saveStanding({ betId, stands }));
  }

  #apply(event: AccountEvent): void {
    this.#parts.account.apply(event, this.#parts.wallMs());
  }

  /** Reopens a fully voided order of which some bets count after all, or a parlay that waits for other legs again. */
  #onUnsettled(order: VenueOrder): void {
    const { orderId, closed, bets } = order;
    const standing = bets.filter((bet) => matchedBet(bet) !== null);
    const isBack = this.#parts.account.bets.isTakenBack(orderId) || this.#isCorrectedParlay(order);
    if (!closed || standing.length === 0 || !isBack) return;
    this.#apply({ kind: 'reopened', orderId, isRecorded: false });
    // What was void before the settlement stays void, unless this report shows that it counts.
    for (const { betId } of standing) this.#apply({ kind: 'standing', betId, stands: true });
  }

  /**
   * Whether the losing leg of a settled parlay was corrected. For any other order such a report predates its settlement: a
   * corrected result would follow the first at once.
   */
  #isCorrectedParlay(order: VenueOrder): boolean {
    const isSettled = this.#parts.account.bets.resultOf(order.orderId) !== null;
    return isSettled && isParlay(order) && order.bets.some(({ reconciled }) => reconciled === false);
  }
}

/** A record of the journal as what it shows of the account's bets. */
function eventOf(record: RememberedBets): AccountEvent {
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
