import { eventKey, type EventName } from '../domain/events.ts';
import type { EventKey, RequestUuid, SelectionId } from '../domain/ids.ts';
import type { LiveOrder } from '../domain/live-order.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import type { Direction } from '../domain/selection.ts';

interface Followed {
  wanted: boolean;
  readonly open: Record<Direction, number>;
}

/** Numbers of selections now. */
export interface Quoting {
  readonly wanted: number;
  /** Wanted ones with a confirmed order. */
  readonly quoted: number;
  /** Wanted ones with confirmed orders on both sides. */
  readonly twoSided: number;
  /** How long something has been wanted while nothing was quoted; null while that is not so. */
  readonly notQuotingMs: number | null;
}

/**
 * Measures quote uptime: the share of wanted time in which a selection had confirmed orders on both sides. Integrates exactly
 * over changes; time is monotonic.
 */
export class QuoteUptime {
  readonly #selections = new Map<SelectionId, Followed>();
  readonly #wanted = new Map<EventKey, ReadonlySet<SelectionId>>();
  readonly #openOrders = new Set<RequestUuid>();
  readonly #everQuoted = new Set<SelectionId>();
  #sinceMs: number;
  #wantedMs = 0;
  #twoSidedMs = 0;
  /** Monotonic instant since which something is wanted and nothing is quoted; null while that is not so. */
  #notQuotingSinceMs: number | null = null;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** The strategy's complete set of quotes for an event. */
  want(event: EventName, intents: readonly QuoteIntent[], nowMs: number): void {
    this.#accrue(nowMs);
    const key = eventKey(event);
    const wanted = new Set(intents.map((intent) => intent.selectionId));
    for (const id of this.#wanted.get(key) ?? []) if (!wanted.has(id)) this.#at(id).wanted = false;
    for (const id of wanted) this.#at(id).wanted = true;
    for (const id of this.#wanted.get(key) ?? []) this.#forgetIdle(id);
    if (wanted.size > 0) this.#wanted.set(key, wanted);
    else this.#wanted.delete(key);
    this.#noteQuoting(nowMs);
  }

  /** Call it with every change of an order. */
  onOrder(order: LiveOrder, nowMs: number): void {
    const open = order.state === 'live' || order.state === 'closing';
    if (open === this.#openOrders.has(order.requestUuid)) return;
    this.#accrue(nowMs);
    if (open) this.#openOrders.add(order.requestUuid);
    else this.#openOrders.delete(order.requestUuid);
    const quoting = this.#at(order.selectionId);
    quoting.open[order.direction] += open ? 1 : -1;
    if (isTwoSided(quoting)) this.#everQuoted.add(order.selectionId);
    this.#forgetIdle(order.selectionId);
    this.#noteQuoting(nowMs);
  }

  /** A deliberate stop is over: until now nothing could be quoted. */
  onResume(nowMs: number): void {
    if (this.#notQuotingSinceMs !== null) this.#notQuotingSinceMs = nowMs;
  }

  /** Share of the wanted time; 0 if none was wanted yet. */
  ratio(nowMs: number): number {
    this.#accrue(nowMs);
    return this.#wantedMs === 0 ? 0 : this.#twoSidedMs / this.#wantedMs;
  }

  /** The present numbers. */
  now(nowMs: number): Quoting {
    const counts = { wanted: 0, quoted: 0, twoSided: 0 };
    for (const followed of this.#selections.values()) {
      if (!followed.wanted) continue;
      counts.wanted++;
      if (isQuoted(followed)) counts.quoted++;
      if (isTwoSided(followed)) counts.twoSided++;
    }
    const sinceMs = this.#notQuotingSinceMs;
    return { ...counts, notQuotingMs: sinceMs === null ? null : Math.max(0, nowMs - sinceMs) };
  }

  /** Number of selections that were ever quoted on both sides. */
  get selectionsQuoted(): number {
    return this.#everQuoted.size;
  }

  /** Number of selections that are wanted or have an open order. */
  get selectionsFollowed(): number {
    return this.#selections.size;
  }

  #noteQuoting(nowMs: number): void {
    let isWanted = false;
    for (const followed of this.#selections.values()) {
      if (!followed.wanted) continue;
      isWanted = true;
      if (!isQuoted(followed)) continue;
      this.#notQuotingSinceMs = null;
      return;
    }
    if (isWanted) this.#notQuotingSinceMs ??= nowMs;
    else this.#notQuotingSinceMs = null;
  }

  /** An order change may arrive before the decision that caused it, which carries the earlier instant of its turn. */
  #accrue(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#sinceMs);
    this.#sinceMs += elapsedMs;
    for (const quoting of this.#selections.values()) {
      if (!quoting.wanted) continue;
      this.#wantedMs += elapsedMs;
      if (isTwoSided(quoting)) this.#twoSidedMs += elapsedMs;
    }
  }

  /** Each change visits every followed selection, so those of past events must be dropped. */
  #forgetIdle(id: SelectionId): void {
    const { wanted, open } = this.#at(id);
    if (!wanted && open.for === 0 && open.against === 0) this.#selections.delete(id);
  }

  #at(id: SelectionId): Followed {
    let quoting = this.#selections.get(id);
    if (quoting === undefined) {
      quoting = { wanted: false, open: { for: 0, against: 0 } };
      this.#selections.set(id, quoting);
    }
    return quoting;
  }
}

const isTwoSided = (quoting: Followed): boolean => quoting.open.for > 0 && quoting.open.against > 0;

const isQuoted = (quoting: Followed): boolean => quoting.open.for > 0 || quoting.open.against > 0;
