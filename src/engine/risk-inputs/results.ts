import { eventNameOf } from '../../domain/events.ts';
import type { BetId, OrderId, Sport } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import { isParlay, type VenueOrder } from '../../domain/orders.ts';
import type { OrderResult } from '../../domain/settlement.ts';
import type { Ledger } from '../../ledger/index.ts';
import { matchedBet } from '../../orders/state/fills.ts';
import type { Risk } from '../../risk/index.ts';
import type { Remembered, RememberedBets, RiskMemory, SettledBets } from './risk-memory.ts';

export interface ResultsParts {
  readonly ledger: Ledger;
  readonly risk: Pick<Risk, 'onSettled' | 'onReopened' | 'onStanding'>;
  readonly memory: RiskMemory;
  /** Writes, if the journal takes it. */
  readonly remember: (write: () => void) => void;
  readonly wallMs: () => number;
}

/** The exchange may say that bets of such an order stand after all. */
const TAKEN_BACK = 'full_void';

/** In place of a sport that was not written down. */
const UNWRITTEN = '' as Sport;

/** Brings to ledger and risk which bets are settled, and which stand, and remembers it over restarts. */
export class Results {
  readonly #parts: ResultsParts;
  /** Orders whose bets were all taken back. */
  readonly #takenBack = new Set<OrderId>();
  /** Orders whose result is written down. */
  readonly #written = new Set<OrderId>();
  /** When the result of each settled order was told last, by the wall clock. */
  readonly #toldMs = new Map<OrderId, number>();

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /** Wall-clock instant at which the result of an order was told last; null while it is not settled. */
  toldMs(orderId: OrderId): number | null {
    return this.#toldMs.get(orderId) ?? null;
  }

  /** Takes over what earlier runs left. */
  restore({ settled, standing }: Pick<Remembered, 'settled' | 'standing'>): void {
    const { ledger, risk } = this.#parts;
    for (const record of settled) {
      if (record.now === 'reopened') this.#reopen(record);
      else this.#restore(record);
    }
    for (const [betId, stands] of standing) {
      ledger.setStanding(betId, stands);
      risk.onStanding(betId, stands);
    }
  }

  /** The exchange's word on an order: its settlement ends the exposure of its bets. */
  onOrder(order: VenueOrder, settlement: OrderResult | null): void {
    if (settlement === null) this.#onUnsettled(order);
    else this.#onSettled(order, settlement);
  }

  /**
   * A bet is told, before risk hears of it. Late words tell of bets whose order is settled, as a damaged journal does: they count
   * nowhere, after a restart neither. The result of an order that was told without bets was not worth writing down until now.
   */
  onBet(fill: Fill): void {
    const { betId, orderId, sport, eventId } = fill;
    const { ledger, risk } = this.#parts;
    const profitLossMicros = ledger.resultOf(orderId);
    if (profitLossMicros === null) return;
    risk.onSettled({ sport, eventId }, [betId]);
    if (this.#written.has(orderId)) return;
    const now = this.#takenBack.has(orderId) ? { now: 'taken back' as const } : {};
    this.#write({ orderId, sport, eventId, profitLossMicros, betIds: [betId], ...now });
  }

  /** A booked bet was taken back before its order was settled, or stands all the same: the last word counts. */
  onStanding(betId: BetId, stands: boolean): void {
    const { ledger, risk, memory, remember } = this.#parts;
    if (!ledger.setStanding(betId, stands)) return;
    risk.onStanding(betId, stands);
    remember(() => memory.saveStanding({ betId, stands }));
  }

  #onSettled({ bets, status }: VenueOrder, settlement: OrderResult): void {
    const { ledger, wallMs } = this.#parts;
    this.#toldMs.set(settlement.orderId, wallMs());
    const isTakenBack = status === TAKEN_BACK;
    const isCorrected = this.#isCorrected(settlement, isTakenBack);
    // A late word may book a bet of it yet, which after a restart must not count either.
    const isHeardFirst = ledger.resultOf(settlement.orderId) === null && bets.length > 0;
    const now = isTakenBack ? { now: 'taken back' as const } : {};
    const betIds = this.#settle({ ...settlement, betIds: [], ...now });
    if (betIds.length === 0 && !isCorrected && !isHeardFirst) return;
    this.#write({ ...settlement, betIds, ...now });
  }

