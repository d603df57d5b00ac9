/** Turns quotes into orders as the order manager does: an order is kept while it fits its quote, and replaced otherwise. */
import type { Micros } from '../../../domain/money.ts';
import { SELECTION_KINDS } from '../../../domain/odds.ts';
import { priceOf } from '../../../domain/ladder.ts';
import { matchingTermsOf, modeOf } from '../../../domain/orders.ts';
import {
  type IntentKey,
  intentKey,
  lifetimeOf,
  type QuoteIntent,
  takeOf,
} from '../../../domain/quote-intent.ts';
import type { Bet, EventCircumstances } from '../../../risk/index.ts';

import { requestUuid, type SelectionId } from '../../../domain/ids.ts';
import { wouldCross, wouldTake } from '../../../orders/would-match.ts';
import { type HeldOrder, reconcile } from '../../../orders/targets/reconcile.ts';
import type { EventTape } from '../../tape.ts';
import { marketTypesOf, type TapeBet, type TapeExposure } from '../../exposure.ts';
import { newOrder, type OwnOrder } from '../exchange/own-order.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';
import type { FastSettings } from '../settings.ts';
import { bestOnly, type Showing } from '../deciding/showings.ts';
import type { Wishes } from '../../../strategy/wishes.ts';
import { TapeHedges } from './hedges.ts';
import { EventTakes } from './takes.ts';
import { type Plan, type PlanInput, usualPlan } from './usual-plan.ts';
import type { Refusals } from '../../refusals.ts';

export interface TraderParts {
  readonly tape: EventTape;
  readonly exchange: RecordedExchange;
  readonly exposure: TapeExposure;
  readonly settings: FastSettings;
  readonly balanceMicros: Micros;
  /** Draws the time that a request takes to the exchange. */
  readonly requestMs: () => number;
}

/** A quote that was refused or must wait is tried again after this long, as in the order manager. */
const RETRY_MS = 2_000;

export class Trader {
  orders = 0;
  /** Markets, by direction, that ever needed a betslip. */
  readonly betslips = new Set<number>();
  /** Stake matched so far. */
  matchedMicros: Micros = 0;
  readonly #parts: TraderParts;
  readonly #refusals = new Map<string, number>();
  readonly #positions: ReadonlyMap<SelectionId, number>;
  /** Orders that we hold for open, by selection. */
  readonly #held: OwnOrder[][];
  /** The quotes that are wanted, and the orders beside them. */
  readonly #planning: Planning;
  readonly #paused = new Map<IntentKey, number>();
  readonly #keys: IntentKey[][] = [];
  readonly #marketTypeOf: ReturnType<typeof marketTypesOf>;
  /** Open stake. */
  #openMicros: Micros = 0;
  /** Changes with everything that limits depend on. */
  #version = 0;
  readonly #refused = new Map<IntentKey, Refused>();
  readonly #takes = new EventTakes();
  readonly #hedges: TapeHedges;
  #ids = 0;
  /** When a wanted quote can be placed that waits for an answer of the exchange; Infinity without one. */
  retryMs = Infinity;
  /** When the exchange answers the create request of an order that takes the place of another one: the other can go then. Infinity without one. */
  handoverMs = Infinity;
  /** Whether we know that the event is in play. */
  inPlay = false;

