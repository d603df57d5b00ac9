import type { Refusal } from '../domain/approval.ts';
import { type EventName, isSameEvent } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { type Direction, DIRECTIONS } from '../domain/selection.ts';
import type { ExposureBook } from './exposure/book.ts';
import type { Bet } from './exposure/payoffs.ts';
import { TargetBets } from './exposure/target-bets.ts';
import type { OrderTracker } from './exposure/tracker.ts';
import type { RefusalCode } from './refusal-codes.ts';

/** Refusals that end once fewer of our own orders are open. */
const ROOM: ReadonlySet<string> = new Set<RefusalCode>([
  'selection_worst_case',
  'event_worst_case',
  'competition_worst_case',
  'sport_worst_case',
  'day_worst_case',
  'account_worst_case',
  'strategy_event_worst_case',
  'strategy_worst_case',
  'event_gross',
  'account_gross',
  'day_turnover',
  'balance',
  'reducing_only',
  'selection_open_orders',
  'event_open_orders',
  'account_open_orders',
  'strategy_open_orders',
]);

/** Milliseconds. An order that is refused for less may only wait for the order that it replaces. */
const GRACE_MS = 1_500;
/** Milliseconds after the last refusal, at least. The order is tried again within it. */
const HOLD_MS = 10_000;
/** Milliseconds. A refusal does not repeat one that is older. */
const FORGOTTEN_MS = 120_000;

interface Waiting {
  readonly event: EventName;
  readonly sinceMs: number;
  readonly lastMs: number;
  /** The event gives way until then. */
  readonly untilMs: number;
}

/**
 * Keeps our own quotes from blocking an order that reduces a position. Such an order must not be placed while quotes of ours that
 * do not reduce might fill with it and leave us worse off. If it is refused for that alone, and for a while, its event gives way:
 * only what reduces may rest there, so the quotes are closed, and the order passes once they have ended.
 */
export class GivingWay {
  readonly #book: ExposureBook;
  readonly #tracker: OrderTracker;
  readonly #waiting = new Map<string, Waiting>();

  constructor(book: ExposureBook, tracker: OrderTracker) {
    this.#book = book;
    this.#tracker = tracker;
  }

  /** `isHedge`: the order is a bet of a hedge. */
  onRefused(bet: Bet, isHedge: boolean, refusals: readonly Refusal[], nowMs: number): void {
    const key = keyOf(bet);
    const known = this.#waiting.get(key);
    if (!refusals.every(({ code }) => ROOM.has(code)) || !this.#isBlockedByUs(bet, isHedge)) {
      this.#waiting.delete(key);
      return;
    }
    const isRepeated = known !== undefined && nowMs - known.lastMs <= FORGOTTEN_MS;
    const sinceMs = isRepeated ? known.sinceMs : nowMs;
    const holdMs = isRepeated ? Math.max(HOLD_MS, 3 * (nowMs - known.lastMs)) : 0;
    const untilMs = nowMs - sinceMs >= GRACE_MS ? nowMs + holdMs : -Infinity;
    this.#waiting.set(key, { event: bet, sinceMs, lastMs: nowMs, untilMs });
  }

  /** The order was approved. */
  end(bet: Pick<Bet, 'selectionId' | 'direction'>): void {
    this.#waiting.delete(keyOf(bet));
  }

  /** What the strategy wants on these selections now. Nothing gives way to an order that is not wanted any more. */
  onWanted(selectionIds: readonly SelectionId[], intents: readonly QuoteIntent[]): void {
    if (this.#waiting.size === 0) return;
    const wanted = new Set(intents.map(keyOf));
    for (const selectionId of selectionIds)
      for (const direction of DIRECTIONS)
        if (!wanted.has(keyOf({ selectionId, direction }))) this.end({ selectionId, direction });
  }

  /** The event is over. */
  forget(event: EventName): void {
    for (const [key, waiting] of this.#waiting)
      if (isSameEvent(waiting.event, event)) this.#waiting.delete(key);
  }

  /** Whether only what reduces may rest on an event. */
  isOn(event: EventName, nowMs: number): boolean {
    return [...this.#waiting.values()].some(
      (waiting) => isSameEvent(waiting.event, event) && nowMs < waiting.untilMs,
    );
  }

  /** Whether the event gives way to this order, which then goes first. */
  isFor(order: Pick<Bet, 'selectionId' | 'direction'>, nowMs: number): boolean {
    return nowMs < (this.#waiting.get(keyOf(order))?.untilMs ?? -Infinity);
  }

  /** Whether the order would reduce if those of our orders on its event were gone that do not reduce by themselves. */
  #isBlockedByUs(bet: Bet, isHedge: boolean): boolean {
    const ours = Array.from(this.#book.event(bet)?.entries() ?? [])
      .filter(([key]) => this.#tracker.isOurOpenOrder(key))
      .map(([, entry]) => entry.bet);
    const alone = new TargetBets(this.#book, this.#tracker);
    const helpful = ours.filter((open) => alone.reduces(open));
    if (helpful.length === ours.length) return false;
    for (const open of helpful) alone.choose(open);
    return alone.reduces(bet, isHedge);
  }
}

const keyOf = ({
  selectionId,
  direction,
}: {
  readonly selectionId: SelectionId;
  readonly direction: Direction;
}): string => `${selectionId}#${direction}`;