  #write(settled: SettledBets): void {
    const { memory, remember } = this.#parts;
    this.#written.add(settled.orderId);
    remember(() => memory.saveSettled(settled));
  }

  /** Whether the order counted otherwise until now; one that is taken back may have come to nothing before as well. */
  #isCorrected({ orderId, profitLossMicros }: OrderResult, isTakenBack: boolean): boolean {
    const before = this.#parts.ledger.resultOf(orderId);
    if (before === null) return profitLossMicros !== 0;
    return before !== profitLossMicros || isTakenBack !== this.#takenBack.has(orderId);
  }

  /** An order that was taken back whole, and of which bets stand after all; or a parlay that waits for other legs again. */
  #onUnsettled(order: VenueOrder): void {
    const { risk, memory, remember } = this.#parts;
    const { orderId, sport, eventId, closed, bets } = order;
    const standing = bets.filter((bet) => matchedBet(bet) !== null);
    const isBack = this.#takenBack.has(orderId) || this.#isCorrectedParlay(order);
    if (!closed || standing.length === 0 || !isBack) return;
    const reopened = { orderId, sport, eventId, profitLossMicros: 0, now: 'reopened' } as const;
    const betIds = this.#reopen({ ...reopened, betIds: [] });
    // The ledger forgets with the settlement which of them were taken back by themselves before it; risk does not.
    for (const { betId } of standing) risk.onStanding(betId, true);
    remember(() => {
      memory.saveSettled({ ...reopened, betIds });
      for (const { betId } of standing) memory.saveStanding({ betId, stands: true });
    });
  }

  /**
   * The leg that had lost it is corrected. Of another order such a word is from before its settlement: a second result follows the
   * first at once.
   */
  #isCorrectedParlay(order: VenueOrder): boolean {
    const isSettled = this.#parts.ledger.resultOf(order.orderId) !== null;
    return isSettled && isParlay(order) && order.bets.some(({ reconciled }) => reconciled === false);
  }

  /** Answers the bets that are settled by it. Its event may have been moved since they were booked on another. */
  #settle(settled: SettledBets): readonly BetId[] {
    const { ledger, risk } = this.#parts;
    this.#noteTakenBack(settled);
    const found = ledger.settle(resultOf(settled));
    for (const fill of found) risk.onSettled(eventNameOf(fill), [fill.betId]);
    return found.map(({ betId }) => betId);
  }

  /** Of an earlier run. Its bets are not told yet: risk will know them by their ids. */
  #restore(settled: RememberedBets): void {
    this.#noteTakenBack(settled);
    this.#written.add(settled.orderId);
    this.#toldMs.set(settled.orderId, settled.toldMs);
    this.#parts.ledger.restore(resultOf(settled), settled.betIds.length > 0);
    const { sport, eventId, betIds } = settled;
    this.#parts.risk.onSettled({ sport: sport ?? UNWRITTEN, eventId }, betIds);
  }

  #noteTakenBack({ orderId, now }: SettledBets): void {
    if (now === 'taken back') this.#takenBack.add(orderId);
    else this.#takenBack.delete(orderId);
  }

  /** Answers the bets that count anew, besides those that are named. */
  #reopen({ orderId, betIds }: SettledBets): readonly BetId[] {
    const { ledger, risk } = this.#parts;
    this.#takenBack.delete(orderId);
    this.#toldMs.delete(orderId);
    const found = ledger.reopen(orderId).map(({ betId }) => betId);
    risk.onReopened([...betIds, ...found]);
    return found;
  }
}

function resultOf({ orderId, sport, eventId, profitLossMicros }: SettledBets): OrderResult {
  return { orderId, sport, eventId, profitLossMicros };
}
