/** Bets: a fill makes a bet, the end of its event settles it, and a later result corrects the settlement. */
import type { FillCause } from '../../domain/fill-cause.ts';
import type { Micros } from '../../domain/money.ts';
import { betId, betType, eventId, orderId, requestUuid, sport } from '../../domain/ids.ts';
import {
  directionOfKind,
  profitMicros,
  SELECTION_KINDS,
  selectionPrice,
  selectionStakeMicros,
} from '../../domain/odds.ts';
import { reducedPrice } from '../../domain/reduction.ts';
import { selectionIdOf } from '../../domain/selection.ts';
import type { SimulatedFill } from '../../domain/simulated-fill.ts';
import type { Settlement } from '../../domain/payoff.ts';
import type { EventResult } from '../../domain/bet-types/result.ts';
import type { BetRecord, EventRecord, LegRecord, Notices, OrderRecord } from './model.ts';
import type { ExposedBet } from './exposure.ts';
import type { OrderLifecycle } from './order-lifecycle.ts';
import { PayoffGrids } from './payoff-grids.ts';
import type { Scheduler } from './scheduler.ts';
import type { Sequence } from './sequence.ts';
import type { ExchangeSettings } from './settings.ts';
import { DangerList } from './taker.ts';

/** One side of a trade, in the terms of that side. */
interface OwnTrade {
  /** Both sides share this number. */
  readonly tradeId: number;
  readonly price: number;
  readonly stakeMicros: Micros;
  /** Why this side was matched. */
  readonly cause: FillCause;
}

type Filled = Pick<BetRecord, 'betId' | 'price' | 'stakeMicros' | 'role' | 'cause' | 'atMs'>;

/** A fill of an order as programs beside the exchange learn it. */
export function fillOf(order: OrderRecord, filled: Filled, model: string): SimulatedFill {
  const { priceKind } = order;
  const { price, stakeMicros, role, cause, atMs } = filled;
  const market = {
    sport: sport(order.sport),
    eventId: eventId(order.eventId),
    betType: betType(order.betType),
  };
  return {
    ...market,
    model,
    betId: betId(filled.betId),
    orderId: orderId(order.orderId),
    requestUuid: order.requestUuid === null ? null : requestUuid(order.requestUuid),
    selectionId: selectionIdOf(market),
    direction: directionOfKind(priceKind),
    priceKind,
    price,
    stakeMicros,
    role,
    cause,
    atMs,
  };
}

/** Owns the bets: their fills, their danger and their payment. */
export class Bets {
  readonly danger = new DangerList();
  readonly grids = new PayoffGrids();
  readonly #scheduler: Scheduler;
  readonly #sequence: Sequence;
  readonly #lifecycle: OrderLifecycle;
  readonly #notices: Notices;
  readonly #settings: Pick<ExchangeSettings, 'dangerMs' | 'dangerEnds' | 'resultsMs'>;
  readonly #onBet: ((bet: BetRecord) => void) | undefined;

