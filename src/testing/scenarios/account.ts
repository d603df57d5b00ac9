import type { OwnQuote, PositionView, RecentFill } from '../../domain/event-view.ts';
import type { BetType, SelectionId } from '../../domain/ids.ts';
import { betId, betslipId, orderId, requestUuid } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import { type Fill, type LiveOrder, unfilledMicros } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { priceOf, type Tick } from '../../domain/ladder.ts';
import { profitMicros, selectionPrice, selectionStakeMicros, selectionTick } from '../../domain/odds.ts';
import { LOSS, WIN } from '../../domain/payoff.ts';
import { modeOf } from '../../domain/orders.ts';
import {
  type IntentKey,
  intentKey,
  kindOfIntent,
  type QuoteIntent,
  takeOf,
} from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { EVENT, PLACES } from './match.ts';

/** What changed on the account. */
export interface AccountChange {
  readonly order: LiveOrder;
  /** Null unless the change is a fill. */
  readonly fill: Fill | null;
}

/** Stake that a take can get, in the order's own terms. */
export interface Offered {
  readonly tick: Tick;
  readonly stakeMicros: Micros;
}

/** Matched bets on a selection, `for` less `against`: what they win and lose for each unit of the settlement. */
interface Net {
  readonly winMicros: Micros;
  readonly loseMicros: Micros;
}

const NOTHING: Net = { winMicros: 0, loseMicros: 0 };
const RECENT_MS = 600_000;

/** Our orders, fills and positions in a scenario. Orders that are wanted rest at once; closed ones are gone at once. */
export class Account {
  readonly #orders = new Map<IntentKey, LiveOrder>();
  readonly #nets = new Map<SelectionId, Net>();
  readonly #fills: Fill[] = [];
  /** Ids of takes that had their order. */
  readonly #spent = new Set<string>();
  #lastOrder = 0;
  placed = 0;
  /** Orders that were replaced because price or stake changed. */
  requotes = 0;
  largestStakeMicros: Micros = 0;
  stakeMatchedMicros: Micros = 0;

  get fills(): readonly Fill[] {
    return this.#fills;
  }

