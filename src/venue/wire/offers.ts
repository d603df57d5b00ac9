import { z } from 'zod';
import { ProtocolError } from '../../domain/errors.ts';
import { betslipId, betType, eventId, sport } from '../../domain/ids.ts';
import { EMPTY_PRICE_LIST, type PriceList } from '../../domain/price-list.ts';
import type { Offer, Quote } from '../../domain/stream.ts';
import { readPriceList } from './price-list.ts';
import { noteValue, objectReader, type Reader } from './reader.ts';
import { anything, isRecord, moneyOrNull, text } from './scalars.ts';
import { QUOTE_STATUSES } from './survey.ts';

const OFFER_FIELDS: ReadonlySet<string> = new Set([
  'sport',
  'event_id',
  'bet_type',
  'market_type',
  'in_running',
  'price_list',
]);

/**
 * The `offer` entry of the stream, and the items of `GET /v2/offers/`. Written by hand instead of with a schema, for
 * speed: a frame has hundreds of offers.
 */
export const readOffer: Reader<Offer> = (raw, survey) => {
  if (!isRecord(raw)) throw new ProtocolError('unreadable offer: expected an object');
  const { sport: code, event_id: event, bet_type: type, market_type: market } = raw;
  const list = readPriceList(raw['price_list'], survey);
  if (typeof code !== 'string' || typeof event !== 'string' || typeof type !== 'string') {
    throw new ProtocolError('unreadable offer: sport, event_id or bet_type is no string');
  }
  if (list === null) throw new ProtocolError('unreadable offer: price_list');
  for (const field in raw) if (!OFFER_FIELDS.has(field)) survey.note('field', `offer.${field}`);
  return {
    sport: sport(code),
    eventId: eventId(event),
    betType: betType(type),
    marketType: typeof market === 'string' ? market : '',
    inRunning: raw['in_running'] === true,
    priceList: list,
  };
};

/** Reads `{code}` or a bare string. */
export const statusCode = z.union([z.string(), z.object({ code: z.string() }).transform((s) => s.code)]);

/** The `pmm` entry of the stream. */
export const readQuote: Reader<Quote> = objectReader(
  'quote',
  {
    betslip_id: text,
    sport: text,
    event_id: text,
    bet_type: text,
    status: statusCode,
    price_list: anything,
    total: moneyOrNull,
  },
  (fields, survey): Quote => {
    noteValue(survey, 'pmm.status', fields.status, QUOTE_STATUSES);
    return {
      betslipId: betslipId(fields.betslip_id),
      sport: sport(fields.sport),
      eventId: eventId(fields.event_id),
      betType: betType(fields.bet_type),
      statusCode: fields.status,
      priceList: readPriceList(fields.price_list, survey) ?? noPrices(fields.status),
      totalMicros: fields.total,
    };
  },
);

/** A quote that did not succeed may have no list. Its empty list must still replace the earlier prices. */
function noPrices(status: string): PriceList {
  if (status === 'success') throw new ProtocolError('unreadable quote: price_list');
  return EMPTY_PRICE_LIST;
}
