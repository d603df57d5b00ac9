import { eventNameOf } from '../../domain/events.ts';
import type { BetId, OrderId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { type Balance, isParlay, type VenueOrder } from '../../domain/orders.ts';
import type { OrderResult } from '../../domain/settlement.ts';
import type { Ledger } from '../../ledger/index.ts';
import { matchedBet } from '../../orders/state/fills.ts';
import type { Risk } from '../../risk/index.ts';
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
  readonly ledger: Ledger;
  readonly risk: Pick<Risk, 'onSettled' | 'onReopened' | 'onBetValidity'>;
  readonly memory: RiskMemory;
  /** Writes if the journal takes it. */
  readonly remember: (write: () => void) => void;
  readonly wallMs: () => number;
}

/** An order with this status may be reopened: the exchange may report later that some of its bets count after all. */
const TAKEN_BACK = 'full_void';

/** Reports to ledger and risk which bets are settled and which count, and remembers it across restarts. */
export class Results {
  readonly #parts: ResultsParts;
  /** Orders whose bets were all voided. */
  readonly #takenBack = new Set<OrderId>();
  /** Orders whose result is in the journal. */
  readonly #written = new Set<OrderId>();
  /** Wall-clock instant of the latest report of each settled order's result. */
  readonly #reportedMs = new Map<OrderId, number>();

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /** Wall-clock instant of the latest report of an order's result; null while the order is not settled. */
  reportedMs(orderId: OrderId): number | null {
    return this.#reportedMs.get(orderId) ?? null;
  }

  /** Restores the results of earlier runs. */
  restore({ settled, standing }: Pick<Remembered, 'settled' | 'standing'>): void {
    const { ledger, risk } = this.#parts;
    for (const record of settled) {
      if (record.now === 'reopened') this.#reopen(record);
      else this.#restore(record);
    }
    for (const [betId, stands] of standing) {
      ledger.setBetValidity(betId, stands);
      risk.onBetValidity(betId, stands);
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
    if (settlement === null) this.#onUnsettled(order);
    else this.#onSettled(order, settlement);
  }

  /**
   * Call it before risk sees the bet. Late reports, or a damaged journal, may bring a bet of an order that is already settled: it
   * counts nowhere, and neither does it after a restart. If the order's result came without bets, it is written to the journal
   * only now.
   */
  onBet(fill: Fill): void {
    const { betId, orderId, sport, eventId } = fill;
    const { ledger, risk } = this.#parts;
    const profitLossMicros = ledger.resultOf(orderId);
    if (profitLossMicros === null) return;
    risk.onSettled({ sport, eventId }, [betId]);
    if (this.#written.has(orderId)) return;
    const now = this.#takenBack.has(orderId) ? { now: 'taken back' as const } : {};
    this.#write({ orderId, sport, eventId, profitLossMicros, betIds: [betId], ...now }, [fill]);
  }

  /** A booked bet was voided before its order was settled, or counts after all. The last report decides. */
  onBetValidity(betId: BetId, stands: boolean): void {
    const { ledger, risk, memory, remember } = this.#parts;
    if (!ledger.setBetValidity(betId, stands)) return;
    risk.onBetValidity(betId, stands);
    this.#parts.listener?.onBetValidity(betId, stands);
    remember(() => memory.saveStanding({ betId, stands }));
  }

  #onSettled({ bets, status }: VenueOrder, settlement: OrderResult): void {
    const { ledger, wallMs } = this.#parts;
    this.#reportedMs.set(settlement.orderId, wallMs());
    const isTakenBack = status === TAKEN_BACK;
    const isCorrected = this.#isCorrected(settlement, isTakenBack);
    // A late report may still book a bet of this order, which must not count after a restart either.
    const isHeardFirst = ledger.resultOf(settlement.orderId) === null && bets.length > 0;
    const now = isTakenBack ? { now: 'taken back' as const } : {};
    const found = this.#settle({ ...settlement, betIds: [], ...now });
    if (found.length === 0 && !isCorrected && !isHeardFirst) return;
    this.#write({ ...settlement, betIds: found.map(({ betId }) => betId), ...now }, found);
  }

  #write(settled: SettledBets, bets: readonly Fill[]): void {
    const { memory, remember, listener, wallMs } = this.#parts;
    listener?.onResult(resultOf(settled), wallMs(), bets);
    this.#written.add(settled.orderId);
    remember(() => memory.saveSettled(settled));
  }