  constructor(parts: TraderParts) {
    this.#parts = parts;
    this.#positions = new Map(parts.tape.selections.map(({ selectionId }, at) => [selectionId, at]));
    this.#held = parts.tape.selections.map(() => []);
    this.#marketTypeOf = marketTypesOf(parts.tape);
    this.#hedges = new TapeHedges(parts.tape, parts.exposure, parts.settings.leastStakeMicros);
    this.#planning = {
      wanted: [],
      held: this.#held,
      heldCount: 0,
      nowMs: 0,
      positions: this.#positions,
      settings: parts.settings,
    };
  }

  ordersOn(selection: number): readonly OwnOrder[] {
    return this.#held[selection] ?? [];
  }

  /** When the next order has to be renewed, wall-clock milliseconds; Infinity without orders. */
  get renewMs(): number {
    if (this.#planning.heldCount === 0) return Infinity;
    let earliest = Infinity;
    for (const orders of this.#held)
      for (const { expiryMs } of orders) if (expiryMs < earliest) earliest = expiryMs;
    return earliest - this.#parts.settings.renewLeadMs;
  }

  /** Whether a hedge was asked for: it is planned from lists of prices. */
  get readsLists(): boolean {
    return this.#hedges.wereWanted;
  }

  /** The strategy wants these quotes and hedges now. */
  want(wishes: Wishes, showing: Showing, nowMs: number): void {
    this.#takes.decided();
    this.#planning.wanted = this.#hedges.beside(wishes, showing, nowMs);
    this.plan(showing, nowMs);
  }

  /** Places and closes what the wanted quotes need. */
  plan(showing: Showing, nowMs: number): void {
    this.retryMs = Infinity;
    if (nowMs >= this.handoverMs) this.handoverMs = Infinity;
    this.#planning.nowMs = nowMs;
    const plan = usualPlan(this.#planning) ?? this.#fullPlan(nowMs);
    if (plan.isWaiting) this.retryMs = this.#nextAnswerMs(nowMs);
    for (const order of plan.close) this.#close(order, nowMs);
    for (const intent of plan.place) this.#place(intent, showing, nowMs);
  }

  /** The next answer to a create request. */
  #nextAnswerMs(nowMs: number): number {
    let earliestMs = Infinity;
    for (const orders of this.#held)
      for (const { answeredMs } of orders)
        if (answeredMs > nowMs && answeredMs < earliestMs) earliestMs = answeredMs;
    return earliestMs;
  }

  #fullPlan(nowMs: number): Plan {
    const wanted = new Map(this.#planning.wanted.map((intent) => [intentKey(intent), intent]));
    const held = this.#held.flat();
    const plan = reconcile(
      wanted,
      held.map((order) => heldOf(order, nowMs)),
      this.#parts.settings,
    );
    const closing = new Set<string>(plan.close);
    return {
      close: held.filter(({ id }) => closing.has(String(id))),
      place: plan.place.map(({ intent }) => intent),
      isWaiting: plan.waiting.length > 0,
    };
  }

  /** A fill of an order is known. */
  onFill(order: OwnOrder, price: number, stakeMicros: Micros, atMs: number): void {
    const { exposure } = this.#parts;
    const { selection, direction } = order;
    order.knownFilledMicros += stakeMicros;
    exposure.open(order.id, this.#unfilled(order));
    exposure.matched({ selection, direction, price, stakeMicros }, atMs);
    this.matchedMicros += stakeMicros;
    this.#takes.onFill(order, price, stakeMicros);
    this.#hedges.onOrder(order, false);
    this.#version++;
    this.#openMicros -= stakeMicros;
  }

  /** The end of an order is known. All of its fills are known by now. Returns whether the strategy's next take or hedge may go on. */
  onClosed(order: OwnOrder, nowMs: number): boolean {
    // The recorded exchange refuses an order in one case alone.
    if (order.refused) this.#pause(order.key, nowMs, 'market_closed');
    this.#takes.onClosed(order);
    this.#hedges.onOrder(order, true);
    this.#drop(order);
    return order.take !== undefined;
  }

  #drop(order: OwnOrder): void {
    const held = this.#held[order.selection] ?? [];
    const at = held.indexOf(order);
    if (at === -1) return;
    held.splice(at, 1);
    this.#version++;
    this.#openMicros -= order.stakeMicros - order.knownFilledMicros;
    this.#planning.heldCount--;
    this.#parts.exposure.open(order.id, { ...this.#unfilled(order), stakeMicros: 0 });
  }

  /** Orders that were refused, by reason. */
  get refusals(): Refusals {
    return Object.fromEntries(this.#refusals);
  }

  #pause(key: IntentKey, nowMs: number, why: string): void {
    this.#refusals.set(why, (this.#refusals.get(why) ?? 0) + 1);
    this.#paused.set(key, nowMs + RETRY_MS);
  }

  /** A request to close leaves once the exchange has answered the create request. */
  #close(order: OwnOrder, nowMs: number): void {
    if (order.closeWanted) return;
    order.closeWanted = true;
    this.#parts.exchange.cancel(order, Math.max(nowMs, order.answeredMs) + this.#parts.requestMs());
  }

  /** Sends the order unless something speaks against it. */
  #place(intent: QuoteIntent, showing: Showing, nowMs: number): void {
    const selection = this.#positions.get(intent.selectionId) ?? -1;
    const key = this.#keyOf(intent, selection);
    if ((this.#paused.get(key) ?? -Infinity) > nowMs || this.#takes.blocks(intent, selection)) return;
    if (!this.#isClear(intent, selection, showing)) return;
    const refused = this.#refused.get(key);
    const isSame = refused?.tick === intent.tick && refused.stakeMicros === intent.stakeMicros;
    // Nothing changed since the same order was refused.
    if (isSame && refused.version === this.#version) return;
    const why = this.#refusalOf(intent, selection, nowMs);
    if (why !== null) {
      this.#refused.set(key, { tick: intent.tick, stakeMicros: intent.stakeMicros, version: this.#version });
      this.#pause(key, nowMs, why);
    } else this.#send(intent, key, selection, nowMs);
  }

  /** Whether the order is large enough, would rest, and would not meet an order of our own. */
  #isClear(intent: QuoteIntent, selection: number, showing: Showing): boolean {
    const { leastStakeMicros, postOnlyMarginTicks } = this.#parts.settings;
    if (intent.stakeMicros < leastStakeMicros) return false;
    const taken = showing.selections[selection]?.[intent.direction] ?? null;
    const { direction, tick } = intent;
    const order = { direction, priceKind: SELECTION_KINDS[direction], tick };
    if (modeOf(intent) !== 'take_only' && wouldTake(order, postOnlyMarginTicks, bestOnly(taken)))
      return false;
    return !wouldCross(order, this.#held[selection] ?? []);
  }

  #refusalOf(intent: QuoteIntent, selection: number, nowMs: number): string | null {
    const { tape, exposure, balanceMicros } = this.#parts;
    return exposure.refusalOf(this.#betOf(intent, selection), {
      order: orderTermsOf(intent),
      takenMicros: this.#takes.takenMicros(nowMs),
      facts: {
        competitionId: tape.competitionId,
        inRunning: this.inPlay,
        // Most recordings tell no score, so no order waits for one.
        score: null,
        scoreAgeMs: 0,
        startTimeMs: tape.startMs,
        marketTypeOf: this.#marketTypeOf,
      },
      matchedTodayMicros: this.matchedMicros,
      openStakeMicros: this.#openMicros,
      balanceMicros,
      wallMs: nowMs,
    });
  }

  #betOf({ direction, tick, stakeMicros }: QuoteIntent, selection: number): Bet {
    return this.#parts.exposure.betOf({ selection, direction, price: priceOf(tick), stakeMicros });
  }

  #send(intent: QuoteIntent, key: IntentKey, selection: number, nowMs: number): void {
    const { exchange, exposure, settings, requestMs } = this.#parts;
    const travelMs = requestMs();
    const { direction, tick, stakeMicros, level } = intent;
    const expiryMs = nowMs + travelMs + lifetimeOf(intent, settings.durationS) * 1_000;
    const order = newOrder(
      {
        id: ++this.#ids,
        selection,
        direction,
        tick,
        stakeMicros,
        key,
        level,
        mode: modeOf(intent),
        take: this.#takes.send(intent, () =>
          exposure.reduces(this.#betOf(intent, selection), intent.hedge !== undefined),
        ),
        matching: matchingTermsOf(intent),
      },
      { sentMs: nowMs, answeredMs: nowMs + 2 * travelMs, expiryMs },
    );
    const held = this.#held[selection] ?? [];
    if (held.some((other) => other.key === key && !other.closeWanted))
      this.handoverMs = Math.min(this.handoverMs, order.answeredMs);
    held.push(order);
    this.#openMicros += stakeMicros;
    this.#planning.heldCount++;
    this.#version++;
    this.orders++;
    this.betslips.add(selection * 2 + (direction === 'for' ? 0 : 1));
    exposure.open(order.id, this.#unfilled(order));
    this.#takes.sent(order, nowMs);
    this.#hedges.onOrder(order, false);
    exchange.place(order, nowMs + travelMs);
  }

  /** The key of an intent, made once. */
  #keyOf(intent: QuoteIntent, selection: number): IntentKey {
    if (intent.take !== undefined) return intentKey(intent);
    const { selectionId, direction, level } = intent;
    const keys = (this.#keys[selection] ??= []);
    const place = 2 * level + (direction === 'for' ? 0 : 1);
    return (keys[place] ??= intentKey({ selectionId, direction, level }));
  }

  /** The stake of an order that may still be matched, as far as we know. */
  #unfilled({ selection, direction, tick, stakeMicros, knownFilledMicros }: OwnOrder): TapeBet {
    return { selection, direction, price: priceOf(tick), stakeMicros: stakeMicros - knownFilledMicros };
  }
}

type Planning = { -readonly [K in keyof PlanInput]: PlanInput[K] };

/** The circumstances of an intent that limits judge beside its price and stake. That a take reduces risk, they see themselves. */
function orderTermsOf(intent: QuoteIntent): EventCircumstances['order'] {
  const { keepOpenInRunning } = intent;
  return { ...(keepOpenInRunning !== undefined && { keepOpenInRunning }), ...takeOf(intent) };
}

/** An order that limits refused. */
interface Refused {
  readonly tick: number;
  readonly stakeMicros: Micros;
  readonly version: number;
}

/** An order as reconciliation sees it. */
export const heldOf = (order: OwnOrder, nowMs: number): HeldOrder => ({
  uuid: requestUuid(String(order.id)),
  key: order.key,
  state: order.closeWanted ? 'closing' : nowMs < order.answeredMs ? 'sending' : 'live',
  priceKind: SELECTION_KINDS[order.direction],
  tick: order.tick,
  mode: order.mode,
  matching: order.matching,
  unfilledMicros: order.stakeMicros - order.knownFilledMicros,
  lapsesInMs: order.expiryMs - nowMs,
  closeWanted: order.closeWanted,
});
