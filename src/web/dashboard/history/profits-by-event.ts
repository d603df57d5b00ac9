import type { LiveEvent } from '../../../read-model/live/message.ts';

type EventWithBets = LiveEvent & { readonly profit: NonNullable<LiveEvent['profit']> };

/** The events with bets, the one that lost the most first. */
export const profitsByEvent = (events: readonly LiveEvent[]): readonly EventWithBets[] =>
  events
    .filter((event): event is EventWithBets => event.profit !== null)
    .toSorted((a, b) => a.profit.expected - b.profit.expected);
