/** Settles bets when their events end, and corrects settlements. */
import { profitMicros } from '../../domain/odds.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { BetRecord, EventRecord, LegRecord, Notices, OrderRecord } from './model.ts';
import { finalStatus, type OrderLifecycle } from './order-lifecycle.ts';
import type { Scheduler } from './scheduler.ts';
import type { ExchangeSettings } from './settings.ts';
import type { DangerList } from './taker.ts';

export interface SettlementParts {
  readonly scheduler: Scheduler;
  readonly lifecycle: OrderLifecycle;
  readonly danger: DangerList;
  readonly notices: Notices;
  readonly settings: Pick<ExchangeSettings, 'dangerMs' | 'dangerEnds' | 'resultsMs'>;
}

export class Settlements {
  readonly #parts: SettlementParts;

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /** Closes every working order on the event. Bets stay. */
  closeOrders(event: EventRecord): void {
    for (const order of event.orders) {
      this.#parts.lifecycle.finish(order, 'event');
      this.#parts.lifecycle.concludeNow(order);
    }
  }

  /**
   * Closes the event's orders and pays its bets by the result; without a result all bets are void. With `resultsMs` the
   * orders are paid one after the other. A second result corrects the first.
   */
  settle(event: EventRecord): void {
    this.closeOrders(event);
    const { scheduler, settings } = this.#parts;
    const orders = [...event.orders].filter(({ bets }) => bets.length > 0);
    const intervalMs = Math.round(settings.resultsMs / Math.max(1, orders.length - 1));
    for (const [index, order] of orders.entries()) {
      if (index * intervalMs > 0) scheduler.after(index * intervalMs, () => this.#settleOrder(order, event));
      else this.#settleOrder(order, event);
    }
    for (const account of new Set([...event.orders].map((order) => order.account))) {
      account.eventStakes.delete(event.key);
    }
  }

  /**
   * Changes the status of one bet: `void`, `danger` or `success`. A bet voided here stays void when its event is settled.
   * Confirming it afterwards pays it by the event's result. Bets of a void event, and of a parlay whose legs are all
   * void, stay void.
   */
  markBet(bet: BetRecord, status: BetRecord['status']): void {
    const { market, legs } = bet.order;
    const staysVoid = market === null ? allVoid(legs) : market.event.phase === 'void';
    this.#leaveDanger(bet);
    const wasVoided = bet.voided;
    bet.voided = status === 'void';
    bet.status = staysVoid ? 'void' : status;
    if (bet.status === 'danger') this.#parts.danger.change(bet.source, 1);
    if (bet.status === 'void') this.#bookProfit(bet, 0);
    else if (wasVoided) this.#unvoid(bet);
    this.#finalise(bet.order);
  }

  /** Puts a new bet in `danger` for `dangerMs`. Then its status becomes `dangerEnds`, unless it was decided before. */
  startDanger(bet: BetRecord): void {
    const { scheduler, danger, settings } = this.#parts;
    const { dangerMs, dangerEnds } = settings;
    if (dangerMs <= 0) return;
    bet.status = 'danger';
    danger.change(bet.source, 1);
    scheduler.after(dangerMs, () => {
      if (bet.status === 'danger') this.markBet(bet, dangerEnds);
    });
  }

  #unvoid(bet: BetRecord): void {
    const { market, direction } = bet.order;
    if (market === null) return this.#settleParlayBet(bet);
    const { phase, result } = market.event;
    if (phase !== 'settled') return this.#reopen(bet);
    return this.#settleBet(bet, result === null ? null : market.parsed(direction).settle(result));
  }

  /** Reverses the payment of a bet whose result is no longer known. The bet counts as unsettled exposure again. */
  #reopen(bet: BetRecord): void {
    if (!bet.settled || bet.voided) return;
    const { account } = bet.order;
    account.balanceMicros -= bet.profitMicros;
    bet.profitMicros = 0;
    bet.settled = false;
    account.exposure.add(this.#parts.lifecycle.exposedBet(bet));
    this.#parts.notices.balanceChanged(account);
  }