  /** Our open orders. */
  get open(): readonly LiveOrder[] {
    return [...this.#orders.values()];
  }

  /** Makes the open orders those that are wanted. An order keeps its place while price and stake stay. */
  setWanted(intents: readonly QuoteIntent[], nowMs: number): AccountChange[] {
    const wanted = new Map(intents.map((intent) => [intentKey(intent), intent]));
    const changes: AccountChange[] = [];
    for (const [key, order] of this.#orders) {
      const intent = wanted.get(key);
      if (intent !== undefined && isSameOrder(intent, order)) {
        wanted.delete(key);
        continue;
      }
      if (intent !== undefined) this.requotes++;
      changes.push(this.#change(key, { ...order, state: 'closed', closeReason: 'not wanted' }));
    }
    for (const [key, intent] of wanted) changes.push(this.#change(key, this.#newOrder(intent, nowMs)));
    return changes;
  }

  /**
   * Carries out a take: it gets what is offered up to its price, the best price first, and the rest lapses at once. An id has one
   * order.
   */
  take(intent: QuoteIntent, offered: readonly Offered[], nowMs: number): AccountChange[] {
    if (intent.take === undefined || this.#spent.has(intent.take)) return [];
    this.#spent.add(intent.take);
    let order = this.#newOrder(intent, nowMs);
    const changes = [this.#change(intentKey(intent), order)];
    for (const { tick, stakeMicros } of offered) {
      const taken = Math.min(stakeMicros, unfilledMicros(order));
      if (taken <= 0) break;
      const change = this.match(order, taken, nowMs, tick);
      changes.push(change);
      order = change.order;
    }
    if (order.state !== 'closed')
      changes.push(this.#change(intentKey(intent), { ...order, state: 'closed', closeReason: 'expired' }));
    return changes;
  }

  /** Matches stake of an open order, at its own price or at that of a taken level. The order closes once all of it is matched. */
  match(order: LiveOrder, stakeMicros: Micros, nowMs: number, taken: Tick | null = null): AccountChange {
    const filledMicros = order.filledMicros + stakeMicros;
    const state: OrderState = filledMicros >= order.stakeMicros ? 'closed' : 'live';
    const key = [...this.#orders].find(([, { requestUuid: uuid }]) => uuid === order.requestUuid)?.[0];
    const change = this.#change(key as IntentKey, { ...order, filledMicros, state });
    const fill = this.#newFill(order, stakeMicros, nowMs, taken);
    this.#fills.push(fill);
    this.stakeMatchedMicros += stakeMicros;
    this.#book(fill);
    return { ...change, fill };
  }

  position(id: SelectionId): PositionView {
    const { winMicros: ifWinMicros, loseMicros } = this.#nets.get(id) ?? NOTHING;
    return { ifWinMicros, ifLoseMicros: 0 - loseMicros };
  }

  quotes(id: SelectionId): OwnQuote[] {
    return this.open
      .filter(({ selectionId }) => selectionId === id)
      .map((order) => ({
        direction: order.direction,
        tick: selectionTick(order.priceKind, order.tick),
        unfilledMicros: selectionStakeMicros(order.priceKind, priceOf(order.tick), unfilledMicros(order)),
        // Orders rest before the next second, and close at once.
        phase: 'resting',
        aheadMicros: null,
      }));
  }

  recentFills(id: SelectionId, nowMs: number): RecentFill[] {
    return this.#fills
      .filter(({ selectionId, atMs }) => selectionId === id && nowMs - atMs <= RECENT_MS)
      .map(({ direction, priceKind, price, stakeMicros, atMs }) => ({
        direction,
        price: selectionPrice(priceKind, price),
        stakeMicros: selectionStakeMicros(priceKind, price, stakeMicros),
        ageMs: nowMs - atMs,
      }));
  }

  /** Profit of the matched bets in a final score, by its index in the grids. */
  profitIn(score: number): Micros {
    let total = 0;
    for (const { selectionId, grid } of PLACES) {
      const { winMicros: win, loseMicros: lose } = this.#nets.get(selectionId) ?? NOTHING;
      total += win * (grid.won[score] as number) - lose * (grid.lost[score] as number);
    }
    return total;
  }

  /** The least profit in a final score, whichever open orders are filled before. */
  worstIn(score: number): Micros {
    return this.open.reduce((worst, order) => {
      const place = PLACES.find(({ selectionId }) => selectionId === order.selectionId);
      if (place === undefined) return worst;
      const { winMicros: win, loseMicros: lose } = netOf(order, unfilledMicros(order), priceOf(order.tick));
      const profit = win * (place.grid.won[score] as number) - lose * (place.grid.lost[score] as number);
      return worst + Math.min(0, profit);
    }, this.profitIn(score));
  }

  #change(key: IntentKey, order: LiveOrder): AccountChange {
    if (order.state === 'closed') this.#orders.delete(key);
    else this.#orders.set(key, order);
    return { order, fill: null };
  }

  #newOrder(intent: QuoteIntent, nowMs: number): LiveOrder {
    const { selectionId, direction, tick, stakeMicros } = intent;
    this.placed++;
    this.largestStakeMicros = Math.max(this.largestStakeMicros, stakeMicros);
    const number = ++this.#lastOrder;
    return {
      requestUuid: requestUuid(`order-${number}`),
      orderId: orderId(number),
      selectionId,
      betslipId: betslipId(`betslip-${number}`),
      sport: EVENT.sport,
      eventId: EVENT.eventId,
      betType: betTypeOf(selectionId, direction),
      direction,
      priceKind: kindOfIntent(intent),
      tick,
      stakeMicros,
      mode: modeOf(intent),
      ...takeOf(intent),
      filledMicros: 0,
      state: 'live',
      createdMonotonicMs: nowMs,
      expiryMs: null,
      closeReason: null,
    };
  }

  #newFill(order: LiveOrder, stakeMicros: Micros, atMs: number, taken: Tick | null): Fill {
    const { selectionId, sport, eventId, betType, direction, priceKind, tick, requestUuid: uuid } = order;
    const { mode, take } = order;
    return {
      betId: betId(this.#fills.length + 1),
      orderId: orderId(Number(order.orderId)),
      requestUuid: uuid,
      selectionId,
      sport,
      eventId,
      betType,
      direction,
      priceKind,
      price: priceOf(taken ?? tick),
      stakeMicros,
      role: taken === null ? 'maker' : 'taker',
      mode,
      ...(take !== undefined && { take }),
      atMs,
    };
  }

  #book(fill: Fill): void {
    const before = this.#nets.get(fill.selectionId) ?? NOTHING;
    const added = netOf(fill, fill.stakeMicros, fill.price);
    this.#nets.set(fill.selectionId, {
      winMicros: before.winMicros + added.winMicros,
      loseMicros: before.loseMicros + added.loseMicros,
    });
  }
}

function netOf({ priceKind }: Pick<Fill, 'priceKind'>, stakeMicros: Micros, price: number): Net {
  const loseMicros = 0 - profitMicros(priceKind, stakeMicros, price, LOSS);
  return { winMicros: profitMicros(priceKind, stakeMicros, price, WIN), loseMicros };
}

const isSameOrder = (intent: QuoteIntent, { priceKind, tick, stakeMicros }: LiveOrder): boolean =>
  kindOfIntent(intent) === priceKind && intent.tick === tick && intent.stakeMicros === stakeMicros;

const betTypeOf = (id: SelectionId, direction: Direction): BetType =>
  `${direction},${selectionFrom(id)?.outcome ?? ''}` as BetType;
