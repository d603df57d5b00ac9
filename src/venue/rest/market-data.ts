import { ProtocolError } from '../../domain/errors.ts';
import type { BetType, Sport } from '../../domain/ids.ts';
import type { Offer } from '../../domain/stream.ts';
import type { BetTypeInfo, CallOptions, EventQuery, OfferQuery } from '../../ports/venue.ts';
import { betTypeReader, readEvent } from '../wire/events.ts';
import { readOffer } from '../wire/offers.ts';
import { lenientArrayReader, listOf, type Reader } from '../wire/reader.ts';
import type { EventDetails } from '../wire/resources.ts';
import { isRecord } from '../wire/scalars.ts';
import { isoTimeOrNull, pathOf, type RestClient, segment } from './client.ts';

/** Every published filter of the event list. Times are wall-clock milliseconds. */
export interface EventFilter extends EventQuery {
  readonly competitionIds?: readonly number[];
  readonly eventIds?: readonly string[];
  readonly startFromMs?: number;
  readonly startToMs?: number;
  readonly lang?: 'en' | 'ko' | 'zh-hans';
}

export interface OfferFilter extends OfferQuery {
  readonly marketTypes?: readonly string[];
}

export interface PageOptions {
  /** Items on a page, at most 5000. */
  readonly limit?: number;
  /** The cursor `next` of the page before. */
  readonly after?: string | null;
}

/** A page. `next` is the cursor of the next page; null when this is the last. */
export interface Page<T> {
  readonly items: readonly T[];
  /** How many further items cannot be read. What they are about is not absent. */
  readonly unread: number;
  readonly next: string | null;
}

const LONGEST_PAGE = 5000;
/** The most event ids in one request for offers. */
export const EVENTS_PER_OFFERS_CALL = 20;

/** Events and offers over REST, and the bet-type lookup (specification, Market data). */
export class MarketDataApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** `GET /v2/events/`: events that have prices now. */
  events(
    filter: EventFilter = {},
    page: PageOptions = {},
    options?: CallOptions,
  ): Promise<Page<EventDetails>> {
    const limit = page.limit ?? LONGEST_PAGE;
    const path = pathOf('events/', { ...eventQuery(filter), limit, after: page.after });
    const read = pageReader('events', readEvent, limit, ['sport', 'event_id']);
    return this.#client.get('GET /v2/events/', path, read, options);
  }

  /** `GET /v2/offers/`: 1 to 20 events of one sport. Can lag the stream by some seconds. */
  offers(filter: OfferFilter, page: PageOptions = {}, options?: CallOptions): Promise<Page<Offer>> {
    const limit = page.limit ?? LONGEST_PAGE;
    const path = pathOf('offers/', { ...offerQuery(filter), limit, after: page.after });
    const read = pageReader('offers', readOffer, limit, ['event_id', 'bet_type']);
    return this.#client.call(
      { name: 'GET /v2/offers/', path, lane: 'offers', repeat: 'safe', read },
      options,
    );
  }

  /** `GET /v2/sports/{sport}/bet_types/{bet_type}/` */
  betType(sport: Sport, betType: BetType, options?: CallOptions): Promise<BetTypeInfo> {
    const name = 'GET /v2/sports/{sport}/bet_types/{bet_type}/';
    const path = pathOf(`sports/${segment(sport)}/bet_types/${segment(betType)}/`);
    return this.#client.get(name, path, betTypeReader({ sport, betType }), options);
  }
}

const eventQuery = (filter: EventFilter) => ({
  sport: filter.sports,
  ir_status: filter.irStatuses,
  competition_id: filter.competitionIds,
  event_id: filter.eventIds,
  start_time_from: isoTimeOrNull(filter.startFromMs),
  start_time_to: isoTimeOrNull(filter.startToMs),
  lang: filter.lang,
});

const offerQuery = (filter: OfferFilter) => ({
  sport: filter.sport,
  event_id: filter.eventIds,
  bet_type: filter.betTypes,
  market_type: filter.marketTypes,
  min_liquidity: filter.minLiquidity,
});

/**
 * Reads a page and its cursor, which is made of the named fields of the last item that has them, as received. Items after that one
 * are read again with the next page. A page shorter than `limit` is the last. Items that cannot be read still count.
 */
function pageReader<T>(
  name: string,
  item: Reader<T>,
  limit: number,
  cursor: readonly string[],
): Reader<Page<T>> {
  const items = lenientArrayReader(name, item);
  return (raw, survey) => {
    const page = items(raw, survey);
    const received = listOf(name, raw);
    return {
      items: page,
      unread: received.length - page.length,
      next: received.length >= limit ? cursorAfter(name, received, cursor) : null,
    };
  };
}

function cursorAfter(name: string, received: readonly unknown[], fields: readonly string[]): string {
  const isPart = (part: unknown): boolean => typeof part === 'string' || typeof part === 'number';
  const last = received.findLast((item) => isRecord(item) && fields.every((field) => isPart(item[field])));
  if (!isRecord(last)) throw new ProtocolError(`unreadable ${name}: no item says where the next page begins`);
  return fields.map((field) => String(last[field])).join(',');
}
