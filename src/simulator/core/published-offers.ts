/** What `GET /v2/offers/` shows. It lags the market: it is read from what was published a while ago (specification). */
import { DIRECTIONS } from '../../domain/selection.ts';
import type { EventRecord, NamedOffer } from './model.ts';

/** The lag of published offers: they change at broadcasts, and are shown after a further `holdMs`. Null shows the market itself. */
export function holdMsOf(settings: {
  readonly offersLagMs: number;
  readonly broadcastIntervalMs: number;
}): number | null {
  const { offersLagMs, broadcastIntervalMs } = settings;
  return offersLagMs <= 0 ? null : Math.max(0, offersLagMs - broadcastIntervalMs);
}

/** Publishes the event's present offers, and drops what no request can see any more. */
export function publishOffers(event: EventRecord, nowMs: number, holdMs: number | null): void {
  if (holdMs === null) return;
  const { published } = event;
  const offers = presentOffers(event);
  // An event begins with its first prices.
  if (published.length === 0 && offers.length === 0) return;
  const shown = published.findLastIndex(({ atMs }) => atMs <= nowMs - holdMs);
  published.splice(0, Math.max(0, shown));
  published.push({ atMs: nowMs, offers });
}

/**
 * The offers that requests see now: the newest that were published at least `holdMs` ago. An event that was published later is
 * shown as it was at first, and before that as it is.
 */
export function shownOffers(event: EventRecord, nowMs: number, holdMs: number | null): readonly NamedOffer[] {
  const { published } = event;
  const first = published[0];
  if (holdMs === null || first === undefined) return presentOffers(event);
  return (published.findLast(({ atMs }) => atMs <= nowMs - holdMs) ?? first).offers;
}

function presentOffers(event: EventRecord): readonly NamedOffer[] {
  const offers: NamedOffer[] = [];
  for (const market of event.books.values()) {
    for (const direction of DIRECTIONS) {
      const offer = market.offer(direction);
      if (offer === null) continue;
      offers.push({
        betType: market.betType(direction),
        marketType: market.parsed(direction).marketType,
        text: offer.text,
        stakeMicros: offer.stakeMicros,
      });
    }
  }
  return offers;
}
