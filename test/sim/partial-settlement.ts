import type { InspectedOrder, SimEventName } from '../../src/simulator/core/api.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';
import { PAID } from './position-bracket.ts';

/** Some orders of an event that is over are paid. The last is paid at `untilMs` if all are. */
interface Partly {
  readonly sinceMs: number;
  readonly orders: readonly InspectedOrder[];
  readonly paidMicros: number;
}

interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface PartPaidOptions {
  readonly isDecided: (event: SimEventName) => boolean;
  /** The longest time until all orders of an event are paid. */
  readonly resultsMs: number;
  /** This long after an order was voided, its event may have the value of its results, whatever is paid by then. */
  readonly takenBackMs: number;
}

/**
 * Events whose orders are paid one by one. Until the last payment, the first results prove nothing, because their
 * hedges are not paid yet. Each event counts with its value before the first payment.
 */
export class PartPaid {
  /** Payments of events that are not fully paid. */
  paidMicros = 0;
  readonly #options: PartPaidOptions;
  /** Unpaid orders with bets, by event. */
  readonly #unpaid = new Map<string, Set<number>>();
  readonly #takenBack = new Map<string, number>();
  readonly #partly = new Map<string, Partly>();
  #past: readonly Span[] = [];

  constructor(options: PartPaidOptions) {
    this.#options = options;
  }

  /** Returns the orders with the state in which they count now, after these changes and payments. */
  after(changed: readonly InspectedOrder[], paidMicros: number, nowMs: number): readonly InspectedOrder[] {
    for (const order of changed) this.#index(order);
    const paid = changed.filter((order) => PAID.has(order.status));
    const over = new Set(paid.filter((order) => this.#isOver(order, nowMs)).map(eventKey));
    // When two orders are paid at once, nobody knows the result of each.
    const ended = over.size === 1 ? [] : [...over].flatMap((key) => this.#end(key, nowMs));
    const [only] = over.size === 1 ? over : [];
    const held = only === undefined ? [] : paid.filter((order) => eventKey(order) === only);
    const counted = changed.filter((order) => !held.includes(order));
    if (only !== undefined) ended.push(...this.#pay(only, held, paidMicros, nowMs));
    return [...counted, ...ended, ...this.#endOverdue(nowMs)];
  }

  /**
   * Whether an event's orders were paid over a span that contains the time, from `fromMs` after the first until
   * `untilMs` after the last.
   */
  anyBetween(fromMs: number, untilMs: number, nowMs: number): boolean {
    this.#past = this.#past.filter((span) => nowMs < span.untilMs + untilMs);
    const isLate = ({ sinceMs }: { readonly sinceMs: number }): boolean => nowMs >= sinceMs + fromMs;
    return this.#past.some(isLate) || [...this.#partly.values()].some(isLate);
  }

  #index(order: InspectedOrder): void {
    const { orderId, status, fills } = order;
    const unpaid = this.#unpaid.get(eventKey(order));
    if (PAID.has(status)) unpaid?.delete(orderId);
    else if (unpaid !== undefined) unpaid.add(orderId);
    else if (fills.length > 0) this.#unpaid.set(eventKey(order), new Set([orderId]));
  }

  /** Whether a paid order belongs to an event that is over, and was not voided on its own. */
  #isOver(order: InspectedOrder, nowMs: number): boolean {
    if (this.#options.isDecided(order)) return true;
    this.#takenBack.set(eventKey(order), nowMs);
    return false;
  }

  #pay(
    key: string,
    orders: readonly InspectedOrder[],
    paidMicros: number,
    nowMs: number,
  ): readonly InspectedOrder[] {
    const before = this.#partly.get(key);
    const isPaid = (this.#unpaid.get(key)?.size ?? 0) === 0;
    const { takenBackMs } = this.#options;
    const isTakenBack = nowMs - (this.#takenBack.get(key) ?? -Infinity) < takenBackMs;
    if (before === undefined && (isPaid || isTakenBack)) return orders;
    this.#partly.set(key, {
      sinceMs: before?.sinceMs ?? nowMs,
      orders: [...(before?.orders ?? []), ...orders],
      paidMicros: (before?.paidMicros ?? 0) + paidMicros,
    });
    this.paidMicros += paidMicros;
    return isPaid ? this.#end(key, nowMs) : [];
  }

  /** Parlays wait for other events, too. */
  #endOverdue(nowMs: number): readonly InspectedOrder[] {
    const { resultsMs } = this.#options;
    const overdue = [...this.#partly].filter(([, { sinceMs }]) => nowMs - sinceMs > resultsMs);
    return overdue.flatMap(([key]) => this.#end(key, nowMs));
  }

  /** From now on an event counts with its payments. Returns its paid orders. */
  #end(key: string, nowMs: number): InspectedOrder[] {
    const partly = this.#partly.get(key);
    if (partly === undefined) return [];
    this.#partly.delete(key);
    this.paidMicros -= partly.paidMicros;
    this.#past = [...this.#past, { sinceMs: partly.sinceMs, untilMs: nowMs }];
    return [...partly.orders];
  }
}
