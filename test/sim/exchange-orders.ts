import type { InstallationId } from '../../src/domain/installation.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';

/** The exchange's own orders, followed change by change: the open ones, and those that changed since the last call. */
export class ExchangeOrders {
  readonly #all = new Map<number, InspectedOrder>();
  readonly #open = new Map<number, InspectedOrder>();
  /** Read far more often than it changes. */
  #openList: readonly InspectedOrder[] = [];
  #changed = new Map<number, InspectedOrder>();
  #ownOpen = 0;
  #quotingSinceMs = 0;
  #quotingMs = 0;

  /** An order as it is after a change at this monotonic instant. */
  saw(order: InspectedOrder, nowMs: number): void {
    this.#count(order, nowMs);
    this.#all.set(order.orderId, order);
    this.#changed.set(order.orderId, order);
    if (order.closed) this.#open.delete(order.orderId);
    else this.#open.set(order.orderId, order);
    this.#openList = [...this.#open.values()];
  }

  /** Every order so far, manual and of the daemon. */
  all(): readonly InspectedOrder[] {
    return [...this.#all.values()];
  }

  /** Orders that are not closed. */
  open(): readonly InspectedOrder[] {
    return this.#openList;
  }

  /** How long orders of the daemon were open, up to this monotonic instant. */
  quotingMs(nowMs: number): number {
    return this.#quotingMs + (this.#ownOpen > 0 ? nowMs - this.#quotingSinceMs : 0);
  }

  /** The present state of each order that changed since the last call. */
  takeChanged(): readonly InspectedOrder[] {
    if (this.#changed.size === 0) return [];
    const changed = [...this.#changed.values()];
    this.#changed = new Map();
    return changed;
  }

  #count(order: InspectedOrder, nowMs: number): void {
    const was = this.#open.has(order.orderId);
    if (!isOwn(order) || was !== order.closed) return;
    if (this.#ownOpen === 0) this.#quotingSinceMs = nowMs;
    this.#ownOpen += order.closed ? -1 : 1;
    if (this.#ownOpen === 0) this.#quotingMs += nowMs - this.#quotingSinceMs;
  }
}

/** Belongs to the daemon whose day it is. */
export const INSTALLATION = 'installation-a' as InstallationId;
const MARK = `touchline/v1/${INSTALLATION}/`;

/** Orders of the daemon carry a uuid and its mark. Manual orders carry neither. */
export type OwnOrder = InspectedOrder & { readonly requestUuid: string };

export const isOwn = (order: InspectedOrder): order is OwnOrder =>
  order.requestUuid !== null && (order.userData?.startsWith(MARK) ?? true);

/** The order is still on the book. An order that has left it may stay `pending` for a while, and cannot be closed. */
export const canBeMatched = ({ closedBy }: InspectedOrder): boolean => (closedBy ?? null) === null;
