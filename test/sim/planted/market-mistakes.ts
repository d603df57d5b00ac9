import { map } from 'rxjs';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { Books } from '../../../src/market/books.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { type Planted, replace } from './planted.ts';

/** The stream as the daemon receives it, with the entries of each frame changed. */
const hearing =
  (make: () => (entry: StreamEntry) => StreamEntry[]): NonNullable<Planted['venue']> =>
  (venue: Venue) => {
    const change = make();
    const stream$ = venue.stream$.pipe(
      map((signal) =>
        signal.kind === 'frame' ? { ...signal, entries: signal.entries.flatMap(change) } : signal,
      ),
    );
    return Object.defineProperty(venue, 'stream$', { value: stream$ });
  };

/** The first offer of each market is received again and again. */
const neverReplaced = (): ((entry: StreamEntry) => StreamEntry[]) => {
  const first = new Map<string, StreamEntry>();
  return (entry) => {
    if (entry.tag !== 'offer') return [entry];
    const { sport, eventId, betType } = entry.offer;
    const name = `${sport} ${eventId} ${betType}`;
    const kept = first.get(name) ?? entry;
    first.set(name, kept);
    return [kept];
  };
};

/** Mistakes in the held market data. */
export const OF_THE_MARKET: readonly Planted[] = [
  { name: 'offers never replaced', venue: hearing(() => neverReplaced()) },
  {
    name: 'offers kept that were taken away',
    venue: hearing(() => (entry) => (entry.tag === 'remove_offer' ? [] : [entry])),
  },
  {
    name: 'events kept that were taken away',
    patch: () => replace(Books.prototype, 'removeEvent', () => () => undefined),
  },
  {
    name: 'prices far from the market let through',
    settings: {
      'risk.collar.adverseProbability': '0.99',
      'risk.collar.adverseLogOdds': '50',
      'risk.collar.awayLogOdds': '50',
    },
  },
  {
    name: 'prices near the market refused',
    settings: { 'risk.collar.adverseLogOdds': '0.3', 'risk.collar.awayLogOdds': '0.3' },
  },
  {
    name: 'terms of orders not compared',
    venue: (venue) => {
      const place = venue.placeOrder.bind(venue);
      venue.placeOrder = async (asked, options) => {
        const order = await place(asked, options);
        return { ...order, wantPrice: asked.price, wantStakeMicros: asked.stakeMicros, expiryTimeMs: null };
      };
      return venue;
    },
  },
];