  /** Whether the result differs from what counted until now. A voided order may have had a result of 0 before, too. */
  #isCorrected({ orderId, profitLossMicros }: OrderResult, isTakenBack: boolean): boolean {
    const before = this.#parts.ledger.resultOf(orderId);
    if (before === null) return profitLossMicros !== 0;
    return before !== profitLossMicros || isTakenBack !== this.#takenBack.has(orderId);
  }

  /** Reopens a fully voided order of which some bets count after all, or a parlay that waits for other legs again. */
  #onUnsettled(order: VenueOrder): void {
    const { risk, memory, remember } = this.#parts;
    const { orderId, sport, eventId, closed, bets } = order;
    const standing = bets.filter((bet) => matchedBet(bet) !== null);
    const isBack = this.#takenBack.has(orderId) || this.#isCorrectedParlay(order);
    if (!closed || standing.length === 0 || !isBack) return;
    const reopened = { orderId, sport, eventId, profitLossMicros: 0, now: 'reopened' } as const;
    const betIds = this.#reopen({ ...reopened, betIds: [] });
    // With the settlement the ledger forgets which bets had been voided singly before it; risk does not.
    for (const { betId } of standing) {
      risk.onBetValidity(betId, true);
      this.#parts.listener?.onBetValidity(betId, true);
    }
    remember(() => {
      memory.saveSettled({ ...reopened, betIds });
      for (const { betId } of standing) memory.saveStanding({ betId, stands: true });
    });
  }

  /**
   * Whether the losing leg of a settled parlay was corrected. For any other order such a report predates its settlement: a
   * corrected result would follow the first at once.
   */
  #isCorrectedParlay(order: VenueOrder): boolean {
    const isSettled = this.#parts.ledger.resultOf(order.orderId) !== null;
    return isSettled && isParlay(order) && order.bets.some(({ reconciled }) => reconciled === false);
  }

  /** Returns the bets that this result settles. Their event may differ from the order's if the exchange moved it. */
  #settle(settled: SettledBets): readonly Fill[] {
    const { ledger, risk } = this.#parts;
    this.#noteTakenBack(settled);
    const found = ledger.settle(resultOf(settled));
    for (const fill of found) risk.onSettled(eventNameOf(fill), [fill.betId]);
    return found;
  }

  /** A result of an earlier run. Its bets have not been reported yet; risk will recognise them by id. */
  #restore(settled: RememberedBets): void {
    this.#noteTakenBack(settled);
    this.#written.add(settled.orderId);
    this.#reportedMs.set(settled.orderId, settled.reportedMs);
    this.#parts.ledger.restore(resultOf(settled), settled.betIds.length > 0);
    const { sport, eventId, betIds } = settled;
    this.#parts.risk.onSettled({ sport, eventId }, betIds);
  }

  #noteTakenBack({ orderId, now }: SettledBets): void {
    if (now === 'taken back') this.#takenBack.add(orderId);
    else this.#takenBack.delete(orderId);
  }

  /** Returns the bets that count again, apart from those in `betIds`. */
  #reopen({ orderId, betIds }: SettledBets): readonly BetId[] {
    const { ledger, risk } = this.#parts;
    this.#takenBack.delete(orderId);
    this.#reportedMs.delete(orderId);
    this.#parts.listener?.onReopened(orderId);
    const found = ledger.reopen(orderId).map(({ betId }) => betId);
    risk.onReopened([...betIds, ...found]);
    return found;
  }
}

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
