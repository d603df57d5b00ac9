import type { BetType, EventId, SelectionId, Sport } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import type { EventBets, Exposure } from './exposure/event-bets.ts';
import type { ExposureBook, ScopeKind } from './exposure/book.ts';
import type { OrderTracker, ExposedOrder } from './exposure/tracker.ts';

/** Amounts are micros; a worst case is a profit, at most 0; gross is the sum of what each could lose, at least 0. */
export interface ExposureReport {
  readonly account: AccountExposure;
  readonly scopes: readonly ScopeExposure[];
  readonly events: readonly EventExposure[];
}

/** What is at stake on the whole account; `openMicros` is the stake of all orders that may still be matched. */
export interface AccountExposure extends Exposure {
  readonly openOrders: number;
  readonly openMicros: Micros;
}

export interface ScopeExposure extends Exposure {
  readonly kind: ScopeKind;
  readonly name: string;
}

export interface EventExposure extends Exposure {
  readonly eventId: EventId;
  readonly openOrders: number;
  /** Final score in which the account does worst, by sport (a period is a sport of its own). */
  readonly worstScores: readonly { readonly sport: Sport; readonly home: number; readonly away: number }[];
  readonly selections: readonly { readonly selectionId: SelectionId; readonly worstMicros: Micros }[];
  /** Bet types that count by themselves, because how they hang together with others is not known. */
  readonly offGrid: readonly BetType[];
}

/** What is at stake now, for people and metrics. */
export function reportExposure(book: ExposureBook, tracker: OrderTracker): ExposureReport {
  const open = tracker.open();
  return {
    account: accountExposure(book, tracker),
    scopes: book.wider(),
    events: book.events().map((event) => reportEvent(event, open)),
  };
}

/** The account's part alone, which is there without looking at the events. */
export function accountExposure(book: ExposureBook, tracker: OrderTracker): AccountExposure {
  return { ...book.account(), openOrders: tracker.openCount, openMicros: tracker.openStakeMicros() };
}

function reportEvent(event: EventBets, open: readonly ExposedOrder[]): EventExposure {
  const entries = Array.from(event.entries(), ([, entry]) => entry);
  const sports = new Set(entries.map(({ bet }) => bet.sport));
  const offGrid = entries.filter(({ outcomes }) => outcomes === null).map(({ bet }) => bet.betType);
  return {
    eventId: event.eventId,
    ...event.exposure(),
    openOrders: open.filter(({ bet }) => bet.eventId === event.eventId).length,
    worstScores: [...sports].flatMap((sport) => {
      const group = event.scoreGroup(sport);
      return group === null ? [] : [{ sport, ...group.worstScore() }];
    }),
    selections: Array.from(new Set(entries.map(({ bet }) => bet.selectionId)), (selectionId) => ({
      selectionId,
      worstMicros: event.selectionWorst(selectionId),
    })),
    offGrid: [...new Set(offGrid)],
  };
}