  /** Settles by the event's current result: a correction may have replaced the result that started the settlement. */
  #settleOrder(order: OrderRecord, event: EventRecord): void {
    if (order.market === null) this.#settleParlay(order, event, event.result);
    else this.#settleSingle(order, event.result);
  }

  #settleSingle(order: OrderRecord, result: EventResult | null): void {
    const settlement =
      result === null ? null : (order.market?.parsed(order.direction).settle(result) ?? null);
    for (const bet of order.bets) this.#settleBet(bet, settlement);
    this.#finalise(order);
  }

  #settleBet(bet: BetRecord, settlement: Settlement | null): void {
    this.#leaveDanger(bet);
    const { priceKind } = bet.order;
    const pays = bet.voided ? null : settlement;
    bet.status = pays === null ? 'void' : 'success';
    this.#bookProfit(bet, pays === null ? 0 : profitMicros(priceKind, bet.stakeMicros, bet.price, pays));
  }

  #leaveDanger(bet: BetRecord): void {
    if (bet.status === 'danger') this.#parts.danger.change(bet.source, -1);
  }

  #settleParlay(order: OrderRecord, event: EventRecord, result: EventResult | null): void {
    for (const leg of order.legs) if (leg.event === event) decideLeg(leg, result);
    for (const bet of order.bets) this.#settleParlayBet(bet);
    this.#finalise(order);
  }

  /** A parlay is decided by its first lost leg, or by all legs. A correction can make it undecided again. */
  #settleParlayBet(bet: BetRecord): void {
    const { legs } = bet.order;
    const factors = legs.map(({ factor }) => factor);
    if (!factors.includes(0) && factors.includes(null)) return this.#reopen(bet);
    const isVoid = bet.voided || allVoid(legs);
    this.#leaveDanger(bet);
    bet.status = isVoid ? 'void' : 'success';
    this.#bookProfit(bet, bet.voided ? 0 : parlayProfit(bet, legs));
  }

  /** Books a bet's profit to its account. A later booking replaces an earlier one. */
  #bookProfit(bet: BetRecord, profit: number): void {
    const { account } = bet.order;
    account.balanceMicros += profit - bet.profitMicros;
    bet.profitMicros = profit;
    if (!bet.settled) account.exposure.remove(this.#parts.lifecycle.exposedBet(bet));
    bet.settled = true;
    this.#parts.notices.balanceChanged(account);
  }

  /** Updates the status of a closed order from its bets, and reports the order. */
  #finalise(order: OrderRecord): void {
    if (order.bets.length === 0) return;
    if (order.closed) order.status = finalStatus(order.bets);
    order.updatedMs = this.#parts.scheduler.nowMs;
    this.#parts.notices.orderChanged(order);
  }
}

function decideLeg(leg: LegRecord, result: EventResult | null): void {
  const settlement = result === null ? null : leg.parsed.settle(result);
  leg.outcome = legOutcome(settlement);
  leg.factor = settlement === null ? 1 : 1 + (leg.price - 1) * settlement.won - settlement.lost;
}

const allVoid = (legs: readonly LegRecord[]): boolean => legs.every(({ outcome }) => outcome === 'v');

/** The published outcome code of a leg. A push is void. */
function legOutcome(settlement: Settlement | null): string {
  if (settlement === null || (settlement.won === 0 && settlement.lost === 0)) return 'v';
  if (settlement.won > 0 && settlement.lost > 0) return 'l/w';
  if (settlement.won > 0) return settlement.won === 1 ? 'w' : 'v/w';
  return settlement.lost === 1 ? 'l' : 'l/v';
}

/** The profit of a parlay: each leg multiplies the stake. If all legs are won, the bet's own price avoids rounding errors. */
function parlayProfit(bet: BetRecord, legs: readonly LegRecord[]): number {
  const allWon = legs.every(({ outcome }) => outcome === 'w');
  const factor = allWon ? bet.price : legs.reduce((product, leg) => product * (leg.factor ?? 1), 1);
  return Math.round(bet.stakeMicros * (factor - 1));
}
