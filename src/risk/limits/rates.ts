import type { RequestUuid, SelectionId } from '../../domain/ids.ts';
import type { OrderState } from '../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type TradingDays, UTC_DAYS } from '../../lib/trading-day.ts';
import type { RiskLimits } from './limits.ts';

/** Counts events in a rolling window. An instant earlier than the previous one counts as the previous one. */
export class RollingCount {
  readonly #windowMs: number;
  readonly #instants: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(atMs: number): void {
    this.#instants.push(Math.max(atMs, this.#instants.at(-1) ?? -Infinity));
  }

  /** The number of instants less than the window before `atMs`; drops earlier ones. */
  count(atMs: number): number {
    const kept = this.#instants.findIndex((instant) => atMs - instant < this.#windowMs);
    this.#instants.splice(0, kept < 0 ? this.#instants.length : kept);
    return this.#instants.length;
  }
}

const MINUTE_MS = 60_000;
/** An order becomes absent from one of these states only if no byte of it left. */
const UNSENT: readonly OrderState[] = ['prepared', 'sending'];

interface Approval {
  readonly atMs: number;
  /** Bytes of the order may have left. */
  isSent: boolean;
}

/**
 * Counts what an algorithm repeats without a person looking: orders a minute on the account, and fills of one
 * selection in one direction. Passing such a limit stops trading there until a person releases it.
 */
export class Throttles {
  readonly #limits: RiskLimits['throttle'];
  /** Oldest first. */
  readonly #orders = new Map<RequestUuid, Approval>();
  readonly #fills = new Map<string, RollingCount>();

  constructor(limits: RiskLimits['throttle']) {
    this.#limits = limits;
  }

  onApproved(requestUuid: RequestUuid, nowMs: number): void {
    this.#orders.set(requestUuid, { atMs: nowMs, isSent: false });
  }

  /**
   * An order that was never sent does not count as a message. Quotes change while they wait for budget or a connection, and
   * a refused connection is retried many times.
   */
  onOrder({ requestUuid, state }: Pick<LiveOrder, 'requestUuid' | 'state'>): void {
    const approval = this.#orders.get(requestUuid);
    if (approval === undefined) return;
    if (state === 'absent' && !approval.isSent) this.#orders.delete(requestUuid);
    if (!UNSENT.includes(state)) approval.isSent = true;
  }

  ordersLastMinute(nowMs: number): number {
    for (const [uuid, { atMs }] of this.#orders) {
      if (nowMs - atMs < MINUTE_MS) break;
      this.#orders.delete(uuid);
    }
    return this.#orders.size;
  }

  /** Returns the number of fills when it exceeds the limit, else null. `filledMs` is monotonic. */
  onFill({ selectionId, direction }: Fill, filledMs: number): number | null {
    const key = `${selectionId}#${direction}`;
    const fills = this.#fills.get(key) ?? new RollingCount(this.#limits.repeatedWindowS * 1_000);
    this.#fills.set(key, fills);
    fills.add(filledMs);
    const count = fills.count(filledMs);
    return count > this.#limits.repeatedFills ? count : null;
  }

  /** A person released the stop: counting starts again at 0. */
  reset(): void {
    this.#orders.clear();
    this.#fills.clear();
  }

  forget(selectionIds: Iterable<SelectionId>): void {
    for (const id of selectionIds) {
      this.#fills.delete(`${id}#for`);
      this.#fills.delete(`${id}#against`);
    }
  }
}

interface DayTurnover {
  readonly micros: Micros;
  /** Monotonic instant at which the last bet of this day was reported. */
  readonly reportedMs: number;
}

/** Stake matched per trading day. Each bet counts on the day of its own instant, whenever it is reported here. */
export class Turnover {
  /** Today and other days with recent reports: a wrong clock, once corrected, returns to one of them. */
  readonly #days = new Map<number, DayTurnover>();
  readonly #calendar: Pick<TradingDays, 'numberOf'>;

  constructor(calendar: Pick<TradingDays, 'numberOf'> = UTC_DAYS) {
    this.#calendar = calendar;
  }

  /** Counts a bet that was matched at `atMs` by the wall clock. `nowMs` is monotonic. */
  add(stakeMicros: Micros, atMs: number, nowMs: number): void {
    const micros = this.today(atMs, nowMs) + stakeMicros;
    this.#days.set(this.#calendar.numberOf(atMs), { micros, reportedMs: nowMs });
  }

  today(wallMs: number, nowMs: number): Micros {
    // A day without a report for 24 hours is over for good.
    for (const [day, { reportedMs }] of this.#days) if (nowMs - reportedMs >= DAY_MS) this.#days.delete(day);
    return this.#days.get(this.#calendar.numberOf(wallMs))?.micros ?? 0;
  }
}
