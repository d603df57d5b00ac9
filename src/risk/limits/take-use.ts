import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey, RequestUuid } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import { type Fill, type LiveOrder, unfilledMicros } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import { liabilityMicros } from '../../domain/odds.ts';
import type { PlaceOrder, TakeTerms } from '../../domain/orders.ts';
import { HOUR_MS } from '../../lib/time.ts';

/** What one take may lose. */
interface Taken {
  readonly event: EventKey;
  /** Wall-clock instant of its approval, or of its first fill that was known. */
  readonly atMs: number;
  /** Of what may still be matched. */
  openMicros: Micros;
  filledMicros: Micros;
  /** Whether an order was reported since its approval. */
  isOrder: boolean;
}

/** What takes may lose that did not certainly reduce risk: on an event, and of the last hour. */
export interface TakenMicros {
  readonly event: Micros;
  readonly hour: Micros;
}

/** A bet of a hedge is approved only if it worsens nothing of what is matched, and a person's quote rests. */
const counts = (take: TakeTerms | undefined): boolean =>
  take !== undefined && !take.reduces && take.hedge === undefined && take.byHand === undefined;

/** Counts the takes that do not certainly reduce risk, by what they may lose. Fills that the journal repeats at a start count again. */
export class TakeUse {
  readonly #takes = new Map<RequestUuid, Taken>();
  readonly #approvalTtlMs: number;

  constructor(approvalTtlMs: number) {
    this.#approvalTtlMs = approvalTtlMs;
  }

  onApproved(order: PlaceOrder, atMs: number): void {
    if (!counts(order.take)) return;
    const openMicros = liabilityMicros(order.priceKind, order.stakeMicros, order.price);
    this.#takes.set(order.requestUuid, {
      event: eventKey(order),
      atMs,
      openMicros,
      filledMicros: 0,
      isOrder: false,
    });
  }

  onOrder(order: LiveOrder, atMs: number): void {
    const taken = this.#takeOf(order, order.requestUuid, atMs);
    if (taken === null) return;
    taken.isOrder = true;
    taken.openMicros = isTerminal(order.state)
      ? 0
      : liabilityMicros(order.priceKind, unfilledMicros(order), priceOf(order.tick));
  }

  onFill(fill: Fill): void {
    if (fill.requestUuid === null) return;
    const taken = this.#takeOf(fill, fill.requestUuid, fill.atMs);
    if (taken !== null) taken.filledMicros += liabilityMicros(fill.priceKind, fill.stakeMicros, fill.price);
  }

  /** `apart`: a request that does not count, since it is the one that is judged. */
  of(event: EventName, nowMs: number, apart: RequestUuid): TakenMicros {
    this.#forget(nowMs);
    const key = eventKey(event);
    const sum = { event: 0, hour: 0 };
    for (const [uuid, taken] of this.#takes) {
      if (uuid === apart) continue;
      const micros = taken.openMicros + taken.filledMicros;
      if (taken.event === key) sum.event += micros;
      if (nowMs - taken.atMs < HOUR_MS) sum.hour += micros;
    }
    return sum;
  }

  /** The event is over: only the hour still counts what was taken on it. */
  onEventOver(event: EventName, nowMs: number): void {
    const key = eventKey(event);
    for (const [uuid, taken] of this.#takes)
      if (taken.event === key && nowMs - taken.atMs >= HOUR_MS) this.#takes.delete(uuid);
  }

  #takeOf(
    of: Pick<LiveOrder, 'sport' | 'eventId'> & Partial<Pick<LiveOrder, 'take'>>,
    uuid: RequestUuid,
    atMs: number,
  ): Taken | null {
    if (!counts(of.take)) return null;
    const known = this.#takes.get(uuid);
    if (known !== undefined) return known;
    const taken = { event: eventKey(of), atMs, openMicros: 0, filledMicros: 0, isOrder: true };
    this.#takes.set(uuid, taken);
    return taken;
  }

  /** Approvals that never became orders lapse, and takes that got nothing lose nothing. */
  #forget(nowMs: number): void {
    for (const [uuid, taken] of this.#takes) {
      const isLapsed = !taken.isOrder && Math.abs(nowMs - taken.atMs) > this.#approvalTtlMs;
      const isEmpty = taken.isOrder && taken.openMicros + taken.filledMicros === 0;
      if (isLapsed || isEmpty) this.#takes.delete(uuid);
    }
  }
}
