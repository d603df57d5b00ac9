import type { OrderId, SelectionId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import { type BetTerms, expectedMicros, outcomesOf } from './positions.ts';

/**
 * The sources of the profit of settled orders: realised = spread + move + luck, to the micro. Spread is the worth of the
 * fills at the fair probability of their instant. Move is the change of that worth until the last fair probability seen
 * (negative when the market went against us). Luck is the outcome itself.
 */
export interface Attribution {
  readonly orders: number;
  readonly spreadMicros: Micros;
  readonly moveMicros: Micros;
  readonly luckMicros: Micros;
  readonly realisedMicros: Micros;
  /** Profit of settled orders without a fair probability at the fill; not in the figures above. */
  readonly unattributedMicros: Micros;
}

interface Booked {
  readonly fill: Fill;
  readonly fairAtFill: number | null;
}

/** A matched bet with its fair probability at the fill and the last one seen; null where not known. */
export interface ValuedBet {
  readonly terms: BetTerms;
  readonly fairAtFill: number | null;
  readonly lastFair: number | null;
}

/** The sources of an order's result, in micros. They add up to it. */
export interface ResultSources {
  readonly spreadMicros: Micros;
  readonly moveMicros: Micros;
  readonly luckMicros: Micros;
}

/** The sources of the result of an order with these bets; null if a fair probability is not known, or if there is no bet. */
export function sourcesOf(bets: readonly ValuedBet[], realisedMicros: Micros): ResultSources | null {
  const known = bets.every(({ fairAtFill, lastFair }) => fairAtFill !== null && lastFair !== null);
  if (bets.length === 0 || !known) return null;
  const spreadMicros = worth(bets, ({ fairAtFill }) => fairAtFill ?? 0);
  const lastMicros = worth(bets, ({ lastFair }) => lastFair ?? 0);
  return { spreadMicros, moveMicros: lastMicros - spreadMicros, luckMicros: realisedMicros - lastMicros };
}

const NOTHING: Attribution = {
  orders: 0,
  spreadMicros: 0,
  moveMicros: 0,
  luckMicros: 0,
  realisedMicros: 0,
  unattributedMicros: 0,
};

/** Remembers the fair probability at each fill, and the last one seen. */
export class AttributionLedger {
  readonly #fair = new Map<SelectionId, number>();
  readonly #fills = new Map<OrderId, Booked[]>();
  readonly #settled = new Map<OrderId, Attribution>();
  /** The sum over the settled orders, kept because it is read often. */
  #total = NOTHING;

  onFair(selectionId: SelectionId, probability: number): void {
    this.#fair.set(selectionId, probability);
  }

  /** The last fair probability of a selection that was seen; null before the first. */
  fairSeen(selectionId: SelectionId): number | null {
    return this.#fair.get(selectionId) ?? null;
  }

  onFill(fill: Fill): void {
    const booked = this.#fills.get(fill.orderId) ?? [];
    booked.push({ fill, fairAtFill: this.fairSeen(fill.selectionId) });
    this.#fills.set(fill.orderId, booked);
  }

  /** The exchange settled an order; a correction replaces the earlier result. */
  onSettled(orderId: OrderId, realisedMicros: Micros): void {
    this.#drop(orderId);
    const explained = this.#explain(this.#fills.get(orderId) ?? [], realisedMicros);
    this.#settled.set(orderId, explained);
    this.#total = add(this.#total, explained, 1);
  }

  onReopened(orderId: OrderId): void {
    this.#drop(orderId);
  }

  total(): Attribution {
    return this.#total;
  }

  #drop(orderId: OrderId): void {
    const before = this.#settled.get(orderId);
    if (before === undefined) return;
    this.#settled.delete(orderId);
    this.#total = add(this.#total, before, -1);
  }

  #explain(booked: readonly Booked[], realisedMicros: Micros): Attribution {
    const bets = booked.map(({ fill, fairAtFill }) => ({
      terms: fill,
      fairAtFill,
      lastFair: this.fairSeen(fill.selectionId),
    }));
    const sources = sourcesOf(bets, realisedMicros);
    if (sources === null) return { ...NOTHING, unattributedMicros: realisedMicros };
    return { orders: 1, ...sources, realisedMicros, unattributedMicros: 0 };
  }
}

const worth = (bets: readonly ValuedBet[], fairOf: (bet: ValuedBet) => number): Micros =>
  Math.round(bets.reduce((total, each) => total + expectedMicros(outcomesOf(each.terms), fairOf(each)), 0));

const add = (a: Attribution, b: Attribution, sign: 1 | -1): Attribution => ({
  orders: a.orders + sign * b.orders,
  spreadMicros: a.spreadMicros + sign * b.spreadMicros,
  moveMicros: a.moveMicros + sign * b.moveMicros,
  luckMicros: a.luckMicros + sign * b.luckMicros,
  realisedMicros: a.realisedMicros + sign * b.realisedMicros,
  unattributedMicros: a.unattributedMicros + sign * b.unattributedMicros,
});
