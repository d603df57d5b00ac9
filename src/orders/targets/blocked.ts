import { marketKey } from '../../domain/exchange-prices.ts';
import { type EventName, eventKey } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { IntentKey, QuoteIntent } from '../../domain/quote-intent.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import {
  CREATES_TOPIC,
  HALT_TOPIC,
  HEARTBEAT_TOPIC,
  orderTopic,
  pricesTopic,
  betslipTopic,
  type Topic,
  waitFor,
  Waits,
} from '../plan/waits.ts';
import { type Obstacle, REASONS, type WaitCode } from '../send-gate.ts';
import type { OrderContext } from '../state/context.ts';
import type { AccountProof } from './gate-facts.ts';
import type { Placing } from './reconcile.ts';
import type { StrategyTurns } from './strategy-turns.ts';
import { eventOf, type Targets } from './targets.ts';

/** A quote without an order, and what keeps it from getting one. */
export interface BlockedQuote {
  readonly key: IntentKey;
  readonly event: EventKey;
  readonly intent: QuoteIntent;
  readonly code: WaitCode;
}

/** The quotes that wait for what blocks them, and those that are to be judged again. */
export class BlockedQuotes {
  readonly #context: OrderContext;
  readonly #proof: AccountProof;
  readonly #turns: StrategyTurns;
  readonly #targets: Targets;
  readonly #blocked = new Map<IntentKey, BlockedQuote>();
  readonly #waits = new Waits<IntentKey>();
  readonly #woken = new Set<IntentKey>();
  /** The facts of the account as of the last turn. */
  #seen: Readonly<Record<'halts' | 'proof' | 'creates', unknown>> = { halts: null, proof: '', creates: '' };

  constructor(context: OrderContext, proof: AccountProof, turns: StrategyTurns, targets: Targets) {
    [this.#context, this.#proof, this.#turns, this.#targets] = [context, proof, turns, targets];
  }

  /** The quote waits until what blocks it changes. `untilMs`: when time alone may end the wait. */
  add({ key, intent }: Placing, obstacle: Obstacle, market: BetslipRequest | null, untilMs: number): void {
    const event = eventKey(eventOf(intent));
    const place = { event, market: market === null ? null : marketKey(market), untilMs };
    this.#waits.add(key, waitFor(REASONS[obstacle.code].waitsFor, place));
    this.#blocked.set(key, { key, event, intent, code: obstacle.code });
    this.#targets.waits({ key, intent, ...obstacle });
  }

  /** The quote does not wait any more: it has an order, or is not wanted. */
  delete(key: IntentKey): void {
    this.#blocked.delete(key);
    this.#waits.delete(key);
    this.#woken.delete(key);
    this.#targets.served(key);
  }

  get(key: IntentKey): BlockedQuote | undefined {
    return this.#blocked.get(key);
  }

  /** Takes the quotes that are to be judged again. */
  take(): readonly IntentKey[] {
    this.#compare();
    for (const key of this.#waits.due(this.#context.deps.clock.monotonicMs())) this.#woken.add(key);
    const woken = [...this.#woken];
    this.#woken.clear();
    return woken;
  }

  all(): Iterable<BlockedQuote> {
    return this.#blocked.values();
  }

  /** An order of ours on the event has changed. */
  orderChanged(event: EventName): void {
    this.#wake(orderTopic(eventKey(event)));
  }

  /** The event was decided anew: its prices, and with them what time did to them. */
  decided(event: EventKey): void {
    this.#wake(pricesTopic(event));
  }

  betslipChanged(market: string): void {
    this.#wake(betslipTopic(market));
  }

  /** The quote is to be judged again, though nothing that it waits for has changed. */
  wake({ key }: BlockedQuote): void {
    this.#woken.add(key);
  }

  wakeAll(): void {
    for (const key of this.#blocked.keys()) this.#woken.add(key);
  }

  /** Monotonic instant before which time alone wakes nothing. */
  get nextMs(): number {
    return this.#waits.nextMs;
  }

  /** Wakes those that wait for a fact of the whole account, if it has changed since the last turn. */
  #compare(): void {
    const { isConfirmed, provenUntilMs, reserveMs } = this.#proof.heartbeat.proof;
    const now = {
      halts: this.#context.halts.inForce,
      proof: `${isConfirmed} ${provenUntilMs} ${reserveMs}`,
      creates: `${this.#turns.revision} ${this.#targets.contendersRevision}`,
    };
    if (now.halts !== this.#seen.halts) this.#wake(HALT_TOPIC);
    if (now.proof !== this.#seen.proof) this.#wake(HEARTBEAT_TOPIC);
    if (now.creates !== this.#seen.creates) this.#wakeForCreates();
    this.#seen = now;
  }

  /** While no more requests may be in flight, the limit blocks all that it has blocked before. */
  #wakeForCreates(): void {
    const isFull = this.#turns.inFlight >= this.#context.options.maxInFlight;
    for (const key of this.#waits.on(CREATES_TOPIC))
      if (!isFull || this.#blocked.get(key)?.code !== 'in_flight_limit') this.#woken.add(key);
  }

  #wake(woken: Topic): void {
    for (const key of this.#waits.on(woken)) this.#woken.add(key);
  }
}