  constructor(
    scheduler: Scheduler,
    sequence: Sequence,
    lifecycle: OrderLifecycle,
    notices: Notices,
    settings: Pick<ExchangeSettings, 'dangerMs' | 'dangerEnds' | 'resultsMs'>,
    onBet?: (bet: BetRecord) => void,
  ) {
    [this.#scheduler, this.#sequence] = [scheduler, sequence];
    [this.#lifecycle, this.#notices, this.#settings] = [lifecycle, notices, settings];
    this.#onBet = onBet;
  }

  newTradeId(): number {
    return this.#sequence.nextTradeId();
  }

  /** Books a fill as a bet, with its order and its account. */
  book(order: OrderRecord, trade: OwnTrade, role: BetRecord['role'], source: string): void {
    const bet: BetRecord = {
      ...trade,
      betId: this.#sequence.nextBetId(),
      order,
      atMs: this.#scheduler.nowMs,
      role,
      source,
      status: 'success',
      voided: false,
      profitMicros: 0,
      settled: false,
    };
    order.bets.push(bet);
    this.#lifecycle.addFill(order, trade.stakeMicros);
    order.account.exposure.add(this.#exposed(bet));
    this.#startDanger(bet);
    this.#onBet?.(bet);
    this.#notices.betMade(bet);
  }

  /** Counts the bets of an order that an earlier exchange made, and what it paid for them. */
  putBack({ account, bets }: OrderRecord): void {
    for (const bet of bets) {
      if (bet.settled) account.balanceMicros += bet.profitMicros;
      else account.exposure.add(this.#exposed(bet));
    }
  }

  /**
   * Closes the event's orders and pays its bets by the result; without a result all bets are void. With `resultsMs` the
   * orders are paid one after the other. A second result corrects the first.
   */
  settle(event: EventRecord): void {
    this.#lifecycle.closeAllOf(event);
    const orders = [...event.orders].filter(({ bets }) => bets.length > 0);
    const intervalMs = Math.round(this.#settings.resultsMs / Math.max(1, orders.length - 1));
    for (const [index, order] of orders.entries()) {
      if (index * intervalMs > 0)
        this.#scheduler.after(index * intervalMs, () => this.#settleOrder(order, event));
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
    if (bet.status === 'danger') this.danger.change(bet.source, 1);
    if (bet.status === 'void') this.#bookProfit(bet, 0);
    else if (wasVoided) this.#unvoid(bet);
    this.#lifecycle.afterResult(bet.order);
  }

  /** Puts a new bet in `danger` for `dangerMs`. Then its status becomes `dangerEnds`, unless it was decided before. */
  #startDanger(bet: BetRecord): void {
    const { dangerMs, dangerEnds } = this.#settings;
    if (dangerMs <= 0) return;
    bet.status = 'danger';
    this.danger.change(bet.source, 1);
    this.#scheduler.after(dangerMs, () => {
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
    account.exposure.add(this.#exposed(bet));
    this.#notices.balanceChanged(account);
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
    this.#lifecycle.afterResult(order);
  }

  #settleBet(bet: BetRecord, settlement: Settlement | null): void {
    this.#leaveDanger(bet);
    const pays = bet.voided ? null : settlement;
    bet.status = pays === null ? 'void' : 'success';
    this.#bookProfit(bet, pays === null ? 0 : settledProfit(bet, pays));
  }

  #leaveDanger(bet: BetRecord): void {
    if (bet.status === 'danger') this.danger.change(bet.source, -1);
  }

  #settleParlay(order: OrderRecord, event: EventRecord, result: EventResult | null): void {
    for (const leg of order.legs) if (leg.event === event) decideLeg(leg, result);
    for (const bet of order.bets) this.#settleParlayBet(bet);
    this.#lifecycle.afterResult(order);
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
    if (!bet.settled) account.exposure.remove(this.#exposed(bet));
    bet.settled = true;
    this.#notices.balanceChanged(account);
  }

  #exposed(bet: BetRecord): ExposedBet {
    const { price, stakeMicros, order } = bet;
    const { market, direction, priceKind } = order;
    const terms = { priceKind, price, stakeMicros };
    // No other bet offsets a parlay.
    if (market === null)
      return { ...terms, eventKey: `parlay ${order.orderId}`, outcome: 'parlay', grid: null };
    const { event, outcome } = market;
    const grid = this.grids.of(event.info.sport, market.parsed(direction));
    return { ...terms, eventKey: event.key, outcome, grid };
  }
}

/** The profit of a bet at the price that removals of runners since leave of it. */
function settledProfit({ order, price, stakeMicros, atMs }: BetRecord, settlement: Settlement): Micros {
  const { market, priceKind, direction } = order;
  const later = (market?.event.removals ?? []).filter(
    ({ fromMs, others }) => fromMs > atMs && others.includes(market?.outcome ?? ''),
  );
  const reducedMarket = later[0]?.market ?? null;
  const factors = later.flatMap(({ factor }) => factor ?? []);
  const ofSelection = selectionPrice(priceKind, price);
  const reduced = reducedMarket === null ? ofSelection : reducedPrice(reducedMarket, ofSelection, factors);
  if (reduced === ofSelection) return profitMicros(priceKind, stakeMicros, price, settlement);
  // The stake of the selection stays, whatever the bet's own price is a price of.
  const micros = selectionStakeMicros(priceKind, price, stakeMicros);
  return profitMicros(SELECTION_KINDS[direction], micros, reduced, settlement);
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
