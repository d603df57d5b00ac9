import type { OrderBook, TrackedOrder } from '../../account/orders.ts';
import type { VenueRejection } from '../../domain/errors.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { PriceKind } from '../../domain/odds.ts';
import { invariant } from '../../lib/assert.ts';
import type { Logger } from '../../ports/logger.ts';
import type { KindHold, OrderManagerDeps } from '../api.ts';
import type { OwnedEvent } from '../journal/fold.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { OrderOptions } from '../options.ts';
import type { FruitlessAttempts } from './fruitless.ts';
import type { Halts } from './halts.ts';
import type { OrderMetrics } from './order-metrics.ts';
import type { Takes } from './takes.ts';
import type { WorkQueue } from './work-queue.ts';

/** The dependencies and state that every part of the manager shares. */
export interface OrderContext {
  readonly deps: OrderManagerDeps;
  /** What the exchange's prices are, now. */
  readonly exchangePrices: () => ExchangePrices;
  /** The options in force. Read them when needed, since they may change. */
  options: OrderOptions;
  readonly log: Logger;
  readonly metrics: OrderMetrics;
  readonly queue: WorkQueue;
  readonly journalWriter: JournalWriter;
  readonly book: OrderBook;
  readonly halts: Halts;
  /** The kinds of prices at which no order may be begun on some events. */
  readonly heldKinds: Map<PriceKind, KindHold>;
  readonly owners: Owners;
  readonly fruitless: FruitlessAttempts;
  readonly takes: Takes;
  /** Called when quoting is latched. Closes every own order. */
  onLatched(): void;
  /** The name of this run in `user_data`: the journal's count of runs. */
  run: string;
}

/** Milliseconds until an order lapses by our own clock; Infinity when it was not sent. */
export function lapsesInMs(tracked: TrackedOrder, nowMonotonicMs: number): number {
  return tracked.lapsesMonotonicMs === null ? Infinity : tracked.lapsesMonotonicMs - nowMonotonicMs;
}

/** Returns why no order of ours may stay open; null when orders may. */
export function closesAll({
  halts,
  journalWriter,
}: Pick<OrderContext, 'halts' | 'journalWriter'>): string | null {
  if (halts.latched !== null) return 'latched';
  if (journalWriter.failed) return 'the journal failed';
  return halts.closesAll ? 'stopped' : null;
}

/** The refusal of our key, for people. */
export const keyRefusedText = ({ code }: Pick<VenueRejection, 'code'>): string =>
  `the exchange refuses our key: ${code}`;

/** Stops quoting until a person releases the latch, in this run and later ones. The first latch stays. */
export function latch(
  context: OrderContext,
  reason: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  if (context.halts.latched !== null) return;
  context.halts.latch(reason);
  context.journalWriter.note({ kind: 'latched', reason });
  context.log.error('quoting stopped until released by a person', { reason, ...fields });
  context.onLatched();
}

/** Records which strategy owns each event. Other parts decide the owner. */
export class Owners {
  readonly #journalWriter: Pick<JournalWriter, 'note'>;
  readonly #owners = new Map<EventKey, string>();

  constructor(journalWriter: Pick<JournalWriter, 'note'>) {
    this.#journalWriter = journalWriter;
  }

  /** Takes over the owners that earlier runs recorded. */
  restore(owned: Iterable<OwnedEvent>): void {
    for (const { event, owner } of owned) this.#owners.set(eventKey(event), owner);
  }

  /** Returns the owner of an event. Throws InvariantError for an event without one. */
  of(event: EventName): string {
    const owner = this.#owners.get(eventKey(event));
    invariant(owner !== undefined, 'an event has orders and no owner', { event: eventKey(event) });
    return owner;
  }

  /**
   * Records the owner. The record is durable before the event's first order is sent, because that commits every
   * earlier note.
   */
  own({ sport, eventId }: EventName, owner: string): void {
    const key = eventKey({ sport, eventId });
    if (this.#owners.get(key) === owner) return;
    this.#owners.set(key, owner);
    this.#journalWriter.note({ kind: 'event_owned', event: { sport, eventId }, owner });
  }
}
